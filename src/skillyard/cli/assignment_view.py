"""Assignments, as commands print them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.assignment import Assignment
from skillyard.domain.skill import PEOPLE

_HEADERS = ("Skill", "Priority", "Position", "Version", "Notes")


def name_skill(assignment: Assignment) -> str:
    """Give what a person types to name the skill."""
    is_plain = assignment.owner == PEOPLE
    return assignment.slug if is_plain else f"{assignment.owner}/{assignment.slug}"


def assignment_to_json(assignment: Assignment) -> Mapping[str, object]:
    """Give an assignment as a value for JSON."""
    return {
        "id": assignment.id,
        "skill": name_skill(assignment),
        "skill_id": assignment.skill_id,
        "subject": {"kind": assignment.subject.kind, "name": assignment.subject.name},
        "priority": assignment.priority,
        "position": assignment.position,
        "auto_inject": assignment.auto_inject,
        "enabled": assignment.enabled,
        "required": assignment.required,
        "opt_in": assignment.opt_in,
        "constraint": str(assignment.constraint) if assignment.constraint else None,
    }


def render_assignments(assignments: Iterable[Assignment]) -> Sequence[str]:
    """Give the lines of a table of a subject's skills."""
    rows = [_row(one) for one in assignments]
    return render_table(_HEADERS, rows, width=find_width(), right=("Priority", "Position"))


def _row(one: Assignment) -> tuple[str, ...]:
    pin = str(one.constraint or "")
    return name_skill(one), str(one.priority), str(one.position), pin, ", ".join(_notes(one))


def describe_assignment(one: Assignment) -> str:
    """Say in one line how a skill is assigned."""
    pin = [f"version {one.constraint}"] if one.constraint else []
    parts = [f"priority {one.priority}", f"position {one.position}", *pin, *_notes(one)]
    return ", ".join(parts)


def _notes(one: Assignment) -> Iterator[str]:
    if not one.enabled:
        yield "disabled"
    if one.required:
        yield "required"
    if one.auto_inject:
        yield "auto-inject"
    if one.opt_in:
        yield "opt-in"
