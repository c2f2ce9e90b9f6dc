"""Who locks a subject is alone with its assignments until the end of the transaction."""

import pytest

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.records import Team
from tests.contract.interleaving import meet
from tests.contract.making import fill, make_assignment, make_skill

pytestmark = pytest.mark.requirement("STO-5")

RED = Subject(SubjectKind.TEAM, "red")
SKILL = make_skill()


@pytest.mark.parametrize("commit", [True, False], ids=["kept", "undone"])
@pytest.mark.parametrize("subject", [GLOBAL, RED], ids=str)
def test_the_second_sees_what_the_first_has_done(
    store: Store, subject: Subject, *, commit: bool
) -> None:
    fill(store, SKILL)
    with store.begin() as transaction:
        transaction.records.add_if_absent(Team(name="red"))
        transaction.commit()
    assignment = make_assignment(SKILL, subject)

    def assign(transaction: Transaction) -> None:
        transaction.assignments.lock(subject)
        transaction.assignments.put(assignment)

    def look(transaction: Transaction) -> bool:
        transaction.assignments.lock(subject)
        return transaction.assignments.find(SKILL.id, subject) is not None

    assert meet(store, assign, look, commit=commit) == (None, commit)


def test_a_subject_that_is_not_there_cannot_be_locked_and_that_is_no_error(store: Store) -> None:
    with store.begin() as transaction:
        transaction.assignments.lock(RED)
        transaction.assignments.lock(RED)
        assert transaction.records.add_if_absent(Team(name="red")) == Team(name="red")
        transaction.commit()
