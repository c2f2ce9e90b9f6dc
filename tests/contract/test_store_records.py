"""What a store promises about workspaces, teams, agents, nodes and sandboxes."""

from dataclasses import replace

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.hook import Hook, Stage
from skillyard.domain.records import (
    RECORD_KINDS,
    Agent,
    Node,
    Record,
    Sandbox,
    SandboxKind,
    Team,
    Workspace,
)
from tests.contract.making import (
    add_record,
    fill,
    find_record,
    list_records,
    make_assignment,
    make_skill,
)

LAB = Workspace(name="lab", description="Für alle\n値", revision=3)
RED = Team(name="red", description="Rot", workspace="lab", revision=2)
REVIEWER = Agent(
    name="reviewer",
    description="Liest „alles“",
    workspace="lab",
    team="red",
    provider="claude-code",
    allowlist=("pdf", "*", "acme/ä"),
    disabled_skills=("z", "a"),
    context_window=200_000,
    eager_limit=0,
    listed_limit=50,
    lightweight=True,
    hooks=(Hook(Stage.POST_RUN, "echo 'ä' \"b\"\n"), Hook(Stage.INIT, "true")),
    revision=9,
)
STEP = Node(
    name="step",
    description="Step",
    workspace="lab",
    agent="reviewer",
    hooks=(Hook(Stage.PRE_INIT, "true"),),
    revision=2,
)
BOX = Sandbox(
    name="box",
    agent="reviewer",
    kind=SandboxKind.COMMAND,
    prefix=("docker", "exec", 'it\'s "one"', ""),
    skills_path="/srv/skills ü",
    revision=4,
)
EVERY_FIELD: tuple[Record, ...] = (LAB, RED, REVIEWER, STEP, BOX)
EVERY_DEFAULT: tuple[Record, ...] = (
    Workspace(name="w"),
    Team(name="t"),
    Agent(name="a"),
    Node(name="n"),
    Sandbox(name="s", agent="a"),
)

EARLY: tuple[Record, ...] = (
    Workspace(name="lab"),
    Team(name="red"),
    Agent(name="reviewer"),
    Node(name="step"),
    Sandbox(name="box", agent="a"),
)

WRONG: tuple[Record, ...] = (
    Team(name="x", workspace="nowhere"),
    Agent(name="x", workspace="nowhere"),
    Agent(name="x", team="nowhere"),
    Node(name="x", workspace="nowhere"),
    Node(name="x", agent="nowhere"),
    Sandbox(name="x", agent="nowhere"),
)


def add(store: Store, *records: Record) -> None:
    with store.begin() as transaction:
        for record in records:
            add_record(transaction, record)
        transaction.commit()


def list_everything(store: Store) -> list[Record]:
    """Give every record of every kind."""
    with store.view() as view:
        return list_records(view)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("records", [EVERY_FIELD, EVERY_DEFAULT], ids=["all", "defaults"])
def test_every_field_of_every_kind_comes_back(store: Store, records: tuple[Record, ...]) -> None:
    add(store, *records)

    assert list_everything(store) == list(records)
    with store.view() as view:
        for record in records:
            assert find_record(view, type(record), record.name) == record


@pytest.mark.requirement("STO-6")
def test_no_allowlist_is_not_an_empty_one(store: Store) -> None:
    agents: list[Record] = [
        Agent(name="absent", allowlist=None, context_window=None),
        Agent(name="all", allowlist=("*",), context_window=1),
        Agent(name="empty", allowlist=(), context_window=0),
    ]
    add(store, *agents)

    assert list_everything(store) == agents


@pytest.mark.requirement("STO-6")
def test_a_name_is_taken_once_in_its_kind(store: Store) -> None:
    add(store, Agent(name="red"))

    with store.begin() as transaction:
        late = Agent(name="red", description="late")
        assert transaction.records.add_if_absent(late) == Agent(name="red")
        assert transaction.records.add_if_absent(Team(name="red")) == Team(name="red")
        transaction.commit()

    assert list_everything(store) == [Team(name="red"), Agent(name="red")]


def test_a_record_that_is_not_there_is_none(store: Store) -> None:
    add(store, Agent(name="red"))

    with store.view() as view:
        assert view.records.find(Team, "red") is None
        assert view.records.find(Agent, "RED") is None
        assert view.records.list(Sandbox) == []


def test_records_stand_in_the_order_of_names_by_code_points(store: Store) -> None:
    names = ["10", "2", "Zoe", "a", "a-b", "a_b", "ab", "é", "\uffe5", "\U0001f4c4"]
    add(store, *(Team(name=name) for name in reversed(names)))

    with store.view() as view:
        assert [one.name for one in view.records.list(Team)] == names


@pytest.mark.requirement("STO-6")
def test_the_next_revision_takes_the_place_of_its_predecessor(store: Store) -> None:
    add(store, Agent(name="a"), *EARLY)
    late = [replace(one, revision=2) for one in EVERY_FIELD]

    with store.begin() as transaction:
        for record in late:
            assert transaction.records.replace(record)
        transaction.commit()
    with store.begin() as transaction:
        for record in EARLY:
            assert not transaction.records.replace(replace(record, revision=2))
            assert not transaction.records.replace(replace(record, revision=4))
        transaction.commit()

    assert [one for one in list_everything(store) if one.name != "a"] == late


def test_a_record_that_is_gone_is_not_replaced(store: Store) -> None:
    with store.begin() as transaction:
        assert not transaction.records.replace(Team(name="red", revision=2))
        transaction.commit()

    assert list_everything(store) == []


@pytest.mark.requirement("STO-6")
def test_a_record_names_only_what_is_there(store: Store) -> None:
    for record in WRONG:
        with pytest.raises(ConcurrentChangeError) as caught, store.begin() as transaction:
            add_record(transaction, record)
        assert caught.value.code == "concurrent-change"

    assert list_everything(store) == []


@pytest.mark.requirement("STO-6")
def test_a_changed_record_names_only_what_is_there(store: Store) -> None:
    records = [Agent(name="a"), *(replace(one, name="x") for one in EARLY)]
    add(store, *records)

    for record in WRONG:
        with pytest.raises(ConcurrentChangeError), store.begin() as transaction:
            transaction.records.replace(replace(record, revision=2))

    assert sorted(list_everything(store), key=repr) == sorted(records, key=repr)


@pytest.mark.requirement("STO-6")
def test_the_users_of_a_record_stand_in_the_order_of_kinds_and_names(store: Store) -> None:
    users: list[Record] = [
        Team(name="Zoo", workspace="lab"),
        Team(name="ant", workspace="lab"),
        Agent(name="bee", workspace="lab"),
        Agent(name="cow", workspace="lab", team="ant"),
        Node(name="ant", workspace="lab", agent="cow"),
    ]
    others: list[Record] = [
        Team(name="free"),
        Agent(name="ant", team="free"),
        Sandbox(name="box", agent="cow"),
    ]
    add(store, Workspace(name="lab"), Workspace(name="ant"), *users, *others)

    with store.view() as view:
        assert view.records.list_users(Workspace, "lab") == users
        assert view.records.list_users(Workspace, "ant") == []
        assert view.records.list_users(Team, "ant") == [users[3]]
        assert view.records.list_users(Team, "free") == [others[1]]
        assert view.records.list_users(Agent, "cow") == [users[4], others[2]]
        assert view.records.list_users(Agent, "ant") == []
        assert view.records.list_users(Node, "ant") == []
        assert view.records.list_users(Sandbox, "box") == []
        assert view.records.list_users(Team, "nowhere") == []


@pytest.mark.requirement("STO-6")
def test_a_record_is_removed_once_and_no_other_kind_with_it(store: Store) -> None:
    add(store, Agent(name="a"), *(replace(one, name="x") for one in EARLY))

    left = set(RECORD_KINDS)
    for kind in RECORD_KINDS:
        with store.begin() as transaction:
            assert transaction.records.remove(kind, "x")
            assert not transaction.records.remove(kind, "x")
            transaction.commit()
        left.remove(kind)
        assert {type(one) for one in list_everything(store) if one.name == "x"} == left


@pytest.mark.requirement("STO-6")
def test_a_record_that_another_names_stays(store: Store) -> None:
    add(store, *EVERY_FIELD)

    for record in (LAB, RED, REVIEWER):
        with pytest.raises(ConcurrentChangeError), store.begin() as transaction:
            transaction.records.remove(type(record), record.name)

    assert list_everything(store) == list(EVERY_FIELD)


@pytest.mark.requirement("STO-6")
def test_records_can_go_in_the_opposite_order_of_their_coming(store: Store) -> None:
    add(store, *EVERY_FIELD)

    with store.begin() as transaction:
        for record in reversed(EVERY_FIELD):
            assert transaction.records.remove(type(record), record.name)
        transaction.commit()

    assert list_everything(store) == []


@pytest.mark.requirement("STO-5")
def test_a_removed_record_takes_its_assignments_and_no_others(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    add(store, *(replace(one, name=name) for one in EARLY[:4] for name in ("x", "y")))
    kinds = [one for one in SubjectKind if one is not SubjectKind.GLOBAL]
    left = {GLOBAL, *(Subject(kind, name) for kind in kinds for name in ("x", "y"))}
    with store.begin() as transaction:
        for subject in left:
            transaction.assignments.put(make_assignment(skill, subject))
        transaction.commit()

    for record_kind, kind in zip(RECORD_KINDS, kinds, strict=False):
        with store.begin() as transaction:
            assert transaction.records.remove(record_kind, "x")
            transaction.commit()
        left.remove(Subject(kind, "x"))
        with store.view() as view:
            assert {one.subject for one in view.assignments.list()} == left


def test_a_name_that_was_given_up_can_be_taken_again(store: Store) -> None:
    add(store, Team(name="red", revision=5))
    with store.begin() as transaction:
        transaction.records.remove(Team, "red")
        assert transaction.records.add_if_absent(Team(name="red")) == Team(name="red")
        transaction.commit()

    assert list_everything(store) == [Team(name="red")]
