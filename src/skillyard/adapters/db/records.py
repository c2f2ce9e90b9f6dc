"""Workspaces, teams, agents, nodes and sandboxes.

Every record that a skill can be assigned to has a row among the subjects, which comes and goes with
it: assignments refer to that one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Row, Table, bindparam, delete, or_, select, update

from skillyard.adapters.db import tables
from skillyard.adapters.db.inserting import if_absent
from skillyard.adapters.db.rows import from_json_list, reading, to_json
from skillyard.adapters.db.session import Session
from skillyard.domain.assignment import SubjectKind
from skillyard.domain.records import (
    RECORD_KINDS,
    Agent,
    AnyRecord,
    Node,
    Record,
    Sandbox,
    SandboxKind,
    Team,
    Workspace,
    name_of_kind,
)

_TABLES: Final[Mapping[type, Table]] = {
    Workspace: tables.workspaces,
    Team: tables.teams,
    Agent: tables.agents,
    Node: tables.nodes,
    Sandbox: tables.sandboxes,
}
# Made once: making a statement takes longer than running it.
_BY_NAME: Final = {
    kind: select(table).where(table.c.name == bindparam("name")) for kind, table in _TABLES.items()
}
_IF_ABSENT: Final = if_absent("name")
_LISTS: Final = frozenset({"allowlist", "disabled_skills", "prefix"})
_SUBJECTS: Final = frozenset(str(kind) for kind in SubjectKind)


class SqlRecords:
    """See `Records`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_if_absent(self, record: AnyRecord) -> AnyRecord:
        """See `Records.add_if_absent`."""
        table = _TABLES[type(record)]
        while True:
            with self._session.attempt():
                added = self._session.add(
                    table, _to_row(record), conflict=_IF_ABSENT, what=record.name
                )
            if added:
                self._add_subject(record)
                return record
            # One that is removed between these two statements is no reason to fail.
            if (kept := self.find(type(record), record.name)) is not None:
                return kept

    def find(self, kind: type[AnyRecord], name: str) -> AnyRecord | None:
        """See `Records.find`."""
        row = self._session.row(_BY_NAME[kind], {"name": name})
        return _from_row(kind, row) if row else None

    def list(self, kind: type[AnyRecord]) -> Sequence[AnyRecord]:
        """See `Records.list`."""
        table = _TABLES[kind]
        rows = self._session.rows(select(table).order_by(table.c.name))
        return [_from_row(kind, row) for row in rows]

    def replace(self, record: Record) -> bool:
        """See `Records.replace`."""
        table = _TABLES[type(record)]
        predecessor = (table.c.name == record.name, table.c.revision == record.revision - 1)
        change = update(table).where(*predecessor).values(_to_row(record))
        with self._session.attempt():
            return self._session.count(change, what=record.name) > 0

    def remove(self, kind: type[Record], name: str) -> bool:
        """See `Records.remove`."""
        table = _TABLES[kind]
        with self._session.attempt():
            removed = self._session.count(delete(table).where(table.c.name == name), what=name)
        subjects = tables.subjects.c
        this = (subjects.kind == name_of_kind(kind), subjects.name == name)
        self._session.run(delete(tables.subjects).where(*this))
        return removed > 0

    def list_users(self, kind: type[Record], name: str) -> Sequence[Record]:
        """See `Records.list_users`."""
        users: list[Record] = []
        for other in RECORD_KINDS:
            users += self._iter_users_of_kind(other, _TABLES[kind], name)
        return users

    def _iter_users_of_kind(self, kind: type[Record], target: Table, name: str) -> Iterator[Record]:
        table = _TABLES[kind]
        named = [key.parent == name for key in table.foreign_keys if key.column.table is target]
        if named:
            users = select(table).where(or_(*named)).order_by(table.c.name)
            yield from (kind(**_to_values(row)) for row in self._session.rows(users))

    def _add_subject(self, record: Record) -> None:
        kind = name_of_kind(type(record))
        if kind in _SUBJECTS:
            self._session.add(tables.subjects, {"kind": kind, "name": record.name})


def _to_row(record: Record) -> Mapping[str, object]:
    values = {one.name: getattr(record, one.name) for one in fields(record)}
    return {name: _to_column(name, value) for name, value in values.items()}


def _to_column(name: str, value: object) -> object:
    return to_json(value) if name in _LISTS and value is not None else value


def _from_row(kind: type[AnyRecord], row: Row[*tuple[Any, ...]]) -> AnyRecord:
    return kind(**_to_values(row))


def _to_values(row: Row[*tuple[Any, ...]]) -> dict[str, Any]:
    values = row._asdict()
    with reading(f"record {values['name']}"):
        return _read_values(values)


def _read_values(values: dict[str, Any]) -> dict[str, Any]:
    for name in _LISTS & values.keys():
        values[name] = None if values[name] is None else from_json_list(values[name])
    if "kind" in values:
        values["kind"] = SandboxKind(values["kind"])
    return values
