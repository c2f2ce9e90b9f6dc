"""`skillyard unassign`: take skills away again."""

import click

from skillyard.cli.assignment_view import assignment_to_json, name_skill
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.several import Telling, do_each
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.skills_view import DONE, say_line
from skillyard.cli.subjects import name_subject, subject_options
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.text import visible


@click.command("unassign")
@skills_argument
@subject_options
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, skills: tuple[str, ...], subject: Subject, *, dry_run: bool, as_json: bool
) -> None:
    """Take each SKILL from an agent, a team, a node, a workspace or everyone.

    What it has from less specific ones stays: the skills of a team reach its agents.
    """
    with opened_yard() as yard:

        def take(reference: str) -> Assignment:
            return yard.unassign(reference, subject, dry_run=dry_run)

        if len(skills) == 1:
            _tell(take(skills[0]), dry_run=dry_run, as_json=as_json)
            return
        telling: Telling[Assignment] = Telling(
            "assignments", lambda one: _describe(one, dry_run=dry_run), lambda _, one: _to_json(one)
        )
        ctx.exit(do_each(skills, take, telling, dry_run=dry_run, as_json=as_json))


def _tell(taken: Assignment, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        echo_json({**_to_json(taken), "dry_run": dry_run})
        return
    click.echo(_describe(taken, dry_run=dry_run))


def _to_json(taken: Assignment) -> dict[str, object]:
    return {"assignment": assignment_to_json(taken)}


def _describe(taken: Assignment, *, dry_run: bool) -> str:
    said = f"{name_skill(taken)} from {name_subject(taken.subject)}"
    return visible(f"Would take {said}") if dry_run else say_line(DONE, f"took {said}")
