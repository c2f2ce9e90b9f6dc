"""Assignments, as commands print them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skillyard.cli.subjects import name_subject
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.obstacle import Obstacle
from skillyard.domain.skill import PEOPLE

_OBSTACLES: Final = {
    Obstacle.DISABLED: "the skill is disabled",
    Obstacle.ARCHIVED: "archived",
    Obstacle.DRAFT: "draft",
    Obstacle.LOW_CONFIDENCE: "low confidence",
    Obstacle.NO_VERSION: "no version fits",
    Obstacle.NOT_ALLOWED: "not allowed",
    Obstacle.SWITCHED_OFF: "disabled for the agent",
    Obstacle.LIGHTWEIGHT: "lightweight agent",
}
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
        **terms_to_json(assignment),
    }


def terms_to_json(assignment: Assignment) -> Mapping[str, object]:
    """Give whom an assignment is to, and how, where the skill is named already."""
    return {
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


@dataclass(frozen=True, slots=True)
class ReachingSkill:
    """An assignment that reaches someone, and what keeps the skill from being loaded."""

    assignment: Assignment
    obstacles: tuple[Obstacle, ...]

    def to_json(self) -> Mapping[str, object]:
        """Give it as a value for JSON."""
        return {**assignment_to_json(self.assignment), "obstacles": list(self.obstacles)}


def render_reaching(
    reaching: Iterable[ReachingSkill], *, own: Subject, width: int | None
) -> Sequence[str]:
    """Give the lines of a table of the skills that reach `own`; those of others say from whom."""
    rows = [_reaching_row(one, own) for one in reaching]
    has_others = any(row[1] for row in rows)
    shown = rows if has_others else [(row[0], *row[2:]) for row in rows]
    headers = ("Skill", "From", *_HEADERS[1:]) if has_others else _HEADERS
    return render_table(
        headers, shown, width=width, right=("Priority", "Position"), flexible=("Notes",)
    )


def _reaching_row(one: ReachingSkill, own: Subject) -> tuple[str, ...]:
    name, *rest, notes = _row(one.assignment)
    whose = "" if one.assignment.subject == own else name_subject(one.assignment.subject)
    said = [notes, *(_OBSTACLES[obstacle] for obstacle in one.obstacles)]
    return name, whose, *rest, ", ".join(filter(None, said))


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
