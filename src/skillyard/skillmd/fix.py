"""Repair a SKILL.md without touching anything else in it.

- Only findings that are marked fixable are repaired; comments, order and body stay.
- Each repair is read again: the front matter must then say what it said before, but for the
  repair itself. A repair that fails this is dropped.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.document import Fields, Listing, Node, Scalar, SkillDocument, to_plain
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd import rules
from skillyard.skillmd.check import CheckedPackage, Judgement, check_package
from skillyard.skillmd.frontmatter import BOM
from skillyard.skillmd.repair import quote, quote_always, repair_yaml
from skillyard.skillmd.values import to_tools, to_words
from skillyard.skillmd.yamltree import parse_yaml

# One repair may bring another to light: line ends, quotes, a field that moves, quotes again.
_PASSES: Final = 10
_BLOCKS: Final = frozenset({"|", ">"})
_COMMENT: Final = re.compile(r"[ \t\n](#[^\r\n]*)")
_COMMENT_BELOW: Final = re.compile(r"(?:\n[ \t]*(?=\n))*\n[ \t]+#[^\n]*")
_EDGES: Final = frozenset(
    {rules.BYTE_ORDER_MARK.code, rules.LEADING_BLANK.code, rules.CARRIAGE_RETURNS.code}
)
_NAMES: Final = frozenset(
    {
        rules.NAME_MISSING.code,
        rules.NAME_INVALID.code,
        rules.NAME_TOO_LONG.code,
        rules.NAME_DIRECTORY.code,
    }
)


@dataclass(frozen=True, slots=True)
class FixedSkill:
    """A SKILL.md after its repairs, and the findings that are gone."""

    content: bytes
    fixed: tuple[Diagnostic, ...]


class _Edit(NamedTuple):
    """One repair: parts of the text to replace, and what the front matter says afterwards.

    `fields` are those that then have another value. A field that moves has `block` as its lines
    under `metadata`, and `metadata` as what they say.
    """

    changes: tuple[tuple[int, int, str], ...]
    fields: Mapping[str, object] = {}
    block: str = ""
    metadata: Mapping[str, object] = {}


def fix_skill_md(package: Package, *, directory: str | None, judgement: Judgement) -> FixedSkill:
    """Repair what can be repaired in the package's SKILL.md; without one, nothing is.

    What is repaired stays as it is when it is repaired again.
    """
    content = package.skill_md
    if content is None:
        return FixedSkill(b"", ())
    first = checked = _check(content, directory, judgement)
    for _ in range(_PASSES):
        repaired = _repair_once(content, checked, judgement.limits)
        if repaired == content:
            break
        content = repaired
        checked = _check(content, directory, judgement)
    left = {(one.code, one.message) for one in checked.diagnostics}
    gone = (one for one in first.diagnostics if one.fixable and (one.code, one.message) not in left)
    return FixedSkill(content, tuple(gone))


def restate(content: bytes, key: str, text: str, *, limits: Limits) -> bytes | None:
    """Give a SKILL.md whose front matter says `text` for `key`, and is otherwise the same.

    None means that there is no front matter, or that it cannot be changed without changing more.
    """
    document = _check(content, None, Judgement(limits=limits)).document
    if document is None or document.fields is None or document.recovered:
        return None
    edits = [_text_edit(document, document.fields, key, text)]
    if not _is_harmless(document, document.fields, edits, limits):
        return None
    return _apply(document, document.fields, edits).text.encode()


def _check(content: bytes, directory: str | None, judgement: Judgement) -> CheckedPackage:
    alone = Package.from_checked([(SKILL_MD, PackageFile(content))])
    return check_package(alone, directory=directory, judgement=judgement)


def _repair_once(content: bytes, checked: CheckedPackage, limits: Limits) -> bytes:
    document = checked.document
    fixable = [one for one in checked.diagnostics if one.fixable]
    if document is None or not fixable:
        return content
    codes = {one.code for one in fixable}
    if codes & _EDGES:
        return _fix_edges(document.text, codes).encode()
    if rules.YAML_SYNTAX.code in codes:
        return _fix_yaml(document, limits).encode()
    if document.fields is None or document.recovered:
        return content
    edits = list(_iter_edits(document, document.fields, checked.directory, fixable))
    kept = _keep_harmless(document, document.fields, edits, limits)
    return _apply(document, document.fields, kept).text.encode()


def _fix_edges(text: str, codes: set[str]) -> str:
    if rules.BYTE_ORDER_MARK.code in codes:
        text = text.lstrip(BOM)
    if rules.LEADING_BLANK.code in codes:
        text = text.lstrip()
    if rules.CARRIAGE_RETURNS.code in codes:
        text = text.replace("\r\n", "\n")
    return text


def _fix_yaml(document: SkillDocument, limits: Limits) -> str:
    start, end = document.front
    repaired = repair_yaml(document.front_matter, limits=limits)
    if repaired is None:
        return document.text
    return document.text[:start] + repaired + document.text[end:]


def _keep_harmless(
    document: SkillDocument, fields: Fields, edits: list[_Edit], limits: Limits
) -> list[_Edit]:
    """Give the edits that together change nothing but what they mean to change."""
    if not edits or _is_harmless(document, fields, edits, limits):
        return edits
    if len(edits) == 1:
        return []
    # One that does harm is found by halving.
    middle = len(edits) // 2
    first = _keep_harmless(document, fields, edits[:middle], limits)
    second = _keep_harmless(document, fields, edits[middle:], limits)
    both = [*first, *second]
    return both if _is_harmless(document, fields, both, limits) else first


def _is_harmless(
    document: SkillDocument, fields: Fields, edits: list[_Edit], limits: Limits
) -> bool:
    edited = _apply(document, fields, edits)
    tree = parse_yaml(edited.text, limits=limits, part=edited.front)
    return tree.root is not None and to_plain(tree.root) == _expect(fields, edits)


class _Edited(NamedTuple):
    text: str
    front: tuple[int, int]


def _apply(document: SkillDocument, fields: Fields, edits: list[_Edit]) -> _Edited:
    changes = [change for edit in edits for change in edit.changes]
    block = "".join(edit.block for edit in edits)
    if block:
        changes.append(_insertion(document, fields.find("metadata"), block))
    text = document.text
    for start, end, replacement in sorted(changes, reverse=True):
        text = text[:start] + replacement + text[end:]
    start, end = document.front
    return _Edited(text, (start, end + len(text) - len(document.text)))


def _expect(fields: Fields, edits: list[_Edit]) -> dict[str, object]:
    expected = {key.text: to_plain(value) for key, value in fields.entries}
    moved: dict[str, object] = {}
    for edit in edits:
        expected |= edit.fields
        moved |= edit.metadata
    for key in moved:
        del expected[key]
    if moved:
        metadata = expected.get("metadata") or {}
        expected["metadata"] = (metadata if isinstance(metadata, dict) else {}) | moved
    return expected


def _insertion(document: SkillDocument, metadata: Node | None, block: str) -> tuple[int, int, str]:
    if metadata is None:
        end = document.front[1]
        return (end, end, f"metadata:\n{block}")
    after = _end_of(document, metadata) + 1
    return (after, after, block)


def _iter_edits(
    document: SkillDocument, fields: Fields, directory: str | None, fixable: list[Diagnostic]
) -> Iterator[_Edit]:
    places = {(one.code, one.line, one.column) for one in fixable}
    renamed = directory if any(one.code in _NAMES for one in fixable) else None
    if renamed is not None:
        yield _text_edit(document, fields, "name", renamed)
    for key, value in fields.entries:
        if key.text == "name" and renamed is not None:
            continue
        if _is_at(places, rules.ALLOWED_TOOLS_FORM, value):
            yield _tools_edit(document, key, value)
        elif _is_at(places, rules.UNKNOWN_FIELD, key):
            yield _move_edit(document, fields, key, value)
        else:
            yield from _quote_edits(key, value, places)


def _is_at(places: set[tuple[str, int | None, int | None]], rule: rules.Rule, node: Node) -> bool:
    return (rule.code, node.place.line, node.place.column) in places


def _text_edit(document: SkillDocument, fields: Fields, key: str, text: str) -> _Edit:
    says = {key: text}
    node = fields.find(key)
    if not isinstance(node, Scalar):
        start = document.front[0]
        return _Edit(((start, start, f"{key}: {quote(text)}\n"),), says)
    if not node.text and not node.style:
        return _Edit(((node.place.start, node.place.end, f" {quote(text)}"),), says)
    return _Edit((_replacement(document, node, text),), says)


def _quote_edits(
    key: Scalar, value: Node, places: set[tuple[str, int | None, int | None]]
) -> Iterator[_Edit]:
    inner = value.entries if isinstance(value, Fields) and key.text == "metadata" else ()
    for node in (value, *(one for _, one in inner)):
        if isinstance(node, Scalar) and _is_at(places, rules.VALUE_NOT_TEXT, node):
            yield _Edit(((node.place.start, node.place.end, quote_always(node.text)),))


def _tools_edit(document: SkillDocument, key: Scalar, value: Node) -> _Edit:
    text = " ".join(to_tools(value) or ())
    says = {"allowed-tools": text}
    if isinstance(value, Scalar):
        return _Edit((_replacement(document, value, text),), says)
    colon = document.text.index(":", key.place.end)
    end = _end_of(document, value)
    comments = _list_comments(document, colon + 1, end, value)
    below = "".join(f"\n  {one}" for one in comments)
    return _Edit(((colon + 1, end, f" {quote(text)}{below}"),), says)


def _move_edit(document: SkillDocument, fields: Fields, key: Scalar, value: Node) -> _Edit:
    text = document.text
    start, end = _start_of(document, fields, key), _end_of(document, value)
    # Left behind, an indented comment would become a line of a block above.
    while below := _COMMENT_BELOW.match(text, end):
        end = below.end()
    if isinstance(value, Scalar):
        says = value.text
        lines = text[start:end].split("\n")
    else:
        says = " ".join(to_words(value) or ())
        comments = _list_comments(document, key.place.end, end, value)
        lines = [*f"{text[start : key.place.end]}: {quote(says)}".split("\n"), *comments]
    metadata = fields.find("metadata")
    indent = " " * (metadata.place.column - 1) if isinstance(metadata, Fields) else "  "
    block = "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
    return _Edit(((start, end + 1, ""),), block=block, metadata={key.text: says})


def _replacement(document: SkillDocument, node: Scalar, text: str) -> tuple[int, int, str]:
    if node.style not in _BLOCKS:
        return (node.place.start, node.place.end, quote(text))
    header = document.text[node.place.start : document.text.index("\n", node.place.start)]
    comment = _COMMENT.search(header)
    kept = f" {comment[1]}" if comment else ""
    # The blank lines below a block stay.
    end = node.place.start + len(document.text[node.place.start : node.place.end].rstrip())
    return (node.place.start, end, quote(text) + kept)


def _list_comments(document: SkillDocument, start: int, end: int, value: Node) -> list[str]:
    """List the comments from `start` to `end`; a `#` inside a scalar of `value` starts none."""
    comments = []
    for scalar in _iter_scalars(value):
        comments += _COMMENT.findall(document.text[start : scalar.place.start])
        start = scalar.place.end
    return comments + _COMMENT.findall(document.text[start:end])


def _iter_scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Listing():
            for one in node.items:
                yield from _iter_scalars(one)
        case Fields():
            for key, value in node.entries:
                yield key
                yield from _iter_scalars(value)


def _start_of(document: SkillDocument, fields: Fields, key: Scalar) -> int:
    """Give the start of a field, with the comment that stands right above it."""
    text, start = document.text, key.place.start
    # A line of the value above may start with `#` too.
    earlier = [value for one, value in fields.entries if one.place.start < start]
    first = _end_of(document, earlier[-1]) + 1 if earlier else document.front[0]
    while start > first:
        above = text.rfind("\n", 0, start - 1) + 1
        if text[above] != "#":
            break
        start = above
    return start


def _end_of(document: SkillDocument, value: Node) -> int:
    """Give the end of the last line that belongs to `value`, with a comment that follows there."""
    last = value
    while not isinstance(last, Scalar) and not last.flow:
        last = last.items[-1] if isinstance(last, Listing) else last.entries[-1][1]
    if isinstance(last, Scalar) and last.style in _BLOCKS:
        # A block reaches to the start of the line after it; blank lines at its end may be text.
        return last.place.end - 1
    return document.text.index("\n", last.place.end)
