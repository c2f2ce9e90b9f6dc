"""What `use_skill` answers."""

import pytest
from hypothesis import given

from skillyard.disclosure.tools import (
    NO_SKILLS,
    answer_use_skill,
    describe_use_skill,
    find_skill,
)
from skillyard.domain.manifest import Invocation
from skillyard.domain.resolution import Disposition
from tests.unit.disclosure.hostile import texts
from tests.unit.disclosure.making import (
    CHARTS,
    EVERYDAY,
    EVERYTHING,
    GOLDEN,
    JIRA,
    make_candidate,
    make_decision,
    make_many,
    make_resolution,
)


@pytest.mark.requirement("DIS-2")
@pytest.mark.parametrize("name", ["jira-triage", "JIRA-Triage", "jira triage", " Jira Triage\n"])
def test_a_skill_is_found_by_slug_or_display_name_in_any_case(name: str) -> None:
    golden = (GOLDEN / "use_skill.txt").read_text("utf-8").removesuffix("\n")

    assert answer_use_skill(EVERYDAY, name) == golden


def test_a_slug_comes_before_a_display_name() -> None:
    other = make_candidate("b", display_name="A")
    resolution = make_resolution(other, make_candidate("a"))

    found = find_skill(resolution, "A")

    assert found is not None
    assert found.slug == "a"


def test_no_name_finds_nothing() -> None:
    assert find_skill(EVERYDAY, " ") is None


def test_without_skills_the_answer_says_where_they_come_from() -> None:
    shadowed = make_decision(JIRA, Disposition.SHADOWED)

    assert answer_use_skill(make_resolution(shadowed), "jira-triage") == NO_SKILLS


@pytest.mark.requirement("DIS-1")
def test_a_skill_for_users_only_is_found_by_its_name_and_never_offered() -> None:
    deploy = make_candidate("deploy", invocation=Invocation.USER_ONLY)

    assert answer_use_skill(make_resolution(JIRA, deploy), "deploy").startswith("Skill: deploy\n")
    assert answer_use_skill(make_resolution(JIRA, deploy), "deply") == (
        'Skill "deply" not found. Available skills: jira-triage'
    )
    assert answer_use_skill(make_resolution(deploy), "deply") == NO_SKILLS


def test_a_name_that_nobody_has_is_answered_with_those_that_there_are() -> None:
    assert answer_use_skill(EVERYDAY, "x") == (
        'Skill "x" not found. Available skills: jira-triage, code-review, deploy'
    )


def test_a_near_miss_is_named() -> None:
    assert answer_use_skill(EVERYDAY, "Code  Revue").endswith("Did you mean code-review?")


def test_of_very_many_names_some_are_counted() -> None:
    answer = answer_use_skill(make_many(502), "x")

    assert answer.endswith("s498, s499 and 2 more")


def test_unproven_and_deprecated_skills_are_marked() -> None:
    old = make_candidate("old", deprecated="Use pdf", location="")
    resolution = make_resolution(make_decision(CHARTS, Disposition.UNPROVEN), old)

    assert "Unproven: nothing has shown yet that this skill works." in answer_use_skill(
        resolution, "charts"
    )
    assert answer_use_skill(resolution, "old") == (
        "Skill: old\n"
        "Deprecated: Use pdf.\n"
        "\n"
        "Files:\n"
        "  SKILL.md (entrypoint)\n"
        "\n"
        "Use read_file to load the SKILL.md for full instructions."
    )


@given(texts)
def test_whatever_is_asked_for_the_refusal_is_one_short_line(name: str) -> None:
    answer = answer_use_skill(EVERYDAY, f"?{name}" * 5)

    assert len(answer.splitlines()) == 1
    assert len(answer) < 400


def test_the_description_names_the_place_of_the_skills() -> None:
    assert describe_use_skill("/opt/skills/") == (
        "Look up a skill by name and get its location and file listing. For sandbox-installed"
        " skills, returns the path to the skill directory in /opt/skills/. For project skills,"
        " returns the path in the project tree. Use read_file to load the SKILL.md and any"
        " supporting files you need."
    )
    assert "/home/sprite/.skills/." in describe_use_skill()


def test_every_fate_that_can_be_reached_is_reached() -> None:
    for name in ("jira-triage", "deploy", "pdf-legacy", "charts"):
        assert answer_use_skill(EVERYTHING, name).startswith(f"Skill: {name}\n")
