"""`skillyard delete`: delete skills."""

from collections.abc import Sequence

import click

from skillyard.application.delete import DeletedSkill
from skillyard.cli.asking import is_confirmed
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.skills_view import DONE, count, say_line
from skillyard.cli.yard import opened_yard
from skillyard.domain.text import visible
from skillyard.yard import Skillyard

_DECLINED = 1


@click.command("delete")
@skills_argument
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, skills: tuple[str, ...], *, yes: bool, dry_run: bool, as_json: bool
) -> None:
    """Delete each SKILL with its versions and assignments.

    All of them are looked at first: if one is not there, or a plugin's, none is deleted. To put a
    skill away without losing anything, archive it.
    """
    with opened_yard() as yard:
        found = [yard.delete(reference, dry_run=True) for reference in skills]
        plans = list({plan.skill.id: plan for plan in found}.values())
        if not (dry_run or yes or _is_agreed(plans)):
            click.echo("Nothing was deleted", err=True)
            ctx.exit(_DECLINED)
        _carry_out(yard, plans, dry_run=dry_run, as_json=as_json)


def _carry_out(
    yard: Skillyard, plans: Sequence[DeletedSkill], *, dry_run: bool, as_json: bool
) -> None:
    told = []
    try:
        for plan in plans:
            if not dry_run:
                # What the person agreed to is what they were shown.
                yard.delete(plan.skill.id, expected=plan.skill.revision)
            told.append(_to_json(plan))
            if not as_json:
                click.echo(_render(plan, dry_run=dry_run))
    finally:
        if as_json:
            echo_json({"skills": told, "dry_run": dry_run})


def _is_agreed(plans: Sequence[DeletedSkill]) -> bool:
    names = ", ".join(plan.skill.reference for plan in plans)
    described = "; ".join(_describe(plan) for plan in plans)
    return is_confirmed(visible(f"Delete {described}?"), what=f"deleting {names}")


def _describe(plan: DeletedSkill) -> str:
    whom = f", assigned to {', '.join(plan.subjects)}" if plan.subjects else ""
    return f"{plan.skill.reference} {plan.skill.current} ({count(plan.versions, 'version')}{whom})"


def _render(plan: DeletedSkill, *, dry_run: bool) -> str:
    if dry_run:
        return visible(f"Would delete {_describe(plan)}")
    return say_line(DONE, f"{_describe(plan)} deleted")


def _to_json(plan: DeletedSkill) -> dict[str, object]:
    return {
        "slug": plan.skill.slug,
        "owner": plan.skill.owner,
        "version": str(plan.skill.current),
        "digest": str(plan.skill.digest),
        "versions": plan.versions,
        "subjects": plan.subjects,
    }
