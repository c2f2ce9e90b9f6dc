"""YAML as most people write it: a line for each field, read without a parser of the whole language.

It gives exactly the nodes that libyaml's events would give, or nothing: whatever is not a plain or
quoted text on one line, a list or a mapping of such texts, or a text folded over lines, is left to
`yamltree`.
"""

import re
from typing import Final

from skillyard.domain.document import Fields, Listing, Node, Place, Scalar
from skillyard.domain.limits import Limits

# A plain text starts with no indicator and holds no `#`, no `: ` and no end of its own.
_WORDS: Final = r"[ -\"$-9;-~]*"
_PLAIN: Final = rf"[A-Za-z0-9]{_WORDS}(?::(?=[!-~]){_WORDS})*(?<! )"
_VALUE: Final = rf"""(?:({_PLAIN})|"([ !#-\[\]-~]*)"|'([ -&(-~]*)')"""
_KEY: Final = r"([A-Za-z][A-Za-z0-9_-]{0,63})"
_FIELD: Final = re.compile(rf"{_KEY}:(?: +{_VALUE})?\n")
_INNER: Final = re.compile(rf"  {_KEY}: +{_VALUE}\n")
# Without a key, but its group: so that what a group stands for is the same everywhere.
_ITEM: Final = re.compile(rf"  - ()?{_VALUE}\n")
# Every line of it is indented by two, and none is blank or indented further.
_FOLDED: Final = re.compile(rf"{_KEY}: (>-?)\n((?:  [!-~][ -~]*\n)+)")
# What the text of each group started with: the whole, a key, a plain text, and two kinds of quotes.
_STYLES: Final = ("", "", "", '"', "'")
# The levels of a list or mapping in a field.
_DEPTH: Final = 3

_Entry = tuple[Scalar, Node]

# Past the constructors of named tuples, which take twice as long.
_new: Final = tuple.__new__


def read_plain(text: str, part: tuple[int, int], limits: Limits) -> Fields | None:
    """Read the mapping in `part` of `text`, or give None where it holds anything unusual."""
    at, end = part
    # No node is shorter than a letter.
    if end - at > limits.front_matter_nodes or limits.front_matter_depth < _DEPTH:
        return None
    entries: list[_Entry] = []
    while at < end:
        found = _FIELD.match(text, at, end)
        if found is None:
            folded = _FOLDED.match(text, at, end)
            if folded is None:
                return None
            at = folded.end()
            entries.append((_to_scalar(folded, 1, text), _fold(folded, text)))
            continue
        at = found.end()
        group = found.lastindex
        value = _to_scalar(found, group, text) if group != 1 else _read_inner(text, at, end)
        if value is None:
            return None
        entries.append((_to_scalar(found, 1, text), value))
        if group == 1:
            at = value.place.end
    return _to_fields(entries, part[0], end, text)


def _fold(found: re.Match[str], text: str) -> Scalar:
    start, end = found.start(2), found.end()
    lines = text[found.start(3) + 2 : end - 1].replace("\n  ", " ")
    # With `-`, the end of the last line does not belong to it.
    whole = lines if found.end(2) - start == len(">-") else f"{lines}\n"
    return _new(Scalar, (whole, ">", _new(Place, (start, end, text))))


def _read_inner(text: str, start: int, end: int) -> Fields | Listing | None:
    if text.startswith("  - ", start):
        return _read_items(text, start, end)
    at = start
    entries: list[_Entry] = []
    while found := _INNER.match(text, at, end):
        at = found.end()
        entries.append((_to_scalar(found, 1, text), _to_scalar(found, found.lastindex, text)))
    return _to_fields(entries, start + 2, at, text)


def _read_items(text: str, start: int, end: int) -> Listing | None:
    at = start
    items = []
    while found := _ITEM.match(text, at, end):
        at = found.end()
        items.append(_to_scalar(found, found.lastindex, text))
    place = Place(start + 2, at, text)
    return Listing(tuple(items), False, place) if items else None  # noqa: FBT003 - no brackets


def _to_scalar(found: re.Match[str], group: int | None, text: str) -> Scalar:
    start, end = found.span(group or 0)
    style = _STYLES[group or 0]
    place = (start - 1, end + 1, text) if style else (start, end, text)
    return _new(Scalar, (text[start:end], style, _new(Place, place)))


def _to_fields(entries: list[_Entry], start: int, end: int, text: str) -> Fields | None:
    names = {key.text for key, _ in entries}
    if len(names) != len(entries) or not names:
        return None
    return Fields(tuple(entries), False, Place(start, end, text))  # noqa: FBT003 - no braces
