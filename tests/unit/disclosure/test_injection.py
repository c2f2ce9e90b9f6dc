"""The descriptions that stand in every prompt."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.disclosure.injection import render_injected
from skillyard.domain.resolution import Disposition
from tests.unit.disclosure.making import JIRA, make_candidate, make_decision, make_resolution

NOTE = "more skill descriptions left out — use use_skill to look them up]"


@pytest.mark.requirement("DIS-4")
def test_a_block_has_name_path_description_and_pointer() -> None:
    assert render_injected(make_resolution(make_decision(JIRA, auto_inject=True))) == (
        '<skill name="jira-triage" path="/home/sprite/.skills/jira-triage/SKILL.md">\n'
        "Triage incoming Jira tickets using priority rules. When you need it, read the full"
        " SKILL.md at the path above for detailed instructions.\n"
        "</skill>"
    )


@pytest.mark.requirement("DIS-4")
def test_only_loaded_skills_whose_assignment_says_so_have_one() -> None:
    resolution = make_resolution(
        make_decision(make_candidate("a")),
        make_decision(make_candidate("b"), Disposition.UNPROVEN, auto_inject=True),
        make_decision(make_candidate("c"), Disposition.CUT, auto_inject=True),
    )

    assert render_injected(resolution) == ""


@pytest.mark.requirement("DIS-4")
def test_without_a_path_the_block_points_to_the_tool() -> None:
    skill = make_candidate("pdf", location="", description="")

    assert render_injected(make_resolution(make_decision(skill, auto_inject=True))) == (
        '<skill name="pdf">\nWhen you need it, call use_skill for detailed instructions.\n</skill>'
    )


@pytest.mark.requirement("DIS-1", "DIS-4")
@pytest.mark.parametrize(("description", "line"), [("1", r"1\. "), ("# A", r"\# A. ")])
def test_a_description_starts_no_list_or_heading(description: str, line: str) -> None:
    skill = make_candidate("pdf", description=description)

    block = render_injected(make_resolution(make_decision(skill, auto_inject=True)))

    assert block.splitlines()[1].startswith(f"{line}When")


@pytest.mark.requirement("DIS-4")
@given(st.lists(st.integers(0, 1024), max_size=20), st.integers(100, 6000))
def test_the_blocks_never_exceed_their_room(lengths: list[int], limit: int) -> None:
    skills = [
        make_candidate(f"s{number}", description="x" * length)
        for number, length in enumerate(lengths)
    ]
    resolution = make_resolution(*(make_decision(one, auto_inject=True) for one in skills))

    text = render_injected(resolution, limit=limit)

    kept = text.count("</skill>")
    assert len(text) <= limit
    assert [f'name="s{number}"' in text for number in range(len(skills))] == [
        number < kept for number in range(len(skills))
    ]
    assert text.endswith(f"[{len(skills) - kept} {NOTE}") == (kept < len(skills))


@pytest.mark.requirement("DIS-4")
def test_as_many_as_fit_are_kept() -> None:
    skills = [make_candidate(f"s{number}", description="x" * 900) for number in range(6)]
    resolution = make_resolution(*(make_decision(one, auto_inject=True) for one in skills))

    whole = render_injected(resolution, limit=100_000)

    assert render_injected(resolution, limit=len(whole)) == whole
    assert render_injected(resolution, limit=len(whole) - 1).count("</skill>") == 5
    assert render_injected(resolution).count("</skill>") == 4
    five = len(render_injected(resolution, limit=len(whole) - 1))
    assert render_injected(resolution, limit=five).count("</skill>") == 5
    assert render_injected(resolution, limit=five - 1).count("</skill>") == 4
