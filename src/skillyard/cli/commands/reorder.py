"""`skillyard reorder`: put the skills of someone into another order."""

from collections.abc import Sequence
from itertools import pairwise

import click

from skillyard.cli.assignment_view import assignment_to_json, name_skill, render_assignments
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skills_view import say_note
from skillyard.cli.subjects import subject_options
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Assignment, Subject


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
        ordered = yard.reorder(subject, skills, dry_run=dry_run)
    _say_priorities(ordered)
    if as_json:
        assignments = [assignment_to_json(one) for one in ordered]
        echo_json({"assignments": assignments, "dry_run": dry_run})
        return
    for line in render_assignments(ordered):
        click.echo(line)


def _say_priorities(ordered: Sequence[Assignment]) -> None:
    for before, after in pairwise(ordered):
        if before.priority < after.priority:
            reason = f"its priority is {after.priority}, not {before.priority}"
            say_note(f"{name_skill(after)} still comes before {name_skill(before)}: {reason}")
