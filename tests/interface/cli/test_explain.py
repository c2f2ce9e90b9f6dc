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

    assert said[:4] == [
        "✓ pdf 1.0.0 from store",
        "    loaded by the rule assigned: it is assigned to agent:reviewer",
        "    to leave it out: put pdf on the list of disabled skills of reviewer",
        "        skillyard agents set reviewer --disable-skill pdf",
    ]
    assert said[12:16] == [
        f"○ pdf 1.0.0 from project ({yard}/skills/pdf)",
        (
            "    shadowed by the rule shadowed:"
            " the store skill of the same name (/home/sprite/.skills/pdf) shadows it"
        ),
        "    to load it: unassign pdf from agent reviewer",
        "        skillyard unassign pdf --agent reviewer",
    ]
    assert said[17:] == [
        "    excluded by the rule unavailable: missing commands: gh",
        "    to load it: install gh",
    ]


def test_a_skill_that_nobody_gave_to_the_agent_is_explained_when_it_is_named(yard: Path) -> None:
    assert seen(yard, "explain docx --agent reviewer").splitlines() == [
        "✗ docx 1.0.0 from store",
        "    excluded by the rule not-assigned: it is not assigned to agent reviewer",
        "    to load it: assign docx to agent reviewer",
        "        skillyard assign docx --agent reviewer",
    ]
    told = json.loads(seen(yard, "explain docx --agent reviewer --json"))
    assert [(one["slug"], one["rule"], one["changes"]) for one in told["skills"]] == [
        (
            "docx",
            "not-assigned",
            [{"kind": "assign", "text": "assign docx to agent reviewer", "slug": "docx"}],
        )
    ]


@pytest.mark.parametrize(
    "before",
    [
        "disable docx",
        "assign docx --agent reviewer --disable",
        "assign docx --agent reviewer --pin '>=9'",
        "edit docx --confidence low",
        "archive docx",
        "agents set reviewer --allow pdf --allow nothing",
        "agents set reviewer --disable-skill docx --disable-skill other",
        "agents set reviewer --disable-skill docx",
        "agents set reviewer --lightweight",
    ],
)
def test_pasting_the_commands_has_the_outcome(yard: Path, before: str) -> None:
    do(yard, "assign docx --agent reviewer", before)

    for mark in ("○✗", "✓", "○✗"):
        said = seen(yard, "explain docx --agent reviewer").splitlines()
        assert said[0][0] in mark
        commands = [line.strip() for line in said if line.startswith("        skillyard ")]
        do(yard, *(line.removeprefix("skillyard ") for line in commands))


def test_a_skill_is_named_in_any_case_and_by_its_display_name(yard: Path) -> None:
    do(yard, "edit docx --display-name 'Word Files'", "assign docx --agent reviewer")

    for name in ("docx", "DOCX", "'word files'"):
        assert seen(yard, f"explain {name} --agent reviewer").startswith("✓ docx")
    assert seen(yard, "explain PDF").startswith("✓ pdf 1.0.0 from project")
    assert seen(yard, "explain DOCX").startswith("✗ docx 1.0.0 from store")


def test_a_name_that_no_skill_has_is_an_error(yard: Path) -> None:
    ran = see(yard, "explain hello-word")

    assert (ran.status, ran.out) == (3, "")
    assert "Did you mean `hello-world`?" in ran.err


def test_a_broken_skill_is_told_about(yard: Path) -> None:
    write_skill(yard / "skills" / "linked")
    (yard / "skills" / "linked" / "more.md").symlink_to(yard / "given")

    ran = see(yard, "explain linked")
    told = json.loads(see(yard, "explain linked --json").out)["skills"]

    place = f"{yard}/skills/linked"
    reason = f"`{place}` cannot be read as a skill package: `more.md` is a link (SY303)"
    assert (ran.status, ran.out.splitlines()) == (
        0,
        [
            f"✗ linked 1.0.0 from project ({place})",
            f"    broken: {reason}",
            f"    to load it: mend {place}",
        ],
    )
    assert "linked is left out" in ran.err
    assert [(one["slug"], one["disposition"], one["reason"]) for one in told] == [
        ("linked", "broken", reason)
    ]
    assert told[0]["changes"] == [{"kind": "mend", "text": f"mend {place}", "slug": "linked"}]
    assert "✗ linked 1.0.0 from project" in see(yard, "explain").out
