"""What may be said about a skill or a record."""

import pytest

from skillyard.domain.errors import InvalidFactError
from skillyard.domain.facts import (
    NO_CHANGES,
    FactChanges,
    FactProblem,
    iter_problems,
    normalize_tags,
    require_facts,
    require_record_name,
)
from skillyard.domain.skill import SkillFacts

GOOD = SkillFacts(display_name="PDF", description="Fills forms.")


def problems(**facts: object) -> list[FactProblem]:
    return list(iter_problems(FactChanges(**facts).apply(GOOD)))  # type: ignore[arg-type]


def test_good_facts_are_given_back() -> None:
    assert require_facts(GOOD) is GOOD


def test_no_changes_change_nothing() -> None:
    assert NO_CHANGES.said() == {}
    assert NO_CHANGES.apply(GOOD) == GOOD


def test_none_is_a_change_where_none_means_something() -> None:
    changes = FactChanges(deprecated=None, agents=None)

    assert changes.said() == {"deprecated": None, "agents": None}


def test_every_problem_is_found_at_once() -> None:
    with pytest.raises(InvalidFactError) as caught:
        require_facts(
            SkillFacts(
                display_name=" ",
                description="x" * 1025,
                category="cooking",
                tags=("A b",),
                requires=("Bad",),
                agents=("a b",),
                deprecated="",
                requires_tools=("x" * 5000,),
                metadata={"a": "\0"},
            )
        )

    assert [what for what, _, _ in caught.value.problems] == [
        "display name",
        "description",
        "category",
        "tag",
        "required skill",
        "agent's name",
        "deprecation message",
        "required tools",
        "metadata",
    ]


@pytest.mark.parametrize(("text", "point"), [("a\0b", "U+0000"), ("half \ud800 pair", "U+D800")])
def test_a_character_that_no_database_keeps_is_refused(text: str, point: str) -> None:
    assert problems(display_name=text) == [
        FactProblem("display name", f"it holds {point}, which no text may hold", "Leave it out")
    ]


@pytest.mark.parametrize(
    ("tags", "kept"),
    [
        ((), ()),
        (("pdf", "a-b", "3d"), ("pdf", "a-b", "3d")),
        (("Machine Learning", "C#", "c"), ("machine-learning", "c")),
        (("日本", "ok"), ("ok",)),
        (("--", "-a"), ("--", "-a")),
    ],
)
def test_tags_are_brought_into_form(tags: tuple[str, ...], kept: tuple[str, ...]) -> None:
    assert normalize_tags(tags) == kept
    assert normalize_tags(kept) == kept


@pytest.mark.parametrize("name", ["a", "A.b-c_d@e", "0" * 128, "reviewer"])
def test_a_record_may_have_such_a_name(name: str) -> None:
    assert require_record_name("agent", name) == name


@pytest.mark.parametrize("name", ["", "-a", ".a", "a b", "a/b", "é", "0" * 129, "a\n"])
def test_a_record_may_not_have_such_a_name(name: str) -> None:
    with pytest.raises(InvalidFactError):
        require_record_name("agent", name)
