"""Writing locks, and having their skills again."""

import json
import os
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("RES-10", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project with one skill, beside a store with one."""
    write_skill(tmp_path / "given" / "pdf")
    do(tmp_path, "add given", "agents add reviewer", "assign pdf --agent reviewer")
    write_skill(tmp_path / "skills" / "deploy")
    return tmp_path


def test_a_lock_gives_the_same_skills_again(yard: Path) -> None:
    before = json.loads(seen(yard, "resolve --agent reviewer --json"))

    said = seen(yard, "lock --agent reviewer -o skills.lock")
    write_skill(yard / "given" / "pdf", "---\nname: pdf\ndescription: New.\n---\n\nNew.\n")
    do(yard, "add given", "unassign pdf --agent reviewer")
    again = json.loads(seen(yard, "resolve --lock skills.lock --json"))

    assert said == f"Wrote skills.lock: 4 skills, {before['manifest_hash']}\n"
    assert again["manifest_hash"] == before["manifest_hash"]
    kept = [one for one in before["skills"] if one["disposition"] == "loaded"]
    assert again["skills"] == kept
    assert "✓  pdf" in seen(yard, "resolve --lock skills.lock")


def test_a_directory_whose_name_is_no_text_is_locked_like_any_other(yard: Path) -> None:
    strange = Path(os.fsdecode(os.fsencode(yard) + b"/skills/\xff\x1b"))
    write_skill(strange, "---\nname: strange\ndescription: Odd.\n---\n\nDo.\n")

    seen(yard, "lock -o skills.lock")

    assert "✓  strange" in seen(yard, "resolve --lock skills.lock")


def test_what_is_gone_or_different_is_drift_and_all_of_it_is_named(yard: Path) -> None:
    seen(yard, "lock --agent reviewer -o skills.lock")
    (yard / "skills" / "deploy" / "SKILL.md").unlink()
    assert "deploy 1.0.0 is gone" in see(yard, "resolve --lock skills.lock").err

    write_skill(yard / "skills" / "deploy", "---\nname: deploy\ndescription: New.\n---\n\nX.\n")
    ran = see(yard, "resolve --lock skills.lock")

    assert (ran.status, ran.out) == (4, "")
    assert "deploy 1.0.0 has other content" in ran.err


def test_a_lock_is_written_once_and_tried_without_writing(yard: Path) -> None:
    target = yard / "skills.lock"

    assert seen(yard, "lock -o skills.lock --dry-run").startswith("Would write skills.lock")
    assert not target.exists()
    told = json.loads(seen(yard, "lock -o skills.lock --json"))
    assert told == {
        "path": "skills.lock",
        "manifest_hash": json.loads(target.read_text())["manifestHash"],
        "skills": ["deploy", "hello-world", "skill-authoring"],
        "dry_run": False,
    }
    assert see(yard, "lock -o skills.lock").status == 4
    assert see(yard, "lock -o skills.lock --dry-run").status == 4
    assert see(yard, "lock -o skills.lock --force").status == 0


def test_nothing_is_written_where_something_required_is_missing(yard: Path) -> None:
    do(yard, "assign pdf --agent reviewer --required", "disable pdf")

    ran = see(yard, "lock --agent reviewer -o skills.lock")

    assert (ran.status, ran.out, (yard / "skills.lock").exists()) == (5, "", False)


@pytest.mark.parametrize("content", ["", "{}", "[1]", "\x00"])
def test_what_is_no_lock_is_refused(yard: Path, content: str) -> None:
    (yard / "skills.lock").write_text(content)

    assert see(yard, "resolve --lock skills.lock").status == 2
