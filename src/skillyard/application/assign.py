"""Say which skills are meant for whom."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from skillyard.application.journal import Journal
from skillyard.application.lookup import get_record, get_skill
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.errors import AssignmentNotFoundError, InvalidFactError
from skillyard.domain.facts import UNSET, FactProblem, Unset
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.obstacle import Obstacle, iter_obstacles
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent, Node, Record, Team, Workspace
from skillyard.domain.skill import Actor, Skill

_SWITCHES: Final = ("auto_inject", "enabled", "required", "opt_in")


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignSkill:
    """The wish that a skill be meant for a subject; what is unset stays, or has its default.

    Without a position, a new assignment goes behind the subject's last one.
    """

    reference: str
    subject: Subject
    priority: int | Unset = UNSET
    position: int | Unset = UNSET
    auto_inject: bool | Unset = UNSET
    enabled: bool | Unset = UNSET
    required: bool | Unset = UNSET
    opt_in: bool | Unset = UNSET
    constraint: VersionRange | Unset | None = UNSET

    def said(self) -> dict[str, object]:
        """Give the values that were said, by name."""
        names = ("priority", "position", *_SWITCHES, "constraint")
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not UNSET}


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignedSkill:
    """An assignment after it was made or changed; `before` is None where it is new.

    `obstacles` are what keeps the skill from being loaded through it.
    """

    skill: Skill
    before: Assignment | None
    assignment: Assignment
    obstacles: tuple[Obstacle, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether anything is different."""
        return self.before != self.assignment


def assign_skill(
    wish: AssignSkill,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> AssignedSkill:
    """Assign a skill to a subject, or change how it is assigned.

    Raises:
        SkillNotFoundError: There is no such skill.
        RecordNotFoundError: There is no such subject.
        InvalidFactError: A number is too large, or too small; every problem is named.
    """
    with store.begin() as transaction:
        skill = get_skill(wish.reference, transaction=transaction)
        record = require_subject(wish.subject, transaction=transaction)
        transaction.assignments.lock(wish.subject)
        before = transaction.assignments.find(skill.id, wish.subject)
        fresh = before or _new_assignment(skill, wish.subject, ids, transaction)
        assignment = replace(fresh, **wish.said())  # type: ignore[arg-type]
        _require_sound(assignment)
        done = AssignedSkill(
            skill=skill,
            before=before,
            assignment=assignment,
            obstacles=_obstacles(skill, assignment, record, transaction),
        )
        if done.is_changed:
            transaction.assignments.put(assignment)
            action = "skill.reassigned" if before else "skill.assigned"
            note_assignment(Journal(transaction, actor, clock.now()), action, skill, assignment)
        if not dry_run:
            transaction.commit()
    return done


def require_subject(subject: Subject, *, transaction: Transaction) -> Record | None:
    """Give the record of a subject; None for the global one.

    Raises:
        RecordNotFoundError: There is none.
    """
    match subject.kind:
        case SubjectKind.GLOBAL:
            return None
        case SubjectKind.WORKSPACE:
            return get_record(Workspace, subject.name, transaction=transaction)
        case SubjectKind.TEAM:
            return get_record(Team, subject.name, transaction=transaction)
        case SubjectKind.AGENT:
            return get_record(Agent, subject.name, transaction=transaction)
        case SubjectKind.NODE:
            return get_record(Node, subject.name, transaction=transaction)


def _new_assignment(
    skill: Skill, subject: Subject, ids: IdSource, transaction: Transaction
) -> Assignment:
    return Assignment(
        id=ids.new_id(),
        skill_id=skill.id,
        owner=skill.owner,
        slug=skill.slug,
        subject=subject,
        position=min(transaction.assignments.next_position(subject), LARGEST_NUMBER),
    )


def _require_sound(assignment: Assignment) -> None:
    numbers = {
        "priority": (assignment.priority, -LARGEST_NUMBER),
        "position": (assignment.position, 0),
    }
    problems = [
        FactProblem(name, f"it is not between {least} and {LARGEST_NUMBER}")
        for name, (number, least) in numbers.items()
        if not least <= number <= LARGEST_NUMBER
    ]
    if problems:
        raise InvalidFactError(problems)


def _obstacles(
    skill: Skill, assignment: Assignment, record: Record | None, transaction: Transaction
) -> tuple[Obstacle, ...]:
    saved = transaction.versions.list(skill.id) if assignment.constraint else ()
    versions = [one.version for one in saved]
    agent = record if isinstance(record, Agent) else None
    return tuple(iter_obstacles(skill, assignment, versions=versions, agent=agent))


def unassign_skill(
    reference: str,
    subject: Subject,
    *,
    store: Store,
    clock: Clock,
    actor: Actor,
    dry_run: bool = False,
) -> Assignment:
    """Take a skill from a subject; give what was taken.

    Raises:
        AssignmentNotFoundError: The skill is not assigned to it.
    """
    with store.begin() as transaction:
        skill = get_skill(reference, transaction=transaction)
        require_subject(subject, transaction=transaction)
        transaction.assignments.lock(subject)
        assignment = transaction.assignments.find(skill.id, subject)
        if assignment is None or not transaction.assignments.remove(skill.id, subject):
            raise AssignmentNotFoundError(skill.reference, str(subject))
        journal = Journal(transaction, actor, clock.now())
        note_assignment(journal, "skill.unassigned", skill, assignment)
        if not dry_run:
            transaction.commit()
    return assignment


def reorder_skills(
    subject: Subject,
    references: Sequence[str],
    *,
    store: Store,
    clock: Clock,
    actor: Actor,
    dry_run: bool = False,
) -> Sequence[Assignment]:
    """Put a subject's assignments into the order of `references`; others follow as they were.

    Gives every assignment of the subject in its new order.

    Raises:
        AssignmentNotFoundError: One of the skills is not assigned to the subject.
    """
    with store.begin() as transaction:
        require_subject(subject, transaction=transaction)
        journal = Journal(transaction, actor, clock.now())
        transaction.assignments.lock(subject)
        ordered = _order(subject, references, transaction)
        placed = [replace(one, position=number) for number, one in enumerate(ordered)]
        for old, new in zip(ordered, placed, strict=True):
            if old != new:
                transaction.assignments.put(new)
        if placed != list(ordered):
            said = " ".join(one.slug for one in placed)
            journal.note("subject.reordered", str(subject), details={"order": said})
        if not dry_run:
            transaction.commit()
    return placed


def _order(
    subject: Subject, references: Sequence[str], transaction: Transaction
) -> Sequence[Assignment]:
    here = sorted(
        transaction.assignments.list(subjects=[subject]), key=lambda one: (one.position, one.slug)
    )
    by_skill = {one.skill_id: one for one in here}
    chosen: dict[str, Assignment] = {}
    for reference in references:
        skill = get_skill(reference, transaction=transaction)
        if skill.id not in by_skill:
            raise AssignmentNotFoundError(skill.reference, str(subject))
        chosen[skill.id] = by_skill[skill.id]
    return [*chosen.values(), *(one for one in here if one.skill_id not in chosen)]


def note_assignment(journal: Journal, action: str, skill: Skill, assignment: Assignment) -> None:
    """Note that an assignment was made, changed or taken."""
    details = {
        "subject": str(assignment.subject),
        "priority": str(assignment.priority),
        "position": str(assignment.position),
        **{name: str(getattr(assignment, name)).lower() for name in _SWITCHES},
    }
    if assignment.constraint:
        details["constraint"] = str(assignment.constraint)
    journal.note_skill(action, skill, before=skill.digest, after=skill.digest, details=details)
