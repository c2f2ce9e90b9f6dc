"""A program commits as the user, although it has another home."""

import pytest

from skillyard.domain.run import WorkspaceMode
from tests.integration.running.world import World

COMMIT = "echo x > x.txt && git add x.txt && git commit --quiet -m done || exit 9"


@pytest.fixture
def repository(world: World) -> World:
    """Give a world whose project is a repository of Ann."""
    world.make_repository()
    world.git("config", "user.name", "Ann")
    world.git("config", "user.email", "ann@example.org")
    return world


def read_authors(world: World, ref: str) -> str:
    """Say who wrote and who committed the last commit; the user's own variables do not count."""
    world.environment.pop("GIT_DIR", None)
    return world.git("log", "-1", "--format=%an %ae %cn", ref)


@pytest.mark.requirement("DEL-5")
def test_a_commit_of_a_run_is_the_users(repository: World) -> None:
    repository.do(COMMIT)

    run = repository.run()

    assert run.exit_status == 0
    assert read_authors(repository, run.workspace_ref) == "Ann ann@example.org Ann\n"
    assert run.environment["GIT_AUTHOR_EMAIL"] == "ann@example.org"


def test_what_the_users_environment_says_counts_more(repository: World) -> None:
    repository.environment["GIT_AUTHOR_NAME"] = "Bea"
    repository.environment["GIT_DIR"] = "/somewhere/else"
    repository.do(COMMIT)

    run = repository.run(added={"GIT_COMMITTER_NAME": "Cleo"})

    assert read_authors(repository, run.workspace_ref) == "Bea ann@example.org Cleo\n"
    assert "GIT_AUTHOR_NAME" not in run.environment
    assert run.environment["GIT_COMMITTER_NAME"] == "Cleo"


def test_a_run_that_works_on_nothing_is_told_nothing(repository: World) -> None:
    run = repository.run(workspace=WorkspaceMode.EMPTY)

    assert not [name for name in run.environment if name.startswith("GIT_")]
