"""The caret stands below what it marks, whatever the line holds."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.skillmd.reports.excerpt import Excerpt, cut_excerpt
from tests.unit.skillmd.reports.examples import ANY_TEXT


@pytest.mark.parametrize(
    ("line", "start", "stop", "source", "marker"),
    [
        ("name: PDF", 6, 9, "name: PDF", "      ^^^"),
        ("name: PDF", 6, 6, "name: PDF", "      ^"),
        ("name:", 5, 5, "name:", "     ^"),
        ("name:", 40, 50, "name:", "     ^"),
        ("name: PDF", 6, 99, "name: PDF", "      ^^^"),
        ("", 0, 0, "", "^"),
        ("\tname", 1, 5, "    name", "    ^^^^"),
        ("a\tb\tc", 2, 5, "a   b   c", "    ^^^^^"),
        ("表\tb", 2, 3, "表  b", "    ^"),
        ("表示: PDF", 4, 7, "表示: PDF", "      ^^^"),
        ("x表示", 1, 3, "x表示", " ^^^^"),
        ("e\u0301e\u0301 x", 5, 6, "e\u0301e\u0301 x", "   ^"),
        ("\u1112\u1161\u11ab x", 4, 5, "\u1112\u1161\u11ab x", "   ^"),
        ("a\u202eb", 1, 2, r"a\u202eb", " ^^^^^^"),
        ("a\x1bb", 2, 3, r"a\x1bb", "     ^"),
        ("a\\tb", 3, 4, "a\\tb", "   ^"),
    ],
)
def test_the_caret_is_below_the_mark(
    line: str, start: int, stop: int, source: str, marker: str
) -> None:
    assert cut_excerpt(line, start=start, stop=stop, room=40) == Excerpt(source, marker)


LONG = "".join(f"{number:04}-" for number in range(100))


@pytest.mark.parametrize(
    ("start", "stop", "source", "marker"),
    [
        (0, 4, "0000-0001-0002-0003-0004-000…", "^^^^"),
        (250, 254, "…048-0049-0050-0051-0052-0053…", "          ^^^^"),
        (250, 400, "…048-0049-0050-0051-0052-0053…", "          ^^^^^^^^^^^^^^^^^^^"),
        (495, 499, "…94-0095-0096-0097-0098-0099-", "                        ^^^^"),
        (500, 500, "…94-0095-0096-0097-0098-0099-", "                             ^"),
    ],
)
def test_a_long_line_is_cut_around_the_mark(
    start: int, stop: int, source: str, marker: str
) -> None:
    assert cut_excerpt(LONG, start=start, stop=stop, room=30) == Excerpt(source, marker)


def test_a_line_of_combining_characters_is_cut_too() -> None:
    cut = cut_excerpt("a" + "\u0301" * 100_000, start=0, stop=1, room=30)

    assert cut == Excerpt("a" + "\u0301" * 27 + "…", "^")


@given(
    ANY_TEXT.map(lambda text: text * 4),
    st.integers(0, 130),
    st.integers(0, 130),
    st.integers(30, 90),
)
def test_an_excerpt_never_takes_more_than_its_room(
    line: str, start: int, stop: int, room: int
) -> None:
    source, marker = cut_excerpt(line, start=start, stop=stop, room=room)

    assert sum(1 + (unicodedata.east_asian_width(one) in "WF") for one in source) <= room
    assert len(marker) <= room
    assert marker.strip(" ").strip("^") == ""
    assert marker.endswith("^")
