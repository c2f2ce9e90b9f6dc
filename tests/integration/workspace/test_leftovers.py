"""Runs that died: whatever they had begun is found, saved and taken away."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skillyard.application.ports.workspace import ConcludedWorkspace
from skillyard.domain.errors import WorkspaceUnavailableError
from tests.integration.workspace.repositories import GIT, Scene, picture

RUN = """
import sys
from pathlib import Path
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.run import WorkspaceMode

project, target, home, path = sys.argv[1:]
environment = {"HOME": home, "PATH": path}
workspaces = GitWorkspaces(environment=environment)
made = workspaces.prepare(
    WorkspaceMode.WORKTREE, project=project, target=target, hide=[".claude/skills"], name="run-1"
)
Path(target, "a.txt").write_text("run")
print("prepared", flush=True)
workspaces.conclude(made, name="run-1")
"""
WHILE_PREPARING = ["worktree", "reset", "update-index", "write-tree"]
WHILE_CONCLUDING = ["diff-files", "commit-tree", "pack-objects", "unpack-objects", "update-ref"]


def die(scene: Scene, at: str, *, after: bool) -> Path:
    """Let a run be killed before or after git does something."""
    target = scene.root()
    first = f'{GIT} "$@"; kill -9 $PPID' if after else "kill -9 $PPID"
    killer = scene.place / "bin/git"
    killer.parent.mkdir()
    killer.write_text(f'#!/bin/sh\nif [ "$1" = {at} ]; then {first}; exit 1; fi\nexec {GIT} "$@"\n')
    killer.chmod(0o755)
    path = f"{killer.parent}:{scene.environment['PATH']}"
    words = [sys.executable, "-c", RUN, str(scene.project), str(target), str(scene.home), path]
    died = subprocess.run(words, check=False, capture_output=True, timeout=60)
    assert died.returncode == -signal.SIGKILL, died.stderr
    assert (b"prepared" in died.stdout) is (at in WHILE_CONCLUDING)
    return target


@pytest.mark.requirement("DEL-13")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", WHILE_PREPARING)
def test_a_run_that_is_killed_while_it_is_prepared_leaves_nothing(
    scene: Scene, at: str, *, after: bool
) -> None:
    scene.init()
    scene.write("new", "user")
    before = picture(scene.project)
    target = die(scene, at, after=after)

    assert scene.workspaces.abandon(str(target)) == ConcludedWorkspace()

    assert picture(scene.project) == before


@pytest.mark.requirement("DEL-13")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("at", WHILE_CONCLUDING)
def test_a_run_that_is_killed_while_it_is_saved_is_saved_by_the_next(
    scene: Scene, at: str, *, after: bool
) -> None:
    scene.init()
    target = die(scene, at, after=after)

    done = scene.workspaces.abandon(str(target))

    assert done.ref == "skillyard/run-1"
    assert scene.show("skillyard/run-1:a.txt") == "run"
    assert scene.git("branch", "--format=%(refname:short)").split() == ["main", "skillyard/run-1"]
    assert not (scene.project / ".git/worktrees").exists()
    assert not target.exists()


def test_a_work_tree_that_git_was_killed_in_the_middle_of_making_is_taken_away(
    scene: Scene,
) -> None:
    scene.init()
    before = picture(scene.project)
    made = scene.prepare()
    (Path(made.path) / ".git").unlink()
    known = scene.project / ".git/worktrees/workspace"
    (known / "locked").write_text("initializing")
    (known / "skillyard/start").unlink()
    crumb = Path(f"{made.path}.repository")
    crumb.write_bytes(crumb.read_bytes().replace(b"ready", b"making"))

    scene.workspaces.abandon(made.path)

    assert picture(scene.project) == before


def _move_the_repository(scene: Scene, work: Path) -> None:
    del work
    scene.project.rename(scene.place / "elsewhere")


def _remove_what_git_knows(scene: Scene, work: Path) -> None:
    del work
    shutil.rmtree(scene.project / ".git/worktrees/workspace")


def _empty_the_note(scene: Scene, work: Path) -> None:
    del work
    (scene.project / ".git/worktrees/workspace/skillyard/start").write_text("")


def _replace_the_note(scene: Scene, work: Path) -> None:
    del work
    (scene.project / ".git/worktrees/workspace/skillyard/start").write_text("[1]")


def _move_the_files(scene: Scene, work: Path) -> None:
    del scene
    work.rename(work.with_name("ws2"))


def _link_the_files(scene: Scene, work: Path) -> None:
    _move_the_files(scene, work)
    work.symlink_to("ws2")


def _empty_the_breadcrumb(scene: Scene, work: Path) -> None:
    shutil.rmtree(scene.project / ".git/worktrees/workspace")
    Path(f"{work}.repository").write_text("")


def _look_beside(work: Path) -> dict[str, object]:
    return {name: one for name, one in picture(work.parent).items() if "repository" not in name}


@pytest.mark.requirement("DEL-5", "DEL-13")
@pytest.mark.parametrize(
    "spoil",
    [
        _move_the_repository,
        _remove_what_git_knows,
        _empty_the_note,
        _replace_the_note,
        _move_the_files,
        _link_the_files,
        _empty_the_breadcrumb,
    ],
)
def test_work_that_cannot_be_judged_is_never_removed(
    scene: Scene, spoil: Callable[[Scene, Path], None]
) -> None:
    scene.init()
    made = scene.prepare()
    work = Path(made.path)
    scene.write("done", "work", at=work)
    spoil(scene, work)
    before = _look_beside(work)

    for is_known in (False, True):
        with pytest.raises(WorkspaceUnavailableError):
            scene.workspaces.abandon(made.path, was_work_tree=is_known)
    with pytest.raises(WorkspaceUnavailableError):
        scene.workspaces.conclude(made, name="run-1")

    assert _look_beside(work) == before
    assert "work" in [one.read_text() for one in work.parent.rglob("done")]


@pytest.mark.requirement("DEL-13")
def test_who_knows_of_a_work_tree_is_told_that_nothing_is_known_of_it(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    Path(f"{made.path}.repository").unlink()
    shutil.rmtree(scene.project / ".git/worktrees/workspace")

    with pytest.raises(WorkspaceUnavailableError):
        scene.workspaces.abandon(made.path, was_work_tree=True)


@pytest.mark.requirement("DEL-13")
def test_what_was_let_go_of_is_let_go_of_again_quietly(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    scene.workspaces.conclude(made, name="run-1")

    assert scene.workspaces.abandon(made.path, was_work_tree=True) == ConcludedWorkspace()


def test_a_directory_that_is_no_work_tree_of_ours_is_left_alone(scene: Scene) -> None:
    scene.init()
    linked = scene.place / "linked"
    scene.git("worktree", "add", "--quiet", str(linked))
    before = picture(scene.place)

    assert scene.workspaces.abandon(str(linked)) == ConcludedWorkspace()
    assert scene.workspaces.abandon(str(scene.place / "missing")) == ConcludedWorkspace()

    assert picture(scene.place) == before


def test_other_work_trees_of_the_user_stay(scene: Scene) -> None:
    scene.init()
    scene.git("worktree", "add", "--quiet", str(scene.place / "linked"))
    before = picture(scene.project)
    made = scene.prepare()

    scene.workspaces.conclude(made, name="run-1")

    assert picture(scene.project) == before
