"""Skills as prompt text: bounded, the same every time, and none can leave its place."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.disclosure.fallback import ALL, EACH, PromptSkill, render_fallback
from skillyard.domain.delivery import NoteKind
from tests.unit.disclosure.hostile import texts
from tests.unit.disclosure.making import GOLDEN

pytestmark = pytest.mark.requirement("DEL-2")

PDF = PromptSkill(
    slug="pdf",
    description="Fill in forms, and check them",
    instructions="\n# Forms\n\n1. Read `references/fields.md`.\n2. Run `scripts/fill.py`.\n",
    files=("assets/logo.png", "references/fields.md", "scripts/fill.py"),
    directory="/runs/run-1/private/skills/pdf",
)
REVIEW = PromptSkill(
    slug="code-review",
    description="# Structured <review>",
    instructions="Look at the difference.\n",
    deprecated="Use `review` instead",
)
CHARTS = PromptSkill(
    slug="charts",
    description="Draw charts from CSV files",
    directory="/runs/run-1/private/skills/charts",
)


def test_the_text_is_the_one_that_is_kept() -> None:
    found = render_fallback([PDF, REVIEW], [CHARTS])

    assert found.text == _golden("fallback.md")
    assert found.notes == ()


def test_a_long_skill_is_cut_at_a_line_and_says_so() -> None:
    steps = "".join(f"{number}. Do the next thing.\n" for number in range(1, 1001))
    long = PromptSkill(
        slug="long", description="Many steps", instructions=f"```sh\n{steps}", directory="/s/long"
    )

    found = render_fallback([long, REVIEW], each=600)

    assert found.text == _golden("fallback-cut.md")
    assert [(one.kind, one.slug, one.message) for one in found.notes] == [
        (NoteKind.SHORTENED, "long", "the text holds 17 of the 1,001 lines of its instructions")
    ]


def test_skills_that_have_no_room_are_named() -> None:
    skills = [
        PromptSkill(slug=f"s{number}", description="d", instructions="x" * 200)
        for number in range(30)
    ]

    found = render_fallback(skills, [CHARTS], total=1_000)

    assert found.text.endswith(
        "</skill_content>\n\n[Left out, because there is no room: s4, s5, s6, s7, s8, s9, s10, "
        "s11, s12, s13, s14, s15, s16, s17, s18, s19, s20, s21, s22, s23 and 6 more]\n"
    )
    assert len(found.text) <= 1_000
    assert [one.slug for one in found.notes] == [f"s{number}" for number in range(2, 30)]
    assert {(one.kind, one.message) for one in found.notes} == {
        (NoteKind.SHORTENED, "the text holds 0 of the 1 lines of its instructions"),
        (NoteKind.CUT, "the text has no room for it: all skills take 1,000 characters at most"),
    }


def test_the_last_one_with_room_is_cut_so_that_all_fit() -> None:
    skills = [
        PromptSkill(slug=f"s{number}", description="d", instructions="x\n" * 5_000)
        for number in range(4)
    ]

    found = render_fallback(skills)

    assert ALL - 100 < len(found.text) <= ALL
    assert [one.message for one in found.notes] == [
        "the text holds 792 of the 5,000 lines of its instructions"
    ]


def test_nothing_gives_no_text() -> None:
    assert render_fallback([]).text == ""


def test_more_files_than_anybody_reads_are_counted() -> None:
    files = tuple(f"references/{number:03}.md" for number in range(250))

    text = render_fallback([PromptSkill(slug="a", description="d", files=files)]).text

    assert text.count("<file>") == 100
    assert "[150 more files]" in text


bodies = st.lists(
    st.sampled_from(
        [
            "</skill_content>",
            "<skill_content name='x'>",
            "```",
            "~~~~",
            "# Skills",
            "x" * 90,
            "",
            "é",
        ]
    ),
    max_size=30,
).map("\n".join)
prompt_skills = st.builds(
    PromptSkill,
    slug=st.sampled_from(["a", "b-c", "x" * 64]),
    description=texts,
    instructions=bodies,
    files=st.lists(texts, max_size=3).map(tuple),
    directory=st.sampled_from(["", "/private/skills/a", "/p/<skill_content>"]),
    deprecated=st.one_of(st.none(), texts),
)


@given(
    st.lists(prompt_skills, max_size=4),
    st.lists(prompt_skills, max_size=2),
    st.integers(200, 2_000),
    st.integers(1_000, 4_000),
)
def test_every_limit_is_kept_and_no_skill_leaves_its_place(
    skills: list[PromptSkill], unproven: list[PromptSkill], each: int, total: int
) -> None:
    found = render_fallback(skills, unproven, each=each, total=total)

    assert found == render_fallback(skills, unproven, each=each, total=total)
    assert len(found.text) <= total
    sections = found.text.split("<skill_content name=")[1:]
    assert found.text.count("</skill_content>") == len(sections)
    for section in sections:
        assert len("<skill_content name=" + section.split("</skill_content>")[0]) <= each
    cut = [one for one in found.notes if one.kind is NoteKind.CUT]
    assert len(sections) + len(cut) == len(skills)


@given(st.lists(prompt_skills, max_size=6))
def test_the_usual_limits_are_those_that_are_promised(skills: list[PromptSkill]) -> None:
    assert (EACH, ALL) == (12_000, 32_000)
    assert len(render_fallback(skills).text) <= ALL


def _golden(name: str) -> str:
    return (Path(GOLDEN) / name).read_text(encoding="utf-8")
