"""A run may be killed while its work tree is taken away, or while git is at work for it."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for

import pytest

from tests.integration.workspace.repositories import GIT, Scene, picture

pytestmark = pytest.mark.requirement("DEL-13")

ENDING = """
import os, signal, sys
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.run import WorkspaceMode

project, target, home, path, at = sys.argv[1:]
workspaces = GitWorkspaces(environment={"HOME": home, "PATH": path})
made = workspaces.prepare(
    WorkspaceMode.WORKTREE, project=project, target=target, hide=[], name="run-1"
)
left = int(at)

def dying(call):
    def die_or_call(*arguments, **keywords):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **keywords)
    return die_or_call

os.unlink, os.rmdir = dying(os.unlink), dying(os.rmdir)
workspaces.conclude(made, name="run-1")
"""


def run(scene: Scene, script: str, *words: str) -> int:
    """Run a supervisor; give its status."""
    target = scene.place / "runs/run-1/workspace"
    target.mkdir(parents=True, exist_ok=True)
    given = [str(scene.project), str(target), str(scene.home), *words]
    done = subprocess.run(
        [sys.executable, "-c", script, *given], check=False, capture_output=True, timeout=60
    )
    assert done.returncode in {0, -signal.SIGKILL}, done.stderr
    return done.returncode


def test_wherever_its_removal_stops_the_next_one_finishes_it(scene: Scene) -> None:
    scene.init()
    before = picture(scene.project)
    target = scene.place / "runs/run-1/workspace"
    deaths = 0

    while run(scene, ENDING, scene.environment["PATH"], str(deaths + 1)):
        deaths += 1
        scene.workspaces.abandon(str(target))
        assert picture(scene.project) == before
        assert not target.exists()

    assert deaths > 10


def test_whoever_comes_next_waits_for_what_git_is_doing(scene: Scene) -> None:
    scene.init()
    before = picture(scene.project)
    gate = scene.place / "gate"
    os.mkfifo(gate)
    killer = scene.place / "bin/git"
    killer.parent.mkdir()
    stops = f"kill -9 $PPID; read -r nothing < {gate}"
    killer.write_text(f'#!/bin/sh\nif [ "$1" = worktree ]; then {stops}; fi\nexec {GIT} "$@"\n')
    killer.chmod(0o755)
    assert run(scene, ENDING, f"{killer.parent}:{scene.environment['PATH']}", "0")
    target = scene.place / "runs/run-1/workspace"

    with ThreadPoolExecutor(1) as pool:
        swept = pool.submit(scene.workspaces.abandon, str(target))
        # Who does not wait is done by now, and git makes the work tree afterwards.
        wait_for([swept], timeout=0.3)
        was_early = swept.done()
        gate.write_text("go\n")
        swept.result(timeout=30)

    assert not was_early
    assert picture(scene.project) == before
    assert not target.exists()
