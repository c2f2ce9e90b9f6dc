"""What changing, going back, copying and deleting promise, on every store."""

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.ports.store import Store
from skillyard.application.save import Outcome, SaveSkill
from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    AmbiguousSkillError,
    InvalidFactError,
    InvalidNameError,
    InvalidPackageError,
    SkillFileNotFoundError,
    SkillNotFoundError,
    SlugTakenError,
    StaleWriteError,
    VersionNotFoundError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Confidence
from skillyard.domain.package import PackageFile
from skillyard.domain.records import Agent
from skillyard.domain.skill import Actor, Door, SkillStatus, SourceKind
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import count_rows, make_yard, save


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def actions(yard: Skillyard) -> list[str]:
    return [one.action for one in reversed(yard.audit())]


def test_a_disabled_skill_stays_listed_and_can_be_enabled_again(yard: Skillyard) -> None:
    save(yard)

    assert yard.disable("pdf").skill.facts.enabled is False
    assert [one.enabled for one in yard.list().entries] == [False]
    assert yard.enable("pdf").skill.facts.enabled is True
    assert actions(yard) == ["skill.created", "skill.disabled", "skill.enabled"]


def test_an_archived_skill_is_listed_only_when_asked_for(yard: Skillyard) -> None:
    save(yard)
    yard.archive("pdf")

    assert yard.list().entries == ()
    assert [one.slug for one in yard.list(SkillFilter(archived=True)).entries] == ["pdf"]
    assert yard.restore("pdf").skill.facts.status is SkillStatus.ACTIVE
    assert actions(yard) == ["skill.created", "skill.archived", "skill.activated"]


def test_a_deprecated_skill_says_why(yard: Skillyard) -> None:
    save(yard)

    changed = yard.change("pdf", FactChanges(deprecated="Use forms instead"))

    assert changed.skill.facts.deprecated == "Use forms instead"
    assert yard.list().entries[0].deprecated
    (entry, _) = yard.audit()
    assert (entry.action, entry.details) == (
        "skill.deprecated",
        {"deprecated": "none → Use forms instead"},
    )


def test_a_change_to_what_is_there_already_is_none(yard: Skillyard, store: Store) -> None:
    save(yard)
    before = count_rows(store)

    changed = yard.enable("pdf")

    assert not changed.is_changed
    assert count_rows(store) == before


def test_a_change_that_cannot_be_kept_changes_nothing(yard: Skillyard) -> None:
    saved = save(yard)

    with pytest.raises(InvalidFactError):
        yard.change("pdf", FactChanges(category="cooking"))

    assert yard.get("pdf").skill == saved.skill


@pytest.mark.requirement("STO-7")
def test_a_change_of_several_facts_is_one_entry_that_names_each(yard: Skillyard) -> None:
    save(yard)

    yard.change("pdf", FactChanges(category="ops", tags=("a", "b"), confidence=Confidence.LOW))

    assert yard.audit()[0].details == {
        "category": "general → ops",
        "confidence": "medium → low",
        "tags": "none → a b",
    }


@pytest.mark.requirement("STO-4", "STO-7")
def test_an_older_version_becomes_current_again_and_nothing_is_lost(yard: Skillyard) -> None:
    first = save(yard)
    second = save(yard, body="Two.\n")

    done = yard.roll_back("pdf", "v1")

    assert (str(done.before.current), str(done.skill.current)) == ("1.0.1", "1.0.0")
    assert yard.package("pdf") == make_package("pdf")
    assert yard.history("pdf").versions == (first.version, second.version)
    entry = yard.audit()[0]
    assert (entry.action, entry.before, entry.after) == (
        "skill.rolled-back",
        second.version.digest,
        first.version.digest,
    )


@pytest.mark.requirement("STO-4")
def test_going_back_brings_the_description_of_that_version(yard: Skillyard) -> None:
    save(yard)
    yard.save(SaveSkill(package=make_package("pdf", description="Fills forms. Use for forms.")))

    assert yard.get("pdf").skill.facts.description == "Fills forms. Use for forms."
    assert yard.roll_back("pdf", "1.0.0").skill.facts.description.startswith("Helps with pdf.")


def test_going_back_to_what_is_current_is_no_change(yard: Skillyard, store: Store) -> None:
    save(yard)
    before = count_rows(store)

    done = yard.roll_back("pdf", "1.0.0")

    assert done.before == done.skill
    assert count_rows(store) == before


def test_going_back_to_a_version_that_is_not_there_is_refused(yard: Skillyard) -> None:
    save(yard)

    with pytest.raises(VersionNotFoundError):
        yard.roll_back("pdf", "9.9.9")


@pytest.mark.requirement("STO-4")
def test_any_two_versions_can_be_compared(yard: Skillyard) -> None:
    save(yard)
    save(yard, body="Two.\n", files={"references/a.md": "A\n"})
    save(yard, body="Three.\n")

    whole = yard.diff("pdf", "1.0.0", "1.0.1")
    last = yard.diff("pdf")

    assert [file.path for file in whole.difference.files] == ["SKILL.md", "references/a.md"]
    assert (str(last.before.version), str(last.after.version)) == ("1.0.1", "1.0.2")


@pytest.mark.requirement("STO-5", "STO-7")
def test_deleting_a_skill_leaves_a_tombstone_and_no_assignment(
    yard: Skillyard, store: Store
) -> None:
    saved = save(yard)
    yard.add_record(Agent(name="reviewer"))
    yard.assign(AssignSkill(reference="pdf", subject=Subject(SubjectKind.AGENT, "reviewer")))

    deleted = yard.delete("pdf")

    assert (deleted.versions, deleted.subjects) == (1, ("agent:reviewer",))
    with store.view() as view:
        (tombstone,) = view.skills.list_tombstones()
        assert view.assignments.list() == []
        assert view.packages.get(saved.version.digest) == make_package("pdf")
    assert (tombstone.slug, tombstone.skill_id) == ("pdf", saved.skill.id)
    newest = yard.audit(AuditFilter(target="skill:pdf"))[0]
    assert (newest.action, newest.after) == ("skill.deleted", None)
    assert newest.details["subjects"] == "agent:reviewer"


def test_the_name_of_a_deleted_skill_is_free_and_the_new_one_is_another(yard: Skillyard) -> None:
    first = save(yard)
    yard.delete("pdf")

    second = save(yard, body="Two.\n")

    assert second.outcome is Outcome.CREATED
    assert second.skill.id != first.skill.id
    assert str(second.version.version) == "1.0.0"


def test_a_skill_that_was_changed_since_is_not_deleted(yard: Skillyard) -> None:
    save(yard)
    yard.disable("pdf")

    with pytest.raises(StaleWriteError):
        yard.delete("pdf", expected=1)

    assert yard.get("pdf").skill.revision == 2


def test_a_dry_run_of_any_change_keeps_nothing(yard: Skillyard, store: Store) -> None:
    save(yard)
    save(yard, body="Two.\n")
    before = (count_rows(store), yard.get("pdf"))

    yard.disable("pdf", dry_run=True)
    yard.roll_back("pdf", "1.0.0", dry_run=True)
    yard.duplicate("pdf", "forms", dry_run=True)
    yard.edit(EditSkill(reference="pdf", put={"references/a.md": "A"}), dry_run=True)
    yard.delete("pdf", dry_run=True)

    assert (count_rows(store), yard.get("pdf")) == before
    assert [one.slug for one in yard.list().entries] == ["pdf"]


def test_a_copy_has_the_content_under_its_own_name(yard: Skillyard) -> None:
    save(yard, files={"references/a.md": "A\n"})
    yard.change("pdf", FactChanges(category="ops", tags=("a",)))

    copy = yard.duplicate("pdf", "forms")

    assert copy.outcome is Outcome.CREATED
    assert yard.package("forms").files.keys() == {"SKILL.md", "references/a.md"}
    text = (yard.package("forms").skill_md or b"").decode()
    assert text == (make_package("pdf").skill_md or b"").decode().replace(
        "name: pdf", "name: forms"
    )
    assert (copy.skill.facts.category, copy.skill.facts.tags) == ("ops", ("a",))
    assert copy.skill.provenance.ref == "skill:pdf@1.0.0"
    assert yard.package("pdf") == make_package("pdf", files={"references/a.md": "A\n"})


def test_a_copy_renames_its_manifest_too(yard: Skillyard) -> None:
    manifest = '{\n  "name": "pdf",\n  "version": "1.0.0",\n  "description": "x é"\n}\n'
    save(yard, files={"manifest.json": manifest})

    yard.duplicate("pdf", "forms")

    assert yard.read_file("forms", "manifest.json").content.decode() == manifest.replace(
        '"pdf"', '"forms"'
    )


@pytest.mark.requirement("TRU-1")
def test_a_copy_of_an_imported_skill_is_no_more_trusted(yard: Skillyard) -> None:
    save(yard, kind=SourceKind.IMPORTED)

    copy = yard.duplicate("pdf", "forms").skill

    assert (copy.source_kind, copy.facts.confidence) == (SourceKind.IMPORTED, "low")


@pytest.mark.parametrize(
    ("slug", "error"),
    [("pdf", SlugTakenError), ("Bad", InvalidNameError), ("3d", InvalidNameError)],
)
def test_a_copy_needs_a_name_that_is_free_and_good(
    yard: Skillyard, slug: str, error: type[Exception]
) -> None:
    save(yard)

    with pytest.raises(error):
        yard.duplicate("pdf", slug)


@pytest.mark.requirement("STO-3")
def test_a_text_without_front_matter_gets_one_from_slug_and_description(yard: Skillyard) -> None:
    wish = CreateSkill(
        slug="pdf", description="Fills: forms", content="# Steps\n", files={"scripts/a.sh": "ls\n"}
    )

    saved = yard.create(wish)

    text = (yard.package("pdf").skill_md or b"").decode()
    assert text == '---\nname: pdf\ndescription: "Fills: forms"\n---\n\n# Steps\n'
    assert saved.skill.facts.description == "Fills: forms"
    assert len(yard.package("pdf").files) == 2


def test_a_skill_made_from_texts_goes_through_the_same_gate(yard: Skillyard) -> None:
    wish = CreateSkill(
        slug="pdf", description="Fills forms", content="x", files={"../evil.sh": "ls\n"}
    )

    with pytest.raises(InvalidPackageError) as caught:
        yard.create(wish)

    assert [one.code for one in caught.value.diagnostics] == ["SY301"]
    assert yard.list().entries == ()


@pytest.mark.requirement("PKG-5")
def test_files_are_added_changed_and_removed_each_as_a_new_version(yard: Skillyard) -> None:
    save(yard, files={"scripts/run.sh": PackageFile(b"ls\n", executable=True)})

    added = yard.edit(EditSkill(reference="pdf", put={"references/a.md": "A\n"}))
    changed = yard.edit(EditSkill(reference="pdf", put={"scripts/run.sh": "pwd\n"}))
    removed = yard.edit(EditSkill(reference="pdf", removed=("references/a.md",)))

    assert [str(one.version.version) for one in (added, changed, removed)] == [
        "1.0.1",
        "1.0.2",
        "1.0.3",
    ]
    assert yard.read_file("pdf", "scripts/run.sh") == PackageFile(b"pwd\n", executable=True)
    assert "references/a.md" not in yard.package("pdf").files


@pytest.mark.requirement("PKG-5")
@pytest.mark.parametrize(
    ("put", "code"),
    [
        ({"/etc/passwd": "x"}, "SY301"),
        ({"a/../b": "x"}, "SY301"),
        ({"references/B.md": "x", "references/b.md": "y"}, "SY302"),
        ({"references/a.md": "x" * (256 * 1024 + 1)}, "SY305"),
        ({"scripts/a.bin": b"\x00\x01"}, "SY309"),
        ({"SKILL.md": "no front matter"}, "SY107"),
        ({"SKILL.md": "---\nname: other\ndescription: d\n---\nx\n"}, "SY204"),
    ],
)
def test_a_file_that_a_package_may_not_hold_is_refused(
    yard: Skillyard, put: dict[str, str | bytes], code: str
) -> None:
    saved = save(yard)

    with pytest.raises(InvalidPackageError) as caught:
        yard.edit(EditSkill(reference="pdf", put=put))

    assert code in {one.code for one in caught.value.diagnostics}
    assert yard.get("pdf").skill == saved.skill


def test_removing_a_file_that_is_not_there_is_refused(yard: Skillyard) -> None:
    save(yard)

    with pytest.raises(SkillFileNotFoundError) as caught:
        yard.edit(EditSkill(reference="pdf", removed=("scripts/none.sh",)))

    assert caught.value.message == "`pdf` 1.0.0 has no file `scripts/none.sh`"


@pytest.mark.requirement("STO-8")
def test_an_edit_of_an_older_version_is_told_who_was_first(store: Store) -> None:
    save(make_yard(store))
    make_yard(store, actor="bob").edit(EditSkill(reference="pdf", put={"references/a.md": "A"}))

    with pytest.raises(StaleWriteError) as caught:
        make_yard(store).edit(
            EditSkill(reference="pdf", put={"references/b.md": "B"}, base=Version(1))
        )

    assert (caught.value.by, caught.value.version) == ("bob", "1.0.1")


def test_a_new_description_goes_into_the_front_matter(yard: Skillyard) -> None:
    save(yard)

    saved = yard.edit(EditSkill(reference="pdf", description="Fills forms: all of them"))

    assert saved.skill.facts.description == "Fills forms: all of them"
    text = (yard.package("pdf").skill_md or b"").decode()
    assert text == make_package("pdf").skill_md.decode().replace(  # type: ignore[union-attr]
        "description: Helps with pdf. Use when a task mentions pdf.",
        'description: "Fills forms: all of them"',
    )


def test_a_skill_is_found_by_slug_by_owner_and_slug_and_by_id(yard: Skillyard) -> None:
    saved = save(yard)

    for reference in ("pdf", "people/pdf", saved.skill.id):
        assert yard.get(reference).skill == saved.skill


def test_a_wrong_name_is_an_error_that_names_the_nearest(yard: Skillyard) -> None:
    save(yard, "pdf-forms")

    with pytest.raises(SkillNotFoundError) as caught:
        yard.get("pdf-form")

    assert caught.value.hints == ("Did you mean `pdf-forms`?",)


def test_a_slug_that_only_plugins_have_must_be_named_with_its_owner(store: Store) -> None:
    yard = make_yard(store)
    yard.actor = Actor("x", Door.PLUGIN)
    for owner in ("acme", "zeta"):
        yard.save(SaveSkill(package=make_package("pdf"), kind=SourceKind.PLUGIN, owner=owner))

    with pytest.raises(AmbiguousSkillError) as caught:
        yard.get("pdf")

    assert caught.value.references == ("acme/pdf", "zeta/pdf")


@pytest.mark.requirement("STO-3")
def test_a_version_shows_its_files_with_type_and_size(yard: Skillyard) -> None:
    saved = save(yard, files={"scripts/run.sh": PackageFile(b"ls\n", executable=True)})

    details = yard.get("pdf")

    assert [
        (one.path, one.size, one.content_type, one.executable) for one in details.listing.files
    ][1:] == [("scripts/run.sh", 3, "application/x-sh", True)]
    assert details.version == saved.version
    assert isinstance(details.listing.digest, TreeDigest)


def test_a_list_comes_in_parts(yard: Skillyard) -> None:
    for name in "abcde":
        save(yard, name)

    first = yard.list(most=2)
    second = yard.list(most=2, after=first.next)
    third = yard.list(most=2, after=second.next)

    assert [[one.slug for one in page.entries] for page in (first, second, third)] == [
        ["a", "b"],
        ["c", "d"],
        ["e"],
    ]
    assert third.next is None
