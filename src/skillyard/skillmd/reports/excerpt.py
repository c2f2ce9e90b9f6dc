"""One line of a file, with the marked part underlined, as wide as a terminal shows it.

- Tabs become blanks, and hidden characters become escapes.
- East Asian characters take two cells, combining ones take none.
- A line that is too long is cut on both sides of the mark, and `…` stands for what is missing.
"""

import unicodedata
from collections.abc import Iterable
from itertools import accumulate
from typing import Final, NamedTuple

from skillyard.domain.text import list_visible

TAB_STOP: Final = 4
ELLIPSIS: Final = "…"
_WIDE: Final = frozenset("WF")
_COMBINING: Final = frozenset({"Mn", "Me"})
# Vowels and final consonants of Korean join the letter before them.
_JAMO: Final = (range(0x1160, 0x1200), range(0xD7B0, 0xD800))


class Excerpt(NamedTuple):
    """A line as it is shown, and the line of carets below it."""

    source: str
    marker: str


def cut_excerpt(line: str, *, start: int, stop: int, room: int) -> Excerpt:
    """Show `line` in at most `room` cells, with the characters from `start` to `stop` marked.

    Offsets count from 0 and may lie behind the end of the line. There is always a caret.
    """
    start = min(start, len(line))
    # Only a part can fit, since each character is counted with one cell or more.
    offset = max(0, start - room)
    shown = _expand_tabs(list_visible(line[offset : start + room]))
    widths = [_count_cells(one) for one in shown]
    begin, end = _find_window(widths, start - offset, room - 2 * len(ELLIPSIS))
    left = ELLIPSIS if offset + begin else ""
    right = ELLIPSIS if offset + end < len(line) else ""
    before = len(left) + sum(widths[begin : start - offset])
    marked = sum(widths[start - offset : max(0, min(stop - offset, end))])
    source = left + "".join(shown[begin:end]) + right
    return Excerpt(source, " " * before + "^" * max(1, marked))


def _expand_tabs(shown: list[str]) -> list[str]:
    expanded = []
    cells = 0
    for one in shown:
        # This is how `list_visible` shows a tab; nothing else that it gives is equal to it.
        blank = " " * (TAB_STOP - cells % TAB_STOP) if one == r"\t" else one
        expanded.append(blank)
        cells += _count_cells(blank)
    return expanded


def _count_cells(shown: str) -> int:
    if shown.isascii():
        return len(shown)
    if unicodedata.category(shown) in _COMBINING or any(ord(shown) in one for one in _JAMO):
        return 0
    return 2 if unicodedata.east_asian_width(shown) in _WIDE else 1


def _find_window(widths: list[int], start: int, room: int) -> tuple[int, int]:
    # A character of no width is counted too: a line may hold any number of them.
    costs = [max(1, one) for one in widths]
    begin = start - _count_fitting(reversed(costs[:start]), room // 3)
    end = begin + _count_fitting(costs[begin:], room)
    # Where the line ends early, more of what is before the mark fits.
    return end - _count_fitting(reversed(costs[:end]), room), end


def _count_fitting(costs: Iterable[int], room: int) -> int:
    return sum(total <= room for total in accumulate(costs))
