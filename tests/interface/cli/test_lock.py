"""Writing locks, and having their skills again."""

import json
import os
import shutil
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
    gone = see(yard, "resolve --lock skills.lock").err
    assert f"deploy 1.0.0 is gone: {yard}/.agent/skills/deploy, " in gone
    assert f"{yard}/skills/deploy" in gone

    write_skill(yard / "skills" / "deploy", "---\nname: deploy\ndescription: New.\n---\n\nX.\n")
    ran = see(yard, "resolve --lock skills.lock")

    assert (ran.status, ran.out) == (4, "")
    assert f"deploy 1.0.0 has other content: {yard}/skills/deploy" in ran.err


def test_a_lock_goes_for_a_copy_of_the_project(yard: Path) -> None:
    seen(yard, "lock --agent reviewer -o skills.lock")
    shutil.copytree(yard / "skills", yard / "copy" / ".agents" / "skills")
    before = json.loads(seen(yard, "resolve --lock skills.lock --json"))["skills"]
    shutil.rmtree(yard / "skills")

    told = json.loads(seen(yard, "resolve --lock skills.lock --project copy --json"))["skills"]

    assert str(yard) not in (yard / "skills.lock").read_text()
    assert [one["slug"] for one in told] == [one["slug"] for one in before]
    places = [one["absolutePath"] for one in told if one["slug"] == "deploy"]
    assert places == [f"{yard}/copy/.agents/skills/deploy"]


def test_a_lock_says_nothing_of_a_skill_that_is_not_its_own(yard: Path) -> None:
    write_skill(yard / "given" / "docx")
    do(yard, "add given")
    seen(yard, "lock --agent reviewer -o skills.lock")
    do(yard, "delete pdf --yes")

    ran = see(yard, "resolve --lock skills.lock")

    # The content is still there, under another name.
    assert (ran.status, ran.out) == (4, "")
    assert "pdf 1.0.0 is gone: it is not in the store" in ran.err


@pytest.mark.requirement("DIS-1", "DIS-2")
def test_an_agent_is_told_of_the_skills_of_a_lock(yard: Path) -> None:
    do(yard, "assign pdf --agent reviewer --auto-inject")
    prompt = seen(yard, "prompt --agent reviewer --form markdown --project-path /project")
    use = seen(yard, "use PDF --agent reviewer --instructions --skills-path /opt")
    seen(yard, "lock --agent reviewer -o skills.lock")
    do(yard, "unassign pdf --agent reviewer", "disable pdf")

    again = "--lock skills.lock"
    assert seen(yard, f"prompt {again} --form markdown --project-path /project") == prompt
    assert seen(yard, f"use PDF {again} --instructions --skills-path /opt") == use
    assert "\nSort.\n" in seen(yard, f"use deploy {again} --instructions")
    assert see(yard, f"use gh {again}").status == 3
    assert see(yard, "use pdf --agent reviewer").status == 3


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
