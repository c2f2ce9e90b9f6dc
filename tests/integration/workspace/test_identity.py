"""A program in a repository commits as the user, whose settings it does not find."""

import pytest

from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import ANN, Scene

IN_PROJECT = [WorkspaceMode.COPY, WorkspaceMode.WORKTREE, WorkspaceMode.IN_PLACE]


@pytest.mark.parametrize("mode", IN_PROJECT)
def test_in_a_repository_it_is_told_who_the_user_is(scene: Scene, mode: WorkspaceMode) -> None:
    scene.init()

    assert scene.prepare(mode).variables == ANN


def test_where_there_is_no_repository_nothing_is_told(scene: Scene) -> None:
    copied = scene.prepare(WorkspaceMode.COPY, name="run-1")
    empty = scene.prepare(WorkspaceMode.EMPTY, name="run-2")

    assert (copied.variables, empty.variables) == ({}, {})


def test_what_a_repository_or_a_role_says_counts_more(scene: Scene) -> None:
    scene.init()
    scene.git("config", "user.email", "ann@work.example.org")
    scene.git("config", "author.name", "Ann\nof the Works")

    assert scene.prepare().variables == ANN | {
        "GIT_AUTHOR_NAME": "Ann\nof the Works",
        "GIT_AUTHOR_EMAIL": "ann@work.example.org",
        "GIT_COMMITTER_EMAIL": "ann@work.example.org",
    }


def test_nobody_is_made_up(scene: Scene) -> None:
    scene.init()
    scene.git("config", "--global", "--unset", "user.name")
    scene.git("config", "user.email", "")

    assert scene.prepare().variables == {}


def test_without_git_nobody_is_known(scene: Scene) -> None:
    scene.init()
    without = GitWorkspaces(environment={"PATH": str(scene.home)})

    assert scene.prepare(WorkspaceMode.IN_PLACE, workspaces=without).variables == {}
