"""Prepare a run with 8 skills of 5 files, warm, beside `cp -r` of the same files.

Preparing is everything until the program is started: choose the skills of an agent, read them from
the cache and verify every byte, plan, make the root of a run, write into its home, and keep the
record. Laying out is the part of it that `cp -r` does as well. `cp -r` is a program: what starting
one takes is shown too. The store holds 1,000 skills, and another one 100,000. Rounds are
interleaved, and the best of each counts. Nothing is removed meanwhile: on some file systems that
would slow down whoever comes next.
"""

import argparse
import itertools
import json
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from benchmarks.results import Figures, Result, to_result
from benchmarks.world import make_sqlite_world
from benchmarks.yards import open_yard, temporary_directory, to_url
from skillyard import Skillyard
from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.application.assign import AssignSkill
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run import PlannedRun
from skillyard.application.run_wish import RunAgent
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.delivery import PlannedSkill
from skillyard.domain.package import Package
from skillyard.domain.records import Agent
from skillyard.domain.run import Run, WorkspaceMode
from skillyard.testing.packages import make_package

SKILLS: Final = 8
FILES: Final = ("references/api.md", "references/forms.md", "scripts/fill.py", "LICENSE.txt")
FILE_BYTES: Final = 28 * 1024 // 5
ROUNDS: Final = 100
SMALL: Final = 1_000
LARGE: Final = 100_000
AGENT: Final = "bench"

FLOOR: Final = "cp -r"
START: Final = "starting a program"
LAY_OUT: Final = "lay out"
PREPARE: Final = f"prepare, {SMALL:,} skills"
PREPARE_LARGE: Final = f"prepare, {LARGE:,} skills"
FIND: Final = "find changes afterwards"


def run(rounds: int = ROUNDS) -> Result:
    with temporary_directory() as directory, ExitStack() as stack:
        small = stack.enter_context(_open_yard(directory / "small", SMALL))
        large = stack.enter_context(_open_yard(directory / "large", LARGE))
        return report(_measure(_Bench(directory, small), _Bench(directory, large), rounds))


def _measure(small: "_Bench", large: "_Bench", rounds: int) -> dict[str, list[float]]:
    contenders: dict[str, Callable[[], float]] = {
        FLOOR: small.copy,
        START: small.start,
        LAY_OUT: small.lay_out,
        PREPARE: small.prepare,
        PREPARE_LARGE: large.prepare,
        FIND: small.find_changes,
    }
    for contender in contenders.values():
        contender()
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            times[name].append(contender())
    return times


def _open_yard(home: Path, skills: int) -> Skillyard:
    """Make a store of so many skills, and an agent that has 8 others."""
    home.mkdir()
    path = home / "skillyard.db"
    make_sqlite_world(path, skills)
    yard = open_yard(to_url(path))
    yard.home = home
    give_skills(yard, AGENT, [make_skill(number) for number in range(SKILLS)])
    return yard


def give_skills(yard: Skillyard, agent: str, packages: Iterable[Package]) -> None:
    """Let an agent have these skills, and no others."""
    slugs = []
    for package in packages:
        saved = yard.save(SaveSkill(package=package)).skill
        slugs.append(saved.slug)
    yard.add_record(Agent(name=agent, allowlist=tuple(slugs)))
    for slug in slugs:
        yard.assign(AssignSkill(reference=slug, subject=Subject(SubjectKind.AGENT, agent)))


def make_skill(number: int) -> Package:
    """Make a skill of 5 files."""
    line = f"Skill {number} does its work.\n"
    text = line * (FILE_BYTES // len(line))
    return make_package(f"bench-{number}", body=text, files=dict.fromkeys(FILES, text))


class _Bench:
    """The same skills in a directory and in a store; each way gives what it took."""

    def __init__(self, directory: Path, yard: Skillyard) -> None:
        self._home = yard.home or directory
        self._source = self._home / "source"
        self._numbers = itertools.count()
        self._yard = yard
        self._grounds = DiskGrounds(self._home / "grounds")
        for number in range(SKILLS):
            _write(make_skill(number), self._source / f"bench-{number}")
        self._planned = self._preview()

    def copy(self) -> float:
        """Copy the files."""
        target = self._home / f"copy-{next(self._numbers)}"
        start = time.perf_counter()
        subprocess.run(["cp", "-r", str(self._source), str(target)], check=True)
        return time.perf_counter() - start

    def start(self) -> float:
        """Start a program that does nothing."""
        start = time.perf_counter()
        subprocess.run(["true"], check=True)
        return time.perf_counter() - start

    def lay_out(self) -> float:
        """Make the root of a run, and write what is planned."""
        start = time.perf_counter()
        with self._grounds.make("bench") as ground:
            ground.lay_out(self._planned.plan, link=_never_link, environment={})
            return time.perf_counter() - start

    def prepare(self) -> float:
        """Do everything until the program is started."""
        started: list[float] = []

        def tell(run: Run) -> None:
            del run
            started.append(time.perf_counter())

        start = time.perf_counter()
        self._yard.run(self._wish, include_project=False, include_user=False, tell=tell)
        return started[0] - start

    def find_changes(self) -> float:
        """Compare with the packages what was laid out."""
        skills = self._planned.plan.skills
        with self._grounds.make("bench") as ground:
            ground.lay_out(self._planned.plan, link=_never_link, environment={})
            start = time.perf_counter()
            changes = ground.find_changes(skills)
            seconds = time.perf_counter() - start
        if changes:
            raise SystemExit(str(changes))
        return seconds

    @property
    def _wish(self) -> RunAgent:
        return RunAgent(
            command=("true",),
            provider="claude-code",
            skills=ResolveSkills(agent=AGENT),
            project=str(self._home),
            workspace=WorkspaceMode.EMPTY,
            keep=True,
        )

    def _preview(self) -> PlannedRun:
        planned = self._yard.preview_run(self._wish, include_project=False, include_user=False)
        if len(planned.plan.skills) != SKILLS:
            message = f"{len(planned.plan.skills)} skills instead of {SKILLS}"
            raise SystemExit(message)
        return planned


def _write(package: Package, directory: Path) -> None:
    for path, file in package.files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)


def _never_link(skill: PlannedSkill) -> None:
    del skill


def report(times: dict[str, list[float]]) -> Result:
    """Give the figures, and what we take beside the floor."""
    figures: Figures = {
        name: {
            "best_milliseconds": min(one) * 1e3,
            "median_milliseconds": statistics.median(one) * 1e3,
        }
        for name, one in times.items()
    }
    best = {name: min(one) for name, one in times.items()}
    ratios: dict[str, float | None] = {
        "lay out / cp -r (wall time, best)": best[LAY_OUT] / best[FLOOR],
        "prepare / cp -r (wall time, best)": best[PREPARE] / best[FLOOR],
        f"prepare, {LARGE:,} / {SMALL:,} skills (best)": best[PREPARE_LARGE] / best[PREPARE],
    }
    promises = zip(ratios, ("at most 1.5", "at most 3", "at most 1.5"), strict=True)
    return to_result(figures, ratios, dict(promises))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    print(json.dumps(run(parser.parse_args().rounds), indent=2))


if __name__ == "__main__":
    main()
