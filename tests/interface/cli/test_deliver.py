"""`skillyard deliver`: skills where a client reads those of a project."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import write_skill
from tests.interface.cli.seeing import see

pytestmark = pytest.mark.requirement("DEL-1", "INT-2")

LINE = "deliver --provider claude-code --to there --agent reviewer --no-project"


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    write_skill(tmp_path / "given" / "pdf")
    off = "--disable-skill hello-world --disable-skill skill-authoring --disable-skill gh"
    do(tmp_path, "add given", f"agents add reviewer {off}", "assign pdf --agent reviewer")
    return tmp_path


def test_skills_are_added_kept_updated_and_removed(yard: Path) -> None:
    assert see(yard, f"{LINE} --dry-run").out == (
        "Would deliver to there/.claude/skills\n✓ pdf 1.0.0 added\n"
    )
    assert not (yard / "there").exists()
    assert see(yard, LINE).out == "Delivered to there/.claude/skills\n✓ pdf 1.0.0 added\n"
    assert see(yard, LINE).out.endswith("○ pdf 1.0.0 is like that already\n")
    write_skill(yard / "given" / "pdf", "---\nname: pdf\ndescription: New.\n---\n\nNew.\n")
    do(yard, "add given")
    assert see(yard, LINE).out.endswith("✓ pdf 1.0.1 updated\n")
    do(yard, "unassign pdf --agent reviewer")
    assert see(yard, LINE).out.endswith("✓ pdf removed\n")
    assert not (yard / "there" / ".claude" / "skills" / "pdf").exists()


def test_what_is_somebody_elses_is_said(yard: Path) -> None:
    write_skill(yard / "there" / ".claude" / "skills" / "pdf", "mine\n")

    ran = see(yard, LINE)
    told = json.loads(see(yard, f"{LINE} --json").out)

    assert ran.status == 1
    assert ran.out.endswith("✗ pdf 1.0.0 is somebody else's, and stays as it is\n")
    assert [(one["slug"], one["step"]) for one in told["skills"]] == [("pdf", "foreign")]
    assert (yard / "there/.claude/skills/pdf/SKILL.md").read_text() == "mine\n"


def test_what_was_changed_by_hand_is_refused_unless_forced(yard: Path) -> None:
    see(yard, LINE)
    skill = yard / "there/.claude/skills/pdf/SKILL.md"
    skill.write_text("by hand\n")
    do(yard, "unassign pdf --agent reviewer")

    ran = see(yard, LINE)

    assert (ran.status, ran.out, skill.read_text()) == (4, "", "by hand\n")
    assert "changed by hand since the last delivery: `pdf/SKILL.md`" in ran.err
    assert see(yard, f"{LINE} --force").out.endswith("✓ pdf removed\n")


def test_a_client_has_to_be_named(yard: Path) -> None:
    assert see(yard, "deliver --to there").status == 2
    assert see(yard, "deliver --provider prompt --to there").status == 2
    assert see(yard, "deliver --provider codex --to there --agent nobody").status == 3
