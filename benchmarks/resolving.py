"""Resolve one agent with 50 skills in a large store, beside bare SQL that fetches the same rows.

What is measured is the store's part and the resolver's: everything that grows, or must not. The
world is measured in two sizes, so that the growth can be seen, and on both engines. Once it is the
same agent that asks again and again, and once another one each time.
"""

import argparse
import json
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from typing import Any, Final

import psycopg

from benchmarks.postgres import fresh_database, postgres_server
from benchmarks.results import Figures, Result, divide, to_result
from benchmarks.world import (
    LARGEST,
    OUR_SUBJECTS,
    SKILLS_OF_OURS,
    make_postgres_world,
    make_sqlite_world,
)
from benchmarks.yards import temporary_directory, to_url
from skillyard.adapters.db.opening import open_store
from skillyard.application.ports.store import Store
from skillyard.application.resolve import ResolveSkills, resolve_skills
from skillyard.domain.resolution import Candidate

SIZES: Final = (1_000, LARGEST)
CALLS: Final = 1_000
_ROWS: Final = """\
SELECT a.*, s.* FROM assignments a JOIN skills s ON s.id = a.skill_id
WHERE a.subject_kind = {0} AND a.subject_name = {0}"""
_BARE: Final = "bare SQL"
_OURS: Final = "resolve"
_BARE_OTHERS: Final = "bare SQL, another agent each time"
_OTHERS: Final = "resolve, another agent each time"
_ENGINES: Final = ("SQLite", "PostgreSQL")

_Contenders = dict[str, Callable[[], object]]
_Times = dict[str, list[float]]
_Bench = dict[tuple[str, int], _Times | None]
"""What each contender took, for an engine and a size; None is an engine that is not there."""


def run(sizes: tuple[int, ...] = SIZES, calls: int = CALLS) -> Result:
    measured = {**_measure_sqlite(sizes, calls), **_measure_postgres(sizes, calls)}
    figures: Figures = {}
    for (engine, size), times in measured.items():
        for name in (_BARE, _OURS, _BARE_OTHERS, _OTHERS):
            figures[f"{engine}, {size:,} skills: {name}"] = _to_figure(times[name] if times else [])
    ratios, promises = {}, {}
    for engine in _ENGINES:
        for name, value, promise in _compare(engine, measured, min(sizes), max(sizes)):
            ratios[f"{engine}: {name}"] = value
            promises[f"{engine}: {name}"] = promise
    return to_result(figures, ratios, promises)


def _compare(
    engine: str, measured: _Bench, smallest: int, largest: int
) -> Iterator[tuple[str, float | None, str]]:
    large, small = measured[engine, largest], measured[engine, smallest]
    ours = _find_median(large, _OURS)
    yield "resolve / bare SQL (p50)", divide(ours, _find_median(large, _BARE)), "at most 3"
    growth = divide(ours, _find_median(small, _OURS))
    yield f"resolve, {largest:,} / {smallest:,} skills (p50)", growth, "at most 1.5"
    for name in (_OURS, _OTHERS):
        yield f"{name} (p99, ms)", _cut(large[name])[98] * 1e3 if large else None, "under 50"


def _find_median(times: _Times | None, name: str) -> float | None:
    return statistics.median(times[name]) if times else None


def _cut(times: list[float]) -> list[float]:
    return statistics.quantiles(times, n=100, method="inclusive")


def _to_figure(times: list[float]) -> dict[str, float | None]:
    cuts = _cut(times) if times else None
    return {
        "p50_microseconds": cuts[49] * 1e6 if cuts else None,
        "p99_microseconds": cuts[98] * 1e6 if cuts else None,
    }


def _measure_sqlite(sizes: tuple[int, ...], calls: int) -> _Bench:
    measured: _Bench = {}
    for size in sizes:
        with temporary_directory() as directory:
            path = directory / "skillyard.db"
            make_sqlite_world(path, size)
            with closing(sqlite3.connect(path)) as connection:
                bare = _Bare(connection, "?")
                measured["SQLite", size] = _measure(to_url(path), bare, size, calls)
    return measured


def _measure_postgres(sizes: tuple[int, ...], calls: int) -> _Bench:
    measured: _Bench = {}
    with postgres_server() as server:
        for size in sizes:
            if server is None:
                measured["PostgreSQL", size] = None
                continue
            with fresh_database(server) as url:
                make_postgres_world(url, size)
                with psycopg.connect(url, autocommit=True) as connection:
                    bare = _Bare(connection, "%s")
                    measured["PostgreSQL", size] = _measure(url, bare, size, calls)
    return measured


class _Bare:
    """The least that fetching the rows can cost: the driver, an open connection, one statement."""

    def __init__(self, connection: Any, mark: str) -> None:  # noqa: ANN401 - of either driver
        self._connection = connection
        self._statement = _ROWS.format(mark)

    def fetch(self, *subjects: tuple[str, str]) -> None:
        for one in subjects:
            self._connection.execute(self._statement, one).fetchall()


def _measure(url: str, bare: _Bare, size: int, calls: int) -> _Times:
    store = open_store(url)
    others = [f"agent-{1 + number * 7 % (size // 10 - 1)}" for number in range(calls)]
    asked, fetched = count(), count()

    def other(numbers: Iterator[int]) -> str:
        return others[next(numbers) % calls]

    same: _Contenders = {
        _BARE: lambda: bare.fetch(*OUR_SUBJECTS),
        _OURS: lambda: _require_ours(_resolve(store, "agent-0")),
    }
    others_too: _Contenders = {
        _BARE_OTHERS: lambda: bare.fetch(("global", ""), ("agent", other(fetched))),
        _OTHERS: lambda: _resolve(store, other(asked)),
    }
    # One after the other: whoever asks for others pushes out what the database has at hand.
    times = {**_interleave(same, calls), **_interleave(others_too, calls)}
    store.close()
    return times


def _interleave(contenders: _Contenders, calls: int) -> _Times:
    for contender in contenders.values():
        contender()
    times: _Times = {name: [] for name in contenders}
    for _ in range(calls):
        for name, contender in contenders.items():
            start = time.perf_counter()
            contender()
            times[name].append(time.perf_counter() - start)
    return times


class _NoCommands:
    """The skills ask for no commands."""

    def find_missing(self, names: object) -> frozenset[str]:
        """See `Commands.find_missing`."""
        del names
        return frozenset()


def _resolve(store: Store, agent: str) -> int:
    wish = ResolveSkills(agent=agent)
    found = resolve_skills(wish, store=store, commands=_NoCommands(), seal=_keep)
    return len(found.resolution.loaded)


def _require_ours(loaded: int) -> None:
    if loaded != SKILLS_OF_OURS:
        message = f"{loaded} skills instead of {SKILLS_OF_OURS}"
        raise SystemExit(message)


def _keep(candidate: Candidate) -> Candidate:
    return candidate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--largest", type=int, default=LARGEST)
    wish = parser.parse_args()
    print(json.dumps(run((SIZES[0], wish.largest), wish.calls), indent=2))


if __name__ == "__main__":
    main()
