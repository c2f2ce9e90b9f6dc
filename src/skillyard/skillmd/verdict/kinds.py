"""What a YAML value is to each reader: text, a number, a date, and so on."""

import re
from enum import StrEnum
from typing import Final

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict.clientyaml import Branch, Leaf, YamlNode

STANDARD_TAG: Final = "tag:yaml.org,2002:"


class Kind(StrEnum):
    """What a value is, in the words of a message."""

    TEXT = "text"
    NOTHING = "nothing"
    BOOLEAN = "a truth value"
    NUMBER = "a number"
    DATE = "a date"
    LIST = "a list"
    MAP = "a mapping"


_NULL: Final = re.compile(r"~|null|Null|NULL|")
_BOOLEAN: Final = re.compile(r"true|True|TRUE|false|False|FALSE")
_SPECIAL: Final = r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_DECIMAL: Final = r"|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
# The readers agree on plain decimals. A leading zero, `_`, `0b` and `:` are where they part.
_NUMBERS: Final = {
    YamlStyle.LIBYAML: re.compile(
        r"(?![-+]?0[0-9]+$)(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+" + _DECIMAL + _SPECIAL + ")"
    ),
    YamlStyle.BUN: re.compile(r"0x[0-9a-fA-F]+|0o[0-7]+" + _DECIMAL + _SPECIAL),
    YamlStyle.JS_YAML_4: re.compile(
        r"[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o[0-7_]+|[0-9][0-9_]*)"
        r"|[-+]?(?:[0-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
        r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?" + _SPECIAL
    ),
    YamlStyle.JS_YAML_3: re.compile(
        r"[-+]?(?:0|[1-9][0-9_]*|0[0-7_]+|0b[01_]+|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+)"
        r"|[-+]?(?:[0-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
        r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*" + _SPECIAL
    ),
}
_DATE: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
_KNOWS_DATES: Final = frozenset({YamlStyle.JS_YAML_3, YamlStyle.JS_YAML_4})
_TAGGED: Final = {
    f"{STANDARD_TAG}str": Kind.TEXT,
    f"{STANDARD_TAG}null": Kind.NOTHING,
    f"{STANDARD_TAG}bool": Kind.BOOLEAN,
    f"{STANDARD_TAG}int": Kind.NUMBER,
    f"{STANDARD_TAG}float": Kind.NUMBER,
    f"{STANDARD_TAG}timestamp": Kind.DATE,
}


def kind_of(node: YamlNode | None, style: YamlStyle) -> Kind:
    """Tell what `node` is to a reader of this style; no node at all is nothing."""
    match node:
        case None:
            return Kind.NOTHING
        case Branch():
            return Kind.MAP if node.is_map else Kind.LIST
        case Leaf():
            return _leaf_kind(node, style)


def _leaf_kind(leaf: Leaf, style: YamlStyle) -> Kind:
    if leaf.tag is not None:
        return _TAGGED.get(leaf.tag, Kind.TEXT)
    if leaf.style:
        return Kind.TEXT
    patterns = ((Kind.NOTHING, _NULL), (Kind.BOOLEAN, _BOOLEAN), (Kind.NUMBER, _NUMBERS[style]))
    for kind, pattern in patterns:
        if pattern.fullmatch(leaf.text):
            return kind
    is_date = style in _KNOWS_DATES and _DATE.fullmatch(leaf.text)
    return Kind.DATE if is_date else Kind.TEXT
