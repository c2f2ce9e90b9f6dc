"""A supervisor may be killed at any moment: nothing half-done is ever started, or left."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from skillyard.domain.run import Run, RunStatus, WorkspaceMode
from skillyard.yard import Skillyard
from tests.integration.running.crowd import leave_others_out, list_expected, read_view
from tests.integration.running.kill_runs import Killing

pytestmark = [pytest.mark.requirement("DEL-10", "DEL-13"), pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[3]
KILLS = 200


def kill_runs(killing: Killing) -> dict[str, int]:
    """Kill supervisors; give how many died of it, in each mode."""
    script = Path(__file__).with_name("kill_runs.py")
    done = subprocess.run(
        [sys.executable, str(script), str(killing.root), killing.url, str(KILLS)],
        check=False,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        },
        timeout=280,
    )
    assert done.returncode == 0, done.stderr
    print(done.stdout, done.stderr)  # noqa: T201 (for whoever looks at a failure)
    died: dict[str, int] = json.loads(done.stdout)["died"]
    return died


def require_whole(name: str, runs: dict[str, Run], killing: Killing, yard: Skillyard) -> Run:
    """See that a program was started with all of its skills, and after its record was kept."""
    run = runs[name]
    assert run.status in {RunStatus.LOST, RunStatus.ENDED}
    seen = leave_others_out(read_view(killing.reports / f"{name}.seen"), run)
    skills = {path: digest for path, digest in seen.items() if not path.startswith("workspace")}
    assert skills == list_expected(run, yard)
    return run


def require_nothing_left(killing: Killing) -> None:
    """See that neither a root, nor a lock, nor a stage, nor a work tree is left."""
    assert [one.name for one in (killing.home / "runs").iterdir()] == ["locks"]
    assert list((killing.home / "runs" / "locks").iterdir()) == []
    assert list((killing.home / "cache" / "packages" / "staging").iterdir()) == []
    assert list((killing.root / "user").iterdir()) == []
    git = killing.project / ".git"
    assert not (git / "worktrees").exists()
    assert list(git.rglob("*.lock")) == []
    assert (killing.project / "code.txt").read_text() == "changed\n"
    assert ask_git(killing, "status", "--porcelain") == " M code.txt\n"


def ask_git(killing: Killing, *words: str) -> str:
    done = subprocess.run(
        ["git", *words], cwd=killing.project, check=True, capture_output=True, text=True
    )
    return done.stdout


def test_two_hundred_kills_leave_no_half_run_and_nothing_else(
    tmp_path: Path, sqlite_url: str
) -> None:
    killing = Killing(tmp_path, sqlite_url)

    died = kill_runs(killing)

    with killing.open() as yard:
        swept = yard.collect()
        again = yard.collect()
        runs = {Path(one.root).name: one for one in yard.list_runs()}
        seen = [one.stem for one in killing.reports.glob("*.seen")]
        started = [require_whole(name, runs, killing, yard) for name in seen]
        assert [fault for one in yard.examine() for fault in one.faults] == []
    assert [one.problem for one in swept.leftovers if one.problem] == []
    assert (again.leftovers, list(killing.reports.glob("*.part"))) == ((), [])
    require_nothing_left(killing)
    # Whatever a program has done in a work tree is kept, whoever was killed.
    branches = set(ask_git(killing, "branch", "--format=%(refname:short)").split())
    for run in started:
        name = f"skillyard/{Path(run.root).name}"
        if run.workspace is WorkspaceMode.WORKTREE:
            assert ask_git(killing, "show", f"{name}:done.txt") == "done\n"
    assert {one.workspace_ref for one in runs.values()} - {""} <= branches
    # Otherwise the moments were chosen badly, and nothing was shown.
    states = Counter(one.status for one in runs.values())
    assert set(states) == {RunStatus.LOST, RunStatus.ENDED}
    assert sum(died.values()) >= KILLS // 2, died
    assert min(died.values()) >= KILLS // 8, died
    assert states[RunStatus.LOST] >= KILLS // 10, states
    assert KILLS - len(runs) >= KILLS // 10, states
    assert swept.leftovers
