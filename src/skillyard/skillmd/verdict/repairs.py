"""What clients do with front matter that is not YAML: each guesses in its own way."""

import re
from collections import deque
from collections.abc import Callable
from typing import Final, NamedTuple, TypeVar

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict.clientyaml import Branch, compose
from skillyard.skillmd.verdict.kinds import Kind, kind_of
from skillyard.skillmd.verdict.refusal import RefusedError
from skillyard.skillmd.verdict.whitespace import BLANKS, JS_BLANK, JS_BLANKS

T = TypeVar("T")

_BLANK: Final = f"[{re.escape(BLANKS)}]"
_COMMENT: Final = re.compile(rf"(?:^|(?<={_BLANK}))#")
_COLON: Final = re.compile(f":{_BLANK}")
# Possessive, where giving blanks back could only take time: a line end after them stays there.
_TOP_ENTRY: Final = re.compile(rf"([a-zA-Z_-]++):{JS_BLANK}++([^\r\n\u2028\u2029]++)")
_SPECIAL: Final = re.compile(r"[{}\[\]*&#!|>%@`]|: ")
_TOP_TABS: Final = re.compile(r"^\t+", re.MULTILINE)
_FRONT: Final = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_LINE_END: Final = re.compile(r"\r?\n")
_WORD_ENTRY: Final = re.compile(
    rf"([a-zA-Z_][a-zA-Z0-9_]*+){JS_BLANK}*+:{JS_BLANK}*+([^\r\n\u2028\u2029]*+)"
)


def parse_or_repair(
    front: str, *, parse: Callable[[str], T], repair: Callable[[str], str | None]
) -> tuple[T, RefusedError | None]:
    """Parse `front`, or what `repair` makes of it, with the fault that made a repair necessary.

    Raises:
        RefusedError: Neither can be read; the fault is that of `front` itself.
    """
    try:
        return parse(front), None
    except RefusedError as fault:
        repaired = repair(front)
        if repaired is None or repaired == front:
            raise
        try:
            return parse(repaired), fault
        except RefusedError:
            raise fault from None


class _Entry(NamedTuple):
    """A line `key: value # comment`; the blanks belong to `lead` and `comment`."""

    key: str
    lead: str
    value: str
    comment: str


def quote_every_line(front: str) -> str:
    """Quote values with `: ` or an opening bracket, in every line outside block scalars."""
    lines = []
    block: int | None = None
    for line in front.split("\n"):
        indent = len(line) - len(line.lstrip(" "))
        if block is not None and (indent > block or not line.strip()):
            lines.append(line)
            continue
        entry = _find_entry(line)
        block = indent if entry and entry.value.startswith(("|", ">")) else None
        lines.append(_quote_entry(entry) if entry and _needs_quotes(entry.value) else line)
    return "\n".join(lines)


def _find_entry(line: str) -> _Entry | None:
    key, colon, rest = line.partition(":")
    if not colon or not key.strip(BLANKS) or rest[:1] not in BLANKS:
        return None
    text = rest.lstrip(BLANKS)
    comment = _COMMENT.search(text)
    value = text[: comment.start() if comment else None].rstrip(BLANKS)
    return _Entry(key, rest[: len(rest) - len(text)], value, text[len(value) :] if comment else "")


def _quote_entry(entry: _Entry) -> str:
    value = entry.value.replace("'", "''")
    return f"{entry.key}:{entry.lead}'{value}'{entry.comment}"


def _needs_quotes(scalar: str) -> bool:
    if not scalar or scalar[0] in "|>'\"":
        return False
    if _COLON.search(scalar):
        return True
    return scalar[0] in "[{@`" and not _is_yaml(scalar)


def _is_yaml(text: str) -> bool:
    try:
        compose(text)
    except RefusedError:
        return False
    return True


def quote_top_level(front: str) -> str:
    """Quote values with special characters in lines that are not indented; tabs become blanks."""
    lines = [_quote_top_line(line) for line in front.split("\n")]
    return _TOP_TABS.sub(lambda tabs: "  " * len(tabs[0]), "\n".join(lines))


def _quote_top_line(line: str) -> str:
    match = _TOP_ENTRY.fullmatch(line)
    if match is None or not _SPECIAL.search(match[2]) or _stands_as_it_is(match[2]):
        return line
    escaped = match[2].replace("\\", "\\\\").replace('"', '\\"')
    return f'{match[1]}: "{escaped}"'


def _stands_as_it_is(value: str) -> bool:
    if value[0] == value[-1] and value[0] in "\"'":
        return True
    if value[0] != "[" or value[-1] != "]":
        return False
    try:
        root = compose(value)
    except RefusedError:
        return False
    return isinstance(root, Branch) and kind_of(root, YamlStyle.BUN) is Kind.LIST


def block_top_level(text: str) -> str:
    """Turn values with `:` into block scalars, in a whole file's lines that are not indented."""
    front = _FRONT.match(text)
    if front is None:
        return text
    lines = (_block_line(line) for line in _LINE_END.split(front[1]))
    return text[: front.start(1)] + "\n".join(lines) + text[front.end(1) :]


def _block_line(line: str) -> str:
    match = _WORD_ENTRY.fullmatch(line)
    value = match[2].strip(JS_BLANKS) if match else ""
    if match is None or value.startswith(('"', "'")) or ":" not in value:
        return line
    return f"{match[1]}: |-\n  {value}"


class FoundLines(NamedTuple):
    """What a reader that looks for lines has found."""

    name: str | None
    description: str | None


_NAME_LINE: Final = re.compile(rf"{JS_BLANK}*+name:{JS_BLANK}*+([^\r\n\u2028\u2029]*+)")
_DESCRIPTION_LINE: Final = re.compile(
    rf"{JS_BLANK}*+description:{JS_BLANK}*+([^\r\n\u2028\u2029]*+)"
)
_CONTINUED: Final = re.compile(rf"[ \t]++(?!{JS_BLANK}).")


def read_lines(front: str) -> FoundLines:
    """Take what follows `name:` and `description:` at any indentation; the last ones count."""
    name = description = None
    lines = deque(_LINE_END.split(front))
    while lines:
        line = lines.popleft()
        if found := _NAME_LINE.fullmatch(line):
            name = found[1].strip(JS_BLANKS)
        elif found := _DESCRIPTION_LINE.fullmatch(line):
            parts = [found[1].strip(JS_BLANKS)]
            while lines and _CONTINUED.match(lines[0]):
                parts.append(lines.popleft().strip(JS_BLANKS))
            description = " ".join(part for part in parts if part)
    return FoundLines(name, description)
