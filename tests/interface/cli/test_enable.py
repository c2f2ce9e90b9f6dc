"""`skillyard enable` and `disable` as a user meets them."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, keep_plugins_skill, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-2")


def keep_two(cwd: Path) -> None:
    for name in ("csv", "pdf"):
        write_skill(cwd / name)
    skillyard("add", "csv", "pdf", cwd=cwd)


def enabled(cwd: Path) -> list[str]:
    told = json.loads(skillyard("list", "--enabled", "--json", cwd=cwd).out)
    return [one["slug"] for one in told["skills"]]


def test_skills_are_disabled_and_enabled_again(tmp_path: Path) -> None:
    keep_two(tmp_path)

    disabled = skillyard("disable", "pdf", "csv", cwd=tmp_path)
    again = skillyard("disable", "pdf", cwd=tmp_path)
    back = skillyard("enable", "pdf", cwd=tmp_path)
    same = skillyard("enable", "pdf", cwd=tmp_path)

    assert disabled == Ran(0, "✓ pdf disabled\n✓ csv disabled\n", "")
    assert again == Ran(0, "○ pdf is disabled already\n", "")
    assert back == Ran(0, "✓ pdf enabled\n", "")
    assert same == Ran(0, "○ pdf is enabled already\n", "")
    assert enabled(tmp_path) == ["pdf"]


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    keep_two(tmp_path)
    skillyard("disable", "csv", cwd=tmp_path)

    disable = skillyard("disable", "pdf", "--dry-run", cwd=tmp_path)
    enable = skillyard("enable", "csv", "--dry-run", cwd=tmp_path)

    assert disable == Ran(0, "Would disable pdf\n", "")
    assert enable == Ran(0, "Would enable csv\n", "")
    assert enabled(tmp_path) == ["pdf"]


def test_json_tells_what_became_of_each(tmp_path: Path) -> None:
    keep_two(tmp_path)

    ran = skillyard("disable", "pdf", "none", "--json", cwd=tmp_path)

    assert ran.status == 3
    assert json.loads(ran.out) == {
        "skills": [
            {
                "reference": "pdf",
                "slug": "pdf",
                "owner": "people",
                "changed": True,
                "enabled": False,
                "status": "active",
                "revision": 2,
            },
            {
                "reference": "none",
                "error": {
                    "code": "skill-not-found",
                    "message": "there is no skill `none`",
                    "hints": ["`skillyard list` shows every skill"],
                },
            },
        ],
        "dry_run": False,
    }


def test_one_that_is_not_there_does_not_stop_the_others(tmp_path: Path) -> None:
    keep_two(tmp_path)

    ran = skillyard("disable", "pfd\x1b", "csv", cwd=tmp_path)

    assert ran == Ran(
        3,
        "✓ csv disabled\n",
        "error: there is no skill `pfd\\x1b`\n\nhint: `skillyard list` shows every skill\n",
    )


def test_a_plugins_skill_may_be_disabled(tmp_path: Path) -> None:
    keep_plugins_skill(tmp_path)

    assert skillyard("disable", "pdf", cwd=tmp_path) == Ran(0, "✓ acme/pdf disabled\n", "")
