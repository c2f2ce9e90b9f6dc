"""Each test of a contract runs over every implementation."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.application.ports.store import Store
from skillyard.testing.memory import MemoryStore
from tests.databases import emptied_postgres_url, spoil_content

Spoil = Callable[[str, bytes], None]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    """Give the database that a store is opened on, or None where it needs none."""
    if request.param == "memory":
        return None
    if request.param == "postgres":
        return emptied_postgres_url()
    url: str = request.getfixturevalue("sqlite_url")
    return url


@pytest.fixture
def store(database_url: str | None) -> Iterator[Store]:
    """Give an empty store."""
    store: Store = open_store(database_url) if database_url else MemoryStore()
    yield store
    store.close()


@pytest.fixture
def impatient_store(database_url: str | None) -> Iterator[Store]:
    """Give an empty store that waits for nobody."""
    patience = 0.05
    store: Store = (
        open_store(database_url, patience=patience)
        if database_url
        else MemoryStore(patience=patience)
    )
    yield store
    store.close()


@pytest.fixture
def spoil(store: Store, database_url: str | None) -> Spoil:
    """Give the way to change bytes behind the back of `store`: their SHA-256, the new bytes."""
    if isinstance(store, MemoryStore):
        return store.spoil
    assert database_url
    return partial(spoil_content, database_url)
