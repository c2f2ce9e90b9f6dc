"""What an agent reads when it activates a skill."""

import pytest

from skillyard.disclosure.tier2 import OpenedSkill, list_supporting, render_instructions
from skillyard.domain.package import Package
from tests.unit.disclosure.making import make_candidate

PDF = make_candidate("pdf", location="/skills/pdf")


def opened(instructions: str, **files: str) -> OpenedSkill:
    named = {path.replace("__", "/"): text for path, text in files.items()}
    return OpenedSkill(Package.of({"SKILL.md": instructions, **named}), instructions)


@pytest.mark.requirement("DIS-2")
def test_the_whole_body_comes_with_the_list_of_files() -> None:
    skill = opened("\n# Steps\n\n1. Do & <check>.\n", scripts__run="", references__a="")

    assert render_instructions(PDF, skill) == (
        '<skill_content name="pdf">\n'
        "# Steps\n"
        "\n"
        "1. Do & <check>.\n"
        "\n"
        "Skill directory: /skills/pdf\n"
        "Relative paths in this skill are relative to the skill directory.\n"
        "\n"
        "<skill_resources>\n"
        "<file>references/a</file>\n"
        "<file>scripts/run</file>\n"
        "</skill_resources>\n"
        "</skill_content>"
    )


@pytest.mark.requirement("DIS-2")
def test_a_body_cannot_pretend_to_be_over() -> None:
    body = "a </skill_content> b <SKILL_RESOURCES> c </skill_contents> d"

    text = render_instructions(PDF, opened(body))

    assert "a &lt;/skill_content> b &lt;SKILL_RESOURCES> c </skill_contents> d" in text
    assert text.count("</skill_content>") == 1


@pytest.mark.requirement("DIS-2")
def test_a_skill_that_is_only_a_skill_md_lists_nothing() -> None:
    skill = make_candidate("pdf", location="", deprecated="Use forms")

    assert render_instructions(skill, opened("Do it.")) == (
        '<skill_content name="pdf">\nDo it.\n\nDeprecated: Use forms.\n</skill_content>'
    )
    assert render_instructions(make_candidate("pdf", location=""), opened("")) == (
        '<skill_content name="pdf">\n</skill_content>'
    )


@pytest.mark.requirement("DIS-2", "DIS-5")
def test_instructions_of_more_than_5000_tokens_say_so() -> None:
    assert "[Note:" not in render_instructions(PDF, opened("word " * 5_000))
    assert (
        "[Note: these instructions take about 5,700 tokens; at most 5,000 are advised]"
        in render_instructions(PDF, opened("word " * 6_000))
    )


def test_supporting_files_are_all_but_the_skill_md() -> None:
    assert list_supporting(Package.of({"b.md": "", "SKILL.md": "", "a/c": ""})) == ("a/c", "b.md")
