"""A name that no text in a database can be is the name of nothing: looking for it is no error.

A file name that is not UTF-8 comes from the command line as a text with surrogates, and a NUL comes
with JSON.
"""

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.records import Agent
from tests.contract.making import PDF, fill, make_assignment, make_skill

NAMES = pytest.mark.parametrize("name", ["pdf\0", "pdf\udcff"], ids=["nul", "surrogate"])


@NAMES
def test_a_skill_that_cannot_be_is_not_found(store: Store, name: str) -> None:
    fill(store, make_skill())

    with store.view() as view:
        assert view.skills.find(name) is None
        assert view.skills.find("pdf", owner=name) is None
        assert view.skills.find_by_id(name) is None
        assert view.skills.list_by_slug(name) == []
        assert view.versions.list(name) == []


@NAMES
def test_a_record_or_a_file_that_cannot_be_is_not_found(store: Store, name: str) -> None:
    fill(store, make_skill())

    with store.view() as view:
        assert view.records.find(Agent, name) is None
        assert view.records.list_users(Agent, name) == []
        assert view.assignments.list(subjects=[Subject(SubjectKind.AGENT, name)]) == []
        assert view.packages.get_file(PDF.digest(), name) is None


@NAMES
def test_a_wish_that_cannot_be_fulfilled_finds_nothing(store: Store, name: str) -> None:
    fill(store, make_skill())

    with store.view() as view:
        for wanted in (
            SkillFilter(text=name),
            SkillFilter(owner=name),
            SkillFilter(category=name),
            SkillFilter(tags=(name,)),
        ):
            assert view.skills.list_entries(wanted) == []
            assert view.skills.count(wanted) == 0
        assert view.audit.list(AuditFilter(target=name)) == []
        assert view.audit.list(AuditFilter(action=name)) == []


@NAMES
def test_one_that_cannot_be_keeps_nobody_else_from_being_found(store: Store, name: str) -> None:
    skill = make_skill()
    fill(store, skill)
    with store.begin() as transaction:
        transaction.assignments.put(make_assignment(skill))
        transaction.commit()
    subjects = (GLOBAL, Subject(SubjectKind.AGENT, name))

    with store.view() as view:
        assigned = view.candidates.list_for(subjects, agent=name, widened=True)
        named = view.candidates.list_named((name, "pdf"), subjects=subjects)
        assert [one.slug for one in assigned] == ["pdf"]
        assert named == assigned
