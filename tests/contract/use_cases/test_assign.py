"""What assigning, taking back and reordering promise, on every store."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Assignment, Subject, SubjectKind
from skillyard.domain.audit import AuditEntry, AuditFilter
from skillyard.domain.errors import (
    AssignmentNotFoundError,
    InvalidFactError,
    RecordNotFoundError,
    SkillNotFoundError,
    SkillyardError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.manifest import Confidence
from skillyard.domain.obstacle import Obstacle
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent, Node, Team, Workspace
from skillyard.domain.skill import SkillStatus
from skillyard.testing.clock import FixedClock
from skillyard.yard import Skillyard
from tests.contract.use_cases.meeting import meet
from tests.contract.use_cases.yards import count_rows, make_yard, save

pytestmark = pytest.mark.requirement("STO-5")

RED = Subject(SubjectKind.TEAM, "red")
REVIEWER = Subject(SubjectKind.AGENT, "reviewer")
LAB = Subject(SubjectKind.WORKSPACE, "lab")
BUILD = Subject(SubjectKind.NODE, "build")
Act = Callable[[Skillyard], object]


@pytest.fixture
def yard(store: Store) -> Skillyard:
    """Give a yard with three skills and one subject of each kind; seven entries in its log."""
    yard = make_yard(store)
    for name in ("pdf", "docx", "xlsx"):
        save(yard, name)
    yard.add_record(Workspace(name="lab"))
    yard.add_record(Team(name="red"))
    yard.add_record(Agent(name="reviewer", team="red"))
    yard.add_record(Node(name="build"))
    return yard


def assign(
    yard: Skillyard,
    slug: str,
    subject: Subject = RED,
    **said: Any,  # noqa: ANN401 (any field of the wish)
) -> Assignment:
    wish = AssignSkill(reference=slug, subject=subject, **said)
    return yard.assign(wish).assignment


def order(yard: Skillyard, subject: Subject = RED) -> list[tuple[str, int]]:
    return [(one.slug, one.position) for one in yard.assignments(subject=subject)]


@pytest.mark.parametrize("subject", [GLOBAL, LAB, RED, REVIEWER, BUILD], ids=str)
def test_a_new_assignment_has_the_defaults(yard: Skillyard, subject: Subject) -> None:
    done = yard.assign(AssignSkill(reference="pdf", subject=subject))

    skill = yard.get("pdf").skill
    assert (done.skill, done.before, done.is_changed, done.obstacles) == (skill, None, True, ())
    assert done.assignment == Assignment(
        id=done.assignment.id, skill_id=skill.id, owner="people", slug="pdf", subject=subject
    )
    assert yard.assignments(subject=subject) == [done.assignment]
    assert yard.assignments(reference="pdf") == [done.assignment]


def test_assigning_again_changes_only_what_is_said(yard: Skillyard) -> None:
    first = assign(yard, "pdf", priority=5, required=True)

    wish = AssignSkill(
        reference="pdf",
        subject=RED,
        enabled=False,
        auto_inject=True,
        opt_in=True,
        constraint=VersionRange("^1"),
    )
    done = yard.assign(wish)

    assert done.before == first
    assert done.assignment == replace(
        first, enabled=False, auto_inject=True, opt_in=True, constraint=VersionRange("^1")
    )
    assert yard.assignments() == [done.assignment]


def test_a_pin_is_taken_back(yard: Skillyard) -> None:
    yard.assign(AssignSkill(reference="pdf", subject=RED, constraint=VersionRange("1.0.0")))

    yard.assign(AssignSkill(reference="pdf", subject=RED, constraint=None))

    assert [one.constraint for one in yard.assignments()] == [None]


def test_assigning_again_the_same_way_changes_nothing(yard: Skillyard, store: Store) -> None:
    assign(yard, "pdf", priority=1)
    before = count_rows(store)

    done = yard.assign(AssignSkill(reference="pdf", subject=RED, priority=1))

    assert not done.is_changed
    assert count_rows(store) == before


def test_a_skill_is_assigned_by_its_id_too(yard: Skillyard) -> None:
    skill = yard.get("pdf").skill

    assert assign(yard, skill.id).slug == "pdf"


def test_without_a_position_it_goes_behind_the_subjects_last_one(yard: Skillyard) -> None:
    assign(yard, "pdf", position=7)
    assign(yard, "docx", GLOBAL)
    assign(yard, "docx")
    assign(yard, "xlsx", position=3)

    assert order(yard) == [("xlsx", 3), ("pdf", 7), ("docx", 8)]


def test_behind_the_last_possible_position_is_none(yard: Skillyard) -> None:
    assign(yard, "xlsx", position=LARGEST_NUMBER)

    assign(yard, "pdf")

    assert order(yard) == [("pdf", LARGEST_NUMBER), ("xlsx", LARGEST_NUMBER)]


def test_higher_priorities_come_first_and_then_lower_positions(yard: Skillyard) -> None:
    assign(yard, "pdf", priority=-LARGEST_NUMBER)
    assign(yard, "docx", priority=LARGEST_NUMBER)
    assign(yard, "xlsx", priority=LARGEST_NUMBER, position=0)

    assert [one.slug for one in yard.assignments()] == ["xlsx", "docx", "pdf"]


@pytest.mark.requirement("STO-7", "STO-10")
def test_every_change_is_in_the_log_and_among_the_events(yard: Skillyard, store: Store) -> None:
    assign(yard, "pdf", priority=5)
    assign(yard, "docx")
    yard.assign(AssignSkill(reference="pdf", subject=RED, constraint=VersionRange("^1")))
    yard.reorder(RED, ["docx", "pdf"])
    yard.unassign("pdf", RED)

    skill = yard.get("pdf").skill
    switches = {"auto_inject": "false", "enabled": "true", "required": "false", "opt_in": "false"}
    details = {"subject": "team:red", "priority": "5", "position": "0", **switches}
    entry = AuditEntry(
        at=FixedClock().now(),
        actor="ada",
        door="cli",
        action="skill.assigned",
        target="skill:pdf",
        skill_id=skill.id,
        before=skill.digest,
        after=skill.digest,
        details=details,
    )
    told = yard.audit(AuditFilter(target="skill:pdf"))
    assert [replace(one, number=0) for one in reversed(told)][1:] == [
        entry,
        replace(entry, action="skill.reassigned", details={**details, "constraint": "^1"}),
        replace(
            entry,
            action="skill.unassigned",
            details={**details, "position": "1", "constraint": "^1"},
        ),
    ]
    (reordered,) = yard.audit(AuditFilter(target="team:red", action="subject"))
    assert (reordered.action, reordered.details) == ("subject.reordered", {"order": "docx pdf"})
    with store.view() as view:
        events = view.outbox.list_pending()[7:]
    assert [one.topic for one in events] == [
        "skill.assigned",
        "skill.assigned",
        "skill.reassigned",
        "subject.reordered",
        "skill.unassigned",
    ]
    assert events[0].data == {"target": "skill:pdf", "skill_id": skill.id, **details}
    assert events[3].data == {"target": "team:red", "order": "docx pdf"}


def test_taking_a_skill_away_leaves_the_others(yard: Skillyard) -> None:
    taken = assign(yard, "pdf")
    kept = [assign(yard, "pdf", GLOBAL), assign(yard, "docx")]

    assert yard.unassign("pdf", RED) == taken

    assert sorted(one.id for one in yard.assignments()) == sorted(one.id for one in kept)


def test_reordering_puts_the_named_first_and_the_rest_behind_as_they_were(yard: Skillyard) -> None:
    for slug in ("pdf", "docx", "xlsx"):
        assign(yard, slug)

    ordered = yard.reorder(RED, ["xlsx"])

    assert [one.slug for one in ordered] == ["xlsx", "pdf", "docx"]
    assert order(yard) == [("xlsx", 0), ("pdf", 1), ("docx", 2)]


def test_reordering_to_the_same_order_changes_nothing(yard: Skillyard, store: Store) -> None:
    assign(yard, "pdf")
    assign(yard, "docx")
    before = count_rows(store)

    yard.reorder(RED, ["pdf", "docx", "pdf"])

    assert count_rows(store) == before


def test_reordering_leaves_other_subjects_alone(yard: Skillyard) -> None:
    for subject in (RED, GLOBAL):
        assign(yard, "pdf", subject)
        assign(yard, "docx", subject)

    yard.reorder(RED, ["docx", "pdf"])

    assert order(yard, GLOBAL) == [("pdf", 0), ("docx", 1)]


DOINGS: list[Act] = [
    lambda yard: yard.assign(AssignSkill(reference="xlsx", subject=RED), dry_run=True),
    lambda yard: yard.assign(AssignSkill(reference="pdf", subject=RED, priority=9), dry_run=True),
    lambda yard: yard.unassign("pdf", RED, dry_run=True),
    lambda yard: yard.reorder(RED, ["docx"], dry_run=True),
]


@pytest.mark.requirement("STO-10")
def test_a_dry_run_keeps_nothing(yard: Skillyard, store: Store) -> None:
    before = [assign(yard, "pdf"), assign(yard, "docx")]

    for act in DOINGS:
        act(yard)

    assert yard.assignments() == before
    assert count_rows(store) == (9, 9)


MISTAKES: list[tuple[Act, str]] = [
    (lambda yard: assign(yard, "pdg"), "skill-not-found"),
    (lambda yard: assign(yard, "people/pdg"), "skill-not-found"),
    (lambda yard: assign(yard, "\0"), "skill-not-found"),
    (lambda yard: assign(yard, "\udcff"), "skill-not-found"),
    (lambda yard: assign(yard, "pdf", Subject(SubjectKind.TEAM, "rad")), "record-not-found"),
    (lambda yard: assign(yard, "pdf", Subject(SubjectKind.AGENT, "red")), "record-not-found"),
    (lambda yard: assign(yard, "pdf", Subject(SubjectKind.NODE, "\udcff")), "record-not-found"),
    (lambda yard: assign(yard, "pdf", Subject(SubjectKind.WORKSPACE, "")), "record-not-found"),
    (lambda yard: assign(yard, "pdf", position=-1), "invalid-fact"),
    (lambda yard: assign(yard, "pdf", priority=LARGEST_NUMBER + 1), "invalid-fact"),
    (lambda yard: yard.unassign("xlsx", RED), "assignment-not-found"),
    (lambda yard: yard.unassign("pdf", GLOBAL), "assignment-not-found"),
    (lambda yard: yard.unassign("pdg", RED), "skill-not-found"),
    (lambda yard: yard.unassign("pdf", Subject(SubjectKind.TEAM, "rad")), "record-not-found"),
    (lambda yard: yard.reorder(RED, ["docx", "xlsx"]), "assignment-not-found"),
    (lambda yard: yard.reorder(RED, ["docx", "pdg"]), "skill-not-found"),
    (lambda yard: yard.reorder(Subject(SubjectKind.TEAM, "rad"), []), "record-not-found"),
    (
        lambda yard: yard.assignments(subject=Subject(SubjectKind.AGENT, "nobody")),
        "record-not-found",
    ),
]


@pytest.mark.requirement("STO-6", "STO-10")
def test_a_mistake_is_an_error_and_nothing_is_written(yard: Skillyard, store: Store) -> None:
    before = [assign(yard, "pdf"), assign(yard, "docx")]

    codes = []
    for act, _ in MISTAKES:
        with pytest.raises(SkillyardError) as caught:
            act(yard)
        codes.append(caught.value.code)

    assert codes == [code for _, code in MISTAKES]
    assert yard.assignments() == before
    assert count_rows(store) == (9, 9)


@pytest.mark.requirement("STO-6")
def test_a_wrong_name_is_an_error_that_names_what_was_meant(yard: Skillyard) -> None:
    with pytest.raises(SkillNotFoundError) as caught:
        assign(yard, "pdff")
    assert caught.value.near == ("pdf",)

    with pytest.raises(RecordNotFoundError) as missed:
        assign(yard, "pdf", Subject(SubjectKind.AGENT, "reviewr"))
    assert (missed.value.kind, missed.value.near) == ("agent", ("reviewer",))

    with pytest.raises(AssignmentNotFoundError) as never:
        yard.unassign("pdf", REVIEWER)
    assert never.value.message == "`pdf` is not assigned to agent:reviewer"


def test_both_numbers_that_cannot_be_are_named(yard: Skillyard) -> None:
    with pytest.raises(InvalidFactError) as caught:
        assign(yard, "pdf", priority=-LARGEST_NUMBER - 1, position=LARGEST_NUMBER + 1)

    assert [what for what, _, _ in caught.value.problems] == ["priority", "position"]


def test_what_keeps_a_skill_from_being_loaded_is_said(yard: Skillyard) -> None:
    yard.change("pdf", FactChanges(enabled=False, confidence=Confidence.LOW))
    yard.change("docx", FactChanges(status=SkillStatus.DRAFT))
    yard.archive("xlsx")
    yard.change_record(
        Agent,
        "reviewer",
        lambda one: replace(one, allowlist=("pdf",), disabled_skills=("docx",), lightweight=True),
    )

    def obstacles(wish: AssignSkill) -> tuple[Obstacle, ...]:
        return yard.assign(wish).obstacles

    assert obstacles(AssignSkill(reference="pdf", subject=RED)) == (
        Obstacle.DISABLED,
        Obstacle.LOW_CONFIDENCE,
    )
    assert obstacles(AssignSkill(reference="pdf", subject=RED, opt_in=True)) == (Obstacle.DISABLED,)
    pinned = AssignSkill(reference="xlsx", subject=GLOBAL, constraint=VersionRange("^2"))
    assert obstacles(pinned) == (Obstacle.ARCHIVED, Obstacle.NO_VERSION)
    assert obstacles(AssignSkill(reference="docx", subject=REVIEWER)) == (
        Obstacle.DRAFT,
        Obstacle.NOT_ALLOWED,
        Obstacle.SWITCHED_OFF,
        Obstacle.LIGHTWEIGHT,
    )


@pytest.mark.requirement("STO-7")
def test_the_log_knows_a_deleted_skill_by_its_name_and_its_id(yard: Skillyard) -> None:
    skill = yard.get("pdf").skill
    yard.delete("pdf")

    assert yard.audited_skill("pdf") == "pdf"
    assert yard.audited_skill(skill.id) == "pdf"
    assert yard.audited_skill("docx") == "docx"
    told = yard.audit(AuditFilter(target="skill:pdf"))
    assert [one.action for one in told] == ["skill.deleted", "skill.created"]
    with pytest.raises(SkillNotFoundError) as caught:
        yard.audited_skill("pdff")
    assert caught.value.near == ("pdf",)


def test_two_who_change_one_assignment_both_get_their_way(yard: Skillyard, store: Store) -> None:
    first = assign(yard, "pdf")

    meet(
        store,
        lambda one: assign(one, "pdf", priority=5),
        lambda one: assign(one, "pdf", required=True),
    )

    assert yard.assignments() == [replace(first, priority=5, required=True)]


def test_two_who_make_one_assignment_both_get_their_way(yard: Skillyard, store: Store) -> None:
    first, _ = meet(
        store,
        lambda one: assign(one, "pdf", priority=5),
        lambda one: assign(one, "pdf", required=True),
    )

    assert yard.assignments() == [replace(first, required=True)]
    actions = [one.action for one in yard.audit(most=2)]
    assert actions == ["skill.reassigned", "skill.assigned"]


def test_two_skills_that_are_assigned_at_once_stand_behind_each_other(
    yard: Skillyard, store: Store
) -> None:
    meet(store, lambda one: assign(one, "pdf"), lambda one: assign(one, "docx"))

    assert order(yard) == [("pdf", 0), ("docx", 1)]


def test_reordering_does_not_bring_back_what_is_being_taken_away(
    yard: Skillyard, store: Store
) -> None:
    assign(yard, "pdf")
    assign(yard, "docx")

    _, second = meet(
        store,
        lambda one: one.unassign("pdf", RED),
        lambda one: [slug.slug for slug in one.reorder(RED, ["docx"])],
    )

    assert second == ["docx"]
    assert order(yard) == [("docx", 0)]


def test_of_two_who_take_one_skill_away_the_second_learns_that_it_is_gone(
    yard: Skillyard, store: Store
) -> None:
    assign(yard, "pdf")

    _, second = meet(
        store, lambda one: one.unassign("pdf", RED), lambda one: one.unassign("pdf", RED)
    )

    assert second == "assignment-not-found"
    assert count_rows(store) == (9, 9)


def test_a_skill_that_is_being_deleted_is_not_assigned(yard: Skillyard, store: Store) -> None:
    _, second = meet(store, lambda one: one.delete("pdf"), lambda one: assign(one, "pdf"))

    assert second in {"skill-not-found", "concurrent-change"}
    assert yard.assignments() == []
    assert count_rows(store) == (8, 8)


def test_a_team_that_is_being_removed_is_given_no_skill(yard: Skillyard, store: Store) -> None:
    yard.add_record(Team(name="blue"))
    blue = Subject(SubjectKind.TEAM, "blue")

    _, second = meet(
        store, lambda one: one.remove_record(Team, "blue"), lambda one: assign(one, "pdf", blue)
    )

    assert second in {"record-not-found", "concurrent-change"}
    assert yard.assignments() == []
    assert count_rows(store) == (9, 9)


def test_a_team_is_removed_with_the_skill_that_it_was_just_given(
    yard: Skillyard, store: Store
) -> None:
    yard.add_record(Team(name="blue"))
    blue = Subject(SubjectKind.TEAM, "blue")

    meet(store, lambda one: assign(one, "pdf", blue), lambda one: one.remove_record(Team, "blue"))

    assert yard.assignments() == []
    told = [one.action for one in yard.audit(most=3)]
    assert told == ["team.removed", "skill.unassigned", "skill.assigned"]
