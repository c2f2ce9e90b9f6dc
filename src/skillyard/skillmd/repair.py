"""Guess what was meant by front matter that is not YAML: values that need quotes.

Most front matter that YAML refuses holds a value with `: ` in it, or one that starts with a
character that means something. The repair puts such a value in quotes. It touches nothing that can
be read as it is, and no line of a block (`|`, `>`).
"""

import json
import re
from collections.abc import Iterator
from typing import Final

from skillyard.domain.document import Fields, Scalar
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd.scalars import ScalarKind, scalar_kind
from skillyard.skillmd.yamltree import parse_yaml

_KEY: Final = r"[A-Za-z0-9_.-]+:"
_TOP: Final = re.compile(_KEY)
_ENTRY: Final = re.compile(rf"([ ]*(?:- )?{_KEY}[ \t]+)(\S.*)")
# A line that can be read without a doubt, so that no parser need be asked.
_PLAIN: Final = re.compile(rf"{_KEY}(?: [A-Za-z0-9(][^:#\x00-\x1f\x7f-\uffff]*)?")
_BLOCK: Final = re.compile(r"[|>][-+0-9]*(?:[ \t]+#.*)?")
_BLOCK_START: Final = re.compile(rf"[ ]*(?:- )*(?:{_KEY}[ \t]+)?{_BLOCK.pattern}[ \t\r]*")
# `issue #7` belongs to the value, `value # a remark` does not.
_REMARK: Final = re.compile(r"(?<![ \t])[ \t]++#(?:[ \t].*)?$")
# What YAML takes for the end of a line inside quotes, or does not take at all.
_NOT_IN_QUOTES: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|(?P<good>x[0-9a-fA-F]{2}|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|U00(?:0[0-9a-fA-F]|10)"
    r'[0-9a-fA-F]{4}|[0abtnvfre "/\\N_LP])|)'
)
# To readers of YAML 1.1 these are no text, and some stop there.
_NOT_PLAIN: Final = frozenset({"=", "<<"})


def quote(text: str) -> str:
    """Write `text` as a YAML value on one line: plain where that means the same."""
    tree = parse_yaml(f"key: {text}", limits=STANDARD)
    if not tree.problems and isinstance(tree.root, Fields) and text not in _NOT_PLAIN:
        value = tree.root.find("key")
        if (
            isinstance(value, Scalar)
            and value.text == text
            and not value.style
            and scalar_kind(value, old=True) is ScalarKind.TEXT
        ):
            return text
    return quote_always(text)


def quote_always(text: str) -> str:
    """Write `text` in double quotes, on one line."""
    written = json.dumps(text, ensure_ascii=False)
    return _NOT_IN_QUOTES.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def repair_yaml(text: str, *, limits: Limits) -> str | None:
    """Give `text` with quotes where they are needed, or None where that does not help."""
    lines = text.split("\n")
    if len(lines) > limits.front_matter_nodes:
        return None
    repaired = "\n".join(
        line for entry in _iter_entries(lines) for line in _repair_entry(entry, limits)
    )
    return repaired if repaired != text and _is_mapping(repaired, limits) else None


def _iter_entries(lines: list[str]) -> Iterator[list[str]]:
    """Cut the lines where a key stands at the margin."""
    entry: list[str] = []
    for line in lines:
        if entry and _TOP.match(line):
            yield entry
            entry = []
        entry.append(line)
    yield entry


def _repair_entry(lines: list[str], limits: Limits) -> list[str]:
    if _is_readable(lines, limits):
        return lines
    by_line = list(_iter_repaired_lines(lines, limits))
    if by_line != lines and _is_readable(by_line, limits):
        return by_line
    return _quote_entry(lines, limits)


def _is_readable(lines: list[str], limits: Limits) -> bool:
    first, *others = lines
    if not any(others) and _PLAIN.fullmatch(first):
        return True
    return _is_mapping("\n".join(lines), limits)


def _iter_repaired_lines(lines: list[str], limits: Limits) -> Iterator[str]:
    block: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (indent > block or not line.strip()):
            yield line
            continue
        block = indent if _BLOCK_START.fullmatch(line) else None
        yield _repair_line(line, limits)


def _repair_line(line: str, limits: Limits) -> str:
    match = _ENTRY.match(line)
    if match is None or _is_mapping(line.strip().removeprefix("- "), limits):
        return line
    value = match[2].rstrip(" \t\r")
    remark = _REMARK.search(value)
    kept = value[: remark.start()] if remark else value
    quoted = _quote_value(kept, limits)
    if quoted is None:
        return line
    return match[1] + quoted + line[match.start(2) + len(kept) :]


def _quote_entry(lines: list[str], limits: Limits) -> list[str]:
    """Quote a value that goes on over the lines below its key."""
    match = _ENTRY.match(lines[0])
    if match is None:
        return lines
    last = max(
        index for index, line in enumerate(lines) if line.strip() and not line.startswith("#")
    )
    quoted = _quote_value("\n".join([match[2], *lines[1 : last + 1]]), limits)
    if quoted is None:
        return lines
    return [match[1] + quoted, *lines[last + 1 :]]


def _quote_value(value: str, limits: Limits) -> str | None:
    if _BLOCK.fullmatch(value) or _CONTROL.search(value):
        return None
    first = value[0]
    if first in "\"'" and value.find(first, 1) < 0:
        # An opening quote without its partner: where it should close is anyone's guess.
        return None
    if first == '"' == value[-1]:
        mended = _ESCAPE.sub(_mend_escape, value)
        if _is_mapping(f"key: {mended}", limits):
            return mended
    # Line ends inside quotes fold as they do in a plain value.
    return '"' + "\n".join(quote_always(line)[1:-1] for line in value.split("\n")) + '"'


def _mend_escape(found: re.Match[str]) -> str:
    if found["good"]:
        return found[0]
    if found["pair"]:
        return str(json.loads(f'"{found[0]}"'))
    return "\\\\"


def _is_mapping(text: str, limits: Limits) -> bool:
    return isinstance(parse_yaml(text, limits=limits).root, Fields)
