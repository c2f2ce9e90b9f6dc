"""Each test of the database adapter runs on both engines, where it asks for `url` or `store`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from tests.databases import empty_postgres_url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """Give a database with the schema of today."""
    given: str = request.getfixturevalue(f"{request.param}_url")
    return given


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give a database without anything in it."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.db"
    else:
        with empty_postgres_url() as given:
            yield given


@pytest.fixture
def store(url: str) -> Iterator[SqlStore]:
    """Give an open store."""
    opened = open_store(url)
    yield opened
    opened.close()
