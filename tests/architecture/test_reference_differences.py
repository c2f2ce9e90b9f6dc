"""The page about the reference library lists what the comparison knows, and its examples hold."""

import re
from pathlib import Path

import pytest

from skillyard.domain.package import Package
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.rules import Profile
from tools.compare_with_reference import DIFFERENCES, ask_reference, list_causes

PAGE = Path(__file__).parents[2] / "docs" / "reference-differences.md"


def read_sections() -> dict[str, str]:
    """Give the section of each difference in the documentation, by its heading."""
    parts = re.split(r"^### ", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {part.split("\n", 1)[0]: part.split("\n", 1)[1] for part in parts}


def test_the_documentation_explains_each_difference() -> None:
    assert list(read_sections()) == [f"{one}: {title}" for one, title in DIFFERENCES.items()]


EXAMPLES = {
    heading.split(":")[0]: match[1]
    for heading, text in read_sections().items()
    if (match := re.search(r"^```markdown\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
}


@pytest.mark.parametrize("difference", EXAMPLES)
def test_the_example_in_the_documentation_shows_the_difference(difference: str) -> None:
    content = EXAMPLES[difference].encode()

    judgement = Judgement(profile=Profile.STRICT)
    checked = check_package(Package.of({"SKILL.md": content}), directory="pdf", judgement=judgement)
    reference = ask_reference(content, "pdf")

    assert reference.accepts is not checked.is_valid
    assert list_causes(content, checked, reference) == {difference}


def test_every_code_that_the_page_names_has_a_page() -> None:
    links = re.findall(r"\[(SY\d+)\]\((.*?)\)", PAGE.read_text("utf-8"))

    assert all(link == f"diagnostics/{code}.md" for code, link in links)
    assert [code for code, link in links if not (PAGE.parent / link).exists()] == []
