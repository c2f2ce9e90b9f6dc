"""What happened, and what has to be done because of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from skillyard.domain.audit import AuditEntry, AuditFilter, OutboxEvent
from skillyard.testing.memory.freezing import freeze_entry, freeze_event
from skillyard.testing.memory.state import Work


@dataclass(frozen=True, slots=True)
class MemoryAuditLog:
    """See `AuditLog`."""

    work: Work

    def append(self, entry: AuditEntry) -> None:
        """See `AuditLog.append`."""
        draft = self.work.draft
        number = draft.next_number("audit")
        draft.audit[number] = freeze_entry(entry, number)

    def list(
        self, wanted: AuditFilter, *, before: int | None = None, most: int | None = None
    ) -> Sequence[AuditEntry]:
        """See `AuditLog.list`."""
        found = [
            one
            for one in reversed(self.work.seen.audit.values())
            if (before is None or one.number < before) and _matches(one, wanted)
        ]
        return found[:most]


def _matches(entry: AuditEntry, wanted: AuditFilter) -> bool:
    return (
        wanted.target in (None, entry.target)
        and wanted.skill_id in (None, entry.skill_id)
        and wanted.actor in (None, entry.actor)
        and (wanted.action is None or f"{entry.action}.".startswith(f"{wanted.action}."))
        and (wanted.since is None or entry.at >= wanted.since)
    )


@dataclass(frozen=True, slots=True)
class MemoryOutbox:
    """See `Outbox`."""

    work: Work

    def append(self, event: OutboxEvent) -> None:
        """See `Outbox.append`."""
        draft = self.work.draft
        number = draft.next_number("events")
        draft.events[number] = freeze_event(event, number)

    def list_pending(self, *, most: int = 100) -> Sequence[OutboxEvent]:
        """See `Outbox.list_pending`."""
        return list(self.work.seen.events.values())[:most]

    def mark_done(self, numbers: Collection[int]) -> None:
        """See `Outbox.mark_done`."""
        draft = self.work.draft
        for number in numbers:
            draft.events.pop(number, None)
