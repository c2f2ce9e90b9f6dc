"""Search 10,000 skills: the first index, one change, and then how long an answer takes.

    python -m benchmarks.searching [--skills NUMBER]

The skills are made of invented words that are as unevenly common as those of a language; each
description also has four real words, so that its meaning is known. An answer is `search_skills`
(three words) or `match_skills` (two sentences) on an SQLite store that is open, with the look
whether anything has changed, and the entries of the ten best. Beside the time that passes, the time
that the processor works for it is given: on a busy machine they differ.
"""

import argparse
import hashlib
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import open_yard, temporary_directory, to_url
from skillyard.adapters.search.index import LocalIndex
from skillyard.adapters.search.meanings import open_meanings
from skillyard.adapters.search.patterns import open_fitting
from skillyard.application.ports.store import Store
from skillyard.application.search import match_skills, search_skills
from skillyard.domain.package import Package
from skillyard.domain.skill import Skill, SkillFacts
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

SKILLS: Final = 10_000
ANSWERS: Final = 500
_VOCABULARY: Final = 50_000
_SYLLABLES: Final = [first + last for first in "bdfgklmnprst" for last in "aeiou"]
_BODY_WORDS: Final = 650
_REAL: Final = [
    "invoice",
    "kubernetes",
    "photo",
    "translate",
    "calendar",
    "database",
    "email",
    "refactor",
    "chart",
    "security",
    "garden",
    "recipe",
    "travel",
    "music",
    "budget",
    "deploy",
    "review",
    "contract",
    "podcast",
    "weather",
]
_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


class Times(NamedTuple):
    """How many seconds passed, and how many of them the processor worked."""

    passed: float
    worked: float


def run(skills: int = SKILLS, answers: int = ANSWERS) -> Result:
    with temporary_directory() as directory, open_yard(to_url(directory / "skillyard.db")) as yard:
        _fill(yard.store, skills)
        figures = _measure(yard.store, directory / "index.db", skills, answers)
        return to_result(figures, {}, {})


def _fill(store: Store, skills: int) -> None:
    with store.begin() as transaction:
        for number in range(skills):
            package = _make_package(number)
            transaction.packages.add([package])
            transaction.skills.add_if_absent(_make_skill(number, package))
        transaction.commit()


def _measure(store: Store, path: Path, skills: int, answers: int) -> Figures:
    index = LocalIndex(path, program="bench", meanings=open_meanings(), fitting=open_fitting())

    def search(text: str) -> object:
        return search_skills(text, store=store, index=index)

    def match(task: str) -> object:
        return match_skills(task, store=store, index=index)

    built = _time(search, _say(1, 3))
    changes = [_time_after_change(store, search, number) for number in range(20)]
    searches = [_time(search, _say(n, 3)) for n in range(answers)]
    matches = [_time(match, f"{_say(n, 24)} {_say_real(n, 1)}") for n in range(answers)]
    figures: Figures = {
        "first index": _to_figure([built]),
        "search after one change": _to_figure(changes),
        "search, 3 words": _to_figure(searches),
        "match, 25 words": _to_figure(matches),
    }
    index.close()
    size = path.stat().st_size / skills
    print(f"{skills:,} skills; {size:,.0f} bytes of index for each")
    return figures


def _time_after_change(store: Store, search: Callable[[str], object], number: int) -> Times:
    package = make_package(_name(number), body=_say(number, _BODY_WORDS, salt="changed"))
    with store.begin() as transaction:
        transaction.packages.add([package])
        moment = _AT + timedelta(seconds=number + 1)
        changed = replace(_make_skill(number, package), revision=2, updated_at=moment)
        transaction.skills.replace(changed)
        transaction.commit()
    return _time(search, _say(number, 3))


def _time(answer: Callable[[str], object], text: str) -> Times:
    passed, worked = time.perf_counter(), time.process_time()
    answer(text)
    return Times(time.perf_counter() - passed, time.process_time() - worked)


def _to_figure(times: list[Times]) -> dict[str, float | None]:
    passed, worked = (_cut([one[at] for one in times]) for at in (0, 1))
    return {
        "p50_milliseconds": passed[49],
        "p99_milliseconds": passed[98],
        "p50_processor_milliseconds": worked[49],
        "p99_processor_milliseconds": worked[98],
    }


def _cut(seconds: list[float]) -> list[float]:
    times = [one * 1e3 for one in seconds]
    return statistics.quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99


def _make_package(number: int) -> Package:
    return make_package(
        _name(number),
        description=_describe(number),
        body=f"# {_say(number, 4)}\n\n{_say(number, _BODY_WORDS, salt='body')}\n",
    )


def _make_skill(number: int, package: Package) -> Skill:
    return Skill(
        id=f"{number:08d}",
        slug=_name(number),
        facts=SkillFacts(display_name=_name(number), description=_describe(number)),
        current=Version(1),
        digest=package.digest(),
        created_at=_AT,
        created_by="bench",
        updated_at=_AT,
        updated_by="bench",
    )


def _name(number: int) -> str:
    return f"{_say(number, 2, salt='name').replace(' ', '-')}-{number}"


def _describe(number: int) -> str:
    return f"{_say(number, 26, salt='description')} {_say_real(number, 4)}"


def _say_real(number: int, words: int) -> str:
    drawn = hashlib.shake_128(f"real {number}".encode()).digest(words)
    return " ".join(_REAL[one % len(_REAL)] for one in drawn)


def _say(number: int, words: int, *, salt: str = "said") -> str:
    """Give words that are the same for the same number; a few are very common."""
    drawn = hashlib.shake_128(f"{salt} {number}".encode()).digest(4 * words)
    return " ".join(_draw(int.from_bytes(drawn[at : at + 4])) for at in range(0, 4 * words, 4))


def _draw(number: int) -> str:
    # A vocabulary raised to a fraction is spread as words are: each rank about as common as
    # its share of one by the rank.
    rank = int(_VOCABULARY ** (number / 2**32))
    spelt = hashlib.sha256(str(rank).encode()).digest()
    return "".join(_SYLLABLES[one % len(_SYLLABLES)] for one in spelt[: 2 + rank % 3])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--answers", type=int, default=ANSWERS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.answers), indent=2))


if __name__ == "__main__":
    main()
