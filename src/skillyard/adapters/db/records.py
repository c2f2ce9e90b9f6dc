"""Workspaces, teams, agents, nodes and sandboxes.

Every record that a skill can be assigned to has a row among the subjects, which comes and goes with
it: assignments refer to that one.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from sqlalchemy import Table, delete, or_, select, update

from skillyard.adapters.db import tables
from skillyard.adapters.db.catalogue import Question
from skillyard.adapters.db.inserting import if_absent
from skillyard.adapters.db.reach import SqlReach
from skillyard.adapters.db.rows import from_json_list, reading, to_json
from skillyard.adapters.db.session import Session
from skillyard.domain.assignment import SubjectKind
from skillyard.domain.hook import Hook, Stage
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
# Plain SQL: whoever resolves asks for a record or two, and little else.
_BY_NAME: Final = {
    kind: f"SELECT {', '.join(table.c.keys())} FROM {table.name} WHERE name = ?"  # noqa: S608 - ours
    for kind, table in _TABLES.items()
}
_IF_ABSENT: Final = if_absent("name")
_LISTS: Final = frozenset({"allowlist", "disabled_skills", "prefix"})
_HOOKS: Final = "hooks"
_PLACES: Final = ("workspace", "team", "agent")
_SUBJECTS: Final = frozenset(str(kind) for kind in SubjectKind)


class SqlRecords:
    """See `Records`."""

    def __init__(self, session: Session, reach: SqlReach) -> None:
        self._session = session
        self._reach = reach

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
        values = self._find_values(kind, name)
        return None if values is None else kind(**_to_values(values))

    def list(self, kind: type[AnyRecord]) -> Sequence[AnyRecord]:
        """See `Records.list`."""
        table = _TABLES[kind]
        rows = self._session.rows(select(table).order_by(table.c.name))
        return [kind(**_to_values(row._asdict())) for row in rows]

    def replace(self, record: Record) -> bool:
        """See `Records.replace`."""
        table = _TABLES[type(record)]
        predecessor = (table.c.name == record.name, table.c.revision == record.revision - 1)
        change = update(table).where(*predecessor).values(_to_row(record))
        before = self._find_values(type(record), record.name)
        with self._session.attempt():
            if not self._session.count(change, what=record.name):
                return False
        if _has_moved(before, record):
            self._reach.note_moved(name_of_kind(type(record)), record.name)
        return True

    def remove(self, kind: type[Record], name: str) -> bool:
        """See `Records.remove`."""
        table = _TABLES[kind]
        with self._session.attempt():
            removed = self._session.count(delete(table).where(table.c.name == name), what=name)
        self._remove_subject(name_of_kind(kind), name)
        return removed > 0

    def _find_values(self, kind: type[Record], name: str) -> dict[str, Any] | None:
        statement = _BY_NAME[kind].replace("?", self._session.spelling.mark)
        rows = self._session.ask(Question(statement, (name,)))
        return dict(zip(_TABLES[kind].c.keys(), rows[0], strict=True)) if rows else None

    def _remove_subject(self, kind: str, name: str) -> None:
        subjects, assigned = tables.subjects.c, tables.assignments.c
        this = (subjects.kind == kind, subjects.name == name)
        # Nobody assigns anything to it any more, once it is locked.
        self._session.row(select(subjects.name).where(*this).with_for_update())
        to_it = (assigned.subject_kind == kind, assigned.subject_name == name)
        rows = self._session.rows(select(assigned.skill_id).where(*to_it))
        self._reach.note_skills(row.skill_id for row in rows)
        self._session.run(delete(tables.subjects).where(*this))

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
            yield from (kind(**_to_values(row._asdict())) for row in self._session.rows(users))

    def _add_subject(self, record: Record) -> None:
        kind = name_of_kind(type(record))
        if kind in _SUBJECTS:
            self._session.add(tables.subjects, {"kind": kind, "name": record.name})


def _has_moved(before: Mapping[str, object] | None, after: Record) -> bool:
    """Tell whether a record, and what stands behind it, may lie in another workspace now."""
    if isinstance(after, (Workspace, Sandbox)):
        return False
    if before is None or before["revision"] != after.revision - 1:
        return True
    return any(before.get(name) != getattr(after, name, None) for name in _PLACES)


def _to_row(record: Record) -> Mapping[str, object]:
    values = {one.name: getattr(record, one.name) for one in fields(record)}
    return {name: _to_column(name, value) for name, value in values.items()}


def _to_column(name: str, value: Any) -> object:  # noqa: ANN401 - of any field of any record
    if name == _HOOKS:
        return to_json([[one.stage.value, one.command] for one in value])
    return to_json(value) if name in _LISTS and value is not None else value


def _to_values(values: dict[str, Any]) -> dict[str, Any]:
    with reading(f"record {values['name']}"):
        return _read_values(values)


def _read_values(values: dict[str, Any]) -> dict[str, Any]:
    for name in _LISTS & values.keys():
        values[name] = None if values[name] is None else from_json_list(values[name])
    if _HOOKS in values:
        values[_HOOKS] = _read_hooks(values[_HOOKS])
    if "lightweight" in values:
        values["lightweight"] = bool(values["lightweight"])
    if "kind" in values:
        values["kind"] = SandboxKind(values["kind"])
    return values


def _read_hooks(text: str) -> tuple[Hook, ...]:
    return tuple(Hook(Stage(stage), str(command)) for stage, command in json.loads(text))
