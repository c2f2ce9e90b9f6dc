"""YAML is read with everything that a client's reader would see in it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.skillmd.verdict.clientyaml import (
    MOST_LEVELS,
    MOST_NODES,
    Branch,
    Leaf,
    compose,
    find_twin_key,
    iter_nodes,
)
from skillyard.skillmd.verdict.refusal import RefusedError

pytestmark = pytest.mark.requirement("PKG-3")


def compose_map(text: str) -> Branch:
    root = compose(text)
    assert isinstance(root, Branch)
    assert root.is_map
    return root


def test_nothing_is_no_node() -> None:
    assert compose("") is None
    assert compose("# a comment") is None


def test_values_keep_style_and_tag() -> None:
    root = compose_map("a: !!str 12\nb: 'x'\nc: [1, 2]\n")

    values = [value for _, value in root.entries()]
    assert [value.tag for value in values] == ["tag:yaml.org,2002:str", None, None]
    assert [value.style for value in values if isinstance(value, Leaf)] == ["", "'"]


def test_an_alias_is_the_node_that_it_repeats() -> None:
    root = compose_map("a: &x [1]\nb: *x\n")

    assert root.find("a") is root.find("b")


def test_a_tree_that_leads_into_itself_is_walked_once() -> None:
    root = compose_map("a: &x [*x, *x]\n")

    assert sum(1 for _ in iter_nodes(root)) == 3


def test_the_last_of_several_values_is_found() -> None:
    root = compose_map("a: 1\na: 2\n")

    assert isinstance(last := root.find("a"), Leaf)
    assert last.text == "2"
    assert len(root.find_all("a")) == 2
    assert find_twin_key(root) == "a"
    assert find_twin_key(compose("a: 1\nb: {c: 1, c: 2}")) == "c"
    assert find_twin_key(compose("a: {b: 1}\nc: {b: 1}")) is None


@pytest.mark.parametrize(
    ("text", "reason", "syntax"),
    [
        ("a: b: c", "the front matter is not YAML", True),
        ("a: \0", "the front matter is not YAML", True),
        ("a: *x", "the front matter cannot be read: the alias `*x` stands for nothing", False),
        ("a\n---\nb", "the front matter cannot be read: it holds a second YAML document", False),
        ("a: !<%ED%A0%80> b", "the front matter cannot be read: a tag is not text", False),
        (
            "a: " + "[" * (MOST_LEVELS + 1),
            "the front matter cannot be read: it is nested too deeply",
            False,
        ),
        (
            "[" + "a," * MOST_NODES + "]",
            f"the front matter cannot be read: it holds more than {MOST_NODES:,} values",
            False,
        ),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, reason: str, *, syntax: bool) -> None:
    with pytest.raises(RefusedError) as caught:
        compose(text)

    assert (caught.value.reason, caught.value.syntax) == (reason, syntax)


@given(st.text(alphabet="ab:- \n\t#&*!|>'\"[]{},?%@`0\\"))
def test_nothing_but_a_refusal_is_raised(text: str) -> None:
    with suppress(RefusedError):
        compose(text)
