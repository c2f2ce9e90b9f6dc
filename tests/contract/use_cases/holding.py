"""A store that holds a writer between writing and committing, so that others meet it there."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any

from skillyard.application.ports.store import Store, Transaction

LONG = 20.0


class HoldingStore:
    """The store `inner`, whose transactions say when all is written, and wait to be let go."""

    def __init__(self, inner: Store) -> None:
        self._inner = inner
        self.has_written = Event()
        self.may_commit = Event()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """See `Store.begin`."""
        with self._inner.begin() as transaction:
            yield _HoldingTransaction(transaction, self)


class _HoldingTransaction:
    def __init__(self, inner: Transaction, store: HoldingStore) -> None:
        self._inner = inner
        self._store = store

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the inner one has)
        return getattr(self._inner, name)

    def commit(self) -> None:
        self._store.has_written.set()
        assert self._store.may_commit.wait(LONG)
        self._inner.commit()
