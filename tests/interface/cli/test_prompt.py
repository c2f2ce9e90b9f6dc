"""Printing what an agent is told of its skills."""

import json
from pathlib import Path

import pytest

from skillyard import Sandbox, Skillyard
from tests.interface.cli.lines import do
from tests.interface.cli.running import home_of, on_terminal, write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("DIS-1", "INT-2")
ONLY = "--agent reviewer --no-project"


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a store with one skill, for an agent that may have no other."""
    write_skill(tmp_path / "given" / "pdf")
    do(tmp_path, "add given", "agents add reviewer --allow pdf", "assign pdf --agent reviewer")
    return tmp_path


def test_the_text_is_printed_and_nothing_else(yard: Path) -> None:
    assert seen(yard, f"prompt {ONLY}") == (
        "<available_skills>\n"
        "<skill>\n"
        "<name>pdf</name>\n"
        "<description>Sorts things. Use when asked.</description>\n"
        "<location>/home/sprite/.skills/pdf/SKILL.md</location>\n"
        "</skill>\n"
        "</available_skills>"
    )


def test_forms_and_the_path_of_the_skills_can_be_chosen(yard: Path) -> None:
    markdown = seen(yard, f"prompt {ONLY} --form markdown --skills-path /opt/skills/")
    assert markdown.startswith("## Available Skills\n")
    assert markdown.endswith(
        "Sandbox skills (in /opt/skills/):\n"
        "- **pdf** — Sorts things. Use when asked. Read: /opt/skills/pdf/SKILL.md [admin]"
    )
    assert "<name>\npdf\n</name>" in seen(yard, f"prompt {ONLY} --form reference")


def test_the_paths_are_those_of_the_agents_sandbox_and_of_the_mounted_project(yard: Path) -> None:
    with Skillyard.open(home=home_of(yard)) as store:
        store.add_record(Sandbox(name="box", agent="reviewer", skills_path="/opt/skills"))
    do(yard, "agents set reviewer --allow-all")
    write_skill(yard / "skills" / "deploy")

    markdown = seen(yard, "prompt --agent reviewer --form markdown --project-path /project")

    assert "Sandbox skills (in /opt/skills/):" in markdown
    assert "Read: /opt/skills/pdf/SKILL.md [admin]" in markdown
    assert "Read: /project/skills/deploy/SKILL.md [repo]" in markdown
    assert str(yard) not in markdown
    used = seen(yard, "use deploy --agent reviewer --project-path /project")
    assert "Entrypoint: /project/skills/deploy/SKILL.md" in used
    inside = seen(yard, "use deploy --agent reviewer --project-path /project --instructions")
    assert "Skill directory: /project/skills/deploy" in inside
    assert "/run/pdf/SKILL.md" in seen(yard, "prompt --agent reviewer --skills-path /run")


@pytest.mark.requirement("DIS-4")
def test_the_list_is_as_long_as_the_record_or_the_option_says(yard: Path) -> None:
    note = "[1 more skills available — use use_skill to discover them]"
    do(yard, "agents set reviewer --allow-all --listed-limit 2")

    assert seen(yard, f"prompt {ONLY}").endswith(note)
    assert note not in seen(yard, f"prompt {ONLY} --limit 3")


@pytest.mark.requirement("DIS-4", "RES-7")
def test_settings_say_how_much_of_a_prompt_skills_take(yard: Path) -> None:
    do(yard, "agents set reviewer --allow-all", "assign pdf --agent reviewer --auto-inject")

    def count_loaded(line: str) -> int:
        skills = json.loads(seen(yard, f"{line} --json {ONLY}"))["skills"]
        return sum(one["disposition"] == "loaded" for one in skills)

    assert "[1 more skills available" in seen(yard, f"--listed-limit 2 prompt {ONLY}")
    assert '<skill name="pdf"' in seen(yard, f"prompt {ONLY}")
    assert '<skill name="pdf"' not in seen(yard, f"--injected-characters 0 prompt {ONLY}")
    assert count_loaded("--eager-limit 1 resolve --eager") == 1
    do(yard, "agents set reviewer --context-window 1000")
    assert count_loaded("resolve") > count_loaded("--window-share 1 resolve")


@pytest.mark.requirement("DIS-5")
def test_costs_are_told_beside_the_text(yard: Path) -> None:
    ran = see(yard, f"prompt {ONLY} --tokens")
    assert ran.out == seen(yard, f"prompt {ONLY}")
    assert [line.split() for line in ran.err.splitlines()[:3]] == [
        ["Skill", "Tier", "1", "Tier", "2", "Tier", "3"],
        ["pdf", "44", "41", "0"],
        ["in", "all", "44", "41", "0"],
    ]
    assert ran.err.endswith("tokens (o200k_base, estimated)\n")

    told = json.loads(seen(yard, f"prompt {ONLY} --tokens --json"))
    assert told["text"] == ran.out
    assert told["tokens"]["tokenizer"] == "o200k_base, estimated"
    assert told["tokens"]["skills"] == [
        {"slug": "pdf", "tier1": 44, "tier2": 41, "tier3": 0, "files": {}}
    ]
    assert json.loads(seen(yard, f"prompt {ONLY} --json"))["tokens"] is None


def test_nothing_is_printed_where_something_required_is_missing(yard: Path) -> None:
    do(yard, "assign pdf --agent reviewer --required", "disable pdf")

    ran = see(yard, f"prompt {ONLY}")

    assert (ran.status, ran.out) == (5, "")


def test_a_terminal_gets_a_whole_last_line(yard: Path) -> None:
    status, out = on_terminal("prompt", *ONLY.split(), "--no-user", cwd=yard)

    assert (status, out[-22:]) == (0, b"\n</available_skills>\r\n")
