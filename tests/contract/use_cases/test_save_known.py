"""What saving promises to those who have seen a skill, and to everyone beside them."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.ports.store import Store
from skillyard.application.save import Outcome, RefusedSkill, SavedSkill, SaveSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.errors import (
    InvalidInputError,
    SkillNotFoundError,
    StaleWriteError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.package import Package
from skillyard.domain.skill import Provenance, SourceKind
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.contract.use_cases.meddling import MeddledStore, VanishingStore
from tests.contract.use_cases.meeting import meet
from tests.contract.use_cases.yards import make_yard, save

PUT = EditSkill(reference="pdf", put={"references/a.md": "A\n"})


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


@pytest.mark.requirement("STO-8")
@pytest.mark.parametrize("seen", [{"base": Version(1)}, {"expected": 1}, {"skill_id": "0193"}])
def test_one_who_has_seen_a_skill_makes_no_new_one(yard: Skillyard, seen: dict[str, Any]) -> None:
    with pytest.raises(SkillNotFoundError):
        save(yard, **seen)

    wish = SaveSkill(package=make_package("pdf"), **seen)
    other = SaveSkill(package=make_package("ocr"))
    refused, saved = yard.save_all(iter([wish, other]))
    assert isinstance(refused, RefusedSkill)
    assert refused.error.code == "skill-not-found"
    assert isinstance(saved, SavedSkill)
    assert [one.slug for one in yard.list().entries] == ["ocr"]


@pytest.mark.requirement("STO-8")
@pytest.mark.parametrize("base", [None, Version(1)])
def test_a_skill_that_is_being_deleted_does_not_come_back_through_an_edit(
    store: Store, base: Version | None
) -> None:
    save(make_yard(store))
    wish = EditSkill(reference="pdf", put={"references/a.md": "A\n"}, base=base)

    _, edited = meet(store, lambda yard: yard.delete("pdf"), lambda yard: yard.edit(wish))

    assert edited == "skill-not-found"
    assert make_yard(store).list().entries == ()


@pytest.mark.requirement("STO-8")
def test_a_skill_that_was_made_in_the_place_of_a_deleted_one_is_not_edited_for_it(
    store: Store, yard: Skillyard
) -> None:
    save(yard)
    bob = make_yard(store, actor="bob")

    def replace_it() -> None:
        bob.delete("pdf")
        save(bob, body="Another one.\n")

    with pytest.raises(StaleWriteError) as caught:
        make_yard(MeddledStore(store, replace_it)).edit(
            EditSkill(reference="pdf", put={"references/a.md": "A\n"}, base=Version(1))
        )

    assert caught.value.message == (
        "`pdf` was changed since it was deleted: bob made it 1.0.0 at 2026-01-02T03:04:05+00:00"
    )
    assert caught.value.hints[1].startswith("`skillyard audit --skill pdf` shows")
    assert yard.package("pdf") == make_package("pdf", body="Another one.\n")


@pytest.mark.requirement("STO-8")
def test_an_edit_without_a_base_is_made_to_what_someone_else_has_just_saved(store: Store) -> None:
    save(make_yard(store))
    theirs = EditSkill(reference="pdf", put={"references/b.md": "B\n"})

    meet(store, lambda yard: yard.edit(PUT), lambda yard: yard.edit(theirs))

    yard = make_yard(store)
    assert sorted(yard.package("pdf").files) == ["SKILL.md", "references/a.md", "references/b.md"]
    assert [str(one.version) for one in yard.history("pdf").versions] == ["1.0.0", "1.0.1", "1.0.2"]


@pytest.mark.requirement("STO-8")
def test_an_edit_of_the_revision_that_someone_saw_is_not_made_again(
    store: Store, yard: Skillyard
) -> None:
    save(yard)
    meddled = make_yard(MeddledStore(store, lambda: save(yard, body="Two.\n")))

    with pytest.raises(StaleWriteError):
        meddled.edit(EditSkill(reference="pdf", put={"references/a.md": "A\n"}, expected=1))


@pytest.mark.requirement("STO-8")
@pytest.mark.parametrize(
    "change",
    [
        lambda bob: save(bob, body="Bob's.\n"),
        lambda bob: bob.roll_back("pdf", "1.0.0"),
    ],
    ids=["saved", "rolled back"],
)
def test_who_changed_the_content_is_named_and_not_who_changed_facts_after_them(
    store: Store, yard: Skillyard, change: Callable[[Skillyard], object]
) -> None:
    save(yard)
    save(yard, body="Two.\n")
    change(make_yard(store, actor="bob"))
    carol = make_yard(store, actor="carol")
    for number in range(52):
        carol.change("pdf", FactChanges(display_name=f"PDF {number}"))

    with pytest.raises(StaleWriteError) as caught:
        save(yard, body="Mine.\n", base=Version(1, 0, 1))

    assert caught.value.by == "bob"


@pytest.mark.requirement("STO-8")
def test_who_made_the_newest_revision_is_named_to_one_who_saw_another(
    store: Store, yard: Skillyard
) -> None:
    save(yard)
    save(make_yard(store, actor="bob"), body="Bob's.\n")
    make_yard(store, actor="carol").disable("pdf")
    make_yard(store, actor="dan").assign(AssignSkill(reference="pdf", subject=GLOBAL))

    with pytest.raises(StaleWriteError) as caught:
        save(yard, body="Mine.\n", expected=2)

    assert caught.value.by == "carol"


@pytest.mark.requirement("STO-8")
def test_a_skill_that_vanishes_while_many_are_saved_stops_none_of_them(
    store: Store, yard: Skillyard
) -> None:
    save(yard)
    wishes = [SaveSkill(package=make_package(name)) for name in ("ocr", "pdf", "zip")]

    done = list(make_yard(VanishingStore(store, "pdf")).save_all(iter(wishes)))

    assert [one.outcome for one in done if isinstance(one, SavedSkill)] == [Outcome.CREATED] * 3
    assert [one.slug for one in yard.list().entries] == ["ocr", "pdf", "zip"]


@pytest.mark.requirement("STO-10")
def test_a_skill_whose_content_is_damaged_stops_no_other(
    yard: Skillyard, spoil: Callable[[str, bytes], None]
) -> None:
    save(yard)
    content = make_package("pdf").skill_md or b""
    spoil(hashlib.sha256(content).hexdigest(), b"damaged")
    wishes = [SaveSkill(package=make_package(name, body="Two.\n")) for name in ("ocr", "pdf")]

    saved, refused = yard.save_all(iter(wishes))

    assert isinstance(saved, SavedSkill)
    assert isinstance(refused, RefusedSkill)
    assert refused.error.code == "corrupted-content"
    assert [one.slug for one in yard.list().entries] == ["ocr", "pdf"]


@pytest.mark.requirement("STO-8")
def test_a_skill_that_someone_changes_at_the_same_moment_is_deleted(store: Store) -> None:
    save(make_yard(store))

    _, deleted = meet(store, lambda yard: yard.disable("pdf"), lambda yard: yard.delete("pdf"))

    assert not isinstance(deleted, str)
    assert deleted.skill.revision == 2
    assert make_yard(store).list().entries == ()


def test_an_edit_of_an_imported_skill_does_not_change_where_it_came_from(yard: Skillyard) -> None:
    imported = save(yard, kind=SourceKind.IMPORTED, location="x.zip")

    edited = yard.edit(PUT)

    assert edited.skill.source_kind is SourceKind.IMPORTED
    assert edited.skill.provenance == imported.skill.provenance == edited.version.provenance
    assert edited.skill.provenance == Provenance(ref="x.zip")
    assert edited.skill.facts.confidence == "low"


def exported(package: Package) -> str:
    """Give the manifest.json that an export writes beside a package."""
    text = '{"name": "pdf", "description": "d", "version": "7.0.0", "confidence": "low",'
    return f'{text} "tags": ["x"], "generator": "skillyard", "digest": "{package.digest()}"}}'


@pytest.mark.requirement("PKG-6")
@pytest.mark.parametrize("is_for_these", [True, False])
def test_the_manifest_of_an_export_is_heard_where_it_describes_the_files_beside_it(
    yard: Skillyard, *, is_for_these: bool
) -> None:
    described = make_package("pdf", body="" if not is_for_these else "Fill.\n")

    saved = save(yard, body="Fill.\n", files={"manifest.json": exported(described)})

    assert yard.package("pdf") == make_package("pdf", body="Fill.\n")
    assert str(saved.version.version) == ("7.0.0" if is_for_these else "1.0.0")
    assert saved.skill.facts.tags == (("x",) if is_for_these else ())
    assert saved.skill.facts.confidence == ("low" if is_for_these else "medium")
    assert [note.startswith("the manifest.json of an export") for note in saved.notes] == (
        [] if is_for_these else [True]
    )


@pytest.mark.requirement("PKG-6")
def test_the_manifest_of_an_export_does_not_become_a_file_of_a_skill(yard: Skillyard) -> None:
    files = {"manifest.json": exported(make_package("pdf"))}
    content = (make_package("pdf").skill_md or b"").decode()

    with pytest.raises(InvalidInputError):
        yard.create(CreateSkill(slug="pdf", content=content, files=files))
    save(yard)
    with pytest.raises(InvalidInputError) as caught:
        yard.edit(EditSkill(reference="pdf", put=files))

    assert caught.value.hints == ("Take `generator` out of it to keep it as a file",)
    assert [str(one.version) for one in yard.history("pdf").versions] == ["1.0.0"]
