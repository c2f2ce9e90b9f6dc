"""Assigning skills at the command line."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do, run
from tests.interface.cli.running import Ran, write_skill

pytestmark = pytest.mark.requirement("STO-5", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a store with three skills and one subject of each kind."""
    for name in ("docx", "pdf", "xlsx"):
        write_skill(tmp_path / "skills" / name)
    do(
        tmp_path,
        "add skills",
        "workspaces add lab",
        "teams add red",
        "agents add reviewer",
        "nodes add build",
    )
    return tmp_path


@pytest.mark.parametrize(
    ("option", "who", "subject"),
    [
        ("--agent reviewer", "agent reviewer", {"kind": "agent", "name": "reviewer"}),
        ("--team red", "team red", {"kind": "team", "name": "red"}),
        ("--node build", "node build", {"kind": "node", "name": "build"}),
        ("--workspace lab", "workspace lab", {"kind": "workspace", "name": "lab"}),
        ("--global", "everyone", {"kind": "global", "name": ""}),
    ],
)
def test_a_skill_is_given_and_taken_away(
    yard: Path, option: str, who: str, subject: dict[str, str]
) -> None:
    assert do(yard, f"assign pdf {option}") == Ran(
        0, f"✓ pdf assigned to {who}: priority 0, position 0\n", ""
    )
    told = json.loads(do(yard, f"unassign pdf {option} --json").out)
    assert (told["assignment"]["subject"], told["dry_run"]) == (subject, False)
    do(yard, f"assign pdf {option}")
    assert do(yard, f"unassign pdf {option}") == Ran(0, f"✓ took pdf from {who}\n", "")
    assert run(yard, f"unassign pdf {option}").status == 3


def test_assigning_again_changes_what_is_said(yard: Path) -> None:
    do(yard, "assign pdf --team red --priority -3 --required --pin '>=1 <3'")

    ran = do(yard, "assign pdf --team red --position 4 --optional --auto-inject --opt-in --disable")

    assert ran.out == (
        "✓ pdf reassigned to team red:"
        " priority -3, position 4, version >=1 <3, disabled, auto-inject, opt-in\n"
    )
    ran = do(yard, "assign pdf --team red --unpin --enable --no-auto-inject --no-opt-in --json")
    told = json.loads(ran.out)
    assert (told["before"]["constraint"], told["before"]["enabled"]) == (">=1 <3", False)
    assignment = told["assignment"]
    assert {name: assignment[name] for name in assignment if name not in ("id", "skill_id")} == {
        "skill": "pdf",
        "subject": {"kind": "team", "name": "red"},
        "priority": -3,
        "position": 4,
        "auto_inject": False,
        "enabled": True,
        "required": False,
        "opt_in": False,
        "constraint": None,
    }
    assert (told["changed"], told["obstacles"], told["dry_run"]) == (True, [], False)


def test_assigning_again_the_same_way_says_so(yard: Path) -> None:
    do(yard, "assign pdf --team red")

    assert do(yard, "assign pdf --team red --priority 0").out == (
        "○ pdf is assigned like that already to team red: priority 0, position 0\n"
    )


def test_every_write_can_be_tried_first(yard: Path) -> None:
    do(yard, "assign pdf --team red", "assign docx --team red")

    assert do(yard, "assign xlsx --team red --dry-run").out == (
        "Would assign xlsx to team red: priority 0, position 2\n"
    )
    assert do(yard, "assign pdf --team red --priority 1 --dry-run").out == (
        "Would reassign pdf to team red: priority 1, position 0\n"
    )
    assert do(yard, "unassign pdf --team red --dry-run").out == "Would take pdf from team red\n"
    assert json.loads(do(yard, "reorder --team red docx --dry-run --json").out)["dry_run"] is True
    told = json.loads(do(yard, "teams show red --json").out)["assignments"]
    assert [(one["skill"], one["priority"]) for one in told] == [("pdf", 0), ("docx", 0)]


def test_several_skills_are_given_and_taken_away_at_once(yard: Path) -> None:
    assert do(yard, "assign pdf docx --team red --priority 2") == Ran(
        0,
        "✓ pdf assigned to team red: priority 2, position 0\n"
        "✓ docx assigned to team red: priority 2, position 1\n",
        "",
    )
    assert do(yard, "unassign pdf docx --team red --dry-run").out == (
        "Would take pdf from team red\nWould take docx from team red\n"
    )
    told = json.loads(do(yard, "unassign pdf docx --team red --json").out)
    assert [one["assignment"]["skill"] for one in told["assignments"]] == ["pdf", "docx"]
    assert told["dry_run"] is False


def test_one_that_fails_does_not_keep_the_others_from_being_assigned(yard: Path) -> None:
    ran = run(yard, "assign pdff docx --team red")
    again = run(yard, "assign pdff docx --team red --json")

    assert ran == Ran(
        3,
        "✓ docx assigned to team red: priority 0, position 0\n",
        "error: there is no skill `pdff`\n\nhint: Did you mean `pdf`?\n",
    )
    failed, same = json.loads(again.out)["assignments"]
    assert (again.status, failed["reference"], failed["error"]["code"]) == (
        3,
        "pdff",
        "skill-not-found",
    )
    assert (same["assignment"]["skill"], same["changed"]) == ("docx", False)


def test_a_new_order_can_be_tried_first(yard: Path) -> None:
    do(yard, "assign pdf docx --global")

    assert do(yard, "reorder docx --global --dry-run").out == (
        "Would put the skills of everyone into this order:\n"
        "Skill  Priority  Position  Version  Notes\n"
        "docx          0         0\n"
        "pdf           0         1\n"
    )


def test_reordering_prints_the_new_order(yard: Path) -> None:
    do(yard, *(f"assign {name} --agent reviewer" for name in ("pdf", "docx", "xlsx")))

    assert do(yard, "reorder --agent reviewer xlsx pdf") == Ran(
        0,
        "Skill  Priority  Position  Version  Notes\n"
        "xlsx          0         0\n"
        "pdf           0         1\n"
        "docx          0         2\n",
        "",
    )
    told = json.loads(do(yard, "reorder docx --agent reviewer --json").out)
    assert [one["skill"] for one in told["assignments"]] == ["docx", "xlsx", "pdf"]


def test_reordering_says_where_priorities_still_win(yard: Path) -> None:
    do(yard, "assign pdf --global --priority 5", "assign docx --global")

    assert do(yard, "reorder --global docx pdf").err == (
        "note: pdf still comes before docx: its priority is 5, not 0\n"
    )


def test_what_keeps_a_skill_from_being_loaded_is_said_and_it_is_assigned(yard: Path) -> None:
    do(yard, "edit pdf --confidence low", "disable pdf", "archive docx", "assign xlsx --global")
    do(yard, "agents set reviewer --allow pdf --disable-skill xlsx --lightweight")

    assert do(yard, "assign pdf --team red").err == (
        "note: pdf is disabled: nobody loads it until it is enabled\n"
        "note: pdf has low confidence: it is listed as unproven unless the assignment has"
        " --opt-in\n"
    )
    assert do(yard, "assign docx --team red --pin ^9").err == (
        "note: docx is archived: nobody loads it until it is taken out of the archive\n"
        "note: docx has no version in the range that the assignment is pinned to\n"
    )
    ran = do(yard, "assign xlsx --agent reviewer --json")
    assert ran.err == (
        "note: xlsx is not among the skills that the agent is allowed\n"
        "note: xlsx is among the skills that are disabled for the agent\n"
        "note: xlsx is not loaded while the agent is in lightweight mode\n"
    )
    assert json.loads(ran.out)["obstacles"] == ["not-allowed", "switched-off", "lightweight"]


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize(
    ("line", "status", "err"),
    [
        ("assign pdff --global", 3, "there is no skill `pdff`\n\nhint: Did you mean `pdf`?"),
        ("assign pdf --team rad", 3, "there is no team `rad`\n\nhint: Did you mean `red`?"),
        ("assign pdf --agent red", 3, "there is no agent `red`"),
        ("assign pdf --agent ''", 3, "there is no agent ``"),
        ("unassign pdf --team red", 3, "`pdf` is not assigned to team:red"),
        ("reorder --team red pdf", 3, "`pdf` is not assigned to team:red"),
        ("reorder --team red", 2, "Missing argument 'SKILL...'"),
        ("reorder --team red pdf docx people/pdf", 2, "`pdf` is named twice"),
        ("assign pdf docx --team red --position 1", 2, "--position is about one skill"),
        (
            "assign pdf",
            2,
            "say for whom with one of --agent, --team, --node, --workspace, --global",
        ),
        ("assign pdf --team red --global", 2, "say for whom with only one of --agent"),
        ("unassign pdf", 2, "say for whom"),
        ("reorder pdf", 2, "say for whom"),
        ("assign pdf --global --pin ^x", 2, "`^x` is not a range of versions"),
        ("assign pdf --global --pin ''", 2, "`` is not a range of versions"),
        ("assign pdf --global --pin 1 --unpin", 2, "use only one of --pin, --unpin"),
        ("assign pdf --global --position -1", 2, "-1 is not in the range"),
        ("assign pdf --global --position 2147483648", 2, "2147483648 is not in the range"),
        ("assign pdf --global --priority -2147483648", 2, "-2147483648 is not in the range"),
        ("assign pdf --global --priority 1.5", 2, "'1.5' is not a valid whole number"),
    ],
)
def test_a_mistake_is_said(yard: Path, line: str, status: int, err: str) -> None:
    ran = run(yard, line)

    assert (ran.status, ran.out) == (status, "")
    assert f"error: {err}" in ran.err or f": {err}" in ran.err
    assert json.loads(do(yard, "show pdf --json").out)["assignments"] == []
