"""Read one skill out of 10,000, beside two bare SELECT statements.

`Skillyard.get` gives everything that is known about a skill, `Skillyard.package` its content with
every byte compared with its hash. The floor selects the skill by its name, and its files by their
package.
"""

import argparse
import json
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from benchmarks.bare import connect_sqlite
from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import filled_yard, open_yard, to_url

SKILLS: Final = 10_000
CALLS: Final = 1_000
ROUNDS: Final = 5
_STRIDE: Final = 7_919

FLOOR: Final = "two bare SELECTs"
GET: Final = "yard.get"
PACKAGE: Final = "yard.package"
_SKILL: Final = "SELECT * FROM skills WHERE slug = ? AND owner = 'people'"
_FILES: Final = (
    "SELECT f.path, f.executable, f.sha256, c.body FROM package_files f"
    " JOIN contents c ON c.sha256 = f.sha256 WHERE f.digest = ? ORDER BY f.path"
)


def run(skills: int = SKILLS, calls: int = CALLS, rounds: int = ROUNDS) -> Result:
    # All over the store, and the same ones every time.
    chosen = [f"skill-{number * _STRIDE % skills:05d}" for number in range(calls)]
    with filled_yard(skills) as (_, path):
        return report(_measure(path, chosen, rounds))


def _measure(path: Path, chosen: Sequence[str], rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {FLOOR: [], GET: [], PACKAGE: []}
    with closing(connect_sqlite(path)) as connection, open_yard(to_url(path)) as yard:
        connection.row_factory = sqlite3.Row
        contenders: dict[str, Callable[[str], object]] = {
            FLOOR: lambda slug: _select(connection, slug),
            GET: yard.get,
            PACKAGE: yard.package,
        }
        for _ in range(rounds):
            for name, contender in contenders.items():
                times[name] += [_time(contender, slug) for slug in chosen]
    return times


def _select(connection: sqlite3.Connection, slug: str) -> Sequence[sqlite3.Row]:
    skill = connection.execute(_SKILL, (slug,)).fetchone()
    return connection.execute(_FILES, (skill["digest"],)).fetchall()


def _time(contender: Callable[[str], object], slug: str) -> float:
    start = time.perf_counter()
    contender(slug)
    return time.perf_counter() - start


def report(times: dict[str, list[float]]) -> Result:
    """Give the figures, and what we take beside the floor."""
    figures: Figures = {name: _to_figure(one) for name, one in times.items()}
    median = {name: statistics.median(one) for name, one in times.items()}
    both = median[GET] + median[PACKAGE]
    return to_result(figures, {"yard.get + yard.package / floor (p50)": both / median[FLOOR]}, {})


def _to_figure(times: Sequence[float]) -> dict[str, float | None]:
    cuts = statistics.quantiles(times, n=100)
    return {"p50_microseconds": cuts[49] * 1e6, "p99_microseconds": cuts[98] * 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--calls", type=int, default=CALLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.calls, wish.rounds), indent=2))


if __name__ == "__main__":
    main()
