"""Which skills are meant for whom."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, case, delete, false, func, or_, select

from skillyard.adapters.db.inserting import in_place_of
from skillyard.adapters.db.reach import SqlReach
from skillyard.adapters.db.rows import reading
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import assignments, skills, subjects
from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.ranges import VersionRange

_KEY: Final = ("skill_id", "subject_kind", "subject_name")
_PUT: Final = in_place_of(
    *_KEY, changed=[c.name for c in assignments.c if c.name not in {"id", *_KEY}]
)
_SPECIFICITY: Final = case(
    {str(kind): kind.specificity for kind in SubjectKind}, value=assignments.c.subject_kind
)
_ALL: Final = (
    select(assignments, skills.c.owner, skills.c.slug)
    .join_from(assignments, skills, skills.c.id == assignments.c.skill_id)
    .order_by(
        assignments.c.priority.desc(),
        _SPECIFICITY.desc(),
        assignments.c.position,
        skills.c.slug,
        skills.c.owner,
        assignments.c.subject_name,
    )
)


class SqlAssignments:
    """See `Assignments`."""

    def __init__(self, session: Session, reach: SqlReach) -> None:
        self._session = session
        self._reach = reach

    def lock(self, subject: Subject) -> None:
        """See `Assignments.lock`."""
        this = (subjects.c.kind == subject.kind, subjects.c.name == subject.name)
        # It does not stand in the way of those who only refer to the subject.
        self._session.row(select(subjects.c.name).where(*this).with_for_update(key_share=True))

    def put(self, assignment: Assignment) -> None:
        """See `Assignments.put`."""
        with self._session.attempt():
            self._session.add(assignments, _to_row(assignment), conflict=_PUT, what=assignment.slug)
        self._reach.note_skills([assignment.skill_id])

    def find(self, skill_id: str, subject: Subject) -> Assignment | None:
        """See `Assignments.find`."""
        row = self._session.row(_ALL.where(assignments.c.skill_id == skill_id, _is_for(subject)))
        return _from_row(row) if row else None

    def next_position(self, subject: Subject) -> int:
        """See `Assignments.next_position`."""
        last = select(func.max(assignments.c.position).label("last")).where(_is_for(subject))
        row = self._session.row(last)
        return 0 if row is None or row.last is None else row.last + 1

    def list(
        self, *, skill_id: str | None = None, subjects: Collection[Subject] | None = None
    ) -> Sequence[Assignment]:
        """See `Assignments.list`."""
        statement = _ALL
        if skill_id is not None:
            statement = statement.where(assignments.c.skill_id == skill_id)
        if subjects is not None:
            statement = statement.where(_is_for_any(subjects))
        return [_from_row(row) for row in self._session.rows(statement)]

    def remove(self, skill_id: str, subject: Subject) -> bool:
        """See `Assignments.remove`."""
        wanted = delete(assignments).where(assignments.c.skill_id == skill_id, _is_for(subject))
        self._reach.note_skills([skill_id])
        return self._session.count(wanted) > 0


def _is_for(subject: Subject) -> ColumnElement[bool]:
    return and_(
        assignments.c.subject_kind == subject.kind, assignments.c.subject_name == subject.name
    )


def _is_for_any(subjects: Collection[Subject]) -> ColumnElement[bool]:
    names: dict[SubjectKind, list[str]] = {}
    for subject in subjects:
        names.setdefault(subject.kind, []).append(subject.name)
    by_kind = [
        and_(assignments.c.subject_kind == kind, assignments.c.subject_name.in_(of_kind))
        for kind, of_kind in sorted(names.items())
    ]
    return or_(false(), *by_kind)


def _to_row(assignment: Assignment) -> Mapping[str, object]:
    return {
        "id": assignment.id,
        "skill_id": assignment.skill_id,
        "subject_kind": assignment.subject.kind,
        "subject_name": assignment.subject.name,
        "priority": assignment.priority,
        "position": assignment.position,
        "auto_inject": assignment.auto_inject,
        "enabled": assignment.enabled,
        "required": assignment.required,
        "opt_in": assignment.opt_in,
        "accepted": str(assignment.constraint) if assignment.constraint is not None else None,
    }


def _from_row(row: Row[*tuple[Any, ...]]) -> Assignment:
    with reading(f"assignment of {row.slug}"):
        return _to_assignment(row)


def _to_assignment(row: Row[*tuple[Any, ...]]) -> Assignment:
    return Assignment(
        id=row.id,
        skill_id=row.skill_id,
        owner=row.owner,
        slug=row.slug,
        subject=Subject(SubjectKind(row.subject_kind), row.subject_name),
        priority=row.priority,
        position=row.position,
        auto_inject=row.auto_inject,
        enabled=row.enabled,
        required=row.required,
        opt_in=row.opt_in,
        constraint=VersionRange(row.accepted) if row.accepted is not None else None,
    )
