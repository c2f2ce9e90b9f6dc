"""What happened, and what has to be done because of it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, and_, bindparam, delete, or_, select

from skillyard.adapters.db.rows import (
    from_digest,
    from_json_mapping,
    from_moment,
    reading,
    to_digest,
    to_json,
    to_moment,
)
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import audit, outbox
from skillyard.domain.audit import AuditEntry, AuditFilter, OutboxEvent

_NEWEST_FIRST: Final = select(audit).order_by(audit.c.number.desc())
_PENDING: Final = select(outbox).order_by(outbox.c.number).limit(bindparam("most"))
_DONE: Final = delete(outbox).where(outbox.c.number.in_(bindparam("numbers", expanding=True)))


class SqlAuditLog:
    """See `AuditLog`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def append(self, entry: AuditEntry) -> None:
        """See `AuditLog.append`."""
        self._session.add(audit, _to_row(entry))

    def list(
        self, wanted: AuditFilter, *, before: int | None = None, most: int | None = None
    ) -> Sequence[AuditEntry]:
        """See `AuditLog.list`."""
        statement = _NEWEST_FIRST.where(*_iter_conditions(wanted)).limit(most)
        if before is not None:
            statement = statement.where(audit.c.number < before)
        return [_from_row(row) for row in self._session.rows(statement)]


class SqlOutbox:
    """See `Outbox`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def append(self, event: OutboxEvent) -> None:
        """See `Outbox.append`."""
        row = {"at": to_moment(event.at), "topic": event.topic, "data": to_json(dict(event.data))}
        self._session.add(outbox, row)

    def list_pending(self, *, most: int = 100) -> Sequence[OutboxEvent]:
        """See `Outbox.list_pending`."""
        return [_to_event(row) for row in self._session.rows(_PENDING, {"most": most})]

    def mark_done(self, numbers: Collection[int]) -> None:
        """See `Outbox.mark_done`."""
        self._session.run(_DONE, {"numbers": list(numbers)})


def _iter_conditions(wanted: AuditFilter) -> Iterator[ColumnElement[bool]]:
    equal = {
        audit.c.target: wanted.target,
        audit.c.skill_id: wanted.skill_id,
        audit.c.actor: wanted.actor,
    }
    yield from (column == value for column, value in equal.items() if value is not None)
    if wanted.action is not None:
        yield _is_action(wanted.action)
    if wanted.since is not None:
        yield audit.c.at >= to_moment(wanted.since)


def _is_action(action: str) -> ColumnElement[bool]:
    # `/` comes right after `.`: between the two is everything that starts with `action.`
    within = and_(audit.c.action >= f"{action}.", audit.c.action < f"{action}/")
    return or_(audit.c.action == action, within)


def _to_row(entry: AuditEntry) -> Mapping[str, object]:
    return {
        "at": to_moment(entry.at),
        "actor": entry.actor,
        "door": entry.door,
        "action": entry.action,
        "target": entry.target,
        "skill_id": entry.skill_id,
        "before": to_digest(entry.before) if entry.before else None,
        "after": to_digest(entry.after) if entry.after else None,
        "details": to_json(dict(entry.details)),
    }


def _from_row(row: Row[*tuple[Any, ...]]) -> AuditEntry:
    with reading(f"audit entry {row.number}"):
        return _to_entry(row)


def _to_entry(row: Row[*tuple[Any, ...]]) -> AuditEntry:
    return AuditEntry(
        at=from_moment(row.at),
        actor=row.actor,
        door=row.door,
        action=row.action,
        target=row.target,
        skill_id=row.skill_id,
        before=from_digest(row.before) if row.before else None,
        after=from_digest(row.after) if row.after else None,
        details=from_json_mapping(row.details),
        number=row.number,
    )


def _to_event(row: Row[*tuple[Any, ...]]) -> OutboxEvent:
    with reading(f"outbox event {row.number}"):
        return OutboxEvent(
            at=from_moment(row.at),
            topic=row.topic,
            data=from_json_mapping(row.data),
            number=row.number,
        )
