"""JSON that is printable wherever it is printed."""

import json
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from skillyard.skillmd.reports.jsontext import iter_elements, render_line, render_value
from tests.unit.skillmd.reports.examples import ANY_TEXT

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_a_value_is_read_back_as_it_was(value: object) -> None:
    assert json.loads(render_value(value, depth=3)) == value


@given(VALUES)
def test_nothing_but_printable_ascii_is_written(value: object) -> None:
    text = render_value(value)

    assert text.isascii()
    assert text.replace("\n", "").isprintable()


def test_what_a_build_takes_for_a_command_is_escaped() -> None:
    text = render_value(["##[add-mask]x", "##vso[task.complete]", "## [x]", "\x7f"])

    assert text == snapshot(r"""[
  "#\u0023[add-mask]x",
  "#\u0023vso[task.complete]",
  "## [x]",
  "\u007f"
]""")


@given(VALUES)
def test_a_line_says_the_same_as_safely(value: object) -> None:
    text = render_line(value)

    assert json.loads(text) == value
    assert (text.isascii(), text.isprintable()) == (True, True)
    assert render_line(["##[x]"]) == r'["#\u0023[x]"]'


def test_lines_after_the_first_are_indented_for_their_place() -> None:
    assert render_value({"a": [1]}, depth=1) == '{\n    "a": [\n      1\n    ]\n  }'


def test_mappings_of_any_kind_are_objects() -> None:
    assert render_value([MappingProxyType({"a": MappingProxyType({})})]) == (
        '[\n  {\n    "a": {}\n  }\n]'
    )


def test_what_json_does_not_have_is_an_error() -> None:
    with pytest.raises(ValueError, match="nan"):
        render_value(float("nan"))
    with pytest.raises(TypeError):
        render_value({1, 2})


@given(st.lists(VALUES, min_size=1, max_size=4))
def test_elements_are_those_of_the_whole_array(values: list[object]) -> None:
    lines = "\n".join(iter_elements(values, depth=1))

    assert f"[\n{lines}\n]" == render_value(values)
    assert list(iter_elements([], depth=1)) == []
