"""What a client writes into the user's repository itself is gone after the run."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.workspace.repositories import Scene, picture

pytestmark = pytest.mark.requirement("DEL-13")

DYING = """
import os, signal, sys
from pathlib import Path
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.run import WorkspaceMode

project, target, home, path = sys.argv[1:]
GitWorkspaces(environment={"HOME": home, "PATH": path}).prepare(
    WorkspaceMode.WORKTREE, project=project, target=target, hide=[], name="run-1"
)
Path(project, ".git/opencode").write_text("id")
os.kill(os.getpid(), signal.SIGKILL)
"""


def leave(scene: Scene) -> Path:
    """Do what OpenCode does."""
    return scene.write(".git/opencode", "id")


@pytest.mark.parametrize("is_directory", [False, True])
def test_what_was_not_there_before_goes(scene: Scene, *, is_directory: bool) -> None:
    scene.init()
    before = picture(scene.project)
    made = scene.prepare()
    scene.write(".git/opencode/id" if is_directory else ".git/opencode", "id")

    scene.workspaces.conclude(made, name="run-1")

    assert picture(scene.project) == before


def test_what_was_there_before_stays(scene: Scene) -> None:
    scene.init()
    leave(scene)
    before = picture(scene.project)
    made = scene.prepare()

    scene.workspaces.conclude(made, name="run-1")

    assert picture(scene.project) == before


def test_it_goes_when_a_run_was_killed(scene: Scene) -> None:
    scene.init()
    before = picture(scene.project)
    target = scene.root()
    words = [str(scene.project), str(target), str(scene.home), scene.environment["PATH"]]
    died = subprocess.run([sys.executable, "-c", DYING, *words], check=False, timeout=60)
    assert died.returncode == -signal.SIGKILL
    assert (scene.project / ".git/opencode").exists()

    scene.workspaces.abandon(str(target))

    assert picture(scene.project) == before


def test_what_another_run_left_is_nobodys_own(scene: Scene) -> None:
    scene.init()
    before = picture(scene.project)
    first = scene.prepare()
    leave(scene)
    second = scene.prepare(name="run-2")

    scene.workspaces.conclude(first, name="run-1")
    leave(scene)
    scene.workspaces.conclude(second, name="run-2")

    assert picture(scene.project) == before


def test_a_work_tree_that_is_kept_takes_nothing_away_later(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    left = leave(scene)

    scene.workspaces.conclude(made, name="run-1", keep=True)
    assert not left.exists()
    leave(scene)
    scene.workspaces.abandon(made.path)

    assert left.exists()
    assert not Path(made.path).exists()


def test_only_what_clients_are_known_to_leave_is_taken_away(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    known = Path(f"{made.path}.repository")
    known.write_bytes(known.read_bytes() + b"\0HEAD\0../a.txt")

    scene.workspaces.conclude(made, name="run-1")

    assert (scene.project / ".git/HEAD").exists()
    assert (scene.project / "a.txt").exists()
