"""What a store promises about events."""

from dataclasses import replace

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.audit import OutboxEvent
from tests.contract.making import LATER, make_event, make_skill, put_in


def append(store: Store, *events: OutboxEvent) -> None:
    with store.begin() as transaction:
        for event in events:
            transaction.outbox.append(event)
        transaction.commit()


def list_topics(store: Store) -> list[str]:
    with store.view() as view:
        return [one.topic for one in view.outbox.list_pending()]


@pytest.mark.requirement("STO-10")
def test_every_field_of_an_event_comes_back(store: Store) -> None:
    full = make_event("sandbox.sync", at=LATER, data={"größe": "値", "empty": ""})
    append(store, full, make_event())

    with store.view() as view:
        found = view.outbox.list_pending()
        assert [replace(one, number=0) for one in found] == [full, make_event()]


@pytest.mark.requirement("STO-10")
def test_events_come_from_the_oldest_to_the_newest_with_numbers_that_grow(store: Store) -> None:
    append(store, make_event("a", at=LATER, number=99), make_event("b"))
    append(store, make_event("c"))

    with store.view() as view:
        found = view.outbox.list_pending()
        assert [one.topic for one in found] == ["a", "b", "c"]
        numbers = [one.number for one in found]
        assert numbers == sorted(set(numbers))
        assert numbers[0] > 0
        assert [one.topic for one in view.outbox.list_pending(most=2)] == ["a", "b"]


@pytest.mark.requirement("STO-10")
def test_a_hundred_events_are_given_at_a_time(store: Store) -> None:
    append(store, *(make_event(str(number)) for number in range(101)))

    assert list_topics(store) == [str(number) for number in range(100)]
    with store.view() as view:
        assert len(view.outbox.list_pending(most=200)) == 101


@pytest.mark.requirement("STO-10")
def test_an_event_that_is_done_is_off_the_list(store: Store) -> None:
    append(store, make_event("a"), make_event("b"), make_event("c"))

    with store.begin() as transaction:
        first, _, third = transaction.outbox.list_pending()
        transaction.outbox.mark_done([first.number, third.number])
        assert [one.topic for one in transaction.outbox.list_pending()] == ["b"]
        transaction.commit()

    assert list_topics(store) == ["b"]


@pytest.mark.requirement("STO-10")
def test_events_that_are_not_on_the_list_do_not_matter(store: Store) -> None:
    append(store, make_event("a"), make_event("b"))

    with store.begin() as transaction:
        first = transaction.outbox.list_pending()[0].number
        transaction.outbox.mark_done([])
        transaction.outbox.mark_done({first, 10_000})
        transaction.outbox.mark_done((first,))
        transaction.commit()

    assert list_topics(store) == ["b"]


@pytest.mark.requirement("STO-10")
def test_the_number_of_an_event_that_is_done_is_not_given_again(store: Store) -> None:
    append(store, make_event("a"))
    with store.begin() as transaction:
        done = transaction.outbox.list_pending()[0].number
        transaction.outbox.mark_done([done])
        transaction.commit()
    append(store, make_event("b"))

    with store.view() as view:
        assert view.outbox.list_pending()[0].number > done


@pytest.mark.requirement("STO-10")
def test_an_event_lasts_only_with_the_change_that_caused_it(store: Store) -> None:
    with store.begin() as transaction:
        put_in(transaction, make_skill())
        transaction.outbox.append(make_event("lost"))
    append(store, make_event("kept"))

    assert list_topics(store) == ["kept"]
