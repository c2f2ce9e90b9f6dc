"""Asking why a skill is there or not."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("RES-9", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project with one skill, beside a store with two."""
    for name in ("docx", "pdf"):
        write_skill(tmp_path / "given" / name)
    do(tmp_path, "add given", "agents add reviewer", "assign pdf --agent reviewer")
    write_skill(tmp_path / "skills" / "pdf")
    return tmp_path


def test_every_candidate_has_its_source_its_rule_and_the_way_to_another_outcome(
    yard: Path,
) -> None:
    said = seen(yard, "explain --agent reviewer").splitlines()

    assert said[:3] == [
        "✓ pdf 1.0.0 from store",
        "    loaded by the rule assigned: it is assigned to agent:reviewer",
        "    to leave it out: disable pdf",
    ]
    assert said[9:12] == [
        f"○ pdf 1.0.0 from project ({yard}/skills/pdf)",
        (
            "    shadowed by the rule shadowed:"
            " the store skill of the same name (/home/sprite/.skills/pdf) shadows it"
        ),
        "    to load it: delete the store skill pdf",
    ]
    assert said[13:] == [
        "    excluded by the rule unavailable: missing commands: gh",
        "    to load it: install gh",
    ]


def test_a_skill_that_nobody_gave_to_the_agent_is_explained_when_it_is_named(yard: Path) -> None:
    assert seen(yard, "explain docx --agent reviewer").splitlines() == [
        "✗ docx 1.0.0 from store",
        "    excluded by the rule not-assigned: it is not assigned to agent reviewer",
        "    to load it: assign docx to agent reviewer",
    ]
    told = json.loads(seen(yard, "explain docx --agent reviewer --json"))
    assert [(one["slug"], one["rule"], one["changes"]) for one in told["skills"]] == [
        (
            "docx",
            "not-assigned",
            [{"kind": "assign", "text": "assign docx to agent reviewer", "slug": "docx"}],
        )
    ]


def test_making_the_change_has_the_outcome(yard: Path) -> None:
    do(yard, "assign docx --agent reviewer")
    assert seen(yard, "explain docx --agent reviewer").startswith("✓ docx")

    do(yard, "disable docx")

    assert seen(yard, "explain docx --agent reviewer").startswith("✗ docx")


def test_a_name_that_no_skill_has_is_an_error(yard: Path) -> None:
    ran = see(yard, "explain hello-word")

    assert (ran.status, ran.out) == (3, "")
    assert "Did you mean `hello-world`?" in ran.err


def test_a_broken_skill_is_told_about(yard: Path) -> None:
    write_skill(yard / "skills" / "linked")
    (yard / "skills" / "linked" / "more.md").symlink_to(yard / "given")

    ran = see(yard, "explain linked")

    assert (ran.status, ran.out) == (0, "")
    assert "linked is left out" in ran.err
