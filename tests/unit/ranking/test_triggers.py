"""What the triggers of a skill add."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.manifest import Triggers
from skillyard.ranking.score import rarity
from skillyard.ranking.triggers import (
    MOST_PATTERNS,
    MOST_TRIGGERS,
    PATTERN_CHARACTERS,
    TASK_CHARACTERS,
    Cue,
    Cues,
    Phrase,
    count_bonus,
    list_phrases,
    to_cues,
)

pytestmark = pytest.mark.requirement("DIS-7")


def fits(keyword: str, task: str) -> bool:
    phrases = to_cues(Triggers(keywords=(keyword,))).phrases
    return any(one.terms in list_phrases(task) for one in phrases)


@pytest.mark.parametrize(
    ("keyword", "task"),
    [
        ("pdf", "Read this PDF, please"),
        ("pull request", "review my pull requests"),
        ("deploy", "We are deploying on Friday"),
        ("state of the art", "a state-of-the-art parser"),
        ("pre-commit", "run the pre-commit hooks"),
        ("commit", "run the pre-commit hooks"),
        ("C++", "port it to c++"),
        ("代码审查", "请做代码审查"),
    ],
)
def test_a_keyword_fits_whole_words_side_by_side(keyword: str, task: str) -> None:
    assert fits(keyword, task)


@pytest.mark.parametrize(
    ("keyword", "task"),
    [
        ("pdf", "the pdfs2 tool"),
        ("form", "reform the platform"),
        ("pull request", "request a pull"),
        ("pull request", "pull the old request"),
        ("the", "the and of"),
        ("", "anything"),
        ("a b c d e f g h i j k", "b c d e f g h j k"),
    ],
)
def test_a_keyword_does_not_fit_parts_of_words_or_words_apart(keyword: str, task: str) -> None:
    assert not fits(keyword, task)


def test_triggers_are_kept_once_with_the_words_that_say_them() -> None:
    triggers = Triggers(
        keywords=("Forms", "form", "the"), verbs=("form", "fill"), patterns=("a+", "", "a+", "b")
    )

    assert to_cues(triggers) == Cues(
        (
            Phrase("form", Cue.KEYWORD, "Forms"),
            Phrase("form", Cue.VERB, "form"),
            Phrase("fill", Cue.VERB, "fill"),
        ),
        ("a+", "b"),
    )


def test_too_many_and_too_long_triggers_are_left_out() -> None:
    many = tuple(f"word{number}" for number in range(MOST_TRIGGERS + 5))
    triggers = Triggers(keywords=many, patterns=("x" * (PATTERN_CHARACTERS + 1), "\ud800", *many))

    cues = to_cues(triggers)

    assert len(cues.phrases) == MOST_TRIGGERS
    assert cues.patterns == many[: MOST_PATTERNS - 2]


def test_each_kind_of_hit_adds_its_own_and_no_more_than_a_few_count() -> None:
    unit = 255 * rarity(1, 1000)

    assert count_bonus([Cue.KEYWORD], skills=1000) == 15 * unit
    assert count_bonus([Cue.VERB], skills=1000) == 3 * unit
    assert count_bonus([Cue.PATTERN], skills=1000) == 30 * unit
    assert count_bonus([Cue.KEYWORD] * 9 + [Cue.VERB] * 9, skills=1000) == 48 * unit
    assert count_bonus([], skills=1000) == 0


def test_what_lies_behind_the_limit_is_not_compared() -> None:
    assert not fits("zebra", " " * TASK_CHARACTERS + "zebra")


@given(st.lists(st.text(max_size=40), max_size=5), st.text(max_size=300))
def test_every_trigger_can_be_compared_with_every_task(said: list[str], task: str) -> None:
    cues = to_cues(Triggers(tuple(said), tuple(said), tuple(said)))

    assert all(one.terms for one in cues.phrases)
    "".join((*cues.patterns, *(one.said for one in cues.phrases))).encode()
    assert len(set(list_phrases(task))) == len(list_phrases(task))


@pytest.mark.timeout(10)
@pytest.mark.parametrize("task", ["a b " * 50_000, "zebra-" * 20_000, "中" * 100_000])
def test_a_hostile_task_is_cut_into_phrases_soon(task: str) -> None:
    assert len(list_phrases(task)) <= 6 * TASK_CHARACTERS
