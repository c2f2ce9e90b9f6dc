"""What exporting promises, on every store and from one to the other."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path, PurePath

import pytest
from inline_snapshot import snapshot

from skillyard.adapters.db.opening import open_store
from skillyard.application.assign import AssignSkill
from skillyard.application.exporting import ExportedSkill, ExportSkill
from skillyard.application.importing import OnConflict
from skillyard.application.ports.store import Store
from skillyard.application.save import Outcome, SavedSkill, SaveSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.errors import (
    SkillNotFoundError,
    SkillyardError,
    TargetExistsError,
    VersionNotFoundError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Author, Confidence
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.version import Version
from skillyard.library import digest
from skillyard.skillmd.bundles import Form
from skillyard.testing.clock import FixedClock
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import make_yard, save

FORMS = [*Form, None]
ENDINGS = {Form.ZIP: ".zip", Form.TAR_GZ: ".tar.gz", Form.JSON: ".json", None: ""}
TRUST = ("confidence", "author", "agents")
SAID_BY_PEOPLE = FactChanges(
    display_name="Formulare ausfüllen 📝",
    category="security",
    tags=("forms", "2026"),
    requires_tools=("bash", "python3"),
    requires=("ocr",),
    agents=("reviewer",),
)


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


@pytest.fixture
def sqlite_yard(sqlite_url: str) -> Iterator[Skillyard]:
    with make_yard(open_store(sqlite_url)) as yard:
        yield yard


@pytest.fixture
def postgres_yard(postgres_url: str) -> Iterator[Skillyard]:
    with make_yard(open_store(postgres_url)) as yard:
        yard.clock = FixedClock(datetime(2031, 5, 6, 7, 8, 9, 10_000, tzinfo=UTC))
        yield yard


def rich_package(**fields: str) -> Package:
    lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in fields.items())
    front = f"---\nname: pdf\ndescription: Füllt Formulare. Use when asked.\n{lines}---\n"
    return Package.of(
        {
            "SKILL.md": f"{front}\n# Schritte\n\n1. Öffnen. \u2028 2. Füllen.\n",
            "assets/logo.png": b"\x89PNG\r\n\x1a\n\0\xff\xfe",
            "assets/empty.bin": b"",
            "references/dos.md": "eins\r\nzwei\r\n\r\n",
            "references/größe.md": "mm\u00b2\n",
            "scripts/fill.sh": PackageFile(b"#!/bin/sh\necho fill\n", executable=True),
        }
    )


def save_rich(yard: Skillyard, **fields: str) -> None:
    package = rich_package(**fields)
    yard.save(SaveSkill(package=package, directory="pdf", version=Version.parse("2.3.4-rc.1")))
    yard.change("pdf", SAID_BY_PEOPLE)


def export(
    yard: Skillyard, target: PurePath, form: Form | None, reference: str = "pdf"
) -> ExportedSkill:
    wish = ExportSkill(reference=reference, target=target, form=form)
    return next(yard.export([wish]))


def read_tree(path: Path) -> dict[str, tuple[bytes, bool]]:
    """Give a file, or every file below a directory, with its executable bit."""
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return {
        one.relative_to(path).as_posix(): (one.read_bytes(), bool(one.stat().st_mode & 0o100))
        for one in files
    }


def without_trust(tree: dict[str, tuple[bytes, bool]]) -> dict[str, object]:
    """Give a tree whose manifest.json says nothing of what each store decides for itself."""
    if "manifest.json" not in tree:
        return dict(tree)
    said = json.loads(tree["manifest.json"][0])
    kept = {key: value for key, value in said.items() if key not in TRUST}
    return {**tree, "manifest.json": list(kept.items())}


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "fields",
    [{}, {"version": "1.0.0", "category": "ops", "tags": "[a, b]", "display_name": "PDF"}],
    ids=["silent", "stating-otherwise"],
)
def test_an_export_comes_back_from_another_store_byte_for_byte(
    sqlite_yard: Skillyard,
    postgres_yard: Skillyard,
    tmp_path: Path,
    form: Form | None,
    fields: dict[str, str],
) -> None:
    save_rich(sqlite_yard, **fields)
    first, second = (tmp_path / one / f"pdf{ENDINGS[form]}" for one in ("first", "second"))
    export(sqlite_yard, first, form)

    postgres_yard.apply_import(postgres_yard.plan_import(first))
    export(postgres_yard, second, form)

    assert without_trust(read_tree(second)) == without_trust(read_tree(first))
    assert postgres_yard.package("pdf") == rich_package(**fields)


@pytest.mark.requirement("WIR-1", "PLG-5")
def test_a_directory_that_was_imported_is_exported_and_imported_without_any_change(
    sqlite_yard: Skillyard, postgres_yard: Skillyard, tmp_path: Path
) -> None:
    save_rich(sqlite_yard)
    export(sqlite_yard, tmp_path / "a" / "pdf", None)
    postgres_yard.apply_import(postgres_yard.plan_import(tmp_path / "a" / "pdf"))
    export(postgres_yard, tmp_path / "b" / "pdf", None)
    said = json.loads((tmp_path / "b" / "pdf" / "manifest.json").read_bytes())

    assert (said["confidence"], said["agents"]) == ("low", "*")
    assert said["author"] == {"type": "imported", "source": str(tmp_path / "a" / "pdf")}

    postgres_yard.delete("pdf")
    (tmp_path / "a").rename(tmp_path / "gone")
    (tmp_path / "b").rename(tmp_path / "a")
    postgres_yard.apply_import(postgres_yard.plan_import(tmp_path / "a" / "pdf"))
    export(postgres_yard, tmp_path / "c" / "pdf", None)
    assert read_tree(tmp_path / "c") == read_tree(tmp_path / "a")


@pytest.mark.requirement("WIR-1", "PLG-4")
@pytest.mark.parametrize("form", [Form.JSON, None])
def test_an_export_that_overwrites_is_exported_byte_for_byte(
    sqlite_yard: Skillyard, postgres_yard: Skillyard, tmp_path: Path, form: Form | None
) -> None:
    save_rich(sqlite_yard)
    first, second = (tmp_path / one / f"pdf{ENDINGS[form]}" for one in ("first", "second"))
    export(sqlite_yard, first, form)
    save(postgres_yard, changes=FactChanges(display_name="Old", tags=("old",), category="ops"))

    plan = postgres_yard.plan_import(first)
    postgres_yard.apply_import(plan, OnConflict.OVERWRITE)
    export(postgres_yard, second, form)

    assert without_trust(read_tree(second)) == without_trust(read_tree(first))


@pytest.mark.requirement("WIR-1", "PLG-4")
@pytest.mark.parametrize("form", FORMS)
def test_an_export_that_was_renamed_goes_on_byte_for_byte(
    sqlite_yard: Skillyard, postgres_yard: Skillyard, tmp_path: Path, form: Form | None
) -> None:
    save_rich(sqlite_yard)
    offered = tmp_path / f"pdf{ENDINGS[form]}"
    export(sqlite_yard, offered, form)
    first, second = (tmp_path / one / f"pdf-2{ENDINGS[form]}" for one in ("first", "second"))
    save(postgres_yard)
    plan = postgres_yard.plan_import(offered)
    postgres_yard.apply_import(plan, OnConflict.RENAME)
    export(postgres_yard, first, form, "pdf-2")

    sqlite_yard.apply_import(sqlite_yard.plan_import(first))
    export(sqlite_yard, second, form, "pdf-2")

    assert without_trust(read_tree(second)) == without_trust(read_tree(first))
    assert sqlite_yard.package("pdf-2") == postgres_yard.package("pdf-2")


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("form", FORMS)
def test_what_has_nothing_to_do_with_a_version_changes_no_byte(
    yard: Skillyard, tmp_path: Path, form: Form | None
) -> None:
    save_rich(yard)
    export(yard, tmp_path / "before", form)
    yard.assign(AssignSkill(reference="pdf", subject=GLOBAL, priority=7))
    yard.disable("pdf")
    yard.clock = FixedClock(datetime(2040, 1, 1, tzinfo=UTC))

    export(yard, tmp_path / "after", form)

    assert read_tree(tmp_path / "after") == read_tree(tmp_path / "before")


@pytest.mark.requirement("WIR-1")
def test_portable_json_says_what_the_store_knows(yard: Skillyard) -> None:
    package = Package.of(
        {
            "SKILL.md": (
                "---\nname: pdf\ndescription: Fills forms. Use when asked.\n"
                "category: ops\nmetadata:\n  author: acme\n---\n\nFill.\n"
            ),
            "scripts/fill.sh": PackageFile(b"#!/bin/sh\n", executable=True),
        }
    )
    yard.save(SaveSkill(package=package, version=Version.parse("2.3.4-rc.1")))
    yard.change("pdf", SAID_BY_PEOPLE)

    assert json.loads(yard.render("pdf", Form.JSON)) == snapshot(
        {
            "formatVersion": 2,
            "skill": {
                "name": "Formulare ausfüllen 📝",
                "slug": "pdf",
                "description": "Fills forms. Use when asked.",
                "category": "security",
                "tags": ["forms", "2026"],
                "version": "2.3.4-rc.1",
                "requiresTools": ["bash", "python3"],
                "content": """\
---
name: pdf
description: Fills forms. Use when asked.
category: ops
metadata:
  author: acme
---

Fill.
""",
                "files": [
                    {
                        "path": "scripts/fill.sh",
                        "content": "#!/bin/sh\n",
                        "executable": True,
                        "contentType": "application/x-sh",
                    }
                ],
            },
            "metadata": {
                "exportedAt": "2026-01-02T03:04:05.678Z",
                "exportedFrom": "skillyard",
                "author": "acme",
                "digest": "sha256:39c632eeb0e36801980966dd08ca7a192b4dbcf0068ddf799b6d62cc82a2258c",
            },
        }
    )


@pytest.mark.requirement("PKG-6", "WIR-1")
def test_a_plain_directory_has_a_manifest_that_says_who_wrote_it(
    yard: Skillyard, tmp_path: Path
) -> None:
    save_rich(yard)

    exported = export(yard, tmp_path / "pdf", None)

    assert exported.generated == ("manifest.json",)
    assert exported.digest == rich_package().digest()
    assert json.loads((tmp_path / "pdf" / "manifest.json").read_bytes()) == snapshot(
        {
            "name": "pdf",
            "version": "2.3.4-rc.1",
            "description": "Füllt Formulare. Use when asked.",
            "confidence": "medium",
            "author": {"type": "system"},
            "agents": ["reviewer"],
            "tags": ["forms", "2026"],
            "created": "2026-01-02T03:04:05.678Z",
            "updated": "2026-01-02T03:04:05.678Z",
            "requires": ["ocr"],
            "generator": "skillyard",
            "digest": "sha256:dd3cb93b916829a202c336bd7ad81d9e79d7e8850019c29e7b670ceecaba5046",
        }
    )


@pytest.mark.requirement("PKG-6")
@pytest.mark.parametrize("path", ["manifest.json", "Manifest.JSON", "manifest.json/a.md"])
def test_a_package_with_such_a_file_of_its_own_is_laid_out_as_it_is(
    yard: Skillyard, tmp_path: Path, path: str
) -> None:
    save(yard, files={path: '{"name": "pdf"}\n'})

    exported = export(yard, tmp_path / "pdf", None)

    assert exported.generated == ()
    assert digest(tmp_path / "pdf") == yard.get("pdf").skill.digest


@pytest.mark.requirement("PKG-5", "PKG-6")
@pytest.mark.parametrize(
    "files",
    [
        {f"references/{number}.md": "x" for number in range(511)},
        {f"references/{number}.md": "x" * 204_000 for number in range(5)}
        | {"references/rest.md": "x" * 28_400},
    ],
    ids=["files", "bytes"],
)
def test_a_package_that_is_as_large_as_it_may_be_gets_no_file_on_top(
    yard: Skillyard, tmp_path: Path, files: dict[str, str]
) -> None:
    save(yard, files=files)

    export(yard, tmp_path / "pdf", None)

    assert not (tmp_path / "pdf" / "manifest.json").exists()
    assert add_only(yard, tmp_path / "pdf") is Outcome.UNCHANGED


def add_only(yard: Skillyard, path: Path) -> Outcome:
    (saved,) = yard.add(path)
    assert isinstance(saved, SavedSkill), saved
    return saved.outcome


@pytest.mark.requirement("PKG-6", "WIR-1")
def test_an_exported_directory_is_added_again_as_the_same_content(
    yard: Skillyard, tmp_path: Path
) -> None:
    save_rich(yard)
    export(yard, tmp_path / "pdf", None)

    assert add_only(yard, tmp_path / "pdf") is Outcome.UNCHANGED
    assert yard.package("pdf") == rich_package()
    assert len(yard.history("pdf").versions) == 1


@pytest.mark.requirement("PKG-6")
def test_an_exported_directory_that_was_edited_is_a_new_version_without_the_manifest(
    yard: Skillyard, tmp_path: Path
) -> None:
    save_rich(yard)
    export(yard, tmp_path / "pdf", None)
    (tmp_path / "pdf" / "references" / "dos.md").write_bytes(b"drei\n")

    assert add_only(yard, tmp_path / "pdf") is Outcome.SAVED
    assert str(yard.get("pdf").skill.current) == "2.3.4"
    assert sorted(yard.package("pdf").files) == sorted(rich_package().files)
    assert yard.get("pdf").skill.facts.tags == ("forms", "2026")


@pytest.mark.requirement("PKG-6")
def test_an_exported_directory_brings_its_facts_where_a_person_adds_it(
    yard: Skillyard, tmp_path: Path
) -> None:
    save_rich(yard)
    yard.change("pdf", FactChanges(confidence=Confidence.HIGH, author=Author("earned", "scout")))
    export(yard, tmp_path / "pdf", None)
    yard.delete("pdf")

    assert add_only(yard, tmp_path / "pdf") is Outcome.CREATED

    skill = yard.get("pdf").skill
    assert skill.digest == rich_package().digest()
    assert str(skill.current) == "2.3.4-rc.1"
    assert (skill.facts.tags, skill.facts.requires) == (("forms", "2026"), ("ocr",))
    assert skill.facts.agents == ("reviewer",)
    assert skill.facts.confidence is Confidence.MEDIUM


@pytest.mark.requirement("WIR-1", "STO-4")
def test_an_older_version_is_exported_with_its_own_content(yard: Skillyard, tmp_path: Path) -> None:
    save(yard, body="First.\n")
    save(yard, body="Second.\n")
    wish = ExportSkill(reference="pdf", target=tmp_path / "pdf", version=Version.parse("1.0.0"))

    (exported,) = yard.export([wish])

    assert str(exported.version) == "1.0.0"
    assert (tmp_path / "pdf" / "SKILL.md").read_text().endswith("First.\n")


@pytest.mark.requirement("WIR-1")
def test_several_skills_get_their_names_in_one_directory(yard: Skillyard, tmp_path: Path) -> None:
    for name in ("pdf", "tables"):
        save(yard, name)
    wishes = [
        ExportSkill(reference=name, target=tmp_path / "out", form=form, inside=True)
        for name, form in (("pdf", Form.TAR_GZ), ("tables", None))
    ]

    list(yard.export(wishes))

    out = tmp_path / "out"
    assert sorted(one.relative_to(out).as_posix() for one in out.rglob("*")) == [
        "pdf.tar.gz",
        "tables",
        "tables/SKILL.md",
        "tables/manifest.json",
    ]


@pytest.mark.parametrize(
    ("wishes", "expected"),
    [
        ([{"reference": "pdf"}, {"reference": "nobody"}], SkillNotFoundError),
        ([{"reference": "pdf"}, {"reference": "pdf"}], TargetExistsError),
        ([{"reference": "pdf", "version": Version(9)}], VersionNotFoundError),
        ([{"reference": "pdf"}, {"reference": "taken"}], TargetExistsError),
        ([{"reference": "pdf"}, {"reference": "taken", "form": None}], TargetExistsError),
    ],
    ids=["unknown", "twice", "version", "file", "directory"],
)
def test_nothing_is_written_where_one_of_several_cannot_be(
    yard: Skillyard,
    tmp_path: Path,
    wishes: list[dict[str, object]],
    expected: type[SkillyardError],
) -> None:
    for name in ("pdf", "taken"):
        save(yard, name)
    (tmp_path / "taken.zip").write_text("mine")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "mine").touch()
    made = [
        ExportSkill(target=tmp_path, inside=True, **{"form": Form.ZIP, **wish})  # type: ignore[arg-type]
        for wish in wishes
    ]

    with pytest.raises(expected):
        list(yard.export(made))

    assert not (tmp_path / "pdf.zip").exists()


def test_a_file_is_replaced_only_where_that_is_wished(yard: Skillyard, tmp_path: Path) -> None:
    save(yard)
    target = tmp_path / "pdf.json"
    target.write_text("mine")
    wish = ExportSkill(reference="pdf", target=target, form=Form.JSON, replace=True)

    with pytest.raises(TargetExistsError):
        export(yard, target, Form.JSON)
    assert target.read_text() == "mine"

    list(yard.export([wish], dry_run=True))
    assert target.read_text() == "mine"

    list(yard.export([wish]))
    assert target.read_bytes() == yard.render("pdf", Form.JSON)
