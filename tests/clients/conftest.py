"""The real clients, and worlds that they are run in."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skillyard.providers.clients import CLIENTS
from tests.clients.running import end_processes_of
from tests.clients.worlds import World, make_world
from tools.install_clients import InstallError, find_installed, get_node


def pytest_configure() -> None:
    """Refuse to start where a client is missing: such a test is never left out."""
    try:
        _list_directories()
        get_node()
    except InstallError as error:
        raise pytest.UsageError(str(error)) from error


def _list_directories() -> list[str]:
    return [str(find_installed(client).directory) for client in CLIENTS.values()]


@pytest.fixture(scope="session")
def search_path() -> str:
    """Give the search path on which every client is found."""
    return os.pathsep.join([*_list_directories(), get_node().path])


@pytest.fixture(scope="session")
def lasting_world(search_path: str) -> Iterator[World]:
    """Give a world for tests that leave it as it was."""
    with _world(search_path) as made:
        yield made


@pytest.fixture
def world(lasting_world: World) -> Iterator[World]:
    """Give a world with no runs in it; nothing else may be changed."""
    yield lasting_world
    shutil.rmtree(lasting_world.yard / "runs", ignore_errors=True)


@pytest.fixture
def own_world(search_path: str) -> Iterator[World]:
    """Give a world for one test, which may change it."""
    with _world(search_path) as made:
        yield made


@contextmanager
def _world(search_path: str) -> Iterator[World]:
    # As short as a user's own paths are: some clients count them among what they tell the model.
    with tempfile.TemporaryDirectory(prefix="sky-", ignore_cleanup_errors=True) as top:
        try:
            yield make_world(Path(top), search_path)
        finally:
            end_processes_of(Path(top))
