"""Whether any skill has changed, told by one value; and which."""

from dataclasses import replace
from datetime import timedelta

import pytest

from skillyard.application.ports.store import SkillsFingerprint, Store
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.skill import Skill
from tests.contract.making import (
    AT,
    fill,
    make_assignment,
    make_skill,
    make_tombstone,
    next_revision,
)

pytestmark = pytest.mark.requirement("DIS-7")


def fingerprint(store: Store) -> SkillsFingerprint:
    with store.view() as view:
        return view.skills.fingerprint()


def replace_skill(store: Store, skill: Skill) -> None:
    with store.begin() as transaction:
        assert transaction.skills.replace(skill)
        transaction.commit()


def remove_skill(store: Store, skill: Skill) -> None:
    with store.begin() as transaction:
        assert transaction.skills.remove(skill, make_tombstone(skill))
        transaction.commit()


def test_every_change_to_a_skill_changes_the_fingerprint(store: Store) -> None:
    """The clock stands still: it is not what tells."""
    pdf, zip_ = make_skill("pdf"), make_skill("zip")
    seen = [fingerprint(store)]

    fill(store, pdf)
    seen.append(fingerprint(store))
    changed = replace(next_revision(pdf, category="ops"), updated_at=AT)
    replace_skill(store, changed)
    seen.append(fingerprint(store))
    fill(store, zip_)
    seen.append(fingerprint(store))
    remove_skill(store, zip_)
    seen.append(fingerprint(store))
    fill(store, replace(zip_, id=make_skill("other").id))
    seen.append(fingerprint(store))

    assert len(set(seen)) == len(seen)


def test_nothing_else_changes_the_fingerprint(store: Store) -> None:
    pdf = make_skill("pdf")
    fill(store, pdf)
    before = fingerprint(store)

    with store.begin() as transaction:
        transaction.assignments.put(make_assignment(pdf))
        transaction.commit()
    with store.begin() as transaction:
        transaction.skills.replace(next_revision(pdf))

    assert fingerprint(store) == before


def test_what_was_changed_since_a_fingerprint_is_told_with_its_revision(store: Store) -> None:
    later = AT + timedelta(seconds=1)
    pdf, zip_, csv = (make_skill(slug) for slug in ("pdf", "zip", "csv"))
    fill(store, pdf, zip_, csv)
    before = fingerprint(store)
    replace_skill(store, replace(next_revision(pdf), updated_at=later))
    remove_skill(store, zip_)
    new = replace(make_skill("new"), created_at=later, updated_at=later)
    fill(store, new)

    with store.view() as view:
        changed = dict(view.skills.list_changed(before))

    # One that was changed in the same instant as the last one before may be among them.
    assert {one: changed.get(one) for one in (pdf.id, zip_.id, new.id)} == {
        pdf.id: 2,
        zip_.id: 0,
        new.id: 1,
    }


def test_revisions_are_in_the_order_of_ids(store: Store) -> None:
    skills = [make_skill(slug) for slug in ("pdf", "zip", "csv")]
    fill(store, *skills)
    replace_skill(store, next_revision(skills[1]))

    with store.view() as view:
        revisions = list(view.skills.iter_revisions())

    expected = {one.id: 1 for one in skills} | {skills[1].id: 2}
    assert revisions == sorted(expected.items())


def test_entries_can_be_asked_for_by_id(store: Store) -> None:
    skills = [make_skill(slug) for slug in ("pdf", "zip", "csv")]
    fill(store, *skills)

    def list_slugs(*ids: str) -> list[str]:
        with store.view() as view:
            return [one.slug for one in view.skills.list_entries(SkillFilter(ids=ids))]

    assert list_slugs(skills[1].id, skills[0].id, "nobody") == ["pdf", "zip"]
    assert list_slugs() == []
