"""What a store promises about versions."""

import pytest

from skillyard.application.ports.store import Store
from skillyard.domain.skill import Door, Provenance, SourceKind
from skillyard.domain.version import Version
from tests.contract.making import (
    LATER,
    OTHER_PDF,
    fill,
    make_id,
    make_skill,
    make_version,
)


@pytest.mark.requirement("STO-3")
def test_every_field_of_a_version_comes_back(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    version = make_version(
        skill,
        "2.0.0-rc.1",
        digest=OTHER_PDF.digest(),
        revision=2,
        created_at=LATER,
        created_by="bob",
        message="Für alle\nund jeden",
        base=Version.parse("1.0.0-beta.2"),
        source_kind=SourceKind.IMPORTED,
        provenance=Provenance(Door.IMPORT, "x.zip"),
    )
    with store.begin() as transaction:
        assert transaction.versions.add_if_absent(version) == version
        transaction.commit()

    with store.view() as view:
        found = view.versions.find(skill.id, version.version)
        assert found == version
        assert (str(found.version), str(found.base)) == ("2.0.0-rc.1", "1.0.0-beta.2")


@pytest.mark.requirement("STO-3")
def test_a_version_never_changes(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)

    with store.begin() as transaction:
        other = make_version(skill, digest=OTHER_PDF.digest(), revision=2, created_by="bob")
        assert transaction.versions.add_if_absent(other) == make_version(skill)
        transaction.commit()

    with store.view() as view:
        assert view.versions.list(skill.id) == [make_version(skill)]


@pytest.mark.requirement("STO-3")
def test_each_skill_has_numbers_of_its_own(store: Store) -> None:
    pdf, docx = make_skill(), make_skill("docx", digest=OTHER_PDF.digest())
    fill(store, pdf, docx)

    with store.view() as view:
        assert view.versions.find(pdf.id, Version(1)) == make_version(pdf)
        assert view.versions.find(docx.id, Version(1)) == make_version(
            docx, digest=OTHER_PDF.digest()
        )


@pytest.mark.requirement("STO-3")
def test_a_pre_release_is_another_version_than_its_release(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    early = make_version(skill, "1.0.0-rc.1", revision=2)
    with store.begin() as transaction:
        assert transaction.versions.add_if_absent(early) == early
        transaction.commit()

    with store.view() as view:
        assert view.versions.find(skill.id, Version.parse("1.0.0-rc.1")) == early
        assert view.versions.find(skill.id, Version(1)) == make_version(skill)
        assert view.versions.find(skill.id, Version.parse("1.0.0-RC.1")) is None


@pytest.mark.requirement("STO-4")
def test_versions_stand_in_the_order_of_saving_whatever_their_numbers(store: Store) -> None:
    skill = make_skill(current=Version(2))
    fill(store, skill)
    late = [
        make_version(skill, number, revision=revision)
        for number, revision in (("10.0.0", 2), ("1.0.0", 10), ("1.9.0", 3))
    ]
    with store.begin() as transaction:
        for version in late:
            transaction.versions.add_if_absent(version)
        transaction.commit()

    with store.view() as view:
        found = [str(one.version) for one in view.versions.list(skill.id)]
        assert found == ["2.0.0", "10.0.0", "1.9.0", "1.0.0"]


@pytest.mark.requirement("STO-3")
def test_the_highest_release_of_a_line_is_found_by_its_number(store: Store) -> None:
    skill, other = make_skill(), make_skill("docx")
    fill(store, skill, other)
    numbers = ("1.0.9", "1.0.10", "1.0.2", "1.0.11-rc.1", "1.1.3", "1.10.0", "10.0.7", "3.0.0-a.b")
    with store.begin() as transaction:
        for revision, number in enumerate(numbers, start=2):
            transaction.versions.add_if_absent(make_version(skill, number, revision=revision))
        transaction.versions.add_if_absent(make_version(other, "1.0.99", revision=2))
        transaction.commit()

    with store.view() as view:
        lines = ("1.0.0", "1.0.5-rc.1", "1.1.0", "1.10.0", "10.0.0", "3.0.0", "2.0.0")
        found = [view.versions.find_highest(skill.id, Version.parse(line)) for line in lines]
        assert found == [
            *map(Version.parse, ("1.0.10", "1.0.10", "1.1.3", "1.10.0", "10.0.7")),
            None,
            None,
        ]
        assert view.versions.find_highest(make_id("nobody"), Version(1)) is None


def test_a_version_that_is_not_there_is_none(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)

    with store.view() as view:
        assert view.versions.find(skill.id, Version(1, 0, 1)) is None
        assert view.versions.find(make_id("nobody"), Version(1)) is None
        assert view.versions.list(make_id("nobody")) == []


@pytest.mark.requirement("STO-3")
def test_build_metadata_distinguishes_nothing_and_is_not_kept(store: Store) -> None:
    skill = make_skill(current=Version.parse("1.0.0+linux"))
    fill(store, skill)
    late = make_version(skill, "1.0.0+darwin", base=Version.parse("0.9.0+x"), revision=2)
    later = make_version(skill, "1.0.1+darwin", base=Version.parse("1.0.0+x"), revision=2)
    with store.begin() as transaction:
        assert transaction.versions.add_if_absent(late).revision == 1
        assert transaction.versions.add_if_absent(later).revision == 2
        transaction.commit()

    with store.view() as view:
        kept, newest = view.versions.list(skill.id)
        found = view.skills.find("pdf")
        assert found is not None
        numbers = (kept.version, newest.version, newest.base, found.current)
        assert [str(one) for one in numbers] == ["1.0.0", "1.0.1", "1.0.0", "1.0.0"]
        assert view.versions.find(skill.id, Version.parse("1.0.1+other")) == newest
