"""What the store in memory does beyond the contract of every store."""

import pytest

from skillyard.application.ports.store import StoreDescription
from skillyard.domain.errors import StoreUnavailableError
from skillyard.testing.memory import MemoryStore
from skillyard.testing.packages import make_package


def test_a_transaction_that_was_committed_or_left_cannot_be_used() -> None:
    store = MemoryStore()

    with store.begin() as committed:
        committed.commit()
        with pytest.raises(RuntimeError, match="has ended"):
            committed.packages.add([make_package()])
        with pytest.raises(RuntimeError, match="has ended"):
            committed.commit()
    with store.view() as left:
        pass
    with pytest.raises(RuntimeError, match="has ended"):
        left.skills.find("pdf")


def test_a_second_transaction_inside_the_first_gives_up() -> None:
    store = MemoryStore(patience=0)

    with store.begin(), pytest.raises(StoreUnavailableError) as caught, store.begin():
        pass

    assert caught.value.code == "store-unavailable"
    with store.begin() as transaction:
        transaction.commit()


def test_two_stores_share_nothing() -> None:
    one, other = MemoryStore(), MemoryStore()
    with one.begin() as transaction:
        transaction.packages.add([make_package()])
        transaction.commit()

    with other.view() as view:
        assert list(view.packages.iter_digests()) == []


def test_it_says_that_it_is_in_memory() -> None:
    assert MemoryStore().describe() == StoreDescription("memory", "in memory", "none")
