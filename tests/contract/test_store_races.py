"""What a store promises to several who write at the same moment."""

import pytest

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.records import Agent, Node, Sandbox, Team, Workspace
from tests.contract.interleaving import meet
from tests.contract.making import (
    OTHER_PDF,
    PDF,
    fill,
    list_records,
    make_assignment,
    make_entry,
    make_id,
    make_skill,
    make_tombstone,
    make_version,
    next_revision,
    put_in,
)

SKILL = make_skill()
OURS = next_revision(SKILL, display_name="Ours")
THEIRS = next_revision(SKILL, display_name="Theirs")
RED = Subject(SubjectKind.TEAM, "red")
CONFLICT = ConcurrentChangeError.code


@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_of_two_new_skills_with_one_slug_the_one_that_is_kept_wins(
    store: Store, *, commit: bool
) -> None:
    fill(store)
    late = make_skill(id=make_id("late"), digest=OTHER_PDF.digest())

    first, second = meet(
        store,
        lambda one: one.skills.add_if_absent(SKILL),
        lambda one: one.skills.add_if_absent(late),
        commit=commit,
    )

    winner = SKILL if commit else late
    assert (first, second) == (SKILL, winner)
    with store.view() as view:
        assert view.skills.find("pdf") == winner
        assert view.skills.count(EVERYTHING) == 1


@pytest.mark.requirement("STO-3")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_of_two_versions_with_one_number_the_one_that_is_kept_wins(
    store: Store, *, commit: bool
) -> None:
    fill(store, SKILL)
    early = make_version(SKILL, "2.0.0", revision=2)
    late = make_version(SKILL, "2.0.0", revision=3, digest=OTHER_PDF.digest())

    first, second = meet(
        store,
        lambda one: one.versions.add_if_absent(early),
        lambda one: one.versions.add_if_absent(late),
        commit=commit,
    )

    winner = early if commit else late
    assert (first, second) == (early, winner)
    with store.view() as view:
        assert view.versions.list(SKILL.id) == [make_version(SKILL), winner]


@pytest.mark.requirement("STO-8")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_of_two_changes_to_one_skill_only_one_is_made(store: Store, *, commit: bool) -> None:
    fill(store, SKILL)

    answers = meet(
        store,
        lambda one: one.skills.replace(THEIRS),
        lambda one: one.skills.replace(OURS),
        commit=commit,
    )

    assert answers == (True, not commit)
    with store.view() as view:
        assert view.skills.find("pdf") == (THEIRS if commit else OURS)


@pytest.mark.requirement("STO-8")
def test_a_skill_that_is_being_removed_is_not_changed(store: Store) -> None:
    fill(store, SKILL)

    answers = meet(
        store,
        lambda one: one.skills.remove(SKILL, make_tombstone(SKILL)),
        lambda one: one.skills.replace(OURS),
    )

    assert answers == (True, False)
    with store.view() as view:
        assert view.skills.find("pdf") is None


@pytest.mark.requirement("STO-8")
def test_a_skill_that_is_being_changed_is_not_removed(store: Store) -> None:
    fill(store, SKILL)

    answers = meet(
        store,
        lambda one: one.skills.replace(THEIRS),
        lambda one: one.skills.remove(SKILL, make_tombstone(SKILL)),
    )

    assert answers == (True, False)
    with store.view() as view:
        assert view.skills.find("pdf") == THEIRS
        assert view.skills.list_tombstones() == []
        assert view.versions.list(SKILL.id) == [make_version(SKILL)]


@pytest.mark.requirement("STO-5")
def test_a_skill_is_removed_by_one_of_two(store: Store) -> None:
    fill(store, SKILL)

    def remove(transaction: Transaction) -> bool:
        return transaction.skills.remove(SKILL, make_tombstone(SKILL))

    assert meet(store, remove, remove) == (True, False)
    with store.view() as view:
        assert view.skills.list_tombstones() == [make_tombstone(SKILL)]


@pytest.mark.requirement("STO-3")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_two_keep_the_same_package(store: Store, *, commit: bool) -> None:
    def add(transaction: Transaction) -> None:
        transaction.packages.add([PDF, OTHER_PDF])

    assert meet(store, add, add, commit=commit) == (None, None)
    with store.view() as view:
        assert view.packages.get(PDF.digest()) == PDF
        assert len(list(view.packages.iter_digests())) == 2


@pytest.mark.requirement("STO-5")
def test_two_assign_one_skill_to_one_subject(store: Store) -> None:
    fill(store, SKILL)
    early = make_assignment(SKILL, priority=1)
    late = make_assignment(SKILL, id=make_id("late"), position=2)

    meet(
        store,
        lambda one: one.assignments.put(early),
        lambda one: one.assignments.put(late),
    )

    with store.view() as view:
        assert view.assignments.list() == [make_assignment(SKILL, position=2)]


@pytest.mark.requirement("STO-5")
def test_a_skill_that_is_being_removed_is_not_assigned(store: Store) -> None:
    fill(store, SKILL)

    answers = meet(
        store,
        lambda one: one.skills.remove(SKILL, make_tombstone(SKILL)),
        lambda one: one.assignments.put(make_assignment(SKILL)),
    )

    assert answers == (True, CONFLICT)
    with store.view() as view:
        assert view.assignments.list() == []


@pytest.mark.requirement("STO-5")
def test_a_skill_that_is_being_assigned_is_removed_with_the_assignment(store: Store) -> None:
    fill(store, SKILL)

    answers = meet(
        store,
        lambda one: one.assignments.put(make_assignment(SKILL)),
        lambda one: one.skills.remove(SKILL, make_tombstone(SKILL)),
    )

    assert answers == (None, True)
    with store.view() as view:
        assert view.assignments.list() == []
        assert view.skills.find("pdf") is None


@pytest.mark.requirement("STO-6")
def test_nothing_is_assigned_to_a_subject_that_is_being_removed(store: Store) -> None:
    fill(store, SKILL)
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        transaction.commit()

    answers = meet(
        store,
        lambda one: one.records.remove(Team, "red"),
        lambda one: one.assignments.put(make_assignment(SKILL, RED)),
    )

    assert answers == (True, CONFLICT)
    with store.view() as view:
        assert view.assignments.list() == []


@pytest.mark.requirement("STO-6")
def test_a_subject_that_is_being_assigned_to_goes_with_the_assignment(store: Store) -> None:
    fill(store, SKILL)
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        transaction.commit()

    answers = meet(
        store,
        lambda one: one.assignments.put(make_assignment(SKILL, RED)),
        lambda one: one.records.remove(Team, "red"),
    )

    assert answers == (None, True)
    with store.view() as view:
        assert view.assignments.list() == []
        assert view.records.list(Team) == []


@pytest.mark.requirement("STO-5")
@pytest.mark.parametrize("subject", [GLOBAL, RED], ids=str)
def test_a_subject_that_is_locked_is_locked_by_nobody_else(store: Store, subject: Subject) -> None:
    fill(store, SKILL)
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        transaction.commit()
    assignment = make_assignment(SKILL, subject)

    def lock_and_put(transaction: Transaction) -> None:
        transaction.assignments.lock(subject)
        transaction.assignments.put(assignment)

    def lock_and_list(transaction: Transaction) -> object:
        transaction.assignments.lock(subject)
        return transaction.assignments.list(subjects=[subject])

    assert meet(store, lock_and_put, lock_and_list) == (None, [assignment])


@pytest.mark.requirement("STO-5")
def test_an_assignment_is_removed_by_one_of_two(store: Store) -> None:
    fill(store, SKILL)
    with store.begin() as transaction:
        transaction.assignments.put(make_assignment(SKILL))
        transaction.commit()

    def remove(transaction: Transaction) -> bool:
        return transaction.assignments.remove(SKILL.id, GLOBAL)

    assert meet(store, remove, remove) == (True, False)


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_of_two_new_records_with_one_name_the_one_that_is_kept_wins(
    store: Store, *, commit: bool
) -> None:
    early, late = Agent(name="a", description="early"), Agent(name="a", description="late")

    first, second = meet(
        store,
        lambda one: one.records.add_if_absent(early),
        lambda one: one.records.add_if_absent(late),
        commit=commit,
    )

    winner = early if commit else late
    assert (first, second) == (early, winner)
    with store.view() as view:
        assert list_records(view) == [winner]


@pytest.mark.requirement("STO-6")
def test_of_two_changes_to_one_record_only_one_is_made(store: Store) -> None:
    with store.begin() as transaction:
        transaction.records.add_if_absent(Agent(name="a"))
        transaction.commit()
    theirs = Agent(name="a", description="theirs", revision=2)
    ours = Agent(name="a", description="ours", revision=2)

    answers = meet(
        store,
        lambda one: one.records.replace(theirs),
        lambda one: one.records.replace(ours),
    )

    assert answers == (True, False)
    with store.view() as view:
        assert list_records(view) == [theirs]


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
def test_a_record_that_is_being_removed_is_not_named(store: Store, *, commit: bool) -> None:
    with store.begin() as transaction:
        transaction.records.add_if_absent(Workspace(name="lab"))
        transaction.commit()
    team = Team(name="red", workspace="lab")

    answers = meet(
        store,
        lambda one: one.records.remove(Workspace, "lab"),
        lambda one: one.records.add_if_absent(team),
        commit=commit,
    )

    assert answers == (True, CONFLICT if commit else team)
    with store.view() as view:
        assert list_records(view) == ([] if commit else [Workspace(name="lab"), team])


@pytest.mark.requirement("STO-6")
def test_a_record_that_is_being_removed_is_not_named_by_a_change(store: Store) -> None:
    with store.begin() as transaction:
        transaction.records.add_if_absent(Agent(name="a"))
        transaction.records.add_if_absent(Node(name="n"))
        transaction.commit()

    answers = meet(
        store,
        lambda one: one.records.remove(Agent, "a"),
        lambda one: one.records.replace(Node(name="n", agent="a", revision=2)),
    )

    assert answers == (True, CONFLICT)
    with store.view() as view:
        assert list_records(view) == [Node(name="n")]


@pytest.mark.requirement("STO-6")
def test_a_record_that_is_being_named_is_not_removed(store: Store) -> None:
    with store.begin() as transaction:
        transaction.records.add_if_absent(Agent(name="a"))
        transaction.commit()
    box = Sandbox(name="box", agent="a")

    answers = meet(
        store,
        lambda one: one.records.add_if_absent(box),
        lambda one: one.records.remove(Agent, "a"),
    )

    assert answers == (box, CONFLICT)
    with store.view() as view:
        assert list_records(view) == [Agent(name="a"), box]


@pytest.mark.requirement("STO-8")
def test_the_second_sees_what_the_first_has_committed(store: Store) -> None:
    """A use case that waits works with the newest state, not with the one before its wait."""
    fill(store, SKILL)

    def change_first(transaction: Transaction) -> None:
        transaction.skills.replace(THEIRS)
        transaction.versions.add_if_absent(make_version(SKILL, "2.0.0", revision=2))
        transaction.audit.append(make_entry())

    def change_second(transaction: Transaction) -> tuple[object, ...]:
        replaced = transaction.skills.replace(OURS)
        return (
            replaced,
            transaction.skills.find("pdf"),
            [str(one.version) for one in transaction.versions.list(SKILL.id)],
            len(transaction.audit.list(AuditFilter())),
        )

    _, seen = meet(store, change_first, change_second)

    assert seen == (False, THEIRS, ["1.0.0", "2.0.0"], 1)


@pytest.mark.requirement("STO-10")
def test_a_skill_comes_with_its_version_or_not_at_all(store: Store) -> None:
    """The loser of a race may add what belongs to the winner's skill, and loses there too."""
    late = make_skill(id=make_id("late"))

    def save_late(transaction: Transaction) -> object:
        transaction.packages.add([PDF])
        kept = transaction.skills.add_if_absent(late)
        return transaction.versions.add_if_absent(make_version(kept, created_by="late"))

    _, second = meet(store, lambda one: put_in(one, SKILL), save_late)

    assert second == make_version(SKILL)
