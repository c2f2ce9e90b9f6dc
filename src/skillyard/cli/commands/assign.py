"""`skillyard assign`: give skills to someone."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import click

from skillyard.application.assign import AssignedSkill, AssignSkill
from skillyard.cli.assignment_view import assignment_to_json, describe_assignment
from skillyard.cli.options import WholeNumber, dry_run_option, echo_json, json_option
from skillyard.cli.several import Telling, do_each
from skillyard.cli.skill_options import skills_argument
from skillyard.cli.skills_view import DONE, SAME, say_line, say_note
from skillyard.cli.subjects import name_subject, subject_options
from skillyard.cli.yard import opened_yard
from skillyard.domain.assignment import Subject
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.obstacle import Obstacle
from skillyard.domain.ranges import VersionRange
from skillyard.domain.text import visible

_OBSTACLES: Final = {
    Obstacle.DISABLED: "is disabled: nobody loads it until it is enabled",
    Obstacle.ARCHIVED: "is archived: nobody loads it until it is taken out of the archive",
    Obstacle.DRAFT: "is a draft: nobody loads it until it is made active",
    Obstacle.LOW_CONFIDENCE: (
        "has low confidence: it is listed as unproven unless the assignment has --opt-in"
    ),
    Obstacle.NO_VERSION: "has no version in the range that the assignment is pinned to",
    Obstacle.NOT_ALLOWED: "is not among the skills that the agent is allowed",
    Obstacle.SWITCHED_OFF: "is among the skills that are disabled for the agent",
    Obstacle.LIGHTWEIGHT: "is not loaded while the agent is in lightweight mode",
}


@click.command("assign")
@skills_argument
@subject_options
@click.option(
    "--priority",
    type=WholeNumber(-LARGEST_NUMBER, LARGEST_NUMBER),
    metavar="N",
    help="Higher comes first; 0 unless said.",
)
@click.option(
    "--position",
    type=WholeNumber(0, LARGEST_NUMBER),
    metavar="N",
    help="Among equal priorities, lower comes first; behind the last unless said.",
)
@click.option("--auto-inject/--no-auto-inject", default=None, help="Load it without being asked.")
@click.option("--enable/--disable", "enabled", default=None, help="A disabled one hides the skill.")
@click.option("--required/--optional", "required", default=None, help="Nothing runs without it.")
@click.option("--opt-in/--no-opt-in", default=None, help="Load it also with low confidence.")
@click.option("--pin", metavar="RANGE", help="Accept only these versions: 1.2.3, ^1.2, '>=1 <3'.")
@click.option("--unpin", is_flag=True, help="Accept the current version, whichever it is.")
@dry_run_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    skills: tuple[str, ...],
    subject: Subject,
    *,
    dry_run: bool,
    as_json: bool,
    **said: int | str | bool | None,
) -> None:
    """Give each SKILL to an agent, a team, a node, a workspace or everyone.

    Where it is assigned already, only what is said is changed.
    """
    if len(skills) > 1 and said["position"] is not None:
        message = "--position is about one skill"
        raise click.UsageError(message, ctx)
    values = _read(said)
    with opened_yard() as yard:

        def assign(reference: str) -> AssignedSkill:
            wish = AssignSkill(reference=reference, subject=subject, **values)
            done = yard.assign(wish, dry_run=dry_run)
            _say_obstacles(done)
            return done

        if len(skills) == 1:
            _tell(assign(skills[0]), dry_run=dry_run, as_json=as_json)
            return
        telling: Telling[AssignedSkill] = Telling(
            "assignments", lambda one: _describe(one, dry_run=dry_run), lambda _, one: _to_json(one)
        )
        ctx.exit(do_each(skills, assign, telling, dry_run=dry_run, as_json=as_json))


def _say_obstacles(done: AssignedSkill) -> None:
    for one in done.obstacles:
        say_note(f"{done.skill.reference} {_OBSTACLES[one]}")


def _tell(done: AssignedSkill, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        echo_json({**_to_json(done), "dry_run": dry_run})
        return
    click.echo(_describe(done, dry_run=dry_run))


def _read(said: Mapping[str, int | str | bool | None]) -> dict[str, Any]:
    values = {name: value for name, value in said.items() if name not in ("pin", "unpin")}
    given = {name: value for name, value in values.items() if value is not None}
    return {**given, **dict(_read_pin(said["pin"], unpin=bool(said["unpin"])))}


def _read_pin(pin: object, *, unpin: bool) -> Iterator[tuple[str, VersionRange | None]]:
    if pin is not None and unpin:
        message = "use only one of --pin, --unpin"
        raise click.UsageError(message, click.get_current_context())
    if pin is not None:
        yield "constraint", VersionRange(str(pin))
    if unpin:
        yield "constraint", None


def _to_json(done: AssignedSkill) -> dict[str, object]:
    return {
        "assignment": assignment_to_json(done.assignment),
        "before": assignment_to_json(done.before) if done.before else None,
        "changed": done.is_changed,
        "obstacles": list(done.obstacles),
    }


def _describe(done: AssignedSkill, *, dry_run: bool) -> str:
    skill, subject = done.skill.reference, name_subject(done.assignment.subject)
    how = f"to {subject}: {describe_assignment(done.assignment)}"
    if not done.is_changed:
        return say_line(SAME, f"{skill} is assigned like that already {how}")
    if dry_run:
        return visible(f"Would {'reassign' if done.before else 'assign'} {skill} {how}")
    return say_line(DONE, f"{skill} {'reassigned' if done.before else 'assigned'} {how}")
