"""The meanings of words that come with the program."""

import pytest

from skillyard.adapters.search.meanings import open_meanings
from skillyard.ranking.meaning import compare, to_values
from skillyard.ranking.words import count_terms

pytestmark = pytest.mark.requirement("DIS-7")


def liken(first: str, second: str) -> int:
    one, other = (open_meanings().find(count_terms(text)) for text in (first, second))
    return compare(to_values(one), other)


@pytest.mark.parametrize(
    ("task", "near", "far"),
    [
        ("pods keep crashing", "kubernetes cluster", "email inbox"),
        ("my query is slow", "database index", "music playlist"),
        ("book a flight and a hotel", "travel itinerary", "unit tests"),
        ("reply to the customer", "support ticket", "docker image"),
    ],
)
def test_words_that_belong_together_are_near(task: str, near: str, far: str) -> None:
    assert liken(task, near) > liken(task, far)


def test_a_text_in_letters_that_nobody_learned_has_no_direction() -> None:
    assert open_meanings().find(count_terms("\u16a0\u16a2\u16a6")) == b""
