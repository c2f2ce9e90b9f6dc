"""Asking which skills someone has."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import Ran, home_of, write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("RES-1", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project with one skill, beside a store with two."""
    for name in ("docx", "pdf"):
        write_skill(tmp_path / "given" / name)
    do(tmp_path, "add given", "agents add reviewer", "assign pdf --agent reviewer --priority 5")
    write_skill(tmp_path / "skills" / "deploy")
    return tmp_path


def test_loaded_skills_are_listed_in_their_order_with_the_reason_and_the_hash(yard: Path) -> None:
    said = seen(yard, "resolve --agent reviewer").splitlines()

    everyone = "skill, and meant for everyone"
    assert said[:-1] == [
        "   Skill            Version  Source   Decision  Reason",
        "✓  pdf              1.0.0    store    loaded    it is assigned to agent:reviewer",
        f"✓  deploy           1.0.0    project  loaded    it is a project {everyone}",
        f"✓  hello-world      1.0.0    bundled  loaded    it is a bundled {everyone}",
        f"✓  skill-authoring  1.0.0    bundled  loaded    it is a bundled {everyone}",
        "",
        "4 loaded, 1 excluded",
    ]
    assert said[-1].startswith("sha256:")


def test_excluded_skills_are_shown_when_all_are_wanted(yard: Path) -> None:
    line = "✗  gh               1.0.0    bundled  excluded  missing commands: gh"

    assert line not in seen(yard, "resolve").splitlines()
    assert line in seen(yard, "resolve --all").splitlines()


def test_json_has_every_candidate_in_the_shape_of_a_resolved_skill(yard: Path) -> None:
    write_skill(yard / "skills" / "pdf")
    (yard / "given" / "pdf" / "references").mkdir()
    (yard / "given" / "pdf" / "references" / "forms.md").write_text("Forms.\n")
    do(yard, "add given/pdf")

    told = json.loads(seen(yard, "resolve --agent reviewer --json"))

    assert sorted(told) == ["manifest_hash", "problems", "skills"]
    assert [(one["slug"], one["source"], one["disposition"]) for one in told["skills"]] == [
        ("pdf", "store", "loaded"),
        ("deploy", "project", "loaded"),
        ("hello-world", "bundled", "loaded"),
        ("skill-authoring", "bundled", "loaded"),
        ("pdf", "project", "shadowed"),
        ("gh", "bundled", "excluded"),
    ]
    stored, deploy = told["skills"][:2]
    assert stored.pop("digest").startswith("sha256:")
    assert stored == {
        "slug": "pdf",
        "version": "1.0.1",
        "source": "store",
        "disposition": "loaded",
        "rule": "assigned",
        "reason": "it is assigned to agent:reviewer",
        "required": False,
        "by": None,
        "id": "pdf",
        "name": "pdf",
        "description": "Sorts things. Use when asked.",
        "sourceRef": stored["sourceRef"],
        "isDirectory": True,
        "supportingFiles": [{"relativePath": "references/forms.md"}],
        "sandboxPath": "/home/sprite/.skills/pdf",
        "absolutePath": None,
        "tags": [],
        "category": "general",
        "enabled": True,
        "requiresTools": [],
    }
    assert (deploy["sandboxPath"], deploy["absolutePath"], deploy["isDirectory"]) == (
        None,
        str(yard / "skills" / "deploy"),
        False,
    )


def test_directories_of_skills_can_be_left_out_or_chosen(yard: Path, tmp_path: Path) -> None:
    write_skill(home_of(yard) / "user" / ".agents" / "skills" / "mine")
    write_skill(tmp_path / "elsewhere" / ".claude" / "skills" / "other")

    def loaded(options: str) -> list[str]:
        skills = json.loads(seen(yard, f"resolve --json {options}"))["skills"]
        return [one["slug"] for one in skills if one["disposition"] == "loaded"]

    bundled = ["hello-world", "skill-authoring"]
    assert loaded("") == ["deploy", "hello-world", "mine", "skill-authoring"]
    assert loaded("--no-project --no-user") == bundled
    assert loaded("--no-user --project elsewhere") == ["hello-world", "other", "skill-authoring"]
    assert loaded("--no-user --no-project --include-unavailable") == ["gh", *bundled]
    assert see(yard, "resolve --no-project --project elsewhere").status == 2
    assert see(yard, "resolve --project nowhere").status == 2


@pytest.mark.requirement("RES-4", "RES-7")
def test_options_choose_the_policy(yard: Path) -> None:
    do(yard, "edit docx --confidence high", "disable pdf")
    for number in range(9):
        write_skill(yard / "skills" / f"many-{number}")

    def count(options: str, disposition: str) -> list[str]:
        skills = json.loads(seen(yard, f"resolve --json --agent reviewer {options}"))["skills"]
        return [one["slug"] for one in skills if one["disposition"] == disposition]

    assert "docx" in count("", "loaded")
    assert "docx" not in count("--no-widen", "loaded")
    assert "pdf" in count("", "excluded")
    assert "pdf" in count("--include-disabled", "loaded")
    assert (len(count("--eager", "loaded")), len(count("--eager", "cut"))) == (8, 5)


@pytest.mark.requirement("RES-5")
def test_something_required_that_cannot_be_had_is_told_and_fails(yard: Path) -> None:
    do(yard, "assign docx --agent reviewer --required", "disable docx")

    ran = see(yard, "resolve --agent reviewer")
    told = see(yard, "resolve --agent reviewer --json")

    assert ran.status == told.status == 5
    assert "✓  pdf" in ran.out
    assert ran.err.splitlines()[0] == "error: docx is required, but it is disabled"
    assert json.loads(told.out)["problems"] == [
        {
            "kind": "required-missing",
            "slug": "docx",
            "message": "docx is required, but it is disabled",
            "severity": "error",
        }
    ]


@pytest.mark.requirement("SRC-4")
def test_a_broken_directory_is_reported_and_the_others_are_loaded(yard: Path) -> None:
    write_skill(yard / "skills" / "bad", "---\nname: bad\n---\n\nDo.\n")
    write_skill(yard / "skills" / "linked")
    (yard / "skills" / "linked" / "more.md").symlink_to(yard / "given")

    ran = see(yard, "resolve")

    assert ran.status == 0
    assert "✓  deploy" in ran.out
    left_out = f"warning: linked is left out: `{yard}/skills/linked` cannot be read"
    assert ran.err.splitlines() == [
        f"{left_out} as a skill package: `more.md` is a link (SY303)",
        f"warning: {yard}/skills/bad is left out: there is no `description`",
    ]


def test_an_unknown_name_is_an_error_and_so_is_an_empty_one(yard: Path) -> None:
    assert see(yard, "resolve --agent reviewr") == Ran(
        3, "", "error: there is no agent `reviewr`\n\nhint: Did you mean `reviewer`?\n"
    )
    assert see(yard, "resolve --provider nothing").status == 2
    assert see(yard, "resolve --provider codex").status == 0
    assert [see(yard, f"resolve --{kind} ''").status for kind in ("agent", "team", "node")] == [
        3,
        3,
        3,
    ]


@pytest.mark.requirement("RES-8")
def test_the_hash_changes_with_the_content_and_only_then(yard: Path) -> None:
    before = seen(yard, "resolve").splitlines()[-1]
    assert seen(yard, "resolve").splitlines()[-1] == before

    (yard / "skills" / "deploy" / "more.md").write_text("More.\n")

    assert seen(yard, "resolve").splitlines()[-1] != before
