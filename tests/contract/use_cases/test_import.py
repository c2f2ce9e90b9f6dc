"""What importing promises, on every store."""

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.application.exporting import ExportSkill
from skillyard.application.importing import (
    ImportOutcome,
    ImportPlan,
    OnConflict,
    PlanImport,
    Standing,
    require_harmless,
)
from skillyard.application.ports.store import Store
from skillyard.domain.audit import AuditFilter
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.errors import (
    InvalidFactError,
    InvalidInputError,
    InvalidNameError,
    InvalidPackageError,
    NotAllowedError,
    SkillNotFoundError,
    SlugTakenError,
    StaleWriteError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Author, Confidence
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.scan import ScanReport
from skillyard.domain.skill import Door, Provenance, SkillFacts, SourceKind
from skillyard.domain.version import Version
from skillyard.skillmd.bundles import Form
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.contract.use_cases.meddling import MeddledStore
from tests.contract.use_cases.yards import count_rows, make_yard, save
from tests.corpus.hostile_archives import HostileArchive, list_hostile_archives

FORMS = [*Form, None]
ENDINGS = {Form.ZIP: ".zip", Form.TAR_GZ: ".tar.gz", Form.JSON: ".json", None: ""}
HOSTILE = list_hostile_archives()[::7]
NOW = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
FRONT = "---\nname: pdf\ndescription: Fills forms. Use when asked.\n"
FILES: Mapping[str, PackageFile | bytes | str] = {
    "assets/logo.png": b"\x89PNG\r\n\x1a\n\0\xff",
    "references/dos.md": "eins\r\nzwei\r\n",
    "references/größe.md": "mm\u00b2\n",
    "scripts/fill.sh": PackageFile(b"#!/bin/sh\n", executable=True),
}


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def offer(directory: Path, package: Package, name: str = "pdf") -> Path:
    """Write a package below `directory`, as its author would have it."""
    for path, file in package.files.items():
        target = directory / name / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(0o755 if file.executable else 0o644)
    return directory / name


def offer_json(directory: Path, front: str = FRONT, **members: object) -> Path:
    """Write portable JSON as others do; `metadata` is beside the skill."""
    metadata = members.pop("metadata", None)
    skill = {"slug": "pdf", "content": f"{front}---\n\nFill.\n", **members}
    bundle = {"formatVersion": 2, "skill": skill, "metadata": metadata}
    path = directory / "bundle.json"
    path.write_text(json.dumps(bundle), encoding="utf-8")
    return path


def take(
    yard: Skillyard, *paths: Path, on_conflict: OnConflict | None = None, **wish: str
) -> list[tuple[str, ImportOutcome]]:
    """Import, and give what became of each."""
    plan = yard.plan_import(*paths, wish=PlanImport(**wish))  # type: ignore[arg-type]
    assert plan.refused == ()
    return [(one.slug, one.outcome) for one in yard.apply_import(plan, on_conflict)]


def facts_of(yard: Skillyard) -> SkillFacts:
    return yard.get("pdf").skill.facts


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_brings_back_the_same_content(
    yard: Skillyard, tmp_path: Path, form: Form | None
) -> None:
    saved = save(yard, files=FILES)
    target = tmp_path / f"pdf{ENDINGS[form]}"
    list(yard.export([ExportSkill(reference="pdf", target=target, form=form)]))
    yard.delete("pdf")

    assert take(yard, target) == [("pdf", ImportOutcome.CREATED)]

    assert yard.package("pdf") == make_package("pdf", files=FILES)
    assert yard.get("pdf").skill.digest == saved.skill.digest


@pytest.mark.requirement("PLG-5", "STO-2")
def test_what_comes_from_outside_is_imported_and_unproven(yard: Skillyard, tmp_path: Path) -> None:
    path = offer(tmp_path, make_package("pdf"))

    take(yard, path, message="from a friend")

    skill = yard.get("pdf").skill
    assert skill.source_kind is SourceKind.IMPORTED
    assert skill.provenance == Provenance(Door.IMPORT, str(path))
    assert skill.facts.author == Author("imported", source=str(path))
    assert skill.facts.confidence is Confidence.LOW
    assert yard.get("pdf").version.message == "from a friend"
    (entry,) = yard.audit(AuditFilter(target="skill:pdf"))
    assert (entry.action, entry.actor, entry.door) == ("skill.created", "ada", "import")


@pytest.mark.requirement("PLG-5")
def test_the_place_is_kept_as_it_was_typed(
    yard: Skillyard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, make_package("pdf"))
    monkeypatch.chdir(tmp_path)

    take(yard, Path("pdf"))

    assert yard.get("pdf").skill.provenance.ref == "pdf"


@pytest.mark.requirement("PLG-5")
def test_the_person_who_confirms_may_trust_it_somewhat(yard: Skillyard, tmp_path: Path) -> None:
    path = offer(tmp_path, make_package("pdf"))

    take(yard, path, confidence=Confidence.MEDIUM)

    assert facts_of(yard).confidence is Confidence.MEDIUM


@pytest.mark.requirement("PLG-5", "PKG-6")
@pytest.mark.parametrize("generator", [None, "skillyard"])
def test_what_a_package_claims_about_trust_is_not_heard(
    yard: Skillyard, tmp_path: Path, generator: str | None
) -> None:
    claims = {
        "name": "pdf",
        "confidence": "high",
        "author": {"type": "system"},
        "agents": ["reviewer"],
        "generator": generator,
        "digest": str(make_package("pdf").digest()),
    }
    path = offer(tmp_path, make_package("pdf", files={"manifest.json": json.dumps(claims)}))

    take(yard, path)

    skill = yard.get("pdf").skill
    assert skill.source_kind is SourceKind.IMPORTED
    assert skill.facts.confidence is Confidence.LOW
    assert skill.facts.agents is None
    assert skill.facts.author.type == "imported"


@pytest.mark.requirement("PKG-6", "WIR-1")
def test_the_manifest_of_an_exported_directory_is_not_heard_once_its_files_were_changed(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard, version=Version(4), changes=FactChanges(tags=("forms",), requires=("ocr",)))
    list(yard.export([ExportSkill(reference="pdf", target=tmp_path / "pdf")]))
    yard.delete("pdf")
    (tmp_path / "pdf" / "more.md").write_text("More.\n")

    (done,) = yard.apply_import(yard.plan_import(tmp_path / "pdf"))

    assert done.saved is not None
    assert done.saved.notes == (
        "the manifest.json of an export describes other files, and is not heard",
    )
    assert sorted(yard.package("pdf").files) == ["SKILL.md", "more.md"]
    assert str(yard.get("pdf").version.version) == "1.0.0"
    assert (facts_of(yard).tags, facts_of(yard).requires) == ((), ())


@pytest.mark.requirement("PKG-6")
def test_a_manifest_of_the_package_itself_is_part_of_it(yard: Skillyard, tmp_path: Path) -> None:
    own = json.dumps({"name": "pdf", "version": "4.5.6", "tags": ["forms"], "generator": "other"})
    package = make_package("pdf", files={"manifest.json": own})

    take(yard, offer(tmp_path, package))

    assert yard.package("pdf") == package
    assert str(yard.get("pdf").skill.current) == "4.5.6"
    assert facts_of(yard).tags == ("forms",)


@pytest.mark.requirement("WIR-1", "STO-3")
@pytest.mark.parametrize("on_conflict", [None, *OnConflict])
def test_importing_what_is_there_changes_nothing(
    yard: Skillyard, store: Store, tmp_path: Path, on_conflict: OnConflict | None
) -> None:
    save(yard, changes=FactChanges(tags=("mine",)))
    before = yard.get("pdf"), count_rows(store)
    path = offer(tmp_path, make_package("pdf"))

    assert take(yard, path, on_conflict=on_conflict) == [("pdf", ImportOutcome.UNCHANGED)]

    assert (yard.get("pdf"), count_rows(store)) == before


@pytest.mark.requirement("WIR-1", "PLG-4")
def test_without_an_answer_a_taken_name_is_an_error_that_names_the_choices(
    yard: Skillyard, store: Store, tmp_path: Path
) -> None:
    save(yard)
    before = yard.get("pdf"), count_rows(store)
    plan = yard.plan_import(offer(tmp_path, make_package("pdf", body="Other.\n")))

    assert [one.standing for one in plan.offers] == [Standing.TAKEN]
    with pytest.raises(SlugTakenError) as caught:
        yard.apply_import(plan)

    assert all(one.value in caught.value.hints[0] for one in OnConflict)
    assert (yard.get("pdf"), count_rows(store)) == before


@pytest.mark.requirement("WIR-1", "PLG-4", "PLG-5")
def test_overwriting_saves_a_new_version_that_is_imported(yard: Skillyard, tmp_path: Path) -> None:
    save(yard, changes=FactChanges(agents=("reviewer",), tags=("mine",)))
    path = offer(tmp_path, make_package("pdf", body="Other.\n"))

    assert take(yard, path, on_conflict=OnConflict.OVERWRITE) == [("pdf", ImportOutcome.SAVED)]

    found = yard.get("pdf")
    assert (str(found.version.version), str(found.version.base)) == ("1.0.1", "1.0.0")
    assert found.skill.source_kind is SourceKind.IMPORTED
    assert found.skill.provenance == Provenance(Door.IMPORT, str(path))
    assert found.skill.facts.author == Author("imported", source=str(path))
    assert found.skill.facts.confidence is Confidence.LOW
    assert (found.skill.facts.agents, found.skill.facts.tags) == (("reviewer",), ("mine",))
    assert yard.package("pdf", version="1.0.0") == make_package("pdf")


@pytest.mark.requirement("PLG-4", "STO-3")
@pytest.mark.parametrize(
    ("stated", "saved"), [("3.1.0", "3.1.0"), ("2.0.0", "2.0.1"), ("1.5.0", "2.0.1")]
)
def test_overwriting_takes_the_stated_number_only_where_it_is_the_next(
    yard: Skillyard, tmp_path: Path, stated: str, saved: str
) -> None:
    save(yard)
    save(yard, body="Second.\n", version=Version(2))
    path = offer_json(tmp_path, version=stated)

    take(yard, path, on_conflict=OnConflict.OVERWRITE)

    assert str(yard.get("pdf").skill.current) == saved


@pytest.mark.requirement("WIR-1", "STO-3")
def test_a_number_that_nobody_can_have_counted_to_does_not_come_in(
    yard: Skillyard, tmp_path: Path
) -> None:
    plan = yard.plan_import(offer_json(tmp_path, version="999999999.0.0"))

    (done,) = yard.apply_import(plan)

    assert [one.version for one in plan.offers] == [None]
    assert done.saved is not None
    assert str(done.saved.version.version) == "1.0.0"
    (note,) = done.saved.notes
    assert note.startswith("the package says version 999999999.0.0, which has a part above")


@pytest.mark.requirement("PLG-4", "STO-3")
@pytest.mark.parametrize("is_in_skill_md", [True, False])
def test_overwriting_takes_no_number_between_those_that_are_there(
    yard: Skillyard, tmp_path: Path, *, is_in_skill_md: bool
) -> None:
    save(yard)
    save(yard, body="Second.\n", version=Version(2))
    yard.roll_back("pdf", "1.0.0")
    stated = {} if is_in_skill_md else {"version": "1.5.0"}
    path = offer_json(tmp_path, f"{FRONT}version: 1.5.0\n" if is_in_skill_md else FRONT, **stated)

    take(yard, path, on_conflict=OnConflict.OVERWRITE)

    assert str(yard.get("pdf").skill.current) == "1.0.1"


@pytest.mark.requirement("PLG-4", "STO-8")
def test_a_skill_that_was_deleted_since_the_look_does_not_come_back(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard)
    plan = yard.plan_import(offer(tmp_path, make_package("pdf", body="Other.\n")))
    yard.delete("pdf")

    with pytest.raises(SkillNotFoundError):
        yard.apply_import(plan, OnConflict.OVERWRITE)

    assert yard.list().entries == ()


@pytest.mark.requirement("PLG-4", "STO-8")
def test_a_skill_that_was_made_in_its_place_since_the_look_is_not_overwritten(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard)
    plan = yard.plan_import(offer(tmp_path, make_package("pdf", body="Other.\n")))
    yard.delete("pdf")
    other = save(yard, body="Another one.\n")

    with pytest.raises(StaleWriteError):
        yard.apply_import(plan, OnConflict.OVERWRITE)

    assert yard.get("pdf").skill == other.skill


@pytest.mark.requirement("PLG-4", "PLG-5")
def test_overwriting_leaves_alone_whom_people_gave_the_skill_to_since_the_look(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard)
    claims = json.dumps({"name": "pdf", "agents": ["theirs"]})
    package = make_package("pdf", files={"manifest.json": claims})
    plan = yard.plan_import(offer(tmp_path, package))
    yard.change("pdf", FactChanges(agents=("reviewer",)))

    yard.apply_import(plan, OnConflict.OVERWRITE)

    assert facts_of(yard).agents == ("reviewer",)


@pytest.mark.requirement("PLG-4", "STO-8")
def test_what_was_changed_since_the_look_is_not_overwritten(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard)
    other = offer(tmp_path, make_package("ocr"), "ocr")
    mine = offer(tmp_path, make_package("pdf", body="Other.\n"))
    plan = yard.plan_import(other, mine)
    save(yard, body="Someone else's.\n")

    with pytest.raises(StaleWriteError):
        yard.apply_import(plan, OnConflict.OVERWRITE)

    assert [one.slug for one in yard.list().entries] == ["pdf"]
    assert yard.package("pdf") == make_package("pdf", body="Someone else's.\n")


@pytest.mark.requirement("PLG-4")
def test_a_name_that_was_free_at_the_look_is_not_taken_over(
    yard: Skillyard, tmp_path: Path
) -> None:
    plan = yard.plan_import(offer(tmp_path, make_package("pdf", body="Other.\n")))
    save(yard)

    with pytest.raises(SlugTakenError):
        yard.apply_import(plan, OnConflict.OVERWRITE)

    assert yard.package("pdf") == make_package("pdf")


@pytest.mark.requirement("WIR-1", "PLG-4")
def test_skipping_leaves_everything_alone(yard: Skillyard, store: Store, tmp_path: Path) -> None:
    save(yard)
    before = yard.get("pdf"), count_rows(store)
    path = offer(tmp_path, make_package("pdf", body="Other.\n"))

    assert take(yard, path, on_conflict=OnConflict.SKIP) == [("pdf", ImportOutcome.SKIPPED)]

    assert (yard.get("pdf"), count_rows(store)) == before


@pytest.mark.requirement("WIR-1", "PLG-4")
def test_renaming_takes_the_first_free_number_and_says_so_in_the_front_matter(
    yard: Skillyard, tmp_path: Path
) -> None:
    save(yard)
    save(yard, "pdf-2")
    path = offer(tmp_path, make_package("pdf", body="Other.\n", files=FILES))

    assert take(yard, path, on_conflict=OnConflict.RENAME) == [("pdf-3", ImportOutcome.CREATED)]

    text = yard.read_file("pdf-3", "SKILL.md").content.decode()
    assert text.startswith("---\nname: pdf-3\n")
    assert text.endswith("Other.\n")
    assert yard.get("pdf-3").skill.facts.display_name == "pdf-3"
    assert yard.package("pdf") == make_package("pdf")


@pytest.mark.requirement("PLG-4")
def test_a_made_up_name_is_not_one_that_comes_in_beside_it(yard: Skillyard, tmp_path: Path) -> None:
    save(yard)
    offer(tmp_path / "all", make_package("pdf", body="Other.\n"))
    offer(tmp_path / "all", make_package("pdf-2"), "pdf-2")

    assert take(yard, tmp_path / "all", on_conflict=OnConflict.RENAME) == [
        ("pdf-3", ImportOutcome.CREATED),
        ("pdf-2", ImportOutcome.CREATED),
    ]


@pytest.mark.requirement("PLG-4")
def test_renaming_again_finds_what_came_in_the_first_time(yard: Skillyard, tmp_path: Path) -> None:
    save(yard)
    path = offer(tmp_path, make_package("pdf", body="Other.\n"))
    take(yard, path, on_conflict=OnConflict.RENAME)

    assert take(yard, path, on_conflict=OnConflict.RENAME) == [("pdf-2", ImportOutcome.UNCHANGED)]


@pytest.mark.requirement("PLG-4")
def test_a_name_as_long_as_may_be_is_cut_for_its_number(yard: Skillyard, tmp_path: Path) -> None:
    name = f"{'a' * 61}-bc"
    save(yard, name)
    path = offer(tmp_path, make_package(name, body="Other.\n"), name)

    take(yard, path, on_conflict=OnConflict.RENAME)

    assert [one.slug for one in yard.list().entries] == [f"{'a' * 61}-2", name]


@pytest.mark.requirement("PLG-4")
def test_a_name_that_someone_takes_at_the_same_moment_is_made_up_again(
    yard: Skillyard, store: Store, tmp_path: Path
) -> None:
    save(yard)
    path = offer(tmp_path, make_package("pdf", body="Other.\n"))
    meddled = make_yard(MeddledStore(store, lambda: save(yard, "pdf-2")))

    assert take(meddled, path, on_conflict=OnConflict.RENAME) == [("pdf-3", ImportOutcome.CREATED)]


@pytest.mark.requirement("PLG-4")
def test_a_skill_can_be_given_another_name(yard: Skillyard, tmp_path: Path) -> None:
    path = offer_json(tmp_path, name="pdf", category="ops")

    assert take(yard, path, name="forms") == [("forms", ImportOutcome.CREATED)]

    facts = yard.get("forms").skill.facts
    assert (facts.display_name, facts.category) == ("forms", "ops")


@pytest.mark.requirement("PLG-4")
def test_another_name_helps_a_skill_whose_own_is_none(yard: Skillyard, tmp_path: Path) -> None:
    path = offer_json(tmp_path, FRONT.replace("name: pdf", "name: PDF Tools"))

    assert take(yard, path, name="pdf-tools") == [("pdf-tools", ImportOutcome.CREATED)]


@pytest.mark.parametrize("front", ["", "---\nname: pdf\n"])
def test_another_name_helps_nothing_else(yard: Skillyard, tmp_path: Path, front: str) -> None:
    path = offer_json(tmp_path, front)

    plan = yard.plan_import(path, wish=PlanImport(name="forms"))

    assert plan.offers == ()
    assert len(find_errors(plan)) == 1


@pytest.mark.parametrize(
    ("name", "count", "expected"),
    [("Not a name", 1, InvalidNameError), ("forms", 2, InvalidInputError)],
)
def test_a_name_is_for_one_skill_and_has_to_be_one(
    yard: Skillyard, tmp_path: Path, name: str, count: int, expected: type[InvalidInputError]
) -> None:
    for number in range(count):
        offer(tmp_path / "all", make_package(f"pdf-{number}"), f"pdf-{number}")

    with pytest.raises(expected):
        yard.plan_import(tmp_path / "all", wish=PlanImport(name=name))


@pytest.mark.requirement("TRU-1")
def test_a_broken_skill_is_named_and_the_others_come_in(
    yard: Skillyard, store: Store, tmp_path: Path
) -> None:
    for name in ("ocr", "pdf"):
        offer(tmp_path / "all", make_package(name), name)
    (tmp_path / "all" / "broken").mkdir()
    (tmp_path / "all" / "broken" / "SKILL.md").write_text("---\nname: broken\n---\n")
    before = count_rows(store)

    plan = yard.plan_import(tmp_path / "all")

    assert count_rows(store) == before
    assert [one.slug for one in plan.offers] == ["ocr", "pdf"]
    assert [one.location for one in plan.refused] == [str(tmp_path / "all" / "broken")]
    assert [type(one.error) for one in plan.refused] == [InvalidPackageError]
    yard.apply_import(plan)
    assert [one.slug for one in yard.list().entries] == ["ocr", "pdf"]


@pytest.mark.requirement("PLG-4")
def test_two_skills_of_one_name_do_not_come_in_together(yard: Skillyard, tmp_path: Path) -> None:
    paths = [
        offer(tmp_path / body, make_package("pdf", body=f"{body}\n")) for body in ("one", "two")
    ]

    plan = yard.plan_import(*paths, paths[0])

    assert [one.location for one in plan.offers] == [str(paths[0])]
    assert [(one.location, one.error.code) for one in plan.refused] == [
        (str(paths[1]), "slug-taken"),
        (str(paths[0]), "slug-taken"),
    ]


@pytest.mark.requirement("TRU-1", "PLG-5")
def test_the_plan_shows_what_a_person_should_see(yard: Skillyard, tmp_path: Path) -> None:
    save(yard, files={"references/dos.md": "eins\n"})
    path = offer(tmp_path, make_package("pdf", files=FILES))

    (shown,) = yard.plan_import(path).offers

    assert sorted(shown.package.files) == ["SKILL.md", *sorted(FILES)]
    assert shown.scan == ScanReport(uninspected=tuple(shown.package.files))
    assert not shown.scan.is_complete
    assert shown.known == yard.get("pdf").skill
    assert shown.difference is not None
    assert [(one.path, one.change.value) for one in shown.difference.files] == [
        ("assets/logo.png", "added"),
        ("references/dos.md", "changed"),
        ("references/größe.md", "added"),
        ("scripts/fill.sh", "added"),
    ]


class AlarmedScanner:
    """Finds something terrible in every package."""

    def scan(self, package: Package) -> ScanReport:
        del package
        finding = Diagnostic(code="X1", severity=Severity.ERROR, message="it phones home")
        return ScanReport(rules="alarm-1", findings=(finding,))


@pytest.mark.requirement("PLG-5", "TRU-1")
def test_the_plan_carries_what_the_scan_found(yard: Skillyard, tmp_path: Path) -> None:
    yard.scanner = AlarmedScanner()

    plan = yard.plan_import(offer(tmp_path, make_package("pdf")))

    assert [one.message for one in plan.dangers] == ["it phones home"]
    with pytest.raises(NotAllowedError):
        require_harmless(plan)


@pytest.mark.requirement("WIR-1")
def test_a_dry_run_writes_nothing(yard: Skillyard, store: Store, tmp_path: Path) -> None:
    save(yard)
    before = count_rows(store)
    paths = [
        offer(tmp_path, make_package("pdf", body="Other.\n")),
        offer(tmp_path, make_package("ocr"), "ocr"),
    ]
    plan = yard.plan_import(*paths)

    done = yard.apply_import(plan, OnConflict.RENAME, dry_run=True)

    assert [(one.slug, one.outcome) for one in done] == [
        ("pdf-2", ImportOutcome.CREATED),
        ("ocr", ImportOutcome.CREATED),
    ]
    assert count_rows(store) == before
    assert [one.slug for one in yard.list(EVERYTHING).entries] == ["pdf"]


@pytest.mark.requirement("WIR-1")
def test_a_bundle_of_others_says_what_skill_md_does_not(yard: Skillyard, tmp_path: Path) -> None:
    path = offer_json(
        tmp_path,
        name="Jira Triage",
        category="ops",
        tags=["jira", "Triage Rules"],
        version="1.2",
        requiresTools=["bash"],
        metadata={"exportedAt": "2026-02-20T12:00:00.123456+01:00", "exportedFrom": "nitejar"},
    )

    take(yard, path)

    found = yard.get("pdf")
    assert (facts_of(yard).display_name, facts_of(yard).category) == ("Jira Triage", "ops")
    assert facts_of(yard).tags == ("jira", "triage-rules")
    assert facts_of(yard).requires_tools == ("bash",)
    assert str(found.version.version) == "1.2.0"
    assert found.version.created_at == NOW


@pytest.mark.requirement("WIR-1", "PKG-2")
@pytest.mark.parametrize("digest", [None, f"sha256:{'0' * 64}", 5, {"a": 1}])
def test_skill_md_counts_before_a_bundle_that_no_store_wrote_for_it(
    yard: Skillyard, tmp_path: Path, digest: object
) -> None:
    stated = "version: 2.0.0\ncategory: coding\ntags: [own]\ndisplay-name: Own\n"
    path = offer_json(
        tmp_path,
        f"{FRONT}{stated}requires-tools: [git]\n",
        name="Theirs",
        category="ops",
        tags=["theirs"],
        version="3.0.0",
        requiresTools=["bash"],
        metadata={"exportedFrom": "skillyard", "digest": digest},
    )

    take(yard, path)

    facts = facts_of(yard)
    assert (facts.display_name, facts.category, facts.tags) == ("Own", "coding", ("own",))
    assert facts.requires_tools == ("git",)
    assert str(yard.get("pdf").skill.current) == "2.0.0"


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize(
    ("exported_at", "made_at"),
    [
        ("2025-02-20T12:00:00.123456+01:00", datetime(2025, 2, 20, 11, 0, 0, 123_000, tzinfo=UTC)),
        ("2000-01-01T00:00:00Z", datetime(2000, 1, 1, tzinfo=UTC)),
        (None, NOW),
        ("yesterday", NOW),
        ("2025-02-20T12:00:00", NOW),
        ("0001-01-01T00:00:00+14:00", NOW),
        ("9999-12-31T23:59:59-14:00", NOW),
        ("0001-01-01T00:00:00Z", NOW),
        ("1999-12-31T23:59:59.999Z", NOW),
        ("9999-12-31T23:59:59.999Z", NOW),
    ],
)
def test_a_moment_is_believed_where_it_can_be_the_one(
    yard: Skillyard, tmp_path: Path, exported_at: str | None, made_at: datetime
) -> None:
    digest = str(Package.of({"SKILL.md": f"{FRONT}---\n\nFill.\n"}).digest())
    metadata = {"exportedAt": exported_at, "digest": digest}

    take(yard, offer_json(tmp_path, metadata=metadata))

    assert yard.get("pdf").version.created_at == made_at


@pytest.mark.requirement("WIR-1")
def test_the_moment_of_a_bundle_that_describes_other_files_is_not_believed(
    yard: Skillyard, tmp_path: Path
) -> None:
    metadata = {"exportedAt": "2025-02-20T12:00:00Z", "digest": str(make_package("pdf").digest())}

    take(yard, offer_json(tmp_path, metadata=metadata))

    assert yard.get("pdf").version.created_at == NOW


@pytest.mark.requirement("TRU-1", "PKG-5")
def test_facts_that_cannot_be_kept_keep_a_skill_out(yard: Skillyard, tmp_path: Path) -> None:
    plan = yard.plan_import(offer_json(tmp_path, name="x" * 129, tags=["t"] * 3))

    assert plan.offers == ()
    assert [type(one.error) for one in plan.refused] == [InvalidFactError]


@pytest.mark.requirement("TRU-2")
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: ascii(case.name))
def test_a_hostile_bundle_leaves_nothing_behind(
    tmp_path: Path,
    sqlite_store: Store,
    monkeypatch: pytest.MonkeyPatch,
    case: HostileArchive,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yard = make_yard(sqlite_store)
    save(yard)
    path = tmp_path / f"bundle{ENDINGS[case.form]}"
    path.write_bytes(case.build())
    before = count_everything(yard), list_files(tmp_path)

    plan = yard.plan_import(path)
    done = yard.apply_import(plan, OnConflict.OVERWRITE)

    assert (plan.offers, done) == ((), ())
    assert find_errors(plan) == [case.code]
    assert (count_everything(yard), list_files(tmp_path)) == before


@pytest.fixture
def sqlite_store(sqlite_url: str) -> Iterator[Store]:
    store = open_store(sqlite_url)
    yield store
    store.close()


def find_errors(plan: ImportPlan) -> list[str]:
    errors = [one.error for one in plan.refused]
    return [
        finding.code
        for error in errors
        if isinstance(error, InvalidPackageError)
        for finding in error.diagnostics
        if finding.severity is Severity.ERROR
    ]


def count_everything(yard: Skillyard) -> tuple[object, ...]:
    with yard.store.view() as view:
        digests = tuple(view.packages.iter_digests())
        return (view.skills.count(EVERYTHING), digests, *count_rows(yard.store))


def list_files(directory: Path) -> list[str]:
    # The database's own files come and go while it is open.
    found = (one for one in os.listdir(directory) if not one.startswith("skillyard-"))  # noqa: PTH208
    return sorted(found)
