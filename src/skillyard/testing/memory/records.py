"""Workspaces, teams, agents, nodes and sandboxes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.records import (
    RECORD_KINDS,
    Agent,
    AnyRecord,
    Node,
    Record,
    Sandbox,
    Team,
    Workspace,
)
from skillyard.testing.memory.assignments import RECORD_OF
from skillyard.testing.memory.state import State, Work


@dataclass(frozen=True, slots=True)
class MemoryRecords:
    """See `Records`."""

    work: Work

    def add_if_absent(self, record: AnyRecord) -> AnyRecord:
        """See `Records.add_if_absent`."""
        draft = self.work.draft
        kept = self.find(type(record), record.name)
        if kept is not None:
            return kept
        _keep(draft, record)
        return record

    def find(self, kind: type[AnyRecord], name: str) -> AnyRecord | None:
        """See `Records.find`."""
        found = self.work.seen.records.get((kind, name))
        return found if isinstance(found, kind) else None

    def list(self, kind: type[AnyRecord]) -> Sequence[AnyRecord]:
        """See `Records.list`."""
        found = [one for one in self.work.seen.records.values() if isinstance(one, kind)]
        return sorted(found, key=lambda one: one.name)

    def replace(self, record: Record) -> bool:
        """See `Records.replace`."""
        draft = self.work.draft
        kept = draft.records.get((type(record), record.name))
        if kept is None or kept.revision != record.revision - 1:
            return False
        _keep(draft, record)
        return True

    def remove(self, kind: type[Record], name: str) -> bool:
        """See `Records.remove`."""
        draft = self.work.draft
        if (kind, name) not in draft.records:
            return False
        if self.list_users(kind, name):
            raise ConcurrentChangeError(name)
        del draft.records[kind, name]
        _remove_assignments(draft, kind, name)
        return True

    def list_users(self, kind: type[Record], name: str) -> Sequence[Record]:
        """See `Records.list_users`."""
        everyone = self.work.seen.records.values()
        found = [one for one in everyone if (kind, name) in _iter_named(one)]
        return sorted(found, key=lambda one: (RECORD_KINDS.index(type(one)), one.name))


def _keep(draft: State, record: Record) -> None:
    for kind, name in _iter_named(record):
        if (kind, name) not in draft.records:
            raise ConcurrentChangeError(record.name)
    draft.records[type(record), record.name] = record


def _remove_assignments(draft: State, kind: type[Record], name: str) -> None:
    for place in list(draft.assignments):
        subject = place[1]
        if subject.name == name and RECORD_OF.get(subject.kind) is kind:
            del draft.assignments[place]


def _iter_named(record: Record) -> Iterator[tuple[type[Record], str]]:
    """Yield the kind and name of every record that `record` names."""
    return ((kind, name) for kind, name in _names_of(record).items() if name is not None)


def _names_of(record: Record) -> Mapping[type[Record], str | None]:
    match record:
        case Workspace():
            return {}
        case Team():
            return {Workspace: record.workspace}
        case Agent():
            return {Workspace: record.workspace, Team: record.team}
        case Node():
            return {Workspace: record.workspace, Agent: record.agent}
        case Sandbox():
            return {Agent: record.agent}
        case _:
            assert_never(record)
