"""Save one skill into a store that holds 10,000, beside a bare commit of the same rows.

Both end with the rows on the disk (WAL, FULL). Saving also checks and hashes, and looks whether the
skill is known; `checking` is what of that needs no store.
"""

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from benchmarks import bare
from benchmarks.corpus import make_corpus
from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import copy_store, filled_yard, iter_wishes, open_yard, to_url
from skillyard.application.save import prepare_skill

SKILLS: Final = 10_000
SAVES: Final = 300
ROUNDS: Final = 3

CHECKING: Final = "checking"
FLOOR: Final = "bare commit, same rows"
SAVE: Final = "yard.save"


def run(skills: int = SKILLS, saves: int = SAVES, rounds: int = ROUNDS) -> Result:
    times: dict[str, list[float]] = {CHECKING: [], FLOOR: [], SAVE: []}
    with filled_yard(skills) as (corpus, path):
        more = corpus.with_name("more")
        make_corpus(more, saves, first=skills)
        for _ in range(rounds):
            _measure_round(path, more, times)
    return report(times)


def _measure_round(path: Path, more: Path, times: dict[str, list[float]]) -> None:
    ours = copy_store(path, path.with_name("ours"))
    with open_yard(to_url(ours)) as yard:
        wishes = list(iter_wishes(yard, more))
        times[CHECKING] += _time_each(prepare_skill, wishes)
        times[SAVE] += _time_each(yard.save, wishes)
    written = bare.read_skills(bare.at_url(to_url(ours)))[-len(wishes) :]
    times[FLOOR] += _time_bare(copy_store(path, path.with_name("floor")), written)


def _time_bare(path: Path, skills: Sequence[bare.Rows]) -> list[float]:
    database = bare.at_url(to_url(path))
    with closing(database.connect()) as connection:
        return _time_each(lambda one: bare.write_group(connection, database, one), skills)


def _time_each(contender: Callable[[Any], object], values: Iterable[object]) -> list[float]:
    os.sync()
    return [_time(contender, value) for value in values]


def _time(contender: Callable[[Any], object], value: object) -> float:
    start = time.perf_counter()
    contender(value)
    return time.perf_counter() - start


def report(times: dict[str, list[float]]) -> Result:
    """Give the figures, and what we take beside the floor."""
    figures: Figures = {name: _to_figure(one) for name, one in times.items()}
    median = {name: statistics.median(one) for name, one in times.items()}
    return to_result(figures, {"yard.save / bare commit (p50)": median[SAVE] / median[FLOOR]}, {})


def _to_figure(times: Sequence[float]) -> dict[str, float | None]:
    cuts = statistics.quantiles(times, n=100)
    return {"p50_microseconds": cuts[49] * 1e6, "p99_microseconds": cuts[98] * 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--saves", type=int, default=SAVES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.saves, wish.rounds), indent=2))


if __name__ == "__main__":
    main()
