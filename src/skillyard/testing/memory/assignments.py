"""Which skills are meant for whom."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.records import Agent, Node, Record, Team, Workspace
from skillyard.testing.memory.state import State, Work

RECORD_OF: Final[dict[SubjectKind, type[Record]]] = {
    SubjectKind.WORKSPACE: Workspace,
    SubjectKind.TEAM: Team,
    SubjectKind.AGENT: Agent,
    SubjectKind.NODE: Node,
}
"""The kind of record that a subject of a kind is; the global one is none."""


@dataclass(frozen=True, slots=True)
class MemoryAssignments:
    """See `Assignments`."""

    work: Work

    def lock(self, subject: Subject) -> None:
        """See `Assignments.lock`; one transaction writes at a time, so it is locked already."""
        del subject

    def put(self, assignment: Assignment) -> None:
        """See `Assignments.put`."""
        draft, subject = self.work.draft, assignment.subject
        skill = draft.skills.get(assignment.skill_id)
        if skill is None or not _is_there(draft, subject):
            raise ConcurrentChangeError(assignment.slug)
        kept = draft.assignments.get((skill.id, subject), assignment)
        draft.assignments[skill.id, subject] = replace(
            assignment, id=kept.id, owner=skill.owner, slug=skill.slug
        )

    def find(self, skill_id: str, subject: Subject) -> Assignment | None:
        """See `Assignments.find`."""
        return self.work.seen.assignments.get((skill_id, subject))

    def next_position(self, subject: Subject) -> int:
        """See `Assignments.next_position`."""
        return max((one.position for one in self.list(subjects=[subject])), default=-1) + 1

    def list(
        self, *, skill_id: str | None = None, subjects: Collection[Subject] | None = None
    ) -> Sequence[Assignment]:
        """See `Assignments.list`."""
        found = [
            one
            for one in self.work.seen.assignments.values()
            if skill_id in (None, one.skill_id) and (subjects is None or one.subject in subjects)
        ]
        return sorted(found, key=_place)

    def remove(self, skill_id: str, subject: Subject) -> bool:
        """See `Assignments.remove`."""
        return self.work.draft.assignments.pop((skill_id, subject), None) is not None


def _is_there(state: State, subject: Subject) -> bool:
    kind = RECORD_OF.get(subject.kind)
    return kind is None or (kind, subject.name) in state.records


def _place(one: Assignment) -> tuple[int, int, int, str, str, str]:
    specificity = one.subject.kind.specificity
    return (-one.priority, -specificity, one.position, one.slug, one.owner, one.subject.name)
