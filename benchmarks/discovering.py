"""Find 10,000 skills in a directory, the first time and again, beside a look at each.

Every measurement is a process of its own, as a command is; imports are not counted. The floors look
at each SKILL.md once with `os.stat`, and read each and parse its front matter with libyaml. Beside
them stand the loaders of others, which remember nothing: every time is the first for them.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks.corpus import make_corpus
from benchmarks.loaders import LOADERS, Loader
from benchmarks.results import Figures, Result, divide, to_result
from benchmarks.yards import temporary_directory

SKILLS: Final = 10_000
ROUNDS: Final = 5
ROUNDS_OF_OTHERS: Final = 3
_SETTLE_SECONDS: Final = 5
_STAT: Final = "one stat for each"
_PARSE: Final = "read and parse each"
_FIRST: Final = "skillyard, first time"
_AGAIN: Final = "skillyard, unchanged, new process"

_SETUP: Final = """
import os, sys, time, yaml
from skillyard.adapters.index import making
from skillyard.adapters.index.directories import IndexedDirectories
from skillyard.application.ports.discovery import Root
from skillyard.domain.resolution import Layer
root, cache = sys.argv[1:]
paths = [f"{root}/{one.name}/SKILL.md" for one in os.scandir(root) if one.is_dir()]
"""
_FIND: Final = """
from pathlib import Path
index = IndexedDirectories(Path(cache), program="bench")
start = time.process_time()
assert len(index.list_root(Root(Layer.PROJECT, root)).skills) == len(paths)
print(time.process_time() - start)
"""
_LOOK: Final = """
start = time.process_time()
for path in paths: os.stat(path)
print(time.process_time() - start)
"""
_READ: Final = """
start = time.process_time()
for path in paths:
    with open(path, encoding="utf-8") as file:
        yaml.load(file.read().split("---", 2)[1], yaml.CSafeLoader)
print(time.process_time() - start)
"""


def run(skills: int = SKILLS, rounds: int = ROUNDS) -> Result:
    with temporary_directory() as directory:
        corpus = directory / "corpus"
        make_corpus(corpus, skills)
        # What was edited a moment ago is read again: its next edit could have the same time.
        time.sleep(_SETTLE_SECONDS)
        others = {one: python for one in LOADERS if (python := one.find_python())}
        best = _measure(corpus, directory, skills, rounds, others)
    figures: Figures = {name: {"cpu_seconds": one} for name, one in best.items()}
    theirs = {one.pin: best.get(one.pin) for one in LOADERS}
    for pin, seconds in theirs.items():
        figures[pin] = {"cpu_seconds": seconds}
    again, first = (
        "unchanged, new process / one stat for each",
        "first time / read and parse each",
    )
    ratios = {again: best[_AGAIN] / best[_STAT], first: best[_FIRST] / best[_PARSE]}
    beside = {f"{pin} / first time": divide(one, best[_FIRST]) for pin, one in theirs.items()}
    promises = {again: "at most 3", **dict.fromkeys(beside, "at least 5")}
    return to_result(figures, {**ratios, **beside}, promises)


def _measure(
    corpus: Path, directory: Path, skills: int, rounds: int, others: dict[Loader, str]
) -> dict[str, float]:
    names = (_STAT, _PARSE, _FIRST, _AGAIN, *(one.pin for one in others))
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds):
        for loader, python in others.items() if number < ROUNDS_OF_OTHERS else ():
            times[loader.pin].append(loader.measure(python, corpus, skills))
        cache = directory / f"cache-{number}"
        times[_STAT].append(_time(_LOOK, corpus, cache))
        times[_PARSE].append(_time(_READ, corpus, cache))
        times[_FIRST].append(_time(_FIND, corpus, cache))
        times[_AGAIN].append(_time(_FIND, corpus, cache))
    return {name: min(one) for name, one in times.items()}


def _time(script: str, corpus: Path, cache: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _SETUP + script, str(corpus), str(cache)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wish = parser.parse_args()
    print(json.dumps(run(wish.skills, wish.rounds), indent=2))


if __name__ == "__main__":
    main()
