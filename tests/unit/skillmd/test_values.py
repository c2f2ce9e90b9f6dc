"""Lists and texts, in the forms in which people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.document import Fields, Node
from skillyard.domain.limits import STANDARD
from skillyard.skillmd.values import (
    split_tools,
    to_mapping,
    to_text,
    to_texts,
    to_tools,
    to_words,
)
from skillyard.skillmd.yamltree import parse_yaml


def node(value: str) -> Node:
    root = parse_yaml(f"key: {value}\n", limits=STANDARD).root
    assert isinstance(root, Fields)
    found = root.find("key")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("value", "text", "words", "texts", "tools"),
    [
        ("a b", "a b", ("a", "b"), ("a b",), ("a", "b")),
        ("a, b,c", "a, b,c", ("a", "b", "c"), ("a, b,c",), ("a", "b", "c")),
        ('" a "', "a", ("a",), (" a ",), ("a",)),
        ("", "", (), (), ()),
        ("[a b, ' c ']", None, ("a b", "c"), ("a b", "c"), ("a b", "c")),
        ("\n  - a\n  - b", None, ("a", "b"), ("a", "b"), ("a", "b")),
        ("[]", None, (), (), ()),
        ("[[a]]", None, None, None, None),
        ("{a: b}", None, None, None, None),
    ],
)
def test_a_value_is_read_in_every_form(
    value: str,
    text: str | None,
    words: tuple[str, ...] | None,
    texts: tuple[str, ...] | None,
    tools: tuple[str, ...] | None,
) -> None:
    one = node(value)

    assert (to_text(one), to_words(one), to_texts(one), to_tools(one)) == (
        text,
        words,
        texts,
        tools,
    )


def test_nothing_has_no_form() -> None:
    assert [to_text(None), to_words(None), to_texts(None), to_tools(None), to_mapping(None)] == (
        [None] * 5
    )


def test_only_a_mapping_is_a_mapping() -> None:
    assert to_mapping(node("{a: b}")) == node("{a: b}")
    assert to_mapping(node("[a]")) is None


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("Read Write", ("Read", "Write")),
        ("Read, Write,Edit", ("Read", "Write", "Edit")),
        ("Bash(git add:*) Read", ("Bash(git add:*)", "Read")),
        ("Bash(git add:*, git commit:*), Read", ("Bash(git add:*, git commit:*)", "Read")),
        ("mcp__server__tool Bash(*)", ("mcp__server__tool", "Bash(*)")),
        ("Bash(git", ("Bash(git",)),
        ("a) b(", ("a)", "b(")),
        ("Bash(a (b) c)", ("Bash(a", "(b)", "c)")),
        ("", ()),
        (" , ", ()),
    ],
)
def test_tools_are_cut_outside_brackets(text: str, tools: tuple[str, ...]) -> None:
    assert split_tools(text) == tools


@given(st.text(alphabet="ab(), *:\n"))
def test_no_letter_of_a_tool_is_lost(text: str) -> None:
    def letters(one: str) -> str:
        return "".join(one.replace(",", " ").split())

    assert letters("".join(split_tools(text))) == letters(text)
