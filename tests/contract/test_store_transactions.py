"""What a store promises about transactions and views."""

from collections.abc import Callable

import pytest

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.errors import ConcurrentChangeError, StoreUnavailableError
from skillyard.domain.records import Team, Workspace
from tests.contract.making import (
    FIRST,
    OTHER_PDF,
    PDF,
    fill,
    make_assignment,
    make_entry,
    make_event,
    make_skill,
    make_tombstone,
    make_version,
    next_revision,
)

SKILL = make_skill()
OLD = make_skill("old")
BLUE = Subject(SubjectKind.TEAM, "blue")
Write = Callable[[Transaction], object]
# Each has an effect in a store that is `filled`, also after the others.
WRITES: tuple[Write, ...] = (
    lambda one: one.skills.add_if_absent(make_skill("new")),
    lambda one: one.skills.replace(next_revision(SKILL)),
    lambda one: one.skills.remove(OLD, make_tombstone(OLD)),
    lambda one: one.versions.add_if_absent(make_version(SKILL, "2.0.0", revision=2)),
    lambda one: one.packages.add([OTHER_PDF]),
    lambda one: one.assignments.put(make_assignment(SKILL)),
    lambda one: one.assignments.remove(SKILL.id, BLUE),
    lambda one: one.records.add_if_absent(Team(name="red")),
    lambda one: one.records.replace(Team(name="blue", description="Sea", revision=2)),
    lambda one: one.records.remove(Team, "green"),
    lambda one: one.audit.append(make_entry()),
    lambda one: one.outbox.append(make_event("new")),
    lambda one: one.outbox.mark_done([one.outbox.list_pending()[0].number]),
)


REFUSED: tuple[Write, ...] = (
    lambda one: one.records.add_if_absent(Team(name="new", workspace="nowhere")),
    lambda one: one.records.replace(Team(name="blue", workspace="nowhere", revision=2)),
    lambda one: one.records.remove(Workspace, "lab"),
    lambda one: one.assignments.put(make_assignment(make_skill("gone"))),
    lambda one: one.assignments.put(make_assignment(SKILL, Subject(SubjectKind.TEAM, "gone"))),
)


class Stop(Exception):  # noqa: N818 (nothing went wrong)
    """What a program that changes its mind raises."""


def look(transaction: Transaction) -> tuple[object, ...]:
    """Give everything that can be read."""
    return (
        transaction.skills.find("pdf"),
        transaction.skills.find_by_id(SKILL.id),
        transaction.skills.list_by_slug("pdf"),
        transaction.skills.list_entries(EVERYTHING),
        transaction.skills.count(EVERYTHING),
        transaction.skills.list_tombstones(),
        transaction.versions.list(SKILL.id),
        transaction.versions.find(SKILL.id, FIRST),
        list(transaction.packages.iter_digests()),
        transaction.packages.find(OTHER_PDF.digest()),
        transaction.packages.get_file(OTHER_PDF.digest(), "SKILL.md"),
        transaction.assignments.list(),
        transaction.assignments.find(SKILL.id, BLUE),
        transaction.records.list(Team),
        transaction.audit.list(AuditFilter()),
        transaction.outbox.list_pending(),
    )


def look_at(store: Store) -> tuple[object, ...]:
    with store.view() as view:
        return look(view)


def write_everything_and_stop(store: Store, *, commit: bool) -> None:
    """Write in every way that there is, and change one's mind."""
    with store.begin() as transaction:
        for write in WRITES:
            write(transaction)
        if commit:
            transaction.commit()
        raise Stop


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with one of almost everything."""
    with store.begin() as transaction:
        transaction.packages.add([PDF])
        for skill in (SKILL, OLD):
            transaction.skills.add_if_absent(skill)
            transaction.versions.add_if_absent(make_version(skill))
        for team in ("blue", "green"):
            transaction.records.add_if_absent(Team(name=team))
        transaction.audit.append(make_entry())
        transaction.outbox.append(make_event())
        transaction.commit()
    with store.begin() as transaction:
        transaction.assignments.put(make_assignment(SKILL, priority=5))
        transaction.assignments.put(make_assignment(SKILL, BLUE))
        transaction.commit()
    return store


@pytest.mark.requirement("STO-1")
def test_leaving_without_a_commit_undoes_it(filled: Store) -> None:
    before = look_at(filled)

    for write in WRITES:
        with filled.begin() as transaction:
            write(transaction)
            assert look(transaction) != before
        assert look_at(filled) == before


@pytest.mark.requirement("STO-1")
def test_an_error_undoes_everything_and_goes_on_to_the_caller(filled: Store) -> None:
    before = look_at(filled)

    with pytest.raises(Stop):
        write_everything_and_stop(filled, commit=False)

    assert look_at(filled) == before


@pytest.mark.requirement("STO-1")
def test_an_error_after_the_commit_undoes_nothing(filled: Store) -> None:
    before = look_at(filled)

    with pytest.raises(Stop):
        write_everything_and_stop(filled, commit=True)

    assert look_at(filled) != before


@pytest.mark.requirement("STO-1")
def test_a_commit_makes_it_last_as_it_was_seen_before(filled: Store) -> None:
    for write in WRITES:
        before = look_at(filled)
        with filled.begin() as transaction:
            write(transaction)
            seen = look(transaction)
            transaction.commit()
        assert look_at(filled) == seen != before


def test_the_next_transaction_begins_after_one_that_failed(store: Store) -> None:
    with pytest.raises(Stop), store.begin():
        raise Stop

    fill(store, SKILL)
    with store.view() as view:
        assert view.skills.find("pdf") == SKILL


@pytest.mark.requirement("STO-6")
def test_a_transaction_goes_on_after_something_was_refused(filled: Store) -> None:
    with filled.begin() as transaction:
        transaction.records.add_if_absent(Workspace(name="lab"))
        transaction.records.add_if_absent(Team(name="red", workspace="lab"))
        before = look(transaction)
        for write in REFUSED:
            with pytest.raises(ConcurrentChangeError):
                write(transaction)
            assert look(transaction) == before
        transaction.commit()

    assert look_at(filled) == before


@pytest.mark.requirement("STO-1")
def test_a_view_refuses_to_write(filled: Store) -> None:
    before = look_at(filled)

    for write in WRITES:
        with pytest.raises(StoreUnavailableError), filled.view() as view:
            write(view)

    assert look_at(filled) == before


@pytest.mark.requirement("STO-1")
def test_what_a_view_sees_does_not_change_while_it_is_open(filled: Store) -> None:
    for write in WRITES:
        with filled.view() as view:
            before = look(view)
            with filled.begin() as transaction:
                write(transaction)
                assert look(view) == before
                transaction.commit()
            assert look(view) == before
            assert look_at(filled) != before


@pytest.mark.requirement("STO-1")
def test_a_view_sees_the_moment_at_which_it_was_opened(filled: Store) -> None:
    before = look_at(filled)

    with filled.view() as view:
        with filled.begin() as transaction:
            for write in WRITES:
                write(transaction)
            transaction.commit()
        assert look(view) == before


@pytest.mark.requirement("STO-1")
def test_a_view_neither_waits_for_one_that_writes_nor_sees_it(filled: Store) -> None:
    before = look_at(filled)

    with filled.begin() as transaction:
        for write in WRITES:
            write(transaction)
        assert look_at(filled) == before
        transaction.commit()


@pytest.mark.requirement("STO-1")
def test_views_do_not_hinder_each_other(filled: Store) -> None:
    with filled.view() as one, filled.view() as other:
        assert look(one) == look(other)


@pytest.mark.requirement("STO-1")
def test_one_that_would_wait_for_too_long_is_told_so(impatient_store: Store) -> None:
    fill(impatient_store)

    with impatient_store.begin() as first:
        first.skills.add_if_absent(SKILL)
        with pytest.raises(StoreUnavailableError) as caught, impatient_store.begin() as second:
            second.skills.add_if_absent(SKILL)
        first.commit()

    assert caught.value.code == "store-unavailable"
    with impatient_store.view() as view:
        assert view.skills.find("pdf") == SKILL


def test_a_store_says_which_it_is(store: Store) -> None:
    described = store.describe()

    assert described.engine
    assert described.place
    assert described.schema
    assert store.describe() == described


def test_a_sound_store_has_no_faults(filled: Store) -> None:
    assert list(filled.iter_faults()) == []
