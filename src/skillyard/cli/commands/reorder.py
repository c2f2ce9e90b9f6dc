"""`skillyard reorder`: put the skills of someone into another order."""

from collections.abc import Sequence
from itertools import pairwise

import click

from skillyard.cli.assignment_view import assignment_to_json, name_skill, render_assignments
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skills_view import say_note
from skillyard.cli.subjects import name_subject, subject_options
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.text import visible
from skillyard.yard import Skillyard


@click.command("reorder")
@click.argument("skills", metavar="SKILL...", nargs=-1, required=True)
@subject_options
@dry_run_option
@json_option
def command(skills: tuple[str, ...], subject: Subject, *, dry_run: bool, as_json: bool) -> None:
    """Put the skills of someone into this order; those that are not named follow as they were.

    Priorities stay, and come before positions.
    """
    with opened_yard() as yard:
        _require_different(skills, yard)
        ordered = yard.reorder(subject, skills, dry_run=dry_run)
    _say_priorities(ordered)
    if as_json:
        assignments = [assignment_to_json(one) for one in ordered]
        echo_json({"assignments": assignments, "dry_run": dry_run})
        return
    if dry_run:
        click.echo(visible(f"Would put the skills of {name_subject(subject)} into this order:"))
    for line in render_assignments(ordered):
        click.echo(line)


def _require_different(skills: Sequence[str], yard: Skillyard) -> None:
    seen: dict[str, str] = {}
    for one in skills:
        skill = yard.get(one).skill
        if skill.id in seen:
            message = f"`{skill.reference}` is named twice"
            raise click.UsageError(message, click.get_current_context())
        seen[skill.id] = one


def _say_priorities(ordered: Sequence[Assignment]) -> None:
    for before, after in pairwise(ordered):
        if before.priority < after.priority:
            reason = f"its priority is {after.priority}, not {before.priority}"
            say_note(f"{name_skill(after)} still comes before {name_skill(before)}: {reason}")
