"""A large world to resolve in: skills, agents and assignments, made by bare SQL.

For every ten skills there is an agent, and every agent has twenty. One agent, `agent-0`, has fifty:
its own, those of its team and of its workspace, and those of everyone. All others work elsewhere.
One skill in a hundred is of high confidence, which brings it to every agent of its workspace; those
that are used in the workspace of `agent-0` are among its fifty.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg
from psycopg import sql

from benchmarks.yards import settle, to_url
from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.reach import REACH

LARGEST: Final = 100_000
SKILLS_OF_OURS: Final = 50
OUR_SUBJECTS: Final = (
    ("global", ""),
    ("workspace", "lab"),
    ("team", "red"),
    ("agent", "agent-0"),
)
_SKILLS_PER_AGENT: Final = 10
_EACH: Final = 20
_STRIDE: Final = 7_919
_WORKSPACES: Final = 99
_FILL_REACH: Final = f"INSERT INTO skill_workspaces {REACH}"

_Row = Mapping[str, object]


def make_sqlite_world(path: Path, skills: int) -> None:
    """Make the world with `skills` skills in a file."""
    open_store(to_url(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        for table, rows in _iter_tables(skills):
            first, every = _peek(rows)
            names, marks = ", ".join(f'"{one}"' for one in first), ", ".join("?" * len(first))
            statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - our own
            connection.executemany(statement, (tuple(row.values()) for row in every))
        connection.execute(_FILL_REACH)
        connection.commit()
    settle(path)


def make_postgres_world(url: str, skills: int) -> None:
    """Make the world with `skills` skills in an empty database."""
    open_store(url).close()
    with psycopg.connect(url, autocommit=True) as connection:
        for table, rows in _iter_tables(skills):
            _copy(connection, table, *_peek(rows))
        connection.execute(_FILL_REACH)
        # The server does so by itself, a minute later.
        connection.execute("VACUUM ANALYZE")


def _copy(
    connection: psycopg.Connection[tuple[object, ...]],
    table: str,
    first: _Row,
    rows: Iterable[_Row],
) -> None:
    names = sql.SQL(", ").join(map(sql.Identifier, first))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), names)
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(tuple(row.values()))


def _peek(rows: Iterator[_Row]) -> tuple[_Row, Iterator[_Row]]:
    first = next(rows)

    def every() -> Iterator[_Row]:
        yield first
        yield from rows

    return first, every()


def _iter_tables(skills: int) -> Iterator[tuple[str, Iterator[_Row]]]:
    agents = skills // _SKILLS_PER_AGENT
    yield "skills", map(_skill, range(skills))
    yield (
        "workspaces",
        ({"name": name, "description": "", "revision": 1} for name in _list_workspaces()),
    )
    yield "teams", iter([{"name": "red", "description": "", "workspace": "lab", "revision": 1}])
    yield "agents", map(_agent, range(agents))
    yield "subjects", _iter_subjects(agents)
    yield "assignments", _iter_assignments(skills, agents)


def _list_workspaces() -> list[str]:
    return ["lab", *(f"workspace-{number}" for number in range(_WORKSPACES))]


def _agent(number: int) -> _Row:
    is_ours = number == 0
    return {
        "name": f"agent-{number}",
        "description": "",
        "team": "red" if is_ours else None,
        "workspace": None if is_ours else f"workspace-{number % _WORKSPACES}",
        "disabled_skills": "[]",
        "lightweight": False,
        "revision": 1,
    }


def _iter_subjects(agents: int) -> Iterator[_Row]:
    for name in _list_workspaces():
        yield {"kind": "workspace", "name": name}
    yield {"kind": "team", "name": "red"}
    for number in range(agents):
        yield {"kind": "agent", "name": f"agent-{number}"}


def _iter_assignments(skills: int, agents: int) -> Iterator[_Row]:
    everyone, workspace, team, agent = OUR_SUBJECTS
    ours = [agent] * 30 + [team] * 15 + [workspace] * 3 + [everyone] * 2
    for number, subject in enumerate(ours):
        yield _assignment(f"ours-{number}", number * _STRIDE % skills, subject, number)
    # These meet every skill at least once.
    for one in range(1, agents):
        for number in range(_EACH):
            skill = (one * _EACH + number) * _STRIDE % skills
            yield _assignment(f"{one}-{number}", skill, ("agent", f"agent-{one}"), number)


def _assignment(name: str, skill: int, subject: tuple[str, str], position: int) -> _Row:
    return {
        "id": name,
        "skill_id": _id(skill),
        "subject_kind": subject[0],
        "subject_name": subject[1],
        "priority": 0,
        "position": position,
        "auto_inject": False,
        "enabled": True,
        "required": False,
        "opt_in": False,
    }


def _id(number: int) -> str:
    return f"01900000-0000-7000-8000-{number:012x}"


def _skill(number: int) -> _Row:
    text = f"Does the work number {number}. Use it when somebody asks for that work."
    return {
        **dict.fromkeys(("tags", "requires_tools", "requires"), "[]"),
        **dict.fromkeys(("provider_hints", "metadata"), "{}"),
        **dict.fromkeys(("created_at", "updated_at", "revision"), 1),
        **dict.fromkeys(("created_by", "updated_by"), "bench"),
        "id": _id(number),
        "owner": "people",
        "slug": f"skill-{number}",
        "source_kind": "admin",
        "door": "cli",
        "display_name": f"Skill {number}",
        "description": text,
        "category": "general",
        "status": "active",
        "enabled": True,
        "confidence": "medium" if number % 100 else "high",
        "author_type": "system",
        "invocation": "auto",
        "current": "1.0.0",
        "digest": hashlib.sha256(str(number).encode()).digest(),
        "haystack": text.casefold(),
    }
