"""Where skills are used is right whatever several who write at the same moment do.

They do not wait for each other on PostgreSQL until they commit, so one thread is enough for both.
"""

from collections.abc import Callable
from contextlib import ExitStack

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.schema import run_migrations
from skillyard.adapters.db.store import SqlStore, SqlTransaction
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent, Team, Workspace
from tests.contract.making import (
    add_record,
    fill,
    make_assignment,
    make_skill,
    next_revision,
    with_facts,
)
from tests.integration.db.behind import behind, run
from tests.integration.db.earlier import fill as fill_earlier

RED = Subject(SubjectKind.TEAM, "red")
BOB = Subject(SubjectKind.AGENT, "bob")
PLAIN = make_skill()
HIGH = with_facts(make_skill("proven"), confidence=Confidence.HIGH)
Act = Callable[[SqlTransaction], object]


def assign(transaction: SqlTransaction) -> None:
    transaction.assignments.put(make_assignment(HIGH, BOB))


def assign_plain(transaction: SqlTransaction) -> None:
    transaction.assignments.put(make_assignment(PLAIN, BOB))


def move(transaction: SqlTransaction) -> None:
    assert transaction.records.replace(Team(name="red", workspace="shop", revision=2))


def join(transaction: SqlTransaction) -> None:
    assert transaction.records.replace(Agent(name="bob", team="red", revision=2))


def prove(transaction: SqlTransaction) -> None:
    assert transaction.skills.replace(next_revision(PLAIN, confidence=Confidence.HIGH))


def take_from_red(transaction: SqlTransaction) -> None:
    assert transaction.assignments.remove(HIGH.id, RED)


def take_from_bob(transaction: SqlTransaction) -> None:
    assert transaction.assignments.remove(HIGH.id, BOB)


@pytest.mark.requirement("RES-4")
@pytest.mark.parametrize("is_turned", [False, True], ids=["in turn", "turned round"])
@pytest.mark.parametrize(
    ("given", "acts"),
    [
        ((), (move, assign)),
        ((), (prove, assign_plain)),
        ((RED, BOB), (take_from_red, take_from_bob)),
        ((BOB,), (move, join)),
        ((RED,), (take_from_red, move)),
    ],
    ids=[
        "move and assign",
        "prove and assign",
        "take and take",
        "move and join",
        "take and move",
    ],
)
def test_none_of_two_who_write_at_once_misses_what_the_other_did(
    postgres_url: str, given: tuple[Subject, ...], acts: tuple[Act, Act], *, is_turned: bool
) -> None:
    store = open_store(postgres_url)
    _fill(store, given)

    with ExitStack() as stack:
        opened = [stack.enter_context(store.begin()) for _ in acts]
        for act, transaction in zip(acts, opened, strict=True):
            act(transaction)
        for transaction in reversed(opened) if is_turned else opened:
            transaction.commit()

    assert list(store.iter_faults()) == []
    store.close()


def _fill(store: SqlStore, given: tuple[Subject, ...]) -> None:
    fill(store, PLAIN, HIGH)
    with store.begin() as transaction:
        for record in (
            Workspace(name="lab"),
            Workspace(name="shop"),
            Team(name="red", workspace="lab"),
            Agent(name="bob", team="red"),
        ):
            add_record(transaction, record)
        for subject in given:
            transaction.assignments.put(make_assignment(HIGH, subject))
        transaction.commit()


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_an_upgrade_finds_out_where_skills_are_used(empty_url: str, revision: str) -> None:
    with behind(empty_url) as connection:
        run_migrations(connection, revision)
        fill_earlier(connection, revision)
    run(
        empty_url,
        "UPDATE skills SET confidence = 'high'",
        "INSERT INTO workspaces VALUES ('lab', '', 1)",
        "INSERT INTO teams VALUES ('red', '', 'lab', 1)",
        "INSERT INTO subjects VALUES ('workspace', 'lab'), ('team', 'red')",
        "UPDATE assignments SET subject_kind = 'team', subject_name = 'red'",
    )

    store = open_store(empty_url)

    with store.view() as view:
        (found,) = view.candidates.list_named(["pdf"], subjects=())
        assert found.workspaces == ("lab",)
    assert list(store.iter_faults()) == []
    store.close()
