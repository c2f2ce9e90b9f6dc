"""What a store promises about assignments."""

import pytest

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import GLOBAL, Assignment, Subject, SubjectKind
from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent, Node, Team, Workspace
from tests.contract.making import fill, make_assignment, make_id, make_skill, next_revision

SKILL = make_skill()
DOCX = make_skill("docx")
LAB = Subject(SubjectKind.WORKSPACE, "lab")
RED = Subject(SubjectKind.TEAM, "red")
REVIEWER = Subject(SubjectKind.AGENT, "reviewer")
STEP = Subject(SubjectKind.NODE, "step")
SUBJECTS = (GLOBAL, LAB, RED, REVIEWER, STEP)


def add_subjects(transaction: Transaction) -> None:
    transaction.records.add_if_absent(Workspace(name="lab"))
    transaction.records.add_if_absent(Team(name="red"))
    transaction.records.add_if_absent(Agent(name="reviewer"))
    transaction.records.add_if_absent(Node(name="step"))


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with two skills and a subject of each kind."""
    fill(store, SKILL, DOCX)
    with store.begin() as transaction:
        add_subjects(transaction)
        transaction.commit()
    return store


def put(store: Store, *assignments: Assignment) -> None:
    with store.begin() as transaction:
        for one in assignments:
            transaction.assignments.put(one)
        transaction.commit()


@pytest.mark.requirement("STO-5")
def test_every_field_of_an_assignment_comes_back(filled: Store) -> None:
    full = [
        make_assignment(
            SKILL,
            subject,
            priority=-7,
            position=3,
            auto_inject=True,
            enabled=False,
            required=True,
            opt_in=True,
            constraint=VersionRange(">=1.2 <2 || ~3.0-rc.1"),
        )
        for subject in reversed(SUBJECTS)
    ]
    put(filled, *full)

    with filled.view() as view:
        assert view.assignments.list() == full
        assert [view.assignments.find(SKILL.id, one.subject) for one in full] == full


@pytest.mark.requirement("STO-5")
def test_an_assignment_that_asks_for_nothing_special_comes_back(filled: Store) -> None:
    put(filled, make_assignment(SKILL))

    with filled.view() as view:
        assert view.assignments.find(SKILL.id, GLOBAL) == make_assignment(SKILL)


@pytest.mark.requirement("STO-5")
def test_the_next_position_is_behind_the_last_one_of_that_subject(filled: Store) -> None:
    put(
        filled,
        make_assignment(SKILL, RED, position=7),
        make_assignment(DOCX, RED, position=3),
        make_assignment(SKILL, REVIEWER),
        make_assignment(DOCX, LAB, position=2**31 - 1),
    )

    with filled.view() as view:
        found = [view.assignments.next_position(one) for one in (RED, REVIEWER, STEP, GLOBAL, LAB)]
        assert found == [8, 1, 0, 0, 2**31]


@pytest.mark.requirement("STO-5")
def test_a_later_one_takes_the_place_of_the_earlier_and_its_id(filled: Store) -> None:
    for subject in SUBJECTS:
        first = make_assignment(SKILL, subject, priority=1, constraint=VersionRange("^1"))
        put(filled, first)
        late = make_assignment(SKILL, subject, id=make_id("late", str(subject)), required=True)
        put(filled, late)

    with filled.view() as view:
        assert view.assignments.list() == [
            make_assignment(SKILL, subject, required=True) for subject in reversed(SUBJECTS)
        ]


@pytest.mark.requirement("STO-5")
def test_a_skill_is_assigned_to_each_subject_apart(filled: Store) -> None:
    put(filled, *(make_assignment(SKILL, one) for one in SUBJECTS), make_assignment(DOCX, RED))

    with filled.view() as view:
        for subject in SUBJECTS:
            assert view.assignments.find(SKILL.id, subject) == make_assignment(SKILL, subject)
        assert view.assignments.find(DOCX.id, GLOBAL) is None
        assert view.assignments.find(make_id("nobody"), GLOBAL) is None
        assert view.assignments.find(SKILL.id, Subject(SubjectKind.NODE, "reviewer")) is None


@pytest.mark.requirement("STO-5")
def test_assignments_stand_in_order(store: Store) -> None:
    acme_docx, acme_pdf = make_skill("docx", owner="acme"), make_skill("pdf", owner="acme")
    fill(store, SKILL, DOCX, acme_docx, acme_pdf)
    blue = Subject(SubjectKind.TEAM, "Blue")
    expected = [
        make_assignment(SKILL, GLOBAL, priority=10, position=9),
        make_assignment(SKILL, STEP, priority=2, position=5),
        make_assignment(SKILL, REVIEWER, priority=2, position=4),
        make_assignment(SKILL, RED, priority=2, position=3),
        make_assignment(SKILL, LAB, priority=2, position=2),
        make_assignment(DOCX, GLOBAL, priority=2, position=1),
        make_assignment(SKILL, blue, position=-1),
        make_assignment(acme_docx, blue),
        make_assignment(acme_docx, RED),
        make_assignment(DOCX, blue),
        make_assignment(DOCX, RED),
        make_assignment(acme_pdf, blue),
        make_assignment(acme_docx, GLOBAL, priority=-1),
    ]
    with store.begin() as transaction:
        add_subjects(transaction)
        transaction.records.add_if_absent(Team(name="Blue"))
        for one in sorted(expected, key=lambda one: one.id):
            transaction.assignments.put(one)
        transaction.commit()

    with store.view() as view:
        assert view.assignments.list() == expected


@pytest.mark.requirement("STO-5")
def test_assignments_can_be_restricted_to_a_skill_and_to_subjects(filled: Store) -> None:
    everything = [make_assignment(skill, one) for skill in (SKILL, DOCX) for one in (RED, GLOBAL)]
    put(filled, *everything)
    pdf_red, pdf_all, docx_red, docx_all = everything

    with filled.view() as view:
        listed = view.assignments.list
        assert listed(skill_id=SKILL.id) == [pdf_red, pdf_all]
        assert listed(subjects=[RED]) == [docx_red, pdf_red]
        assert listed(subjects={GLOBAL, RED, STEP}) == [docx_red, pdf_red, docx_all, pdf_all]
        assert listed(skill_id=DOCX.id, subjects=(GLOBAL,)) == [docx_all]
        assert listed(skill_id=DOCX.id, subjects=[LAB]) == []
        assert listed(subjects=[]) == []
        assert listed(skill_id=make_id("nobody")) == []


@pytest.mark.requirement("STO-5")
def test_kinds_of_subjects_are_not_mixed_up_by_their_names(store: Store) -> None:
    fill(store, SKILL)
    red_agent = Subject(SubjectKind.AGENT, "red")
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        transaction.records.add_if_absent(Agent(name="red"))
        transaction.assignments.put(make_assignment(SKILL, RED))
        transaction.assignments.put(make_assignment(SKILL, red_agent))
        transaction.commit()

    with store.begin() as transaction:
        assert transaction.assignments.list(subjects=[red_agent]) == [
            make_assignment(SKILL, red_agent)
        ]
        assert transaction.assignments.remove(SKILL.id, red_agent)
        assert transaction.assignments.list() == [make_assignment(SKILL, RED)]


@pytest.mark.requirement("STO-5")
def test_an_assignment_is_removed_once(filled: Store) -> None:
    put(filled, make_assignment(SKILL), make_assignment(SKILL, RED), make_assignment(DOCX))

    with filled.begin() as transaction:
        assert transaction.assignments.remove(SKILL.id, GLOBAL)
        assert not transaction.assignments.remove(SKILL.id, GLOBAL)
        assert not transaction.assignments.remove(SKILL.id, STEP)
        transaction.commit()

    with filled.view() as view:
        assert view.assignments.list() == [make_assignment(SKILL, RED), make_assignment(DOCX)]


@pytest.mark.requirement("STO-5")
def test_a_skill_that_is_not_there_cannot_be_assigned(filled: Store) -> None:
    with pytest.raises(ConcurrentChangeError), filled.begin() as transaction:
        transaction.assignments.put(make_assignment(make_skill("gone")))

    with filled.view() as view:
        assert view.assignments.list() == []


@pytest.mark.requirement("STO-6")
def test_nothing_is_assigned_to_a_subject_that_is_not_there(filled: Store) -> None:
    for kind in set(SubjectKind) - {SubjectKind.GLOBAL}:
        with pytest.raises(ConcurrentChangeError), filled.begin() as transaction:
            transaction.assignments.put(make_assignment(SKILL, Subject(kind, "nobody")))

    with filled.view() as view:
        assert view.assignments.list() == []


def test_assignments_outlive_a_change_of_their_skill(filled: Store) -> None:
    put(filled, make_assignment(SKILL))
    with filled.begin() as transaction:
        transaction.skills.replace(next_revision(SKILL))
        transaction.commit()

    with filled.view() as view:
        assert view.assignments.list() == [make_assignment(SKILL)]


def test_to_lock_a_subject_that_is_not_there_is_no_error(store: Store) -> None:
    with store.begin() as transaction:
        for subject in (*SUBJECTS, GLOBAL):
            transaction.assignments.lock(subject)
        transaction.commit()
