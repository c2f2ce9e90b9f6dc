"""Trying the patterns of strangers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.adapters.search.patterns import find_fitting, open_fitting

pytestmark = pytest.mark.requirement("DIS-7")


def test_a_pattern_fits_a_part_of_a_text_whatever_the_case() -> None:
    patterns = [r"\bform\s+[A-Z]\d+", "bank", "^in", "x{3}"]

    assert find_fitting(patterns, "Fill in FORM b12") == {r"\bform\s+[A-Z]\d+"}


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "(?<=a)b", "a{1001}", "*", "\ud800"])
def test_a_pattern_that_cannot_be_read_fits_nothing(pattern: str) -> None:
    assert find_fitting([pattern, "a"], "aaaa") == {"a"}


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(.*)*x", "((a{1,30}){1,30}){1,30}b", "(a?){500}a{500}"]
)
def test_a_hostile_pattern_ends_soon(pattern: str) -> None:
    assert find_fitting([pattern], "a" * 20_000 + "!") <= {pattern}


def test_half_of_a_character_in_a_text_is_no_problem() -> None:
    assert find_fitting(["form"], "a \ud800 form") == {"form"}


@pytest.mark.filterwarnings("error")
@given(st.text(max_size=30), st.text(max_size=60))
def test_every_pattern_can_be_tried_on_every_text(pattern: str, text: str) -> None:
    assert find_fitting([pattern], text) <= {pattern}


def test_the_extra_is_there_for_the_tests() -> None:
    assert open_fitting() is find_fitting
