"""What a plain YAML value is to the programs that read it.

Everything in a front matter is text to Skillyard. Clients use YAML readers that turn an unquoted
`1.0` or `true` into a number or a truth value, and some then drop the skill.
"""

import re
from enum import StrEnum

from skillyard.domain.document import Node, Scalar


class ScalarKind(StrEnum):
    """How a reader of YAML understands a scalar."""

    TEXT = "text"
    NULL = "nothing"
    BOOLEAN = "a truth value"
    NUMBER = "a number"
    DATE = "a date"


_FIRST = frozenset("~nNtTfFyYoO0123456789+-.")
_NULL = re.compile(r"~|null|Null|NULL|")
_BOOLEAN = re.compile(r"true|True|TRUE|false|False|FALSE")
_OLD_BOOLEAN = re.compile(r"yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N")
_NUMBER = re.compile(
    r"[-+]?(?:0o[0-7_]+|0x[0-9a-fA-F_]+|0b[01_]+)"
    r"|[-+]?(?:\.[0-9][0-9_]*|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9]+)?"
    # Sixties, as in 1:30:00.
    r"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
    r"(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?"
)


def scalar_kind(node: Scalar, *, old: bool = False) -> ScalarKind:
    """Tell how YAML 1.2 readers understand `node`; `old` ones take `yes` for a truth value too."""
    text = node.text
    if node.style or (text and text[0] not in _FIRST):
        return ScalarKind.TEXT
    if _NULL.fullmatch(text):
        return ScalarKind.NULL
    if _BOOLEAN.fullmatch(text) or (old and _OLD_BOOLEAN.fullmatch(text)):
        return ScalarKind.BOOLEAN
    if _NUMBER.fullmatch(text):
        return ScalarKind.NUMBER
    if _DATE.fullmatch(text):
        return ScalarKind.DATE
    return ScalarKind.TEXT


def is_true(node: Node | None) -> bool:
    """Tell whether a switch such as `disable-model-invocation` is on."""
    return isinstance(node, Scalar) and node.text.lower() in {"true", "yes", "on", "1"}


def is_false(node: Node | None) -> bool:
    """Tell whether a switch such as `user-invocable` is off."""
    return isinstance(node, Scalar) and node.text.lower() in {"false", "no", "off", "0"}
