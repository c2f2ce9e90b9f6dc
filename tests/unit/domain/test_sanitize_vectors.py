"""Sanitising names, against the vectors that the documentation promises."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.names import is_name, sanitize_name

PAGE: Final = Path(__file__).parents[3] / "docs" / "check.md"
BLOCK: Final = re.compile(r"<!-- vectors:sanitize-name -->\n(.*?)\n<!-- end -->", re.DOTALL)
ROW: Final = re.compile(r"^\| `(\".*\")` \| (?:`(.+)`|nothing) \|$")


def read_vectors() -> list[tuple[str, str | None]]:
    block = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert block is not None
    _, _, *rows = block[1].strip().splitlines()
    matches = [ROW.match(row) for row in rows]
    assert all(matches), "a row of the table cannot be read"
    return [(json.loads(match[1]), match[2]) for match in matches if match]


def test_there_are_vectors() -> None:
    assert len(read_vectors()) >= 20


@pytest.mark.parametrize(("text", "name"), read_vectors())
def test_a_documented_text_gives_its_documented_name(text: str, name: str | None) -> None:
    assert sanitize_name(text) == name


@given(st.text())
def test_what_is_left_is_a_name_and_stays_as_it_is(text: str) -> None:
    name = sanitize_name(text)

    if name is not None:
        assert is_name(name)
        assert sanitize_name(name) == name


@given(st.from_regex(r"[a-z0-9]+(-[a-z0-9]+)*", fullmatch=True).filter(is_name))
def test_a_name_is_its_own_sanitised_form(name: str) -> None:
    assert sanitize_name(name) == name
