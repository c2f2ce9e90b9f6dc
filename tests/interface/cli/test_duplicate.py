"""`skillyard duplicate` as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-2")


def keep_two_versions(cwd: Path) -> None:
    write_skill(cwd / "pdf")
    skillyard("add", "pdf", cwd=cwd)
    skillyard("files", "put", "pdf", "a.md", stdin="a\n", cwd=cwd)


def test_a_copy_has_the_files_under_another_name(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)

    ran = skillyard("duplicate", "pdf", "pdf-two", cwd=tmp_path)
    older = skillyard("duplicate", "pdf", "pdf-one", "--version", "1.0.0", cwd=tmp_path)

    assert ran == Ran(0, "✓ pdf-two 1.0.0 created\n", "")
    assert older == Ran(0, "✓ pdf-one 1.0.0 created\n", "")
    assert skillyard("files", "cat", "pdf-two", "SKILL.md", cwd=tmp_path).out == (
        "---\nname: pdf-two\ndescription: Sorts things. Use when asked.\n---\n\nSort.\n"
    )
    assert skillyard("files", "list", "pdf-one", cwd=tmp_path).out == "       72  SKILL.md\n"


def test_a_dry_run_makes_nothing(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)

    ran = skillyard("duplicate", "pdf", "pdf-two", "--dry-run", cwd=tmp_path)

    assert ran == Ran(0, "Would create pdf-two 1.0.0\n", "")
    assert json.loads(skillyard("list", "--json", cwd=tmp_path).out)["count"] == 1


def test_json_tells_what_was_made(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)

    told = json.loads(skillyard("duplicate", "pdf", "pdf-two", "--json", cwd=tmp_path).out)

    assert told.pop("digest").startswith("sha256:")
    assert told == {
        "slug": "pdf-two",
        "owner": "people",
        "outcome": "created",
        "version": "1.0.0",
        "base": None,
        "notes": [],
        "warnings": [],
        "dry_run": False,
    }


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["csv", "x"], 3, "error: there is no skill `csv`\n"),
        (["pdf", "x", "--version", "2"], 3, "error: `pdf` has no version 2.0.0\n"),
        (["pdf", "pdf"], 4, "error: there is a skill `pdf` already\n\nhint: Choose another name\n"),
        (["pdf", "My PDF"], 2, "error: `My PDF` is not a skill name: only lower-case"),
        (["pdf", "\x1b[31m"], 2, "error: `\\x1b[31m` is not a skill name: only lower-case"),
    ],
)
def test_what_cannot_be_is_told(
    arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    keep_two_versions(tmp_path)

    ran = skillyard("duplicate", *arguments, cwd=tmp_path)

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(said)
    assert json.loads(skillyard("list", "--json", cwd=tmp_path).out)["count"] == 1
