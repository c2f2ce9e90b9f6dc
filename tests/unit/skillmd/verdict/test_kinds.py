"""A plain value is text to one reader and a number to the next."""

import pytest

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict.clientyaml import compose
from skillyard.skillmd.verdict.kinds import Kind, kind_of

pytestmark = pytest.mark.requirement("PKG-3")

STYLES = list(YamlStyle)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("text", Kind.TEXT),
        ("'12'", Kind.TEXT),
        ("!!str 12", Kind.TEXT),
        ("!custom 12", Kind.TEXT),
        ("yes", Kind.TEXT),
        ("~", Kind.NOTHING),
        ("null", Kind.NOTHING),
        ("!!null ''", Kind.NOTHING),
        ("True", Kind.BOOLEAN),
        ("!!bool 'true'", Kind.BOOLEAN),
        ("12", Kind.NUMBER),
        ("-1.5e3", Kind.NUMBER),
        (".inf", Kind.NUMBER),
        ("0x1F", Kind.NUMBER),
        ("[a]", Kind.LIST),
        ("{a: b}", Kind.MAP),
    ],
)
@pytest.mark.parametrize("style", STYLES)
def test_all_readers_agree(text: str, kind: Kind, style: YamlStyle) -> None:
    assert kind_of(compose(text), style) is kind


@pytest.mark.parametrize(
    ("text", "not_text_to"),
    [
        ("2026-01-02", {YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4}),
        ("12:30:45", {YamlStyle.JS_YAML_3}),
        ("1_000", {YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4}),
        ("0123", {YamlStyle.BUN, YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4}),
        ("0b101", {YamlStyle.LIBYAML, YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4}),
        ("0o17", {YamlStyle.LIBYAML, YamlStyle.BUN, YamlStyle.JS_YAML_4}),
    ],
)
def test_readers_differ(text: str, not_text_to: set[YamlStyle]) -> None:
    found = {style for style in STYLES if kind_of(compose(text), style) is not Kind.TEXT}

    assert found == not_text_to


def test_no_node_is_nothing() -> None:
    assert kind_of(None, YamlStyle.BUN) is Kind.NOTHING
