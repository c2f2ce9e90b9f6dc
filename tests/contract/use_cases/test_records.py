"""What keeping workspaces, teams, agents and nodes promises, on every store."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.ports.store import Store
from skillyard.application.records import ChangedRecord
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.audit import AuditEntry
from skillyard.domain.errors import (
    InvalidFactError,
    RecordExistsError,
    RecordInUseError,
    RecordNotFoundError,
    SkillyardError,
)
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from skillyard.testing.clock import FixedClock
from skillyard.yard import Skillyard
from tests.contract.use_cases.meeting import meet
from tests.contract.use_cases.yards import count_rows, make_yard, save

pytestmark = pytest.mark.requirement("STO-6")

FULL = Agent(
    name="reviewer",
    description="Reads changes.",
    workspace="lab",
    team="red",
    provider="claude-code",
    allowlist=("pdf", "docx"),
    disabled_skills=("xlsx",),
    context_window=200_000,
    eager_limit=3,
    listed_limit=20,
    lightweight=True,
)


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def fill(yard: Skillyard) -> None:
    """Keep one record of each kind, each naming the ones before."""
    yard.add_record(Workspace(name="lab"))
    yard.add_record(Team(name="red", workspace="lab"))
    yard.add_record(FULL)
    yard.add_record(Node(name="build", workspace="lab", agent="reviewer"))


def last_entry(yard: Skillyard) -> AuditEntry:
    return replace(yard.audit(most=1)[0], number=0)


def test_a_record_is_kept_as_it_was_said(yard: Skillyard) -> None:
    fill(yard)
    yard.add_record(Agent(name="Anna.B@home_2", allowlist=()))

    assert yard.list_records(Agent) == [Agent(name="Anna.B@home_2", allowlist=()), FULL]
    assert yard.get_record(Agent, "reviewer") == FULL
    assert yard.get_record(Node, "build") == Node(name="build", workspace="lab", agent="reviewer")


@pytest.mark.requirement("STO-7", "STO-10")
def test_adding_is_in_the_log_and_among_the_events_with_what_was_said(
    yard: Skillyard, store: Store
) -> None:
    yard.add_record(Team(name="red"))
    yard.add_record(Agent(name="a", team="red", allowlist=(), context_window=1, lightweight=True))

    details = {"team": "red", "allowlist": "none", "context_window": "1", "lightweight": "true"}
    assert last_entry(yard) == AuditEntry(
        at=FixedClock().now(),
        actor="ada",
        door="cli",
        action="agent.added",
        target="agent:a",
        details=details,
    )
    with store.view() as view:
        event = view.outbox.list_pending()[-1]
    assert (event.topic, event.data) == ("agent.added", {"target": "agent:a", **details})
    assert count_rows(store) == (2, 2)


@pytest.mark.requirement("STO-7", "STO-10")
def test_changing_is_in_the_log_with_what_was_before(yard: Skillyard, store: Store) -> None:
    fill(yard)

    def change(agent: Agent) -> Agent:
        return replace(agent, team=None, allowlist=None, lightweight=False)

    changed = yard.change_record(Agent, "reviewer", change)

    after = replace(FULL, team=None, allowlist=None, lightweight=False, revision=2)
    assert changed == ChangedRecord(before=FULL, record=after)
    assert yard.get_record(Agent, "reviewer") == after
    entry = last_entry(yard)
    assert (entry.action, entry.target) == ("agent.changed", "agent:reviewer")
    assert entry.details == {
        "team": "red → none",
        "allowlist": "pdf docx → *",
        "lightweight": "true → false",
    }
    assert count_rows(store) == (5, 5)


def test_a_change_to_what_is_there_already_is_none(yard: Skillyard, store: Store) -> None:
    fill(yard)

    changed = yard.change_record(Agent, "reviewer", lambda one: replace(one, team="red"))

    assert changed == ChangedRecord(before=FULL, record=FULL)
    assert count_rows(store) == (4, 4)


def test_a_change_does_not_choose_its_revision(yard: Skillyard) -> None:
    yard.add_record(Team(name="red"))

    yard.change_record(Team, "red", lambda one: replace(one, description="x", revision=77))

    assert yard.get_record(Team, "red") == Team(name="red", description="x", revision=2)


def test_a_removed_record_is_gone_with_its_assignments(yard: Skillyard, store: Store) -> None:
    save(yard)
    yard.add_record(Team(name="red"))
    subject = Subject(SubjectKind.TEAM, "red")
    yard.assign(AssignSkill(reference="pdf", subject=subject))

    assert yard.remove_record(Team, "red") == Team(name="red")

    assert yard.list_records(Team) == []
    assert yard.assignments() == []
    told = [(one.action, one.target) for one in yard.audit(most=2)]
    assert told == [("team.removed", "team:red"), ("skill.unassigned", "skill:pdf")]
    assert count_rows(store) == (5, 5)


def test_a_removed_name_can_be_used_again(yard: Skillyard) -> None:
    yard.add_record(Team(name="red", description="old"))
    yard.remove_record(Team, "red")

    yard.add_record(Team(name="red"))

    assert yard.get_record(Team, "red") == Team(name="red")


def test_a_sandbox_is_kept_and_removed_like_the_others(yard: Skillyard, store: Store) -> None:
    sandbox = Sandbox(name="box", agent="a", prefix=("docker", "exec"), skills_path="/skills")
    yard.add_record(Agent(name="a"))
    yard.add_record(sandbox)

    assert last_entry(yard).details == {
        "agent": "a",
        "prefix": "docker exec",
        "skills_path": "/skills",
    }
    with pytest.raises(InvalidFactError) as caught:
        yard.change_record(Sandbox, "box", lambda one: replace(one, skills_path="skills"))
    assert caught.value.problems == (("skills path", "it is not absolute", "Start it with `/`"),)
    assert yard.remove_record(Sandbox, "box") == sandbox
    assert count_rows(store) == (3, 3)


Act = Callable[[Skillyard], object]
DOINGS: list[Act] = [
    lambda yard: yard.add_record(Team(name="blue"), dry_run=True),
    lambda yard: yard.change_record(
        Team, "red", lambda one: replace(one, description="x"), dry_run=True
    ),
    lambda yard: yard.remove_record(Node, "build", dry_run=True),
]


@pytest.mark.requirement("STO-10")
@pytest.mark.parametrize("act", DOINGS, ids=["add", "change", "remove"])
def test_a_dry_run_keeps_nothing(yard: Skillyard, store: Store, act: Act) -> None:
    fill(yard)

    act(yard)

    assert count_rows(store) == (4, 4)
    assert yard.list_records(Team) == [Team(name="red", workspace="lab")]
    assert [one.name for one in yard.list_records(Node)] == ["build"]


MISTAKES: list[tuple[Act, str]] = [
    (lambda yard: yard.get_record(Team, "re"), "record-not-found"),
    (lambda yard: yard.add_record(Team(name="red")), "record-exists"),
    (lambda yard: yard.add_record(Team(name="red", workspace="lab")), "record-exists"),
    (lambda yard: yard.add_record(Team(name="blue", workspace="la")), "record-not-found"),
    (lambda yard: yard.add_record(Agent(name="x", team="rod")), "record-not-found"),
    (lambda yard: yard.add_record(Node(name="x", agent="me")), "record-not-found"),
    (lambda yard: yard.add_record(Sandbox(name="x", agent="me")), "record-not-found"),
    (lambda yard: yard.add_record(Team(name="")), "invalid-fact"),
    (lambda yard: yard.add_record(Team(name="two words")), "invalid-fact"),
    (lambda yard: yard.add_record(Team(name="x", description="\0")), "invalid-fact"),
    (lambda yard: yard.add_record(Team(name="x", description="\udcff")), "invalid-fact"),
    (lambda yard: yard.add_record(Team(name="x", description="x" * 1025)), "invalid-fact"),
    (lambda yard: yard.get_record(Team, "\0"), "record-not-found"),
    (lambda yard: yard.get_record(Team, "\udcff"), "record-not-found"),
    (
        lambda yard: yard.change_record(Team, "re", lambda one: replace(one, workspace=None)),
        "record-not-found",
    ),
    (
        lambda yard: yard.change_record(Agent, "reviewer", lambda one: replace(one, team="r")),
        "record-not-found",
    ),
    (
        lambda yard: yard.change_record(Agent, "reviewer", lambda one: replace(one, provider="")),
        "invalid-fact",
    ),
    (lambda yard: yard.remove_record(Team, "re"), "record-not-found"),
    (lambda yard: yard.remove_record(Team, "red"), "record-in-use"),
    (lambda yard: yard.remove_record(Workspace, "lab"), "record-in-use"),
    (lambda yard: yard.remove_record(Agent, "reviewer"), "record-in-use"),
]


@pytest.mark.requirement("STO-10")
def test_a_mistake_is_an_error_and_nothing_is_written(yard: Skillyard, store: Store) -> None:
    fill(yard)

    codes = []
    for act, _ in MISTAKES:
        with pytest.raises(SkillyardError) as caught:
            act(yard)
        codes.append(caught.value.code)

    assert codes == [code for _, code in MISTAKES]
    assert count_rows(store) == (4, 4)
    assert yard.list_records(Workspace) == [Workspace(name="lab")]
    assert yard.list_records(Team) == [Team(name="red", workspace="lab")]
    assert yard.list_records(Agent) == [FULL]


def test_a_wrong_name_is_an_error_that_names_what_was_meant(yard: Skillyard) -> None:
    for name in ("reviewer", "reviser", "writer"):
        yard.add_record(Agent(name=name))

    with pytest.raises(RecordNotFoundError) as caught:
        yard.get_record(Agent, "reviwer")

    assert caught.value.near == ("reviewer", "reviser")
    assert caught.value.hints == ("Did you mean `reviewer` or `reviser`?",)


def test_a_name_is_known_among_its_kind_only(yard: Skillyard) -> None:
    yard.add_record(Workspace(name="lab"))

    yard.add_record(Team(name="lab"))

    with pytest.raises(RecordNotFoundError):
        yard.get_record(Agent, "lab")


def test_a_name_that_exists_is_said_with_the_way_to_change_it(yard: Skillyard) -> None:
    yard.add_record(Agent(name="a"))

    with pytest.raises(RecordExistsError) as caught:
        yard.add_record(Agent(name="a"))

    assert caught.value.message == "there is an agent `a` already"
    assert caught.value.hints == ("Change it with `skillyard agents set a`",)


def test_who_uses_a_record_is_named(yard: Skillyard) -> None:
    fill(yard)

    with pytest.raises(RecordInUseError) as caught:
        yard.remove_record(Workspace, "lab")

    assert caught.value.users == ("team red", "agent reviewer", "node build")


def test_every_problem_of_an_agent_is_named(yard: Skillyard) -> None:
    wrong = Agent(
        name="a",
        description="x" * 1025,
        provider="vim",
        allowlist=("*", "Not A Slug"),
        context_window=0,
        eager_limit=-1,
        listed_limit=LARGEST_NUMBER + 1,
    )

    with pytest.raises(InvalidFactError) as caught:
        yard.add_record(wrong)

    assert [what for what, _, _ in caught.value.problems] == [
        "description",
        "context window",
        "eager limit",
        "listed limit",
        "provider",
        "list of skills",
    ]
    assert "Choose one of claude-code, codex, gemini-cli, opencode, copilot, agents-dir" in (
        caught.value.hints
    )


def test_the_largest_numbers_are_kept(yard: Skillyard) -> None:
    agent = Agent(name="a", context_window=LARGEST_NUMBER, eager_limit=1, listed_limit=1)

    yard.add_record(agent)

    assert yard.get_record(Agent, "a") == agent


@pytest.mark.parametrize("description", ["", "other"], ids=["the same", "another"])
def test_of_two_who_add_one_agent_the_second_learns_that_it_exists(
    store: Store, description: str
) -> None:
    first, second = meet(
        store,
        lambda yard: yard.add_record(Agent(name="a")),
        lambda yard: yard.add_record(Agent(name="a", description=description)),
    )

    assert (first, second) == (Agent(name="a"), "record-exists")
    assert make_yard(store).list_records(Agent) == [Agent(name="a")]
    assert count_rows(store) == (1, 1)


def test_an_agent_is_not_added_to_a_team_that_is_being_removed(store: Store) -> None:
    make_yard(store).add_record(Team(name="red"))

    _, second = meet(
        store,
        lambda yard: yard.remove_record(Team, "red"),
        lambda yard: yard.add_record(Agent(name="a", team="red")),
    )

    assert second in {"record-not-found", "concurrent-change"}
    assert make_yard(store).list_records(Agent) == []
    assert count_rows(store) == (2, 2)


def test_a_team_that_is_being_given_an_agent_is_not_removed(store: Store) -> None:
    make_yard(store).add_record(Team(name="red"))

    _, second = meet(
        store,
        lambda yard: yard.add_record(Agent(name="a", team="red")),
        lambda yard: yard.remove_record(Team, "red"),
    )

    assert second in {"record-in-use", "concurrent-change"}
    assert make_yard(store).list_records(Team) == [Team(name="red")]
    assert count_rows(store) == (2, 2)


def test_two_changes_to_one_agent_are_both_made(store: Store) -> None:
    make_yard(store).add_record(Agent(name="a"))

    meet(
        store,
        lambda yard: yard.change_record(Agent, "a", lambda one: replace(one, description="x")),
        lambda yard: yard.change_record(Agent, "a", lambda one: replace(one, lightweight=True)),
    )

    assert make_yard(store).get_record(Agent, "a") == Agent(
        name="a", description="x", lightweight=True, revision=3
    )


def test_of_two_who_remove_one_team_the_second_learns_that_it_is_gone(store: Store) -> None:
    make_yard(store).add_record(Team(name="red"))

    _, second = meet(
        store,
        lambda yard: yard.remove_record(Team, "red"),
        lambda yard: yard.remove_record(Team, "red"),
    )

    assert second in {"record-not-found", "concurrent-change"}
    assert count_rows(store) == (2, 2)
