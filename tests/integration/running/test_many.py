"""Any number of runs at once: none sees anything of another."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from skillyard.domain.run import ChangeKind, Run, RunStatus, SeenChange
from skillyard.yard import Skillyard
from tests.integration.running.crowd import (
    AGENTS,
    CHANGED,
    CLIENTS,
    SLUGS,
    Crowd,
    leave_others_out,
    list_expected,
    make_version,
    read_view,
)

pytestmark = [pytest.mark.requirement("DEL-14"), pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
ALIVE = 100
A_FEW_AT_A_TIME = 1000


def run_crowd(crowd: Crowd, number: int, *, workers: int) -> dict[str, Any]:
    """Run a crowd as a program of its own, with one thread, so that forking is safe."""
    script = Path(__file__).with_name("crowd.py")
    done = subprocess.run(
        [sys.executable, str(script), str(crowd.root), crowd.url, str(number), str(workers)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def require_own_view(number: int, run: Run, crowd: Crowd, yard: Skillyard) -> None:
    """Compare what the program of a run saw with the record of that run."""
    expected = list_expected(run, yard)
    before = read_view(crowd.reports / f"{number}.before")
    assert leave_others_out(before, run) == expected
    assert (run.status, run.exit_status) == (RunStatus.ENDED, number % 7)
    assert run.changes == (SeenChange(CHANGED, "SKILL.md", ChangeKind.CHANGED),)


def require_own_change(number: int, crowd: Crowd) -> None:
    """See that a program found no other change than its own, when all of them had made theirs."""
    before = read_view(crowd.reports / f"{number}.before")
    after = read_view(crowd.reports / f"{number}.after")
    (changed,) = [path for path in after if before.get(path) != after[path]]
    assert changed.endswith(f"/skills/{CHANGED}/SKILL.md")
    assert before.keys() == after.keys()


def require_own_environment(number: int, run: Run, crowd: Crowd) -> None:
    """See that a program was told of its own run alone."""
    text = (crowd.reports / f"{number}.environment").read_text()
    environment = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    assert environment.items() >= dict(run.environment).items()
    assert environment["NUMBER"] == str(number)
    assert environment["HOME"] == f"{run.root}/home"
    assert set(re.findall(r"run-[0-9a-f-]+", text)) == {Path(run.root).name}
    assert (crowd.reports / f"{number}.directory").read_text() == f"{run.root}/workspace\n"


def require_own_record(number: int, run: Run) -> None:
    """See that a record is about that run: its agent, and the versions that are pinned for it."""
    agent = number % AGENTS
    assert (run.agent, run.command[0]) == (f"agent-{agent}", CLIENTS[number % len(CLIENTS)])
    assert run.command[1] == f"--number={number}"
    assert {one.slug: one.digest for one in run.skills} == {
        slug: make_version(slug, agent).digest() for slug in SLUGS
    }


def require_apart(crowd: Crowd, number: int) -> None:
    """See that so many runs had nothing to do with each other, and that nothing is left of them."""
    with crowd.open() as yard:
        runs = {one.id: one for one in yard.list_runs()}
        assert len(runs) == len({one.root for one in runs.values()}) == number
        for one in range(number):
            run = runs[(crowd.reports / f"{one}.id").read_text()]
            require_own_record(one, run)
            require_own_environment(one, run, crowd)
            require_own_view(one, run, crowd, yard)
    assert [path.name for path in (crowd.home / "runs").iterdir()] == ["locks"]
    assert list((crowd.home / "runs" / "locks").iterdir()) == []
    assert list((crowd.root / "user").iterdir()) == []


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_a_hundred_runs_at_the_same_moment_see_nothing_of_each_other(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    crowd = Crowd(tmp_path, request.getfixturevalue(f"{engine}_url"))

    said = run_crowd(crowd, ALIVE, workers=0)

    # Every supervisor and every program was alive when the first of them was let through.
    assert (said["alive"], said["processes"]) == (2 * ALIVE, ALIVE)
    require_apart(crowd, ALIVE)
    for number in range(ALIVE):
        require_own_change(number, crowd)
    assert len(said["before"]) >= len(SLUGS) * AGENTS
    assert said["after"] == said["before"]


def test_a_thousand_runs_a_few_at_a_time_see_nothing_of_each_other(
    tmp_path: Path, sqlite_url: str
) -> None:
    crowd = Crowd(tmp_path, sqlite_url)

    run_crowd(crowd, A_FEW_AT_A_TIME, workers=4)

    require_apart(crowd, A_FEW_AT_A_TIME)
