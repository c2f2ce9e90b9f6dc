"""Tables for a terminal: columns that line up, and lines that fit."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import category, east_asian_width

from skillyard.domain.text import visible

_GAP: Final = "  "
_CUT: Final = "…"
_LEAST: Final = 8
_EMOJI_STYLE: Final = "\ufe0f"
_TEXT_STYLE: Final = "\ufe0e"
# Vowels and final consonants that a terminal draws into the syllable before them.
_JAMO: Final = range(0x1160, 0x1200)


def render_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    width: int | None,
    flexible: Collection[str] = (),
    right: Collection[str] = (),
) -> list[str]:
    """Give the lines of a table, headers first, without blanks at their ends.

    Lines fit into `width`, where the columns whose headers are `flexible` can be cut so far; the
    others are never cut. None cuts nothing. The columns in `right` stand to the right. Every cell
    is made safe to print.

    Raises:
        ValueError: A row has more or fewer cells than there are headers.
    """
    columns = [_make_safe(column) for column in zip(headers, *rows, strict=True)]
    widths = [max(map(_measure_in(column), column)) for column in columns]
    room = widths if width is None else _share(widths, width, _find_places(headers, flexible))
    to_right = _find_places(headers, right)
    for place, column in enumerate(columns):
        cut = column if room[place] == widths[place] else _cut_all(column, room[place])
        is_last = place == len(columns) - 1 and place not in to_right
        columns[place] = cut if is_last else _pad(cut, room[place], right=place in to_right)
    return [line.rstrip() for line in map(_GAP.join, zip(*columns, strict=True))]


def drop_columns(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    width: int | None,
    least: Mapping[str, int],
) -> tuple[list[str], list[Sequence[str]]]:
    """Leave out the columns whose headers need a wider terminal; None leaves out nothing."""
    places = [
        at for at, header in enumerate(headers) if width is None or width >= least.get(header, 0)
    ]
    if len(places) == len(headers):
        return list(headers), list(rows)
    return [headers[at] for at in places], [[row[at] for at in places] for row in rows]


@lru_cache(maxsize=4096)
def measure(text: str) -> int:
    """Give how many columns of a terminal `text` takes up."""
    return len(text) if text.isascii() else sum(width for _, width in _iter_widths(text))


def _find_places(headers: Sequence[str], chosen: Collection[str]) -> set[int]:
    return {headers.index(header) for header in chosen}


def _make_safe(column: Sequence[str]) -> list[str]:
    # One look at all cells: nearly always there is nothing to do.
    whole = "".join(column)
    harmless = whole.isascii() and whole.isprintable() and "##" not in whole and "::" not in whole
    return list(column) if harmless else list(map(visible, column))


def _measure_in(column: Sequence[str]) -> Callable[[str], int]:
    return len if all(map(str.isascii, column)) else measure


def _share(widths: list[int], width: int, flexible: set[int]) -> list[int]:
    """Give each column its room: the wide ones among the flexible give way first."""
    room = list(widths)
    fixed = sum(one for place, one in enumerate(widths) if place not in flexible)
    left = width - fixed - len(_GAP) * (len(widths) - 1)
    for done, place in enumerate(sorted(flexible, key=lambda one: widths[one])):
        fair = left // (len(flexible) - done)
        room[place] = min(widths[place], max(fair, _LEAST))
        left -= room[place]
    return room


def _cut_all(column: list[str], room: int) -> list[str]:
    return [cell if len(cell) * 2 <= room else _cut(cell, room) for cell in column]


def _cut(cell: str, room: int) -> str:
    if measure(cell) <= room:
        return cell
    if cell.isascii():
        return cell[: room - 1].rstrip() + _CUT
    kept, taken = "", 0
    for character, width in _iter_widths(cell):
        taken += width
        if taken > room - 1:
            break
        kept += character
    return kept.rstrip() + _CUT


def _pad(column: list[str], room: int, *, right: bool) -> list[str]:
    if all(map(str.isascii, column)):
        adjust = str.rjust if right else str.ljust
        return [adjust(cell, room) for cell in column]
    blanks = ((cell, " " * (room - measure(cell))) for cell in column)
    return [gap + cell if right else cell + gap for cell, gap in blanks]


def _iter_widths(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character with the columns that it adds to those before it."""
    can_widen = False
    for character in text:
        width = _measure_one(character)
        if character == _EMOJI_STYLE and can_widen:
            width = 1
        yield character, width
        can_widen = width == 1 and not character.isascii() and character != _EMOJI_STYLE


@lru_cache(maxsize=4096)
def _measure_one(character: str) -> int:
    if character in {_EMOJI_STYLE, _TEXT_STYLE} or ord(character) in _JAMO:
        return 0
    if category(character) in {"Mn", "Me"}:
        return 0
    return 2 if east_asian_width(character) in {"W", "F"} else 1
