"""Guess what was meant by front matter that is not YAML: values that need quotes.

Most front matter that YAML refuses holds a value with `: ` in it, or one that starts with a
character that means something. The repair puts such a value in quotes. It touches nothing that can
be read as it is, and no line of a block (`|`, `>`).
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from skillyard.domain.document import Fields, Listing, Node, Place, Scalar
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd.scalars import ScalarKind, scalar_kind
from skillyard.skillmd.yamltree import parse_yaml

_KEY: Final = r"[A-Za-z0-9_.-]+:"
_TOP: Final = re.compile(_KEY)
_ENTRY: Final = re.compile(rf"([ ]*(?:- )?{_KEY}[ \t]+)(\S.*)")
# A line that can be read without a doubt, so that no parser need be asked.
_PLAIN: Final = re.compile(rf"{_KEY}(?: [A-Za-z0-9(][^:#\x00-\x1f\x7f-\uffff]*)?")
_BLOCK: Final = re.compile(r"[|>][-+0-9]*(?:[ \t]+#.*)?")
_BLOCK_START: Final = re.compile(rf"[ ]*(?:- )*(?:{_KEY}[ \t]+)?{_BLOCK.pattern}[ \t]*")
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
# A line below a value that can be nothing but more of it.
_GOES_ON: Final = re.compile(r" +(?!- |#|---|```|[A-Za-z0-9_.-]+:(?:\s|$))\S.*")
_TEXTS: Final = frozenset({"name", "description", "license", "compatibility"})
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
    written = text.split("\n")
    if len(written) > limits.front_matter_nodes:
        return None
    lines = [line.removesuffix("\r") for line in written]
    better = "\n".join(
        line for entry in _iter_entries(lines) for line in _repair_entry(entry, limits)
    )
    repaired = "\n".join(
        one + "\r" * line.endswith("\r")
        for one, line in zip(better.split("\n"), written, strict=True)
    )
    return repaired if repaired != text and _is_mapping(repaired, limits) else None


def read_repaired(text: str, *, limits: Limits, part: tuple[int, int]) -> Fields | None:
    """Read the front matter in `part` of a file with the quotes that it needs.

    Places are those in `text` as it is: a repair keeps the lines, and what it adds to one has the
    place of what stands there.
    """
    start, end = part
    repaired = repair_yaml(text[start:end], limits=limits)
    if repaired is None:
        return None
    meant = text[:start] + repaired + text[end:]
    root = parse_yaml(meant, limits=limits, part=(start, start + len(repaired))).root
    return _Relocation(meant, text).fields(root) if isinstance(root, Fields) else None


class _Relocation:
    """Takes the places of nodes from one text to another with the same lines."""

    def __init__(self, source: str, target: str) -> None:
        self._target = target
        self._from = _list_line_starts(source)
        self._to = _list_line_starts(target)

    def fields(self, node: Fields) -> Fields:
        entries = ((self._scalar(key), self._node(value)) for key, value in node.entries)
        return Fields(tuple(entries), node.flow, self._place(node.place))

    def _node(self, node: Node) -> Node:
        match node:
            case Scalar():
                return self._scalar(node)
            case Listing():
                return Listing(
                    tuple(map(self._node, node.items)), node.flow, self._place(node.place)
                )
            case Fields():
                return self.fields(node)

    def _scalar(self, node: Scalar) -> Scalar:
        return Scalar(node.text, node.style, self._place(node.place))

    def _place(self, place: Place) -> Place:
        return Place(self._offset(place.start), self._offset(place.end), self._target)

    def _offset(self, offset: int) -> int:
        line = bisect_right(self._from, offset) - 1
        # The last start is behind the end of the text, as if a line feed stood there.
        end = self._to[line + 1] - 1
        return min(self._to[line] + offset - self._from[line], end)


def _list_line_starts(text: str) -> list[int]:
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


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
    value = match[2].rstrip(" \t")
    remark = _REMARK.search(value)
    kept = value[: remark.start()] if remark else value
    quoted = _quote_value(match[1], kept, limits)
    if quoted is None:
        return line
    return match[1] + quoted + line[match.start(2) + len(kept) :]


def _quote_entry(lines: list[str], limits: Limits) -> list[str]:
    """Quote a value that goes on over the lines below its key.

    Only lines that can be nothing else go on with it: not what looks like another field, a list, a
    heading or a line that was meant to close the front matter.
    """
    match = _ENTRY.match(lines[0])
    if match is None or _BLOCK_START.fullmatch(lines[0]):
        return lines
    last = max(
        index for index, line in enumerate(lines) if line.strip() and not line.startswith("#")
    )
    if not all(map(_GOES_ON.fullmatch, lines[1 : last + 1])):
        return lines
    quoted = _quote_value(match[1], "\n".join([match[2], *lines[1 : last + 1]]), limits)
    if quoted is None:
        return lines
    return [match[1] + quoted, *lines[last + 1 :]]


def _quote_value(key: str, value: str, limits: Limits) -> str | None:
    if _BLOCK.fullmatch(value) or _CONTROL.search(value):
        return None
    first = value[0]
    if first in "\"'":
        # Where a quote was meant to close, or whether it belongs to the text, is anyone's guess.
        return _mend(value, limits) if first == '"' == value[-1] else None
    if first in "[{" and key.rstrip(": \t") not in _TEXTS:
        # A list or mapping was meant, and a text would be something else.
        return None
    # Line ends inside quotes fold as they do in a plain value.
    return '"' + "\n".join(quote_always(line)[1:-1] for line in value.split("\n")) + '"'


def _mend(value: str, limits: Limits) -> str | None:
    mended = _ESCAPE.sub(_mend_escape, value)
    return mended if _is_mapping(f"key: {mended}", limits) else None


def _mend_escape(found: re.Match[str]) -> str:
    if found["good"]:
        return found[0]
    if found["pair"]:
        return str(json.loads(f'"{found[0]}"'))
    return "\\\\"


def _is_mapping(text: str, limits: Limits) -> bool:
    return isinstance(parse_yaml(text, limits=limits).root, Fields)
