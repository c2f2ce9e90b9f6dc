"""`skillyard rollback`: make an older version current again."""

import click

from skillyard.application.rollback import RolledBackSkill
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skill_options import skill_argument, to_version
from skillyard.cli.skills_view import DONE, SAME, say_line
from skillyard.cli.yard import opened_yard
from skillyard.domain.text import visible
from skillyard.domain.version import Version


def _refuse_option(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """Say how it is spelt here: other commands have such an option."""
    del param
    if value is not None:
        message = f"VERSION is an argument: `{ctx.command_path} SKILL {value}`"
        raise click.UsageError(message, ctx)


@click.command("rollback")
@skill_argument
@click.argument("version", metavar="VERSION", callback=to_version)
@click.option(
    "--version",
    "as_option",
    hidden=True,
    is_eager=True,
    callback=_refuse_option,
    help="VERSION is an argument.",
)
@dry_run_option
@json_option
def command(skill: str, version: Version, as_option: None, *, dry_run: bool, as_json: bool) -> None:
    """Make VERSION of SKILL the current one again.

    No version is made, changed or lost: `skillyard history` shows them all, and another rollback
    goes forward again.
    """
    del as_option
    with opened_yard() as yard:
        done = yard.roll_back(skill, version, dry_run=dry_run)
    if as_json:
        echo_json(_to_json(done, dry_run=dry_run))
        return
    click.echo(_render(done, dry_run=dry_run))


def _to_json(done: RolledBackSkill, *, dry_run: bool) -> dict[str, object]:
    return {
        "slug": done.skill.slug,
        "owner": done.skill.owner,
        "changed": done.before != done.skill,
        "before": str(done.before.current),
        "version": str(done.skill.current),
        "digest": str(done.skill.digest),
        "revision": done.skill.revision,
        "dry_run": dry_run,
    }


def _render(done: RolledBackSkill, *, dry_run: bool) -> str:
    name, before, after = done.skill.reference, done.before.current, done.skill.current
    if before == after:
        return say_line(SAME, f"{name} is at {after} already")
    if dry_run:
        return visible(f"Would roll {name} back from {before} to {after}")
    return say_line(DONE, f"{name} {after} is current again, in the place of {before}")
