"""Resolve one agent with 50 skills in a large store, beside bare SQL that fetches the same rows.

The store is made by bare SQL: skills, agents and assignments by the hundred thousand, of which 50
reach the agent. What is measured is the store's part and the resolver's: everything that grows, or
must not. It is measured at several sizes, so that the growth can be seen.
"""

import argparse
import hashlib
import json
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import temporary_directory, to_url
from skillyard.adapters.db.opening import open_store
from skillyard.application.ports.store import Store
from skillyard.application.resolve import ResolveSkills, resolve_skills
from skillyard.domain.resolution import Candidate

SIZES: Final = (1_000, 10_000, 100_000)
CALLS: Final = 300
_AGENTS: Final = 10_000
_EACH: Final = 20
_STRIDE: Final = 7_919
_FLOOR: Final = """\
SELECT a.*, s.* FROM assignments a JOIN skills s ON s.id = a.skill_id
WHERE a.subject_kind = ? AND a.subject_name = ?"""
_SUBJECTS: Final = (("global", ""), ("workspace", "lab"), ("team", "red"), ("agent", "agent-0"))


def run(sizes: tuple[int, ...] = SIZES, calls: int = CALLS) -> Result:
    figures: Figures = {}
    medians: dict[tuple[str, int], float] = {}
    for size in sizes:
        with temporary_directory() as directory:
            path = directory / "skillyard.db"
            make_store(path, size)
            for name, times in _measure(path, calls).items():
                cuts = statistics.quantiles(times, n=100)
                figures[f"{name}, {size:,} skills"] = {
                    "p50_microseconds": cuts[49] * 1e6,
                    "p99_microseconds": cuts[98] * 1e6,
                }
                medians[name, size] = statistics.median(times)
    largest, smallest = max(sizes), min(sizes)
    ratios = {
        "resolve / bare SQL (p50)": medians["resolve", largest] / medians["bare SQL", largest],
        f"resolve, {largest:,} / {smallest:,} skills (p50)": medians["resolve", largest]
        / medians["resolve", smallest],
    }
    first, second = ratios
    return to_result(figures, ratios, {first: "at most 3", second: "at most 1.5"})


def make_store(path: Path, skills: int) -> None:
    """Make a store with `skills` skills, of which 50 reach the agent `agent-0`."""
    open_store(to_url(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        columns = [row[1] for row in connection.execute("PRAGMA table_info(skills)")]
        connection.executemany(
            f"INSERT INTO skills VALUES ({', '.join('?' * len(columns))})",  # noqa: S608 (marks)
            ([_skill(number)[column] for column in columns] for number in range(skills)),
        )
        _add_records(connection)
        connection.executemany(
            "INSERT INTO assignments VALUES (?, ?, ?, ?, 0, ?, 0, 1, 0, 0, NULL)",
            _iter_assignments(skills),
        )
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _add_records(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO workspaces VALUES ('lab', '', 1)")
    connection.execute("INSERT INTO teams VALUES ('red', '', 'lab', 1)")
    names = [f"agent-{number}" for number in range(_AGENTS)]
    connection.executemany(
        "INSERT INTO agents (name, description, team, disabled_skills, lightweight, revision)"
        " VALUES (?, '', ?, '[]', 0, 1)",
        ((name, "red" if name == "agent-0" else None) for name in names),
    )
    subjects = [("workspace", "lab"), ("team", "red"), *(("agent", name) for name in names)]
    connection.executemany("INSERT INTO subjects VALUES (?, ?)", subjects)


def _iter_assignments(skills: int) -> Iterator[tuple[object, ...]]:
    ours = [("agent", "agent-0")] * 30 + [("team", "red")] * 15
    ours += [("workspace", "lab")] * 3 + [("global", "")] * 2
    for number, (kind, name) in enumerate(ours):
        yield f"ours-{number}", _id(number * _STRIDE % skills), kind, name, number
    for agent in range(1, _AGENTS):
        for number in range(_EACH):
            skill = _id((agent * _EACH + number) * _STRIDE % skills)
            yield f"{agent}-{number}", skill, "agent", f"agent-{agent}", number


def _id(number: int) -> str:
    return f"01900000-0000-7000-8000-{number:012x}"


def _skill(number: int) -> dict[str, object]:
    text = f"Does the work number {number}. Use it when somebody asks for that work."
    empty = {"plugin_id", "ref", "deprecated", "author_agent", "author_source", "agents"}
    return {
        **dict.fromkeys((*empty, "install_strategy")),
        **dict.fromkeys(("tags", "requires_tools", "requires"), "[]"),
        **dict.fromkeys(("provider_hints", "metadata"), "{}"),
        **dict.fromkeys(("created_at", "updated_at", "revision", "enabled"), 1),
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
        "confidence": "medium",
        "author_type": "system",
        "invocation": "auto",
        "current": "1.0.0",
        "digest": hashlib.sha256(str(number).encode()).digest(),
        "haystack": text.casefold(),
    }


def _measure(path: Path, calls: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"bare SQL": [], "resolve": []}
    store = open_store(to_url(path))
    with closing(sqlite3.connect(path)) as connection:
        contenders: dict[str, Callable[[], object]] = {
            "bare SQL": lambda: [connection.execute(_FLOOR, one).fetchall() for one in _SUBJECTS],
            "resolve": lambda: _resolve(store),
        }
        for contender in contenders.values():
            contender()
        for _ in range(calls):
            for name, contender in contenders.items():
                start = time.perf_counter()
                contender()
                times[name].append(time.perf_counter() - start)
    store.close()
    return times


class _NoCommands:
    """The skills ask for no commands."""

    def find_missing(self, names: object) -> frozenset[str]:
        """See `Commands.find_missing`."""
        del names
        return frozenset()


def _resolve(store: Store) -> None:
    wish = ResolveSkills(agent="agent-0")
    found = resolve_skills(wish, store=store, commands=_NoCommands(), seal=_keep)
    if len(found.resolution.loaded) != 50:  # noqa: PLR2004 (as many as were given to it)
        message = f"{len(found.resolution.loaded)} skills instead of 50"
        raise SystemExit(message)


def _keep(candidate: Candidate) -> Candidate:
    return candidate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS)
    wish = parser.parse_args()
    print(json.dumps(run(calls=wish.calls), indent=2))


if __name__ == "__main__":
    main()
