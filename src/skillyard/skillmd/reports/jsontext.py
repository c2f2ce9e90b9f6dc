"""JSON as the reports write it: two blanks of indentation, nothing but printable ASCII."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

_INDENT: Final = "  "
# The first is the one control character that `ensure_ascii` lets through, the other what the log
# of a build takes for a command. Both stand only inside strings, where an escape means the same.
_UNSAFE: Final = re.compile(r"\x7f|(?<=#)#(?=(?i:vso)?\[)")


def render_value(value: object, *, depth: int = 0) -> str:
    """Write `value`; lines after the first are indented for a place `depth` levels down.

    Mappings of any kind are objects. Numbers that JSON does not have are a `ValueError`.
    """
    text = json.dumps(value, indent=len(_INDENT), allow_nan=False, default=_to_plain)
    return _make_safe(text).replace("\n", "\n" + _INDENT * depth)


def render_line(value: object) -> str:
    """Write `value` as one line: many times faster, where there are thousands of things in it."""
    return _make_safe(json.dumps(value, allow_nan=False, default=_to_plain))


def _make_safe(text: str) -> str:
    # Nearly always there is nothing to do, and this is quickly seen.
    if "\x7f" not in text and "##" not in text:
        return text
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def iter_elements(values: Iterable[object], *, depth: int) -> Iterator[str]:
    """Yield the elements of an array, without its brackets, as soon as the next one is known."""
    held = None
    for value in values:
        if held is not None:
            yield f"{held},"
        held = _INDENT * depth + render_value(value, depth=depth)
    if held is not None:
        yield held


def _to_plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(value)
