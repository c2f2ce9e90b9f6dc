"""What a text is about, as a direction."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.ranking import SkillText
from skillyard.ranking.meaning import LIKENESS, Meanings, compare, to_values
from skillyard.ranking.query import parse_query
from skillyard.ranking.score import COMPARED, count_likeness, find_full, list_near

pytestmark = pytest.mark.requirement("DIS-7")

# Two of the sea, two of the forest, and one that is the opposite of the sea.
ROWS = {
    "ship": (100, 0, 1),
    "sail": (98, 5, 0),
    "tree": (0, 100, 0),
    "leaf": (4, 90, -3),
    "desert": (-100, 0, 0),
}
WORDS = Meanings(
    b"3\n" + " ".join(ROWS).encode() + b"\n" + bytes(128 + n for row in ROWS.values() for n in row)
)


def liken(first: str, second: str) -> float:
    one, other = (WORDS.find(dict.fromkeys(text.split(), 1)) for text in (first, second))
    return compare(to_values(one), other) / LIKENESS


def test_texts_about_the_same_are_alike_though_they_share_no_word() -> None:
    assert liken("ship", "sail") > 0.9
    assert liken("ship sail", "tree leaf") < 0.1
    assert liken("ship", "desert") < -0.9


def test_a_text_is_most_like_itself() -> None:
    assert liken("ship tree", "ship tree") > liken("ship tree", "ship") > liken("tree", "ship")


def test_a_text_without_a_known_word_is_like_nothing() -> None:
    assert WORDS.find({"xylophone": 3}) == b""
    assert WORDS.find({}) == b""
    assert liken("ship", "xylophone") == 0
    assert Meanings.nothing().find({"ship": 1}) == b""


def test_a_skill_has_the_direction_of_its_name_and_description() -> None:
    skill = SkillText(name="ships", description="Sails. Ships.", labels=("tree",), body="Tree.")

    assert WORDS.find_skill(skill) == WORDS.find({"ship": 3, "sail": 1})


@given(st.dictionaries(st.sampled_from(sorted(ROWS)), st.integers(1, 10**9)))
def test_the_order_of_words_does_not_matter(terms: dict[str, int]) -> None:
    assert WORDS.find(terms) == WORDS.find(dict(reversed(terms.items())))
    assert len(WORDS.find(terms)) in (0, 3)


def test_nobody_loses_by_a_meaning() -> None:
    assert count_likeness(-LIKENESS, 1000) == 0
    assert count_likeness(0, 1000) == 0
    assert 0 < count_likeness(LIKENESS // 2, 1000) < count_likeness(LIKENESS, 1000) < 1000


def test_the_full_score_counts_the_words_that_any_skill_holds() -> None:
    concepts = parse_query("ship the xylophone")

    assert find_full(concepts, {"ship": 10}, skills=100) > 0
    assert find_full(concepts, {"ship": 10}, skills=100) > find_full(
        concepts, {"ship": 90}, skills=100
    )
    assert find_full(concepts, {}, skills=100) == 0


def test_the_best_by_words_are_compared_and_all_that_are_equal() -> None:
    scores = dict.fromkeys(range(COMPARED), 7) | {COMPARED: 7, COMPARED + 1: 6}

    assert list_near(scores) == [*range(COMPARED + 1)]
    assert list_near({1: 5, 2: 3}) == [1, 2]
    assert list_near({}) == []
