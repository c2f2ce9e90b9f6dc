"""Answering what an agent asks about one skill."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("DIS-2", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project with one skill, beside a store with one that has a file."""
    for directory in ("given/pdf", "skills/deploy"):
        write_skill(tmp_path / directory)
        (tmp_path / directory / "references").mkdir()
        (tmp_path / directory / "references" / "forms.md").write_text("Forms.\n")
    do(tmp_path, "add given", "agents add reviewer", "assign pdf --agent reviewer")
    return tmp_path


def test_it_says_where_a_skill_is_and_which_files_it_has(yard: Path) -> None:
    assert seen(yard, "use PDF --agent reviewer") == (
        "Skill: pdf\n"
        "Location: /home/sprite/.skills/pdf/\n"
        "Entrypoint: /home/sprite/.skills/pdf/SKILL.md\n"
        "\n"
        "Files:\n"
        "  SKILL.md (entrypoint)\n"
        "  references/forms.md\n"
        "\n"
        "Use read_file to load the SKILL.md for full instructions."
    )
    assert f"Location: {yard}/skills/deploy/\n" in seen(yard, "use deploy")
    assert "  references/forms.md\n" in seen(yard, "use deploy")


def test_instructions_come_from_the_store_and_from_directories(yard: Path) -> None:
    stored = seen(yard, "use pdf --agent reviewer --instructions")
    assert stored.startswith('<skill_content name="pdf">\nSort.\n')
    assert "<file>references/forms.md</file>" in stored
    assert json.loads(seen(yard, "use pdf --agent reviewer --instructions --json")) == {
        "slug": "pdf",
        "text": stored,
    }
    assert "\nSort.\n" in seen(yard, "use deploy --instructions")


@pytest.mark.requirement("DIS-3")
def test_one_file_is_printed_as_it_is(yard: Path) -> None:
    assert seen(yard, "use pdf --agent reviewer --file references/forms.md") == "Forms.\n"
    assert seen(yard, "use deploy --file ./references/forms.md") == "Forms.\n"


@pytest.mark.requirement("DIS-3")
@pytest.mark.parametrize(
    ("path", "status"),
    [("../deploy/SKILL.md", 2), ("/etc/passwd", 2), ("a//b", 2), ("references/none.md", 3)],
)
def test_unsafe_paths_are_refused_and_missing_files_are_not_found(
    yard: Path, path: str, status: int
) -> None:
    ran = see(yard, f"use deploy --file {path}")

    assert (ran.status, ran.out) == (status, "")


def test_a_skill_that_the_agent_does_not_have_is_not_found(yard: Path) -> None:
    ran = see(yard, "use pdf")

    assert ran.status == 3
    assert ran.out == (
        'Skill "pdf" not found. Available skills: deploy, hello-world, skill-authoring\n'
    )
    assert ran.err.startswith("error: there is no skill `pdf`\n")
    assert json.loads(see(yard, "use pdf --json").out)["error"]["code"] == "skill-not-found"


def test_one_thing_is_asked_for_at_a_time(yard: Path) -> None:
    assert see(yard, "use deploy --instructions --file SKILL.md").status == 2
