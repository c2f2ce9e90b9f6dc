"""`skillyard unassign`: take a skill away again."""

import click

from skillyard.cli.assignment_view import assignment_to_json, name_skill
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.skills_view import DONE, say_line
from skillyard.cli.subjects import name_subject, subject_options
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Subject
from skillyard.domain.text import visible


@click.command("unassign")
@click.argument("skill")
@subject_options
@dry_run_option
@json_option
def command(skill: str, subject: Subject, *, dry_run: bool, as_json: bool) -> None:
    """Take SKILL from an agent, a team, a node, a workspace or everyone.

    What it has from less specific ones stays: the skills of a team reach its agents.
    """
    with opened_yard() as yard:
        taken = yard.unassign(skill, subject, dry_run=dry_run)
    if as_json:
        echo_json({"assignment": assignment_to_json(taken), "dry_run": dry_run})
        return
    said = f"{name_skill(taken)} from {name_subject(subject)}"
    click.echo(visible(f"Would take {said}") if dry_run else say_line(DONE, f"took {said}"))
