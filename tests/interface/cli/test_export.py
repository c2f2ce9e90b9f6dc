"""`skillyard export`, as a user runs it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tests.interface.cli.running import Ran, home_of, skillyard, write_skill


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give a working directory whose store holds the skills `notes` and `pdf`."""
    for name in ("notes", "pdf"):
        write_skill(tmp_path / "src" / name)
    assert skillyard("add", "src", cwd=tmp_path).status == 0
    return tmp_path


def list_made(directory: Path) -> list[str]:
    return sorted(
        one.relative_to(directory).as_posix()
        for one in directory.rglob("*")
        if one.is_file() and "src" not in one.parts
    )


def without_hashes(text: str) -> str:
    return re.sub(r"[0-9a-f]{64}", "HASH", text)


@pytest.mark.requirement("WIR-1", "INT-2")
@pytest.mark.parametrize("name", ["pdf.json", "pdf.zip", "pdf.tar.gz", "pdf.tgz", "pdf.skill"])
def test_the_ending_chooses_the_form(yard: Path, name: str) -> None:
    ran = skillyard("export", "pdf", "-o", name, cwd=yard)

    assert (ran.status, ran.err) == (0, "")
    assert list_made(yard) == [name]
    assert (
        skillyard("digest", name, cwd=yard).out[:71]
        == skillyard("digest", "src/pdf", cwd=yard).out[:71]
    )


@pytest.mark.requirement("WIR-1", "PKG-6")
@pytest.mark.parametrize(
    ("output", "more"),
    [("out/", ()), ("there", ()), ("out", ("--form", "directory")), ("out/pdf/", ())],
)
def test_a_directory_is_made_where_one_is_named(
    yard: Path, output: str, more: tuple[str, ...]
) -> None:
    (yard / "there").mkdir()

    ran = skillyard("export", "pdf", "-o", output, *more, cwd=yard)

    place = output.removesuffix("/")
    assert ran.status == 0
    assert list_made(yard) == [f"{place}/SKILL.md", f"{place}/manifest.json"]


@pytest.mark.requirement("WIR-1", "INT-2")
def test_it_says_what_it_wrote(yard: Path) -> None:
    ran = skillyard("export", "pdf", "-o", "pdf.zip", cwd=yard)
    laid = skillyard("export", "pdf", "-o", "out/pdf/", cwd=yard)

    assert without_hashes(ran.out + laid.out) == snapshot("""\
Wrote pdf.zip: pdf 1.0.0, 1 file, 181 bytes, sha256:HASH
Made out/pdf: pdf 1.0.0, 1 file and manifest.json, 454 bytes, sha256:HASH
""")


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("form", ["json", "zip", "tar.gz", "directory"])
def test_every_skill_is_written_below_a_directory(yard: Path, form: str) -> None:
    ran = skillyard("export", "--all", "-o", "out", "--form", form, "--json", cwd=yard)

    told = json.loads(ran.out)
    assert ran.status == 0
    assert [one["reference"] for one in told["skills"]] == ["notes", "pdf"]
    ending = "" if form == "directory" else f".{form}"
    assert [one["path"] for one in told["skills"]] == [f"out/notes{ending}", f"out/pdf{ending}"]
    assert all((yard / one["path"]).exists() for one in told["skills"])


@pytest.mark.requirement("WIR-1")
def test_one_skill_of_a_form_goes_into_a_directory_under_its_name(yard: Path) -> None:
    ran = skillyard("export", "pdf", "-o", "out/", "--form", "zip", cwd=yard)

    assert ran.status == 0
    assert list_made(yard) == ["out/pdf.zip"]


@pytest.mark.requirement("INT-2")
def test_json_tells_everything(yard: Path) -> None:
    ran = skillyard("export", "pdf", "-o", "out/pdf/", "--json", cwd=yard)

    assert json.loads(without_hashes(ran.out)) == snapshot(
        {
            "skills": [
                {
                    "path": "out/pdf",
                    "form": "directory",
                    "reference": "pdf",
                    "version": "1.0.0",
                    "digest": "sha256:HASH",
                    "size": 454,
                    "files": ["SKILL.md", "manifest.json"],
                    "generated": ["manifest.json"],
                }
            ],
            "dry_run": False,
        }
    )


@pytest.mark.requirement("WIR-1")
def test_a_bundle_is_printed_as_it_would_be_written(yard: Path) -> None:
    skillyard("export", "pdf", "-o", "pdf.json", cwd=yard)

    ran = skillyard("export", "pdf", "-o", "-", cwd=yard)

    assert ran == Ran(0, (yard / "pdf.json").read_text(encoding="utf-8"), "")


@pytest.mark.requirement("WIR-1")
def test_an_archive_is_printed_byte_for_byte(yard: Path) -> None:
    skillyard("export", "pdf", "-o", "pdf.zip", cwd=yard)
    command = [sys.executable, "-m", "skillyard", "--home", str(home_of(yard))]

    ran = subprocess.run(
        [*command, "export", "pdf", "-o", "-", "--form", "zip"],
        capture_output=True,
        check=True,
        cwd=yard,
    )

    assert ran.stdout == (yard / "pdf.zip").read_bytes()


@pytest.mark.requirement("STO-4")
def test_an_older_version_can_be_written(yard: Path) -> None:
    write_skill(yard / "src" / "pdf", "---\nname: pdf\ndescription: Other. Use it.\n---\n\nNew.\n")
    skillyard("add", "src/pdf", cwd=yard)

    skillyard("export", "pdf", "--version", "1.0.0", "-o", "old.json", cwd=yard)

    told = json.loads((yard / "old.json").read_bytes())
    assert told["skill"]["version"] == "1.0.0"
    assert told["skill"]["description"] == "Sorts things. Use when asked."


@pytest.mark.requirement("INT-2")
def test_a_dry_run_writes_nothing(yard: Path) -> None:
    ran = skillyard("export", "--all", "-o", "out", "--dry-run", cwd=yard)

    assert ran.status == 0
    assert ran.out.startswith("Would make out/notes: notes 1.0.0, ")
    assert list_made(yard) == []


@pytest.mark.requirement("INT-2")
def test_what_is_there_is_replaced_only_with_force(yard: Path) -> None:
    (yard / "pdf.json").write_text("mine")

    refused = skillyard("export", "pdf", "-o", "pdf.json", cwd=yard)
    forced = skillyard("export", "pdf", "-o", "pdf.json", "--force", cwd=yard)

    assert (refused.status, refused.out) == (4, "")
    assert "`pdf.json` already exists" in refused.err
    assert refused.err.endswith("hint: `--force` replaces the file\n")
    assert forced.status == 0


@pytest.mark.requirement("INT-2")
def test_a_directory_is_not_said_to_be_replaced(yard: Path) -> None:
    (yard / "out").mkdir()
    (yard / "out" / "mine").write_text("mine")

    ran = skillyard("export", "pdf", "-o", "out/", cwd=yard)

    assert (ran.status, "--force" in ran.err) == (4, False)


@pytest.mark.requirement("INT-2")
def test_a_bundle_and_json_are_not_printed_together(yard: Path) -> None:
    ran = skillyard("export", "pdf", "-o", "-", "--json", cwd=yard)

    assert (ran.status, json.loads(ran.out)["error"]["code"]) == (2, "usage")


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("-o", "x.json"), 2, "name the skills to write, or say --all"),
        (("pdf", "--all", "-o", "x"), 2, "only one of the two: name the skills, or say --all"),
        (("pdf", "-o", "x"), 2, "`x` is in no form that Skillyard knows"),
        (("pdf", "-o", "x"), 2, "hint: For a directory, end it with `/`, or use --form directory"),
        (("pdf", "notes", "-o", "x.zip"), 2, "several skills need a directory: end it with `/`"),
        (("--all", "-o", "x.tar.gz"), 2, "several skills need a directory"),
        (("--all", "-o", "x.zip", "--form", "zip"), 2, "several skills need a directory"),
        (("pdf", "-o", "x.zip", "--form", "json"), 2, "but --form says json"),
        (("pdf", "notes", "--version", "1", "-o", "x"), 2, "--version is about one skill"),
        (("pdf", "notes", "-o", "-"), 2, "-o - prints the bundle of one skill"),
        (("pdf", "-o", "-", "--form", "directory"), 2, "-o - prints the bundle of one skill"),
        (("pfd", "-o", "x.zip"), 3, "there is no skill `pfd`"),
        (("pdf", "--version", "9.9.9", "-o", "x.zip"), 3, "`pdf` has no version 9.9.9"),
    ],
)
def test_a_wrong_wish_is_explained(
    yard: Path, arguments: tuple[str, ...], status: int, said: str
) -> None:
    ran = skillyard("export", *arguments, cwd=yard)

    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert list_made(yard) == []
