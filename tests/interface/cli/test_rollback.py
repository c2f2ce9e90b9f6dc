"""`skillyard rollback` as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-4")


def keep_two_versions(cwd: Path) -> None:
    write_skill(cwd / "pdf")
    skillyard("add", "pdf", cwd=cwd)
    skillyard("files", "put", "pdf", "a.md", stdin="a\n", cwd=cwd)


def current(cwd: Path) -> str:
    told = json.loads(skillyard("history", "pdf", "--json", cwd=cwd).out)
    return str(told["current"])


def test_an_older_version_becomes_current_again_and_back(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)

    back = skillyard("rollback", "pdf", "1", cwd=tmp_path)
    same = skillyard("rollback", "pdf", "1.0.0", cwd=tmp_path)
    files = skillyard("files", "list", "pdf", cwd=tmp_path).out
    forward = skillyard("rollback", "pdf", "1.0.1", cwd=tmp_path)

    assert back == Ran(0, "✓ pdf 1.0.0 is current again, in the place of 1.0.1\n", "")
    assert same == Ran(0, "○ pdf is at 1.0.0 already\n", "")
    assert files == "       68  SKILL.md\n"
    assert forward == Ran(0, "✓ pdf 1.0.1 is current again, in the place of 1.0.0\n", "")


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)

    ran = skillyard("rollback", "pdf", "1.0.0", "--dry-run", cwd=tmp_path)

    assert ran == Ran(0, "Would roll pdf back from 1.0.1 to 1.0.0\n", "")
    assert current(tmp_path) == "1.0.1"


def test_json_tells_both_versions(tmp_path: Path) -> None:
    keep_two_versions(tmp_path)
    digest = skillyard("digest", "pdf", cwd=tmp_path).out.split()[0]

    ran = skillyard("rollback", "pdf", "1.0.0", "--json", cwd=tmp_path)

    assert json.loads(ran.out) == {
        "slug": "pdf",
        "owner": "people",
        "changed": True,
        "before": "1.0.1",
        "version": "1.0.0",
        "digest": digest,
        "revision": 3,
        "dry_run": False,
    }


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["csv", "1"], 3, "error: there is no skill `csv`\n"),
        (["pdf", "2"], 3, "error: `pdf` has no version 2.0.0\n\nhint: `skillyard history pdf` sho"),
        (["pdf", "first"], 2, "error: `first` is not a version\n\nhint: Write three numbers"),
    ],
)
def test_what_is_not_there_is_told(
    arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    keep_two_versions(tmp_path)

    ran = skillyard("rollback", *arguments, cwd=tmp_path)

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(said)
    assert current(tmp_path) == "1.0.1"


def test_the_version_is_an_argument(tmp_path: Path) -> None:
    ran = skillyard("rollback", "--version", "1.0.0", "pdf", cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("error: VERSION is an argument: `skillyard rollback SKILL 1.0.0`\n")
