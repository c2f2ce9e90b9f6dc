"""Save 10,000 skills, beside the same rows by bare SQL and beside checking them only.

Saving reads every file, checks it, hashes it and keeps it with a version, an entry in the log and
an event, 200 skills in a transaction. The floor is what that cannot do without: reading, checking
and hashing, and then the same rows in the same transactions by the driver alone. SQLite syncs every
commit (WAL, FULL), and PostgreSQL is as durable as by default. The best of interleaved rounds
counts.
"""

import argparse
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Self

from benchmarks import bare
from benchmarks.commands import SKILLYARD, Command, measure
from benchmarks.corpus import make_corpus
from benchmarks.postgres import fresh_database, postgres_server
from benchmarks.results import Figures, Result, divide, to_result
from benchmarks.yards import fill, iter_wishes, open_yard, temporary_directory, to_url
from skillyard.application.save import prepare_skill

SKILLS: Final = 10_000
ROUNDS: Final = 3
TRANSACTION: Final = 200

CHECKING: Final = "read, check and hash only"
ADD: Final = "skillyard add DIR, SQLite"
SAVE: Final = "Skillyard.save_all, {}"
BARE: Final = "bare SQL, same rows, {}"
SQLITE: Final = "SQLite"
POSTGRESQL: Final = "PostgreSQL"

Fresh = Callable[[], AbstractContextManager[str]]


@dataclass(frozen=True, slots=True)
class Taken:
    """What one run took: on the clock, and of this machine's processors without the server's."""

    wall: float
    cpu: float

    @classmethod
    def since(cls, wall: float, cpu: float) -> Self:
        """Give what was taken since both clocks stood there."""
        return cls(time.perf_counter() - wall, time.process_time() - cpu)


def run(skills: int = SKILLS, rounds: int = ROUNDS) -> Result:
    best: dict[str, Taken] = {}
    with temporary_directory() as directory, postgres_server() as server:
        make_corpus(directory / "corpus", skills)
        for _ in range(rounds):
            for name, taken in _iter_round(directory, server):
                best[name] = min(best.get(name, taken), taken, key=lambda one: one.wall)
    return report(best, skills)


def _iter_round(directory: Path, server: str | None) -> Iterator[tuple[str, Taken]]:
    corpus = directory / "corpus"
    with _fresh_file(directory) as url:
        yield CHECKING, check(corpus, url)
    yield from _iter_engine(SQLITE, corpus, partial(_fresh_file, directory))
    with _fresh_file(directory) as url:
        yield ADD, add(corpus, url, directory)
    if server is not None:
        yield from _iter_engine(POSTGRESQL, corpus, partial(fresh_database, server))


def _iter_engine(engine: str, corpus: Path, fresh: Fresh) -> Iterator[tuple[str, Taken]]:
    with fresh() as filled, fresh() as empty:
        yield SAVE.format(engine), save_all(corpus, filled)
        open_yard(empty).close()
        yield BARE.format(engine), write_bare(bare.at_url(filled), bare.at_url(empty))


@contextmanager
def _fresh_file(directory: Path) -> Iterator[str]:
    with temporary_directory(directory) as own:
        yield to_url(own / "skillyard.db")


def check(corpus: Path, url: str) -> Taken:
    """Do all of saving that needs no store."""
    with open_yard(url) as yard:
        start = _start()
        for wish in iter_wishes(yard, corpus):
            prepared = prepare_skill(wish)
            for file in prepared.wish.package.files.values():
                hashlib.sha256(file.content).digest()
        return Taken.since(*start)


def save_all(corpus: Path, url: str) -> Taken:
    """Save the corpus by the library."""
    with open_yard(url) as yard:
        start = _start()
        fill(yard, corpus)
        yard.close()
        return Taken.since(*start)


def write_bare(filled: bare.Database, empty: bare.Database) -> Taken:
    """Write the rows of one database into the other."""
    groups = bare.group_skills(bare.read_skills(filled), TRANSACTION)
    start = _start()
    with closing(empty.connect()) as connection:
        for group in groups:
            bare.write_group(connection, empty, group)
    return Taken.since(*start)


def add(corpus: Path, url: str, directory: Path) -> Taken:
    """Save the corpus by the command, from the start of its process; it makes the schema too."""
    words = [SKILLYARD, "--database-url", url, "add", str(corpus)]
    _start()
    taken = measure(Command(words, directory))
    return Taken(taken.wall_seconds, taken.cpu_seconds)


def _start() -> tuple[float, float]:
    # What an earlier contender has left to be written is not ours to wait for.
    os.sync()
    return time.perf_counter(), time.process_time()


def report(best: dict[str, Taken], skills: int) -> Result:
    """Give the figures, and each store beside its floor."""
    names = [
        CHECKING,
        ADD,
        *(form.format(e) for e in (SQLITE, POSTGRESQL) for form in (BARE, SAVE)),
    ]
    figures: Figures = {name: _to_figure(best.get(name), skills) for name in names}
    ratios = {
        f"{SAVE.format(engine)} / (checking + bare SQL) (wall time)": _beside_floor(best, engine)
        for engine in (SQLITE, POSTGRESQL)
    }
    ratios |= {
        "the same, less checking, SQLite (CPU time)": divide(
            best[SAVE.format(SQLITE)].cpu - best[CHECKING].cpu, best[BARE.format(SQLITE)].cpu
        ),
        f"{ADD} / Skillyard.save_all (wall time)": divide(
            best[ADD].wall, best[SAVE.format(SQLITE)].wall
        ),
    }
    return to_result(figures, ratios, {})


def _to_figure(taken: Taken | None, skills: int) -> dict[str, float | None]:
    return {
        "wall_seconds": taken.wall if taken else None,
        "cpu_seconds": taken.cpu if taken else None,
        "skills_per_second": skills / taken.wall if taken else None,
    }


def _beside_floor(best: dict[str, Taken], engine: str) -> float | None:
    saved, floor = best.get(SAVE.format(engine)), best.get(BARE.format(engine))
    if saved is None or floor is None:
        return None
    return saved.wall / (best[CHECKING].wall + floor.wall)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.rounds), indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
