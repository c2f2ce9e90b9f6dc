"""Recover what can be recovered from front matter that is not YAML.

Only `name` and `description` are looked for, line by line, as clients do it.
"""

import re

from skillyard.domain.document import Fields, Node, Place, Scalar

_BLANKS = " \t\r"
_LINE = re.compile(r"^(name|description):(.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"(?:\n[ \t]+[^\r\n]*\r?|\n(?=\n[ \t]+\S))*")
_BLOCK = re.compile(r"[|>][-+0-9]*")


def recover_fields(text: str, *, part: tuple[int, int]) -> Fields | None:
    """Give the `name` and `description` that stand in lines of their own, or None.

    Only `part` of the text is looked at. The first line of a field counts. Lines that are indented
    below it belong to it. Quotes around the whole value are taken off.
    """
    entries: dict[str, tuple[Scalar, Node]] = {}
    for match in _LINE.finditer(text, *part):
        key = match[1]
        if key not in entries:
            name = Scalar(key, "", Place(match.start(1), match.end(1), text))
            entries[key] = (name, Scalar(_value(match), '"', _place(match)))
    if not entries:
        return None
    return Fields(tuple(entries.values()), flow=False, place=Place(*part, text))


def _place(match: re.Match[str]) -> Place:
    end = match.start(2) + len(match[2].rstrip(_BLANKS))
    start = match.end(2) - len(match[2].lstrip(_BLANKS))
    return Place(min(start, end), end, match.string)


def _value(match: re.Match[str]) -> str:
    first = match[2].strip(_BLANKS)
    continued = _CONTINUED.match(match.string, match.end(), match.endpos)
    lines = [one.strip() for one in (continued[0] if continued else "").split("\n")]
    if _BLOCK.fullmatch(first):
        first = ""
    value = " ".join(one for one in [first, *lines] if one)
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        value = value[1:-1]
    return value
