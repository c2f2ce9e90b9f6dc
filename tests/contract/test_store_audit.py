"""What a store promises about the log of changes."""

from dataclasses import replace
from datetime import timedelta

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.audit import AuditEntry, AuditFilter
from tests.contract.making import (
    AT,
    OTHER_PDF,
    PDF,
    fill,
    make_entry,
    make_id,
    make_skill,
    make_tombstone,
)

ALL = AuditFilter()


def append(store: Store, *entries: AuditEntry) -> None:
    with store.begin() as transaction:
        for entry in entries:
            transaction.audit.append(entry)
        transaction.commit()


@pytest.mark.requirement("STO-7")
def test_every_field_of_an_entry_comes_back(store: Store) -> None:
    full = make_entry(
        skill_id=make_id("pdf"),
        before=PDF.digest(),
        after=OTHER_PDF.digest(),
        details={"größe": "値", "empty": ""},
        target="skill:pdf/ä",
        actor="Ада",
        door="mcp",
    )
    append(store, full, make_entry())

    with store.view() as view:
        newest, oldest = view.audit.list(ALL)
        assert replace(oldest, number=0) == full
        assert replace(newest, number=0) == make_entry()


@pytest.mark.requirement("STO-7")
def test_numbers_are_given_by_the_store_and_grow(store: Store) -> None:
    append(store, make_entry("a.one", number=99), make_entry("a.two"))
    append(store, make_entry("a.three", at=AT - timedelta(days=1)))

    with store.view() as view:
        found = view.audit.list(ALL)
        assert [one.action for one in found] == ["a.three", "a.two", "a.one"]
        numbers = [one.number for one in found]
        assert numbers == sorted(set(numbers), reverse=True)
        assert numbers[-1] > 0


@pytest.mark.requirement("STO-7")
def test_pages_follow_each_other_from_the_newest_to_the_oldest(store: Store) -> None:
    append(store, *(make_entry(f"a.{letter}") for letter in "abcde"))

    with store.view() as view:
        found: list[AuditEntry] = []
        while page := view.audit.list(ALL, before=found[-1].number if found else None, most=2):
            assert len(page) <= 2
            found += page
    assert [one.action for one in found] == ["a.e", "a.d", "a.c", "a.b", "a.a"]


@pytest.mark.requirement("STO-7")
def test_an_action_is_found_by_its_first_parts(store: Store) -> None:
    expected: dict[AuditFilter, list[str]] = {
        AuditFilter(action="skill"): ["skill.removed.hard", "skill.saved"],
        AuditFilter(action="skill.saved"): ["skill.saved"],
        AuditFilter(action="skill.removed"): ["skill.removed.hard"],
        AuditFilter(action="skills"): ["skills.imported"],
        AuditFilter(action="skill."): [],
        AuditFilter(action="skill.save"): [],
        AuditFilter(action="Skill"): [],
        AuditFilter(action="s%"): [],
        AuditFilter(action="skil_"): [],
        AuditFilter(action="saved"): [],
    }
    append(
        store,
        make_entry("skill.saved"),
        make_entry("skill.removed.hard"),
        make_entry("skills.imported"),
        make_entry("agent.saved"),
    )

    with store.view() as view:
        found = {one: [entry.action for entry in view.audit.list(one)] for one in expected}
    assert found == expected


@pytest.mark.requirement("STO-7")
def test_each_wish_restricts_and_wishes_add_up(store: Store) -> None:
    expected: dict[AuditFilter, list[str]] = {
        AuditFilter(target="agent:x"): ["b.b"],
        AuditFilter(target="agent"): [],
        AuditFilter(skill_id=make_id("pdf")): ["c.c", "a.a"],
        AuditFilter(actor="bob"): ["c.c"],
        AuditFilter(actor="BOB"): [],
        AuditFilter(since=AT): ["c.c", "b.b"],
        AuditFilter(since=AT + timedelta(milliseconds=1)): ["c.c"],
        AuditFilter(since=AT + timedelta(milliseconds=2)): [],
        AuditFilter(skill_id=make_id("pdf"), actor="ada"): ["a.a"],
        AuditFilter(skill_id=make_id("pdf"), actor="ada", since=AT): [],
        ALL: ["c.c", "b.b", "a.a"],
    }
    millisecond = timedelta(milliseconds=1)
    append(
        store,
        make_entry("a.a", skill_id=make_id("pdf"), at=AT - millisecond),
        make_entry("b.b", target="agent:x"),
        make_entry("c.c", skill_id=make_id("pdf"), actor="bob", at=AT + millisecond),
    )

    with store.view() as view:
        found = {one: [entry.action for entry in view.audit.list(one)] for one in expected}
    assert found == expected


@pytest.mark.requirement("STO-7")
def test_the_filter_applies_before_the_page_is_cut(store: Store) -> None:
    append(store, *(make_entry(f"{'ab'[number % 2]}.x") for number in range(6)))

    with store.view() as view:
        wanted = AuditFilter(action="a")
        page = view.audit.list(wanted, most=2)
        rest = view.audit.list(wanted, before=page[-1].number, most=2)
        assert [one.action for one in (*page, *rest)] == ["a.x"] * 3
        assert view.audit.list(wanted, before=rest[-1].number) == []


@pytest.mark.requirement("STO-7")
def test_entries_outlive_the_skill_that_they_are_about(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    append(store, make_entry(skill_id=skill.id, after=PDF.digest()))
    with store.begin() as transaction:
        transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()

    with store.view() as view:
        assert len(view.audit.list(AuditFilter(skill_id=skill.id))) == 1


def test_what_a_caller_does_to_its_details_later_changes_nothing(store: Store) -> None:
    details = {"from": "1"}
    append(store, make_entry(details=details))
    details["from"] = "2"

    with store.view() as view:
        assert dict(view.audit.list(ALL)[0].details) == {"from": "1"}
