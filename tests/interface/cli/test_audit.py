"""Who changed what, at the command line."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do, run
from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("STO-7", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a store where four things happened."""
    write_skill(tmp_path / "pdf")
    do(tmp_path, "add pdf", "teams add red", "assign pdf --team red")
    write_skill(
        tmp_path / "pdf", "---\nname: pdf\ndescription: Reads. Use when asked.\n---\nRead.\n"
    )
    do(tmp_path, "--actor bob add pdf")
    return tmp_path


def actions(cwd: Path, options: str = "") -> list[str]:
    told = json.loads(do(cwd, f"audit --json {options}").out)
    return [entry["action"] for entry in told["entries"]]


def test_the_newest_comes_first_with_what_was_before(yard: Path) -> None:
    ran = skillyard("audit", cwd=yard, env={"COLUMNS": "110"}).steady
    entries = json.loads(do(yard, "audit --json").out)["entries"]
    old, new = entries[0]["before"][7:19], entries[0]["after"][7:19]

    assert [" ".join(line.split()) for line in ran.out.splitlines()] == [
        "Time Who What Target Content Details",
        f"TIME bob skill.saved skill:pdf {old} → {new} version: 1.0.1, from: 1.0.0",
        f"TIME ada skill.assigned skill:pdf {old} subject: team:red, priorit…",
        "TIME ada team.added team:red",
        f"TIME ada skill.created skill:pdf none → {old} version: 1.0.0",
    ]
    assert ran.err == ""


@pytest.mark.parametrize(("width", "has_content"), [(120, True), (100, False), (80, False)])
def test_a_narrow_terminal_is_shown_less_and_always_the_target(
    yard: Path, width: int, *, has_content: bool
) -> None:
    name = "quarterly-report"
    write_skill(yard / name)
    do(yard, f"add {name}", f"assign {name} --team red")

    ran = skillyard("audit", cwd=yard, env={"COLUMNS": str(width)})

    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= width
    assert sum(f"skill:{name} " in line for line in lines) == 2
    assert ("Content" in lines[0]) is has_content


def test_json_has_everything(yard: Path) -> None:
    told = json.loads(do(yard, "audit --json --most 1").out)

    (entry,) = told["entries"]
    assert told["more"] is True
    assert entry["at"].endswith("+00:00")
    assert entry["before"].startswith("sha256:")
    assert {name: entry[name] for name in ("number", "actor", "door", "action", "target")} == {
        "number": 4,
        "actor": "bob",
        "door": "cli",
        "action": "skill.saved",
        "target": "skill:pdf",
    }
    assert set(entry) == {
        *("number", "at", "actor", "door", "action", "target"),
        *("skill_id", "before", "after", "details"),
    }
    assert entry["details"]["version"] == "1.0.1"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--skill pdf", ["skill.saved", "skill.assigned", "skill.created"]),
        ("--target team:red", ["team.added"]),
        ("--actor bob", ["skill.saved"]),
        ("--action skill", ["skill.saved", "skill.assigned", "skill.created"]),
        ("--action skill.created --skill pdf", ["skill.created"]),
        ("--action skill.cr", []),
        ("--actor nobody", []),
        ("--since 2000-01-01 --most 1", ["skill.saved"]),
        ("--since 1969-12-31T23:59+05:00 --most 1", ["skill.saved"]),
        ("--since 9999-12-31", []),
    ],
)
def test_entries_are_chosen(yard: Path, options: str, expected: list[str]) -> None:
    assert actions(yard, options) == expected


def test_since_includes_the_moment_that_it_names(yard: Path) -> None:
    entries = json.loads(do(yard, "audit --json").out)["entries"]

    assert actions(yard, f"--since {entries[0]['at']}") == ["skill.saved"]


def test_a_deleted_skill_is_still_known(yard: Path) -> None:
    do(yard, "delete pdf --yes")

    assert actions(yard, "--skill pdf")[0] == "skill.deleted"
    wide = {"COLUMNS": "120"}
    gone = skillyard("audit", "--skill", "pdf", "--most", "1", cwd=yard, env=wide).steady
    assert "→ none" in gone.out
    assert gone.err == "note: there is more; `--most` shows it\n"


def test_a_skill_that_never_was_is_an_error_with_what_was_meant(yard: Path) -> None:
    assert run(yard, "audit --skill pdff") == Ran(
        3, "", "error: there is no skill `pdff`\n\nhint: Did you mean `pdf`?\n"
    )


def test_where_nothing_fits_nothing_is_printed(yard: Path) -> None:
    assert do(yard, "audit --actor nobody") == Ran(0, "", "Nothing happened that fits\n")
    assert do(yard, "audit --actor \udcff") == Ran(0, "", "Nothing happened that fits\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--since yesterday", "'yesterday' is no time such as 2026-01-31 or 2026-01-31T09:30Z"),
        ("--since 0001-01-01T00:00+14:00", "is no time"),
        ("--most 0", "0 is not in the range"),
        ("--skill pdf --target team:red", "use only one of --skill, --target"),
    ],
)
def test_bad_input_is_said(tmp_path: Path, options: str, said: str) -> None:
    ran = run(tmp_path, f"audit {options}")

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
