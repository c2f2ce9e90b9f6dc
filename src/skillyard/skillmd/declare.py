"""Say one more thing in the front matter of a SKILL.md, or one thing less; the rest stays.

Every edit is read again: what the YAML says must then be what it said before, but for the edit.
Where it is not, nothing is given.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from skillyard.domain.document import Fields, Node, Scalar, to_plain
from skillyard.domain.limits import Limits
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.yamltree import parse_yaml

_KEPT_BELOW: Final = re.compile(r"(?<=\n)(?:[ \t]*(?:#[^\n]*)?\n)+\Z")


def declare(content: bytes, key: str, *, value: bool, limits: Limits) -> bytes | None:
    """Give a SKILL.md whose front matter says that `key` is true, or false.

    None means that there is no front matter, or that it cannot be changed without changing more.
    """
    written = _read(content, limits)
    if written is None:
        return None
    return written.edit(_statement(written, written.fields, (key,), value=value), limits)


def withdraw(content: bytes, key: str, *, limits: Limits) -> bytes | None:
    """Give a SKILL.md whose front matter does not say `key`; None as in `declare`."""
    written = _read(content, limits)
    if written is None:
        return None
    places = [place for place, (name, _) in enumerate(written.fields.entries) if name.text == key]
    if not places:
        return content
    if len(places) > 1 or written.fields.flow:
        return None
    said = {name: one for name, one in written.says.items() if name != key}
    start, end = _lines_of(written, places[0])
    return written.edit(_Edit(start, end, "", said), limits)


def declare_in_yaml(
    content: bytes, keys: Sequence[str], *, value: bool, limits: Limits
) -> bytes | None:
    """Give a file of YAML that says `value` at the end of `keys`; an empty one may be made so.

    None means that it is not such YAML, or cannot be changed without changing more.
    """
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    if not text.strip():
        return _nest("", keys, value=value).encode()
    root = parse_yaml(text, limits=limits).root
    if not isinstance(root, Fields):
        return None
    written = _Written(text, (0, len(text)), root)
    return written.edit(_statement(written, root, tuple(keys), value=value), limits)


class _Edit(NamedTuple):
    """A part of the text to replace, and what the YAML says afterwards."""

    start: int
    end: int
    text: str
    says: Mapping[str, object]


class _Written(NamedTuple):
    """A text, the part of it that is YAML, and what that holds."""

    text: str
    part: tuple[int, int]
    fields: Fields

    @property
    def says(self) -> dict[str, object]:
        """What the YAML says, as texts, lists and dictionaries."""
        return {key.text: to_plain(value) for key, value in self.fields.entries}

    def edit(self, edit: _Edit | None, limits: Limits) -> bytes | None:
        """Carry out an edit, unless it changes more than it should."""
        if edit is None:
            return None
        text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        start, end = self.part
        tree = parse_yaml(text, limits=limits, part=(start, end + len(text) - len(self.text)))
        done = tree.root is not None and not tree.problems and to_plain(tree.root) == edit.says
        return text.encode() if done else None


def _read(content: bytes, limits: Limits) -> _Written | None:
    document = read_document(content, limits=limits, findings=Findings(Profile.LENIENT))
    if document.fields is None or document.recovered:
        return None
    # What is not UTF-8 would not come out as it went in.
    if document.text.encode(errors="replace") != content:
        return None
    return _Written(document.text, document.front, document.fields)


def _statement(
    written: _Written, fields: Fields, keys: tuple[str, ...], *, value: bool
) -> _Edit | None:
    """Say it where it is said already, or in the innermost mapping that is there."""
    says = _with(written.says, keys, "true" if value else "false")
    for depth, key in enumerate(keys):
        node = fields.find(key)
        if isinstance(node, Fields) and not node.flow:
            fields = node
            continue
        if node is None:
            start = written.part[0] if fields is written.fields else fields.place.start
            indent = _indent(written.text, start)
            block = _nest(indent, keys[depth:], value=value)
            return _Edit(start, start, _at(block, indent, fields is written.fields), says)
        return _replacement(node, says, value=value) if key == keys[-1] else None
    return None


def _replacement(node: Node, says: Mapping[str, object], *, value: bool) -> _Edit | None:
    if not isinstance(node, Scalar) or not node.text or node.style in {"|", ">"}:
        return None
    return _Edit(node.place.start, node.place.end, "true" if value else "false", says)


def _nest(indent: str, keys: Sequence[str], *, value: bool) -> str:
    lines = [f"{indent}{'  ' * depth}{key}:" for depth, key in enumerate(keys)]
    return "\n".join(lines) + (" true\n" if value else " false\n")


def _at(block: str, indent: str, is_outermost: bool) -> str:  # noqa: FBT001 - one of two places
    """Fit a block in before an entry whose indentation stands there already."""
    return block if is_outermost else block.removeprefix(indent) + indent


def _indent(text: str, start: int) -> str:
    line = text[text.rfind("\n", 0, start) + 1 : start]
    return line if not line.strip() else ""


def _with(says: Mapping[str, object], keys: Sequence[str], value: str) -> dict[str, object]:
    key, *rest = keys
    inner = says.get(key)
    if rest:
        value_there = _with(inner if isinstance(inner, dict) else {}, rest, value)
        return {**says, key: value_there}
    return {**says, key: value}


def _lines_of(written: _Written, place: int) -> tuple[int, int]:
    """Give the lines of an entry, without the comments that stand below it."""
    entries, text = written.fields.entries, written.text
    start = text.rfind("\n", 0, entries[place][0].place.start) + 1
    is_last = place + 1 == len(entries)
    end = written.part[1] if is_last else text.rfind("\n", 0, entries[place + 1][0].place.start) + 1
    below = _KEPT_BELOW.search(text, start, end)
    first_line = text.index("\n", start) + 1
    return start, max(first_line, below.start()) if below else end
