"""`skillyard archive` as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-2")


def keep_pdf(cwd: Path) -> None:
    write_skill(cwd / "skills" / "pdf")
    skillyard("add", "skills", cwd=cwd)


def status_of_pdf(cwd: Path) -> str:
    return str(json.loads(skillyard("show", "pdf", "--json", cwd=cwd).out)["status"])


def test_a_skill_is_put_away_and_taken_out_again(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    away = skillyard("archive", "pdf", cwd=tmp_path)
    again = skillyard("archive", "pdf", cwd=tmp_path)
    listed = json.loads(skillyard("list", "--json", cwd=tmp_path).out)["count"]
    back = skillyard("archive", "pdf", "--undo", cwd=tmp_path)
    same = skillyard("archive", "pdf", "--undo", cwd=tmp_path)

    assert away == Ran(0, "✓ pdf archived\n", "")
    assert again == Ran(0, "○ pdf is archived already\n", "")
    assert listed == 0
    assert back == Ran(0, "✓ pdf restored\n", "")
    assert same == Ran(0, "○ pdf is out of the archive already\n", "")
    assert status_of_pdf(tmp_path) == "active"


def test_a_draft_stays_a_draft(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    skillyard("edit", "pdf", "--status", "draft", cwd=tmp_path)

    ran = skillyard("archive", "pdf", "--undo", cwd=tmp_path)

    assert ran == Ran(0, "○ pdf is out of the archive already\n", "")
    assert status_of_pdf(tmp_path) == "draft"


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    ran = skillyard("archive", "pdf", "--dry-run", cwd=tmp_path)

    assert ran == Ran(0, "Would archive pdf\n", "")
    assert status_of_pdf(tmp_path) == "active"
    skillyard("archive", "pdf", cwd=tmp_path)
    undo = skillyard("archive", "pdf", "--undo", "--dry-run", cwd=tmp_path)
    assert undo == Ran(0, "Would restore pdf\n", "")
    assert status_of_pdf(tmp_path) == "archived"


def test_json_tells_the_status(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    ran = skillyard("archive", "pdf", "--json", cwd=tmp_path)

    assert json.loads(ran.out) == {
        "skills": [
            {
                "reference": "pdf",
                "slug": "pdf",
                "owner": "people",
                "changed": True,
                "enabled": True,
                "status": "archived",
                "revision": 2,
            }
        ],
        "dry_run": False,
    }


@pytest.mark.parametrize("options", [[], ["--undo"]])
def test_an_unknown_skill_is_not_found(options: list[str], tmp_path: Path) -> None:
    assert skillyard("archive", "pdf", *options, cwd=tmp_path) == Ran(
        3, "", "error: there is no skill `pdf`\n\nhint: `skillyard list` shows every skill\n"
    )
