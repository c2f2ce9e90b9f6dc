"""What a store promises about the skills that may be someone's."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Assignment, Subject, SubjectKind
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent, Node, Record, Team, Workspace
from skillyard.domain.resolution import Candidate, Layer, Offered
from skillyard.domain.skill import InstallStrategy, Skill, SkillStatus, SourceKind
from skillyard.domain.version import Version
from tests.contract.interleaving import meet
from tests.contract.making import (
    OTHER_PDF,
    PDF,
    add_record,
    fill,
    make_assignment,
    make_skill,
    make_tombstone,
    make_version,
    next_revision,
    with_facts,
)

RECORDS = (
    Workspace(name="lab"),
    Workspace(name="shop"),
    Team(name="red", workspace="lab"),
    Team(name="loose"),
    Agent(name="ada", workspace="shop", team="red"),
    Agent(name="bob", team="red"),
    Agent(name="eve", team="loose"),
    Node(name="own", workspace="shop", agent="bob"),
    Node(name="adas", agent="ada"),
    Node(name="bobs", agent="bob"),
    Node(name="lonely"),
)
EVERYWHERE = ("", "lab", "other", "shop")
OUTSIDE = Subject(SubjectKind.AGENT, "outsider")
LAB = Subject(SubjectKind.WORKSPACE, "lab")
SHOP = Subject(SubjectKind.WORKSPACE, "shop")
RED = Subject(SubjectKind.TEAM, "red")
ADA = Subject(SubjectKind.AGENT, "ada")
BOB = Subject(SubjectKind.AGENT, "bob")
STEP = Subject(SubjectKind.NODE, "bobs")
PLAIN = make_skill()
DOCX = make_skill("docx")
HIGH = with_facts(make_skill("proven"), confidence=Confidence.HIGH)


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with records of every kind, and skills that nobody asks for."""
    fill(store, make_skill("unused"), make_skill("unused", owner="acme"))
    with store.begin() as transaction:
        for record in RECORDS:
            add_record(transaction, record)
        transaction.commit()
    return store


def put(store: Store, *assignments: Assignment) -> None:
    with store.begin() as transaction:
        for one in assignments:
            transaction.assignments.put(one)
        transaction.commit()


def list_for(
    store: Store, *subjects: Subject, agent: str | None = None, widened: bool = False
) -> Sequence[Candidate]:
    with store.view() as view:
        return view.candidates.list_for(subjects, agent=agent, widened=widened)


def find_reach(store: Store) -> tuple[str, ...]:
    """Give the workspaces whose agents some skill of high confidence comes to.

    The empty one stands for agents that are in none.
    """
    return tuple(name for name in EVERYWHERE if _widens(store, name))


def _widens(store: Store, workspace: str) -> bool:
    subject = Subject(SubjectKind.WORKSPACE, workspace) if workspace else OUTSIDE
    found = list_for(store, GLOBAL, subject, widened=True)
    return any(one.confidence is Confidence.HIGH and _is_used(one) for one in found)


def _is_used(candidate: Candidate) -> bool:
    # One that is assigned to whoever asks comes in any case, also where that is disabled.
    return not candidate.assignments or any(one.enabled for one in candidate.assignments)


def parse_assignment(text: str) -> Assignment:
    """Give the assignment of the skill of high confidence that `team red, disabled` names."""
    subject, _, said = text.partition(", ")
    kind, _, name = subject.partition(" ")
    return make_assignment(HIGH, Subject(SubjectKind(kind), name), enabled=said != "disabled")


def list_named(store: Store, *slugs: str, subjects: Sequence[Subject] = ()) -> Sequence[Candidate]:
    with store.view() as view:
        return view.candidates.list_named(slugs, subjects=subjects)


def offer(skill: Skill, *assignments: Assignment) -> Candidate:
    """Give what a skill that nothing much is known about is offered as."""
    return Candidate(
        ref=skill.id,
        slug=skill.slug,
        owner=skill.owner,
        layer=Layer.STORE if skill.owner == "people" else Layer.PLUGIN,
        offered=Offered(skill.current, skill.digest),
        display_name=skill.facts.display_name,
        description=skill.facts.description,
        confidence=skill.facts.confidence,
        agents=skill.facts.agents,
        assignments=assignments,
    )


def test_every_field_of_a_candidate_comes_back(filled: Store) -> None:
    skill = with_facts(
        make_skill("full", owner="acme", source_kind=SourceKind.PLUGIN, plugin_id="acme"),
        display_name="Full",
        description="Everything is said.",
        category="development",
        status=SkillStatus.DRAFT,
        deprecated="Use pdf",
        enabled=False,
        confidence=Confidence.LOW,
        tags=("b", "a"),
        requires_tools=("Bash", "Read"),
        requires=("pdf", "docx"),
        agents=("bob", "ada"),
        provider_hints={"codex": "x"},
        install_strategy=InstallStrategy.LINK,
        invocation=Invocation.USER_ONLY,
        metadata={"requires": "gh  git", "other": "x"},
    )
    fill(filled, replace(skill, current=Version(2, 1), digest=OTHER_PDF.digest()))
    full = make_assignment(
        skill,
        ADA,
        priority=-7,
        position=3,
        auto_inject=True,
        enabled=False,
        required=True,
        opt_in=True,
    )
    put(filled, full)

    expected = Candidate(
        ref=skill.id,
        slug="full",
        layer=Layer.PLUGIN,
        owner="acme",
        source_kind=SourceKind.PLUGIN,
        offered=Offered(Version(2, 1), OTHER_PDF.digest()),
        display_name="Full",
        description="Everything is said.",
        category="development",
        status=SkillStatus.DRAFT,
        deprecated="Use pdf",
        enabled=False,
        confidence=Confidence.LOW,
        tags=("b", "a"),
        requires_tools=("Bash", "Read"),
        requires=("pdf", "docx"),
        requires_commands=("gh", "git"),
        agents=("bob", "ada"),
        provider_hints={"codex": "x"},
        install_strategy=InstallStrategy.LINK,
        invocation=Invocation.USER_ONLY,
        assignments=(full,),
    )
    assert list_for(filled, ADA) == [expected]
    assert list_named(filled, "full", subjects=[ADA]) == [expected]


def test_a_skill_comes_once_with_its_assignments_to_all_the_subjects(filled: Store) -> None:
    fill(filled, PLAIN)
    given = [make_assignment(PLAIN, one) for one in (GLOBAL, LAB, RED, ADA, BOB, STEP)]
    put(filled, *reversed(given))

    everyone = (STEP, BOB, ADA, RED, LAB, GLOBAL, ADA)
    assert list_for(filled, *everyone) == [offer(PLAIN, *given)]
    assert list_named(filled, "pdf", subjects=everyone) == [offer(PLAIN, *given)]
    assert list_for(filled, ADA, GLOBAL) == [offer(PLAIN, given[0], given[3])]
    assert list_for(filled, Subject(SubjectKind.TEAM, "ada")) == []


def test_skills_of_several_subjects_come_in_the_order_of_ids(filled: Store) -> None:
    skills = [make_skill(f"s{number}") for number in range(12)]
    fill(filled, *skills)
    given = {
        one.id: make_assignment(one, (GLOBAL, LAB, RED, ADA)[place % 4])
        for place, one in enumerate(skills)
    }
    put(filled, *given.values(), make_assignment(skills[0], BOB))

    in_order = [offer(one, given[one.id]) for one in sorted(skills, key=lambda one: one.id)]
    assert list_for(filled, GLOBAL, LAB, RED, ADA) == in_order
    assert [one.ref for one in list_named(filled, *(one.slug for one in skills))] == sorted(given)


@pytest.mark.requirement("RES-4")
def test_a_skill_comes_to_the_agents_that_it_names(filled: Store) -> None:
    skill = with_facts(make_skill("named"), agents=("bob", "ada", "ada"))
    nobodys = with_facts(make_skill("nobodys"), agents=())
    fill(filled, skill, nobodys, PLAIN)

    assert list_for(filled, agent="ada") == [offer(skill)]
    assert list_for(filled, GLOBAL, ADA, agent="bob") == [offer(skill)]
    assert list_for(filled, agent="eve") == []
    assert list_for(filled, ADA) == []


def test_what_a_skill_names_counts_as_it_is_now(filled: Store) -> None:
    skill = with_facts(make_skill("named"), agents=("ada", "bob"))
    fill(filled, skill)
    changed = next_revision(skill, agents=("bob", "eve"))
    with filled.begin() as transaction:
        assert transaction.skills.replace(changed)
        transaction.commit()

    assert [len(list_for(filled, agent=name)) for name in ("ada", "bob", "eve")] == [0, 1, 1]

    silent = next_revision(changed, agents=None)
    with filled.begin() as transaction:
        assert transaction.skills.replace(silent)
        transaction.commit()

    assert [len(list_for(filled, agent=name)) for name in ("ada", "bob", "eve")] == [0, 0, 0]


def test_a_skill_that_was_removed_comes_to_nobody(filled: Store) -> None:
    skill = with_facts(HIGH, agents=("ada",))
    fill(filled, skill)
    put(filled, make_assignment(skill))
    with filled.begin() as transaction:
        assert transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()

    assert list_for(filled, GLOBAL, agent="ada", widened=True) == []
    assert list_named(filled, skill.slug) == []


def test_one_skill_for_several_reasons_comes_once(filled: Store) -> None:
    skill = with_facts(HIGH, agents=("ada",))
    fill(filled, skill)
    given = make_assignment(skill, GLOBAL), make_assignment(skill, ADA)
    put(filled, *given)

    assert list_for(filled, GLOBAL, ADA, agent="ada", widened=True) == [offer(skill, *given)]


@pytest.mark.requirement("RES-4")
def test_skills_of_high_confidence_come_to_whoever_widens(filled: Store) -> None:
    low = with_facts(make_skill("unproven"), confidence=Confidence.LOW)
    here = with_facts(make_skill("here"), confidence=Confidence.HIGH)
    elsewhere = with_facts(make_skill("elsewhere"), confidence=Confidence.HIGH)
    fill(filled, HIGH, low, PLAIN, here, elsewhere)
    put(filled, make_assignment(here, RED), make_assignment(low, RED))
    put(filled, make_assignment(elsewhere, SHOP))

    widened = [offer(HIGH), replace(offer(here), workspaces=("lab",))]
    assert list_for(filled, LAB, ADA, agent="ada", widened=True) == sorted(
        widened, key=lambda one: one.ref
    )
    assert list_for(filled, ADA, agent="ada", widened=True) == [offer(HIGH)]
    assert list_for(filled, LAB, ADA, agent="ada") == []


@pytest.mark.requirement("RES-4")
@pytest.mark.parametrize(
    ("assigned", "workspaces"),
    [
        ([], None),
        (["workspace lab"], ("lab",)),
        (["team red"], ("lab",)),
        (["agent ada"], ("shop",)),
        (["agent bob"], ("lab",)),
        (["node own"], ("shop",)),
        (["node adas"], ("shop",)),
        (["node bobs"], ("lab",)),
        (["workspace shop", "team red", "agent bob", "agent ada"], ("lab", "shop")),
        (["global"], None),
        (["workspace lab", "global"], None),
        (["agent eve", "global"], None),
        (["team loose"], ("",)),
        (["agent eve"], ("",)),
        (["node lonely"], ("",)),
        (["workspace lab", "agent eve"], ("", "lab")),
        (["workspace lab", "agent eve, disabled"], ("lab",)),
        (["workspace lab", "workspace shop, disabled"], ("lab",)),
        (["workspace lab", "global, disabled"], ("lab",)),
        (["team red, disabled"], ()),
        (["agent eve, disabled"], ()),
        (["global, disabled"], ()),
        (["team red, disabled", "agent bob"], ("lab",)),
    ],
    ids=str,
)
def test_a_skill_of_high_confidence_is_used_where_it_is_assigned_and_enabled(
    filled: Store, assigned: list[str], workspaces: tuple[str, ...] | None
) -> None:
    fill(filled, HIGH)
    put(filled, *map(parse_assignment, assigned))

    assert list_named(filled, HIGH.slug) == [replace(offer(HIGH), workspaces=workspaces)]
    assert find_reach(filled) == (EVERYWHERE if workspaces is None else workspaces)


@pytest.mark.requirement("RES-4")
@pytest.mark.parametrize("assigned", ["agent eve", "team loose"])
def test_being_used_outside_of_every_workspace_is_not_being_for_everyone(
    filled: Store, assigned: str
) -> None:
    fill(filled, HIGH)
    put(filled, parse_assignment(assigned))

    assert list_for(filled, GLOBAL, widened=True) == []
    assert list_for(filled, GLOBAL, LAB, OUTSIDE, widened=True) == []


@pytest.mark.requirement("RES-4")
def test_an_assignment_that_is_disabled_reaches_no_further_until_it_is_enabled(
    filled: Store,
) -> None:
    fill(filled, HIGH)
    for text, workspaces in (
        ("team red", ("lab",)),
        ("team red, disabled", ()),
        ("team red", ("lab",)),
    ):
        put(filled, parse_assignment(text))
        assert find_reach(filled) == workspaces


@pytest.mark.requirement("RES-4")
@pytest.mark.parametrize(
    ("assigned", "moved", "workspaces"),
    [
        (RED, Team(name="red", workspace="shop", revision=2), ("shop",)),
        (RED, Team(name="red", revision=2), ("",)),
        (RED, Team(name="red", workspace="lab", description="Other.", revision=2), ("lab",)),
        (BOB, Team(name="red", workspace="shop", revision=2), ("shop",)),
        (ADA, Team(name="red", workspace="lab", revision=2), ("shop",)),
        (STEP, Team(name="red", workspace="shop", revision=2), ("shop",)),
        (BOB, Agent(name="bob", workspace="shop", revision=2), ("shop",)),
        (BOB, Agent(name="bob", team="loose", revision=2), ("",)),
        (STEP, Agent(name="bob", workspace="shop", team="red", revision=2), ("shop",)),
        (STEP, Node(name="bobs", workspace="shop", agent="bob", revision=2), ("shop",)),
        (STEP, Node(name="bobs", agent="ada", revision=2), ("shop",)),
        (STEP, Node(name="bobs", revision=2), ("",)),
    ],
    ids=str,
)
def test_where_a_skill_is_used_follows_the_records(
    filled: Store, assigned: Subject, moved: Record, workspaces: tuple[str, ...]
) -> None:
    fill(filled, HIGH)
    put(filled, make_assignment(HIGH, assigned))
    with filled.begin() as transaction:
        assert transaction.records.replace(moved)
        transaction.commit()

    assert find_reach(filled) == workspaces


@pytest.mark.requirement("RES-4")
def test_a_move_that_is_undone_moves_no_skill(filled: Store) -> None:
    fill(filled, HIGH)
    put(filled, make_assignment(HIGH, RED))
    with filled.begin() as transaction:
        assert transaction.records.replace(Team(name="red", workspace="shop", revision=2))

    assert find_reach(filled) == ("lab",)


@pytest.mark.requirement("RES-4")
def test_a_skill_is_no_longer_used_where_its_assignments_have_gone(filled: Store) -> None:
    fill(filled, HIGH)
    put(filled, make_assignment(HIGH, LAB), make_assignment(HIGH, ADA), make_assignment(HIGH, BOB))
    assert find_reach(filled) == ("lab", "shop")

    with filled.begin() as transaction:
        assert transaction.assignments.remove(HIGH.id, LAB)
        transaction.commit()
    assert find_reach(filled) == ("lab", "shop")

    with filled.begin() as transaction:
        assert transaction.records.remove(Node, "adas")
        assert transaction.records.remove(Agent, "ada")
        transaction.commit()
    assert find_reach(filled) == ("lab",)

    with filled.begin() as transaction:
        assert transaction.assignments.remove(HIGH.id, BOB)
        transaction.commit()
    assert find_reach(filled) == EVERYWHERE


@pytest.mark.requirement("RES-4")
def test_a_skill_reaches_far_from_when_it_is_proven_until_it_is_not(filled: Store) -> None:
    proven = next_revision(PLAIN, confidence=Confidence.HIGH)
    doubted = next_revision(proven, confidence=Confidence.MEDIUM)
    fill(filled, PLAIN)
    put(filled, make_assignment(PLAIN, RED))
    assert find_reach(filled) == ()

    for changed, workspaces in ((proven, ("lab",)), (doubted, ())):
        with filled.begin() as transaction:
            assert transaction.skills.replace(changed)
            transaction.commit()
        assert find_reach(filled) == workspaces


def test_a_transaction_sees_how_far_its_own_changes_reach(filled: Store) -> None:
    fill(filled, HIGH)
    with filled.begin() as transaction:
        transaction.assignments.put(make_assignment(HIGH, RED))
        found = transaction.candidates.list_for([LAB], agent=None, widened=True)
        assert [one.workspaces for one in found] == [("lab",)]
        transaction.records.replace(Team(name="red", workspace="shop", revision=2))
        assert transaction.candidates.list_for([LAB], agent=None, widened=True) == []
        (named,) = transaction.candidates.list_named([HIGH.slug], subjects=())
        assert named.workspaces == ("shop",)


@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_a_skill_can_be_removed_while_it_is_taken_from_someone(
    filled: Store, *, commit: bool
) -> None:
    fill(filled, HIGH)
    put(filled, make_assignment(HIGH, RED))

    first, second = meet(
        filled,
        lambda one: one.assignments.remove(HIGH.id, RED),
        lambda one: one.skills.remove(HIGH, make_tombstone(HIGH)),
        commit=commit,
    )

    assert (first, second) == (True, True)
    assert find_reach(filled) == ()


def test_where_a_skill_is_used_is_not_asked_of_others(filled: Store) -> None:
    fill(filled, PLAIN)
    put(filled, make_assignment(PLAIN, LAB))

    assert list_for(filled, LAB) == [offer(PLAIN, make_assignment(PLAIN, LAB))]


def test_a_range_brings_the_other_versions(filled: Store) -> None:
    fill(filled, PLAIN, DOCX)
    pinned = make_assignment(PLAIN, ADA, constraint=VersionRange("^0.9"))
    given = make_assignment(PLAIN, GLOBAL), pinned
    put(filled, *given, make_assignment(DOCX, ADA))
    with filled.begin() as transaction:
        for revision, number in ((2, "1.10.0"), (3, "1.9.0"), (4, "0.9.0-rc.1")):
            version = make_version(PLAIN, number, revision=revision, digest=OTHER_PDF.digest())
            transaction.versions.add_if_absent(version)
            transaction.versions.add_if_absent(replace(version, skill_id=DOCX.id))
        transaction.commit()

    later = (Version(1, 10), Version(1, 9), Version(0, 9, pre=("rc", "1")))
    others = (
        Offered(Version(1), PDF.digest()),
        *(Offered(one, OTHER_PDF.digest()) for one in later),
    )
    whole = replace(offer(PLAIN, *given), others=others)
    docx = offer(DOCX, make_assignment(DOCX, ADA))
    assert list_for(filled, GLOBAL, ADA) == sorted([whole, docx], key=lambda one: one.ref)
    assert list_named(filled, "pdf", subjects=[GLOBAL, ADA]) == [whole]
    assert list_for(filled, GLOBAL) == [offer(PLAIN, given[0])]


def test_skills_are_found_by_name_whoever_owns_them(filled: Store) -> None:
    plugins = make_skill("pdf", owner="acme")
    fill(filled, PLAIN, plugins, DOCX)
    put(filled, make_assignment(DOCX, ADA), make_assignment(PLAIN, BOB))

    both = sorted([offer(PLAIN), offer(plugins)], key=lambda one: one.ref)
    assert list_named(filled, "pdf", "nobody", subjects=[ADA]) == both
    assert list_named(filled, "pdf") == both
    assert list_named(filled, subjects=[ADA]) == []
    assert list_named(filled, "Pdf") == []


def test_more_skills_than_one_statement_asks_for_are_found(filled: Store) -> None:
    skills = [with_facts(make_skill(f"s{n}"), confidence=Confidence.HIGH) for n in range(501)]
    fill(filled, *skills)
    pinned = {one.id: make_assignment(one, LAB, constraint=VersionRange("^1")) for one in skills}
    put(filled, *pinned.values())

    expected = [
        replace(
            offer(one, pinned[one.id]),
            workspaces=("lab",),
            others=(Offered(one.current, one.digest),),
        )
        for one in sorted(skills, key=lambda one: one.id)
    ]
    assert list_for(filled, LAB, widened=True) == expected
    assert list_named(filled, *(one.slug for one in skills), subjects=[LAB]) == expected


def test_nobody_and_nothing_has_no_skills(filled: Store) -> None:
    assert list_for(filled) == []
    assert list_named(filled) == []
