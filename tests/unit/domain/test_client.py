"""Lengths are counted and cut as the programs do it, and a client says where it does not look."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.client import Length, LengthUnit
from skillyard.providers.clients import CODEX, GEMINI_CLI, OPENCODE

pytestmark = pytest.mark.requirement("PKG-3")

ASTRAL = "\U0001d49c"


def test_one_character_may_be_two_units() -> None:
    assert Length(9).of(ASTRAL * 3) == 3
    assert Length(9, LengthUnit.UTF16_UNITS).of(ASTRAL * 3) == 6


def test_the_limit_itself_still_fits() -> None:
    assert not Length(3).exceeded_by("abc")
    assert Length(3).exceeded_by("abcd")


def test_the_ending_counts_as_part_of_what_is_left() -> None:
    assert Length(5).cut("abcdef", ending="...") == "ab..."
    assert Length(5).cut("abcde", ending="...") == "abcde"


def test_half_a_character_is_replaced() -> None:
    length = Length(4, LengthUnit.UTF16_UNITS)

    assert length.cut(ASTRAL * 3, ending="…") == f"{ASTRAL}\ufffd…"
    assert length.cut(ASTRAL * 3, ending="…", half=" ") == f"{ASTRAL} …"


@given(st.text(), st.integers(4, 40), st.sampled_from(LengthUnit))
def test_what_is_cut_fits(text: str, limit: int, unit: LengthUnit) -> None:
    length = Length(limit, unit)

    assert not length.exceeded_by(length.cut(text, ending="..."))


def test_hidden_and_foreign_directories_are_skipped_where_the_client_does() -> None:
    assert CODEX.reading.skips_directory(".hidden")
    assert not OPENCODE.reading.skips_directory(".hidden")
    assert GEMINI_CLI.reading.skips_directory("node_modules")
    assert not CODEX.reading.skips_directory("node_modules")
