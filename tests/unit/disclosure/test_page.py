"""The page about disclosure shows what the code does."""

import re
from pathlib import Path
from typing import Final

import pytest

from skillyard.disclosure.injection import INJECTED
from skillyard.disclosure.listing import LISTED, Shown
from skillyard.disclosure.sources import SOURCES
from skillyard.disclosure.tier1 import render_markdown, render_reference, render_xml
from skillyard.disclosure.tier2 import OpenedSkill, render_instructions
from skillyard.disclosure.tokens import ADVISED
from skillyard.disclosure.tools import answer_use_skill
from skillyard.domain.package import Package
from tests.unit.disclosure.making import (
    EVERYDAY,
    EVERYTHING,
    JIRA,
    SKILLS_PATH,
    make_resolution,
)

PAGE: Final = (Path(__file__).parents[3] / "docs" / "disclosure.md").read_text("utf-8")
BODY: Final = "# Triage\n\n1. Read the ticket.\n2. Set its priority.\n"
OPENED: Final = OpenedSkill(Package.of(dict.fromkeys(JIRA.files, "")), BODY)

EXAMPLES: Final = {
    "everything.xml": render_xml(EVERYTHING),
    "everything.md": render_markdown(EVERYTHING, skills_path=SKILLS_PATH),
    "reference": render_reference(make_resolution(JIRA)),
    "tier2": render_instructions(JIRA, OPENED),
    "use_skill.txt": answer_use_skill(EVERYDAY, "Jira Triage"),
    "not found": answer_use_skill(EVERYDAY, "jira"),
}


def read_examples() -> dict[str, str]:
    found = re.findall(r"^<!-- ([^\n]+) -->\n```\w+\n(.*?)\n```$", PAGE, re.MULTILINE | re.DOTALL)
    return dict(found)


def read_table(first: str) -> list[list[str]]:
    """Give the rows of the table whose first column has that heading."""
    lines = iter(PAGE.splitlines())
    next(line for line in lines if line.startswith(f"| {first} |"))
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("| "):
            break
        rows.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return rows


@pytest.mark.requirement("DIS-1")
def test_the_examples_are_what_the_code_gives() -> None:
    assert read_examples() == EXAMPLES


@pytest.mark.requirement("DIS-1")
def test_the_table_has_label_and_heading_of_every_source() -> None:
    assert read_table("source") == [
        [one.kind, f"{one.heading}:", f"`[{one.label.format(owner='name')}]`"] for one in SOURCES
    ]


@pytest.mark.requirement("DIS-4", "DIS-5")
def test_the_limits_are_those_of_the_code() -> None:
    skills, characters = read_table("what")

    assert skills[1] == str(LISTED)
    assert skills[2] == f"`{Shown((), 7).notes[0]}`"
    assert characters[1] == f"{INJECTED:,}"
    assert f"{ADVISED:,} tokens" in PAGE
