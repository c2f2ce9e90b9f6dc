"""The readers of the clients differ from libyaml, and from each other."""

import pytest

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict.clientyaml import Leaf, YamlNode
from skillyard.skillmd.verdict.refusal import RefusedError
from skillyard.skillmd.verdict.yamlstyles import find_merged, parse_styled

pytestmark = pytest.mark.requirement("PKG-3")

BUN, JS3, JS4 = YamlStyle.BUN, YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4
LIBYAML = YamlStyle.LIBYAML


def read(text: str, style: YamlStyle) -> str | None:
    """Give the text of `a`, or None where the reader refuses or has no text there."""
    try:
        node = find_merged(parse_styled(text, style), "a")
    except RefusedError:
        return None
    return node.text if isinstance(node, Leaf) else None


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a: x", {LIBYAML: "x", BUN: "x", JS3: "x", JS4: "x"}),
        ("a: x\x07y", {BUN: "x\x07y"}),
        ("a: x\u2028y", {BUN: "x\u2028y", JS3: "x\u2028y", JS4: "x\u2028y"}),
        ("a: , x", {BUN: ", x"}),
        ("a: |\n  \tx", {BUN: "\tx", JS3: "\tx\n", JS4: "\tx\n"}),
        ('a: "\\uD83D\\uDD2E"', {BUN: "\U0001f52e", JS3: "\U0001f52e", JS4: "\U0001f52e"}),
        ("a: 'x \n y'", {LIBYAML: "x y", BUN: "x y", JS3: "x  y", JS4: "x  y"}),
        ("a: 'x\ny'", {LIBYAML: "x y", JS3: "x y", JS4: "x y"}),
        ("a: 'x' b: y", {JS3: "x"}),
        ("m:\n  b: 'x' c: y\na: z", {JS3: "z"}),
        ("a: x\nb: ? y", {JS3: "x"}),
        ("\ta: x", {JS3: "x"}),
        ("a: x\na: y", {LIBYAML: "y", BUN: "y"}),
        ("a: !x y", {LIBYAML: "y", BUN: "y"}),
        ("&k a: x", {LIBYAML: "x", BUN: "x"}),
        ("a: !!map x", {LIBYAML: "x", BUN: "x"}),
        ("a: x\n<<: y", {LIBYAML: "x", BUN: "x"}),
        ("a: x: y", {}),
    ],
)
def test_each_reads_what_it_is_known_to_read(text: str, seen: dict[YamlStyle, str]) -> None:
    assert {style: read(text, style) for style in YamlStyle} == {
        style: seen.get(style) for style in YamlStyle
    }


def merged(text: str) -> YamlNode | None:
    return find_merged(parse_styled(text, BUN), "a")


def test_a_merge_brings_values_in_behind_those_that_stand_there() -> None:
    base = "base: &b {a: merged}\n"
    for text, expected in [
        (f"{base}<<: *b", "merged"),
        (f"{base}<<: *b\na: own", "own"),
        (f"{base}<<: [{{c: d}}, *b]", "merged"),
    ]:
        assert isinstance(found := merged(text), Leaf)
        assert found.text == expected


def test_a_merge_with_itself_and_a_list_give_nothing() -> None:
    assert merged("&m\n<<: *m\n") is None
    assert merged("- a: x") is None
    assert find_merged(None, "a") is None
