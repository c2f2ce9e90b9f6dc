"""Numbers are written as JavaScript writes them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.skillmd.verdict.numbers import number_text

pytestmark = pytest.mark.requirement("PKG-3")


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("12", "12"),
        ("1.50", "1.5"),
        ("12.0", "12"),
        ("007", "7"),
        ("0x1F", "31"),
        ("0o17", "15"),
        ("1e3", "1000"),
        ("1e-7", "1e-7"),
        ("123456789012345678901234567890", "1.2345678901234568e+29"),
        ("-.INF", "-Infinity"),
        (".inf", "Infinity"),
        (".nan", "NaN"),
        ("1e999", "Infinity"),
        ("0x" + "f" * 5000, "Infinity"),
        ("True", "true"),
        ("FALSE", "false"),
    ],
)
def test_numbers_lose_how_they_were_written(written: str, text: str) -> None:
    assert number_text(written) == text


@given(st.text())
def test_nothing_is_raised(text: str) -> None:
    assert number_text(text)
