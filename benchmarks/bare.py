"""The rows of a filled store, written again by bare SQL: the least that keeping them can cost.

The schema with its triggers, the rows and the transactions are the same. Nothing is checked, hashed
or looked up, and all rows of a table in a transaction go in together.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import psycopg

Connection = Any
"""A connection of sqlite3 or of psycopg, which are used alike here."""

Row = tuple[Any, ...]
Rows = Mapping[str, Sequence[Row]]
"""For each table, rows in the order of its columns."""

# What is referred to comes first.
_TABLES: Final = (
    "contents",
    "packages",
    "package_files",
    "skills",
    "skill_tags",
    "versions",
    "audit",
    "outbox",
)


@dataclass(frozen=True, slots=True)
class Database:
    """A database as its driver sees it; both drivers are left to begin nothing by themselves."""

    connect: Callable[[], Connection]
    begin: str
    mark: str


def at_url(url: str) -> Database:
    """Give the database of a store."""
    path = url.removeprefix("sqlite:///")
    if path != url:
        return Database(lambda: connect_sqlite(Path(path)), "BEGIN IMMEDIATE", "?")
    return Database(lambda: psycopg.connect(url, autocommit=True), "BEGIN", "%s")


def connect_sqlite(path: Path) -> sqlite3.Connection:
    """Connect as durably as the store does."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    return connection


def read_skills(database: Database) -> list[Rows]:
    """Give everything that was written for each skill, in the order of their making.

    The corpus holds no content twice, so that every row belongs to one skill.
    """
    connection = database.connect()
    try:
        tables = {name: _Table.read(connection, name) for name in _TABLES}
    finally:
        connection.close()
    return list(_iter_skills(tables))


def group_skills(skills: Sequence[Rows], size: int) -> list[Rows]:
    """Put the rows of `size` skills at a time together."""
    starts = range(0, len(skills), size)
    return [_merge(skills[start : start + size]) for start in starts]


def write_group(connection: Connection, database: Database, group: Rows) -> None:
    """Write rows in one transaction."""
    cursor = connection.cursor()
    cursor.execute(database.begin)
    for table, rows in group.items():
        if rows:
            marks = ", ".join(database.mark for _ in rows[0])
            cursor.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - our own names
    cursor.execute("COMMIT")


@dataclass(frozen=True, slots=True)
class _Table:
    columns: tuple[str, ...]
    rows: Sequence[Row]

    @classmethod
    def read(cls, connection: Connection, name: str) -> Self:
        cursor = connection.cursor()
        cursor.execute(f"SELECT * FROM {name} ORDER BY 1, 2")  # noqa: S608 - our own names
        return cls(tuple(one[0] for one in cursor.description), cursor.fetchall())

    def group(self, column: str) -> Mapping[Any, list[Row]]:
        place = self.columns.index(column)
        grouped: dict[Any, list[Row]] = defaultdict(list)
        for row in self.rows:
            grouped[row[place]].append(row)
        return grouped

    def pick(self, rows: Sequence[Row], column: str) -> list[Any]:
        place = self.columns.index(column)
        return [row[place] for row in rows]


def _iter_skills(tables: Mapping[str, _Table]) -> Iterator[Rows]:
    of_skill = {
        name: tables[name].group("skill_id") for name in ("skill_tags", "versions", "audit")
    }
    of_digest = {name: tables[name].group("digest") for name in ("packages", "package_files")}
    contents = tables["contents"].group("sha256")
    events = _group_events(tables["outbox"])
    for skill, skill_id in zip(
        tables["skills"].rows, tables["skills"].pick(tables["skills"].rows, "id"), strict=True
    ):
        own = {name: rows.get(skill_id, []) for name, rows in of_skill.items()}
        digests = tables["versions"].pick(own["versions"], "digest")
        named = {
            name: [row for digest in digests for row in rows[digest]]
            for name, rows in of_digest.items()
        }
        hashes = tables["package_files"].pick(named["package_files"], "sha256")
        rows = {
            "contents": [row for one in hashes for row in contents[one]],
            "skills": [skill],
            "outbox": events[skill_id],
            **own,
            **named,
        }
        yield {name: rows[name] for name in _TABLES}


def _group_events(outbox: _Table) -> Mapping[str, list[Row]]:
    place = outbox.columns.index("data")
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in outbox.rows:
        grouped[json.loads(row[place])["skill_id"]].append(row)
    return grouped


def _merge(skills: Sequence[Rows]) -> Rows:
    return {name: [row for one in skills for row in one[name]] for name in _TABLES}
