"""What a whole run costs: the command besides its program, and a thousand runs.

- `skillyard run -- true` beside `true`, and beside a Python that imports the libraries which a run
  needs, and ends. Wall time, the best of interleaved rounds.
- A thousand runs of a small program, two at a time, each from its choice to its removal: agents
  have skills of the same names and with other contents, and what each program saw is compared with
  the record of its run. A difference stops the benchmark.
"""

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.commands import SKILLYARD, Command, find_best, measure_all
from benchmarks.delivering import AGENT, SKILLS, give_skills, make_skill
from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import open_yard, temporary_directory, to_url
from skillyard import Skillyard
from skillyard.application.assign import AssignSkill
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run_wish import RunAgent
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent
from skillyard.domain.run import Run, WorkspaceMode
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

ROUNDS: Final = 15
RUNS: Final = 1_000
WORKERS: Final = 2
AGENTS: Final = 10
SLUGS: Final = ("csv", "notes", "pdf")

TRUE: Final = "true"
FLOOR: Final = "python -c 'import click, sqlalchemy, yaml'"
OURS: Final = "skillyard run -- true"
MANY: Final = f"{RUNS:,} runs, {WORKERS} at a time"

_LOOK: Final = 'cd "$HOME" && find . -type f -path "*/skills/*" -exec sha256sum {} + > "$REPORT"'


def run_command(rounds: int = ROUNDS) -> Result:
    with temporary_directory() as directory:
        with _open(directory) as yard:
            give_skills(yard, AGENT, [make_skill(number) for number in range(SKILLS)])
        taken = measure_all(_commands(directory), rounds + 1)
    # The first round is the one that fills the cache.
    best = {name: find_best(some[1:]) for name, some in taken.items()}
    figures: Figures = {
        name: {"wall_seconds": one.wall_seconds, "cpu_seconds": one.cpu_seconds}
        for name, one in best.items()
    }
    ours = best[OURS].wall_seconds - best[TRUE].wall_seconds
    name = "seconds that a run takes besides its program"
    floor = f"{OURS} / the libraries alone (wall time, best)"
    beside = best[OURS].wall_seconds / best[FLOOR].wall_seconds
    return to_result(figures, {name: ours, floor: beside}, {name: "nothing"})


def _commands(directory: Path) -> dict[str, Command]:
    words = ("run", "--quiet", "--agent", AGENT, "--provider", "codex", "--workspace", "empty")
    where = ("--database-url", to_url(directory / "skillyard.db"), "--home", str(directory))
    return {
        TRUE: Command(["true"], directory),
        FLOOR: Command([sys.executable, "-c", "import click, sqlalchemy, yaml"], directory),
        OURS: Command([SKILLYARD, *where, *words, "--", "true"], directory),
    }


def run_many(runs: int = RUNS) -> Result:
    with temporary_directory() as directory:
        (directory / "reports").mkdir()
        with _open(directory) as yard:
            for number in range(AGENTS):
                _give(yard, number)
        start = time.perf_counter()
        _wait_for([_fork(directory, range(one, runs, WORKERS)) for one in range(WORKERS)])
        seconds = time.perf_counter() - start
        _compare(directory, runs)
    figures: Figures = {MANY: {"seconds": seconds, "runs_per_second": runs / seconds}}
    name = f"milliseconds for each of {runs:,} runs"
    return to_result(figures, {name: seconds / runs * 1e3}, {})


def _open(home: Path) -> Skillyard:
    yard = open_yard(to_url(home / "skillyard.db"))
    yard.home = home
    return yard


def _give(yard: Skillyard, number: int) -> None:
    """Let an agent have skills that others have with other contents."""
    version = Version.parse(f"1.0.{number}")
    yard.add_record(Agent(name=f"agent-{number}", allowlist=SLUGS))
    for slug in SLUGS:
        package = make_package(
            slug, body=f"{slug} {number}\n", files={"references/a.md": f"{version}\n"}
        )
        yard.save(SaveSkill(package=package, version=version))
        subject = Subject(SubjectKind.AGENT, f"agent-{number}")
        pinned = VersionRange.exactly(version)
        yard.assign(AssignSkill(reference=slug, subject=subject, constraint=pinned))


def _fork(home: Path, numbers: Iterable[int]) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        with _open(home) as yard:
            for number in numbers:
                run = yard.run(_wish(home, number), include_project=False, include_user=False)
                (home / "reports" / f"{number}.id").write_text(run.id)
        status = 0
    finally:
        os._exit(status)


def _wish(home: Path, number: int) -> RunAgent:
    return RunAgent(
        command=("/bin/sh", "-c", _LOOK),
        provider="codex",
        skills=ResolveSkills(agent=f"agent-{number % AGENTS}"),
        project=str(home),
        added={"REPORT": str(home / "reports" / f"{number}.seen")},
        workspace=WorkspaceMode.EMPTY,
    )


def _wait_for(children: Iterable[int]) -> None:
    ended = [os.waitpid(one, 0)[1] for one in children]
    if any(ended):
        message = "a worker failed"
        raise SystemExit(message)


def _compare(home: Path, runs: int) -> None:
    """Compare what each program saw with the record of its run."""
    with _open(home) as yard:
        known = {one.id: one for one in yard.list_runs()}
        for number in range(runs):
            run = known.pop((home / "reports" / f"{number}.id").read_text())
            seen = _read_view(home / "reports" / f"{number}.seen")
            if seen != _list_given(run, yard) or run.agent != f"agent-{number % AGENTS}":
                message = f"run {number} saw something else than it was given"
                raise SystemExit(message)
        if known or any((home / "runs").glob("run-*")):
            message = "something is left"
            raise SystemExit(message)


def _read_view(path: Path) -> dict[str, str]:
    lines = path.read_text().splitlines()
    return {line[66:].removeprefix("./"): line[:64] for line in lines}


def _list_given(run: Run, yard: Skillyard) -> dict[str, str]:
    with yard.store.view() as view:
        return {
            f"{skill.path}/{path}": hashlib.sha256(file.content).hexdigest()
            for skill in run.skills
            for path, file in view.packages.get(skill.delivered).files.items()
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--runs", type=int, default=RUNS)
    wish = parser.parse_args()
    print(json.dumps([run_command(wish.rounds), run_many(wish.runs)], indent=2))


if __name__ == "__main__":
    main()
