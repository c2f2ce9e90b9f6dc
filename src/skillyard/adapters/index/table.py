"""Rows, column by column: ten thousand of them are looked through in milliseconds.

A table is written as a line of JSON and its columns. The line says how long each column is, and
holds a checksum of them all. A column of texts is UTF-8, its values joined by a unit separator; a
column of numbers is 64 bits each, the lowest byte first. What is read is only ever split and
counted, and nothing is split before somebody asks for it.
"""

import json
import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import Any, Final, Self

from skillyard.adapters.index.row import Row

FORMAT: Final = 1
"""Raise it when rows hold other things, or the same things are derived in another way."""

_SEPARATOR: Final = "\x1f"
_ESCAPE: Final = "\x1b"
_ESCAPED_ESCAPE: Final = "\x1b0"
_ESCAPED_SEPARATOR: Final = "\x1b1"
_TEXTS: Final = 6
# Two signatures, characters, settled; inodes go up to 2**64.
_NUMBERS: Final = "qqqQqqqQqq"
_WIDTH: Final = 8
_LOWEST: Final = -(2**63)
_HIGHEST: Final = 2**63 - 1

Numbers = Sequence[int]


class Table:
    """See `FoundSkills`."""

    def __init__(self, count: int, blocks: Sequence[bytes]) -> None:
        self._count = count
        self._blocks = blocks
        self._texts: dict[int, list[str]] = {}

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """Make the table that holds `rows`."""
        return cls(len(rows), [*_render_texts(rows), *_render_numbers(rows)])

    @classmethod
    def parse(cls, content: bytes, origin: str) -> Self | None:
        """Read what `render` wrote; None where it is anything else, or of another origin."""
        line, _, body = content.partition(b"\n")
        try:
            head = json.loads(line)
            count, sizes = _require_head(head, body, origin)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        ends = list(accumulate(sizes))
        blocks = [body[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        is_whole = all(one.count(_SEPARATOR.encode()) == count - 1 for one in blocks[:_TEXTS])
        return cls(count, blocks) if is_whole or not count else None

    def render(self, origin: str) -> bytes:
        """Write the table down; `origin` says what it was made from, and how."""
        body = b"".join(self._blocks)
        head = {
            "skillyard-index": FORMAT,
            "origin": origin,
            "rows": self._count,
            "sizes": list(map(len, self._blocks)),
            "checksum": zlib.crc32(body),
        }
        return b"%s\n%s" % (json.dumps(head).encode(), body)

    @property
    def places(self) -> Sequence[str]:
        """Where the skills are."""
        return self._list_texts(0)

    @property
    def slugs(self) -> Sequence[str]:
        """See `FoundSkills.slugs`."""
        return self._list_texts(1)

    @property
    def commands(self) -> Sequence[str]:
        """See `FoundSkills.commands`."""
        return self._list_texts(3)

    def list_remarkable(self) -> Sequence[int]:
        """See `FoundSkills.list_remarkable`."""
        return [index for index, text in enumerate(self._list_texts(5)) if text]

    @cached_property
    def numbers(self) -> Sequence[Numbers]:
        """The signatures, characters and settledness."""
        return [_parse_numbers(*one) for one in zip(_NUMBERS, self._blocks[_TEXTS:], strict=True)]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Row]:
        texts = (self._list_texts(one) for one in range(_TEXTS))
        numbers = self.numbers
        signatures = (zip(*part, strict=True) for part in (numbers[:4], numbers[4:8]))
        return map(Row._make, zip(*texts, *signatures, *numbers[8:], strict=True))

    def __getitem__(self, index: int) -> Row:
        texts = (self._list_texts(one)[index] for one in range(_TEXTS))
        numbers = [one[index] for one in self.numbers]
        return Row._make((*texts, tuple(numbers[:4]), tuple(numbers[4:8]), *numbers[8:]))

    def _list_texts(self, column: int) -> list[str]:
        if column not in self._texts:
            self._texts[column] = _parse_texts(self._blocks[column]) if self._count else []
        return self._texts[column]


def _require_head(head: Any, body: bytes, origin: str) -> tuple[int, list[int]]:  # noqa: ANN401
    count, sizes = head["rows"], head["sizes"]
    if head["skillyard-index"] != FORMAT or head["origin"] != origin:
        raise ValueError
    if len(sizes) != _TEXTS + len(_NUMBERS) or sizes[_TEXTS:] != [count * _WIDTH] * len(_NUMBERS):
        raise ValueError
    if min(sizes) < 0 or sum(sizes) != len(body) or zlib.crc32(body) != head["checksum"]:
        raise ValueError
    return count, sizes


def _render_texts(rows: Sequence[Row]) -> Iterator[bytes]:
    for index in range(_TEXTS):
        joined = _join(list(map(itemgetter(index), rows)))
        # File names may hold halves of pairs of surrogates.
        yield joined.encode("utf-8", "surrogatepass")


def _join(values: list[str]) -> str:
    joined = _SEPARATOR.join(values)
    if _ESCAPE in joined or joined.count(_SEPARATOR) != max(len(values) - 1, 0):
        return _SEPARATOR.join(map(_escape, values))
    return joined


def _escape(value: str) -> str:
    return value.replace(_ESCAPE, _ESCAPED_ESCAPE).replace(_SEPARATOR, _ESCAPED_SEPARATOR)


def _parse_texts(block: bytes) -> list[str]:
    joined = block.decode("utf-8", "surrogatepass")
    values = joined.split(_SEPARATOR)
    return list(map(_unescape, values)) if _ESCAPE in joined else values


def _unescape(value: str) -> str:
    return value.replace(_ESCAPED_SEPARATOR, _SEPARATOR).replace(_ESCAPED_ESCAPE, _ESCAPE)


def _render_numbers(rows: Sequence[Row]) -> Iterator[bytes]:
    listed = [(*row.skill_md, *row.sidecar, row.characters, row.settled) for row in rows]
    columns = zip(*listed, strict=True) if rows else iter([()] * len(_NUMBERS))
    for kind, column in zip(_NUMBERS, columns, strict=True):
        yield _to_little_endian(_pack(kind, column)).tobytes()


def _pack(kind: str, column: Sequence[int]) -> "array[int]":
    try:
        return array(kind, column)
    except OverflowError:
        # A time that does not fit is never met again, so that the file is read every time.
        return array(kind, [min(max(one, _LOWEST), _HIGHEST) for one in column])


def _parse_numbers(kind: str, block: bytes) -> "array[int]":
    numbers = array(kind)
    numbers.frombytes(block)
    return _to_little_endian(numbers)


def _to_little_endian(numbers: "array[int]") -> "array[int]":
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
