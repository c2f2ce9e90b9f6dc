"""Which workspace is usual, the empty one, and the project in place."""

import subprocess
from pathlib import Path

import pytest

from skillyard.application.ports.workspace import ConcludedWorkspace, PreparedWorkspace
from skillyard.domain.errors import WorkspaceUnavailableError
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import ANN, GIT, SKILL, Scene, picture


def test_a_repository_with_a_commit_is_worked_on_in_a_work_tree(scene: Scene) -> None:
    scene.init()

    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.WORKTREE
    assert scene.workspaces.choose(str(scene.project / "src")) is WorkspaceMode.WORKTREE


def test_everything_else_is_left_alone_and_the_workspace_is_empty(scene: Scene) -> None:
    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.EMPTY
    assert scene.workspaces.choose(str(scene.place / "missing")) is WorkspaceMode.EMPTY
    scene.git("init", "--quiet")
    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.EMPTY
    scene.commit({"a": "a"})
    assert scene.workspaces.choose(str(scene.project / ".git")) is WorkspaceMode.EMPTY


def test_without_git_the_workspace_is_empty(scene: Scene) -> None:
    scene.init()
    scene.environment["PATH"] = str(scene.home)

    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.EMPTY
    assert scene.prepare(WorkspaceMode.EMPTY).mode is WorkspaceMode.EMPTY


@pytest.mark.requirement("DEL-4", "DEL-5")
def test_an_empty_workspace_is_the_root_of_a_repository(scene: Scene) -> None:
    scene.init({".claude/skills/pdf/SKILL.md": SKILL})

    made = scene.prepare(WorkspaceMode.EMPTY, name="project/run")

    assert scene.git("rev-parse", "--show-toplevel", at=Path(made.path)) == made.path
    assert scene.status(made.path) == []
    assert [path.name for path in Path(made.path).iterdir()] == [".git"]
    scene.commit({"made": "by the run"}, at=Path(made.path))
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()


def test_a_repository_that_is_made_by_hand_is_one_for_git(scene: Scene) -> None:
    made = scene.prepare(WorkspaceMode.EMPTY)

    done = subprocess.run([GIT, "fsck", "--strict"], cwd=made.path, check=False)

    assert done.returncode == 0


@pytest.mark.requirement("DEL-5")
def test_in_place_nothing_is_made(scene: Scene) -> None:
    scene.init()
    before = picture(scene.place)

    made = scene.workspaces.prepare(
        WorkspaceMode.IN_PLACE,
        project=str(scene.project / "src"),
        target=str(scene.place / "never"),
        hide=[".claude/skills"],
        name="run-1",
    )

    project = str(scene.project)
    directory = f"{project}/src"
    assert made == PreparedWorkspace(
        mode=WorkspaceMode.IN_PLACE,
        path=directory,
        directory=directory,
        top=project,
        variables=ANN,
    )
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()
    assert picture(scene.place) == before


@pytest.mark.parametrize(
    "mode", [WorkspaceMode.COPY, WorkspaceMode.WORKTREE, WorkspaceMode.IN_PLACE]
)
def test_a_project_that_is_missing_is_named(scene: Scene, mode: WorkspaceMode) -> None:
    with pytest.raises(WorkspaceUnavailableError, match="there is no such directory") as caught:
        scene.prepare(mode, project=scene.place / "missing")

    assert caught.value.path == str(scene.place / "missing")
