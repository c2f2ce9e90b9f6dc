"""Find the front matter as each client finds it."""

import re
from typing import Final, NamedTuple

from skillyard.domain.client import FenceStyle
from skillyard.skillmd.verdict.whitespace import BLANKS, JS_BLANK

# Blanks hold no hyphen: what is not found after all of them is not found after fewer.
_ANYWHERE: Final = re.compile(rf"---(?>{JS_BLANK}*\n)(.*?)---{JS_BLANK}*\n?", re.DOTALL)
_LINE_STARTS: Final = re.compile(r"---\r?\n(.*?)\r?\n---(?:\r?\n)?", re.DOTALL)
_LANGUAGE: Final = re.compile(r"[^\n]*?(?=\r?\n|$)")


class Cut(NamedTuple):
    """A SKILL.md, cut in two.

    `lines` is how many lines stand before `front`. `language` is what follows the opening `---`.
    `inline` means that the closing `---` stands inside a line.
    """

    front: str
    body: str
    lines: int = 1
    language: str = ""
    inline: bool = False


def cut_file(text: str, style: FenceStyle) -> Cut | None:
    """Cut `text` as a client of this style does; None where it sees no front matter."""
    match style:
        case FenceStyle.TRIMMED_LINES:
            return _cut_trimmed(text)
        case FenceStyle.FIRST_COLUMN:
            return _cut_first_column(text)
        case FenceStyle.LINE_STARTS:
            return _cut_line_starts(text)
        case FenceStyle.LANGUAGES:
            return _cut_languages(text)
        case FenceStyle.ANYWHERE:
            return _cut_anywhere(text)


def _cut_trimmed(text: str) -> Cut | None:
    lines = text.split("\n")
    if lines[0].strip(BLANKS) != "---":
        return None
    for number, line in enumerate(lines[1:], 1):
        if line.strip(BLANKS) == "---":
            # Nothing between the fences counts as no front matter.
            return _join(lines, number) if number > 1 else None
    return None


def _cut_first_column(text: str) -> Cut | None:
    lines = text.split("\n")
    if lines[0].rstrip(BLANKS) != "---":
        return None
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip(BLANKS) == "---":
            return _join(lines, number)
    return None


def _join(lines: list[str], closing: int) -> Cut:
    front = "\n".join(line.removesuffix("\r") for line in lines[1:closing])
    return Cut(front, "\n".join(lines[closing + 1 :]))


def _cut_line_starts(text: str) -> Cut | None:
    match = _LINE_STARTS.match(text)
    return Cut(match[1], text[match.end() :]) if match else None


def _cut_languages(text: str) -> Cut | None:
    if not text.startswith("---") or text.startswith("----"):
        return None
    match = _LANGUAGE.match(text, 3)
    language = match[0] if match else ""
    start = 3 + len(language)
    end = text.find("\n---", start)
    if end < 0:
        return Cut(text[start:], "", lines=0, language=language)
    return Cut(text[start:end], text[end + 4 :], lines=0, language=language)


def _cut_anywhere(text: str) -> Cut | None:
    match = _ANYWHERE.match(text)
    if match is None:
        return None
    inline = bool(match[1]) and not match[1].endswith("\n")
    return Cut(match[1], text[match.end() :], text.count("\n", 0, match.start(1)), inline=inline)
