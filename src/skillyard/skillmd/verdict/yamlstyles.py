"""The YAML readers of the clients, each told by where it differs from libyaml.

- js-yaml takes only line feeds and carriage returns for line ends, and knows pairs of surrogates
  as escapes. It refuses a key that stands twice and a tag that it does not know.
- js-yaml 3 also reads on after a value in quotes or brackets: what follows on the line is the next
  entry. Tabs at the start of a line do not count.
- Bun takes control characters and a value that starts with a comma, and refuses a quoted value that
  goes on at the start of a line.

Characters that libyaml would take amiss are exchanged for private ones before reading, and put
back after.
"""

import re
from collections import deque
from typing import Final

from skillyard.domain.client import YamlStyle
from skillyard.skillmd.verdict import refusal
from skillyard.skillmd.verdict.clientyaml import (
    Branch,
    Leaf,
    YamlNode,
    compose,
    find_twin_key,
    iter_nodes,
)
from skillyard.skillmd.verdict.kinds import STANDARD_TAG
from skillyard.skillmd.verdict.refusal import RefusedError

_PRIVATE: Final = 0xF0000
_FOREIGN_ENDS: Final = re.compile("[\x85\u2028\u2029]")
_CONTROLS: Final = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\uffff]")
_MASKED: Final = re.compile("[\U000f0001-\U000f009f\U000f2028\U000f2029\U000fffff]")
_INDENTED_TAB: Final = re.compile(r"^( +)(\t)", re.MULTILINE)
_FIRST_COMMA: Final = re.compile(r"^([^\s:#]+:[ \t]+)(,)", re.MULTILINE)
_BLANKS_AT_END: Final = re.compile(r"(?<![ \t])[ \t]+(?=\r?\n)")
_FIRST_TABS: Final = re.compile(r"^\t+", re.MULTILINE)
_SURROGATES: Final = re.compile(r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})", re.IGNORECASE)
_QUOTED: Final = r"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')"""
_COMPLETE: Final = rf"(?:&[^\s]+[ \t]+)?(?:{_QUOTED}|\[[^\]\n]*\]|\{{[^}}\n]*\}})"
_ENTRY_AFTER_ENTRY: Final = re.compile(
    rf"^([ ]*)([^\s:#'\"\[{{-][^\s:]*:[ \t]+{_COMPLETE})[ \t]*(?=[^\s#,:])", re.MULTILINE
)
_ENTRY_AFTER_NOTHING: Final = re.compile(r"^([ ]*)([^\s:#]+:)[ \t]+(?=\?[ \t])", re.MULTILINE)

_JS_TAGS: Final = frozenset(
    STANDARD_TAG + one
    for one in (
        *("str", "int", "float", "bool", "null", "timestamp", "binary", "merge"),
        *("omap", "pairs", "set", "seq", "map"),
    )
)
_BRANCH_TAGS: Final = frozenset(
    STANDARD_TAG + one for one in ("omap", "pairs", "set", "seq", "map")
)


def parse_styled(text: str, style: YamlStyle) -> YamlNode | None:
    """Read `text` as a reader of this style does; None where it holds nothing.

    Raises:
        RefusedError: The reader refuses it.
    """
    match style:
        case YamlStyle.LIBYAML:
            return compose(text)
        case YamlStyle.BUN:
            return _parse_bun(text)
        case YamlStyle.JS_YAML_4:
            return _parse_js(text)
        case YamlStyle.JS_YAML_3:
            return _parse_js_3(_FIRST_TABS.sub("", text))


def find_merged(root: YamlNode | None, key: str) -> YamlNode | None:
    """Give the value of `key`, also where `<<` brings it in; None where there is none."""
    if not isinstance(root, Branch) or not root.is_map:
        return None
    waiting: deque[YamlNode] = deque([root])
    seen: set[int] = set()
    while waiting:
        node = waiting.popleft()
        if not isinstance(node, Branch) or id(node) in seen:
            continue
        seen.add(id(node))
        if (found := node.find(key)) is not None:
            return found
        waiting.extendleft(reversed(node.find_all("<<") if node.is_map else node.items))
    return None


def _parse_bun(text: str) -> YamlNode | None:
    text = _FIRST_COMMA.sub(_mask_second, _CONTROLS.sub(_mask, _pair(text)))
    root = _compose_masked(text)
    for node in iter_nodes(root):
        if isinstance(node, Leaf) and node.style in {'"', "'"}:
            _refuse_flush_lines(text[node.start : node.end])
    return root


def _refuse_flush_lines(quoted: str) -> None:
    if re.search(r"\n[^\s]", quoted):
        raise refusal.flush_quotes()


def _parse_js(text: str) -> YamlNode | None:
    if not text.endswith(("\n", "\r")):
        text += "\n"
    text = _FOREIGN_ENDS.sub(_mask, _pair(text))
    root = _compose_masked(text)
    if (kept := _keep_blanks(text, root)) != text:
        root = _compose_masked(kept)
    if (twin := find_twin_key(root)) is not None:
        raise refusal.stands_twice(twin)
    for node in iter_nodes(root):
        _check_js_tag(node)
        _check_js_mapping(node)
    return root


def _parse_js_3(text: str) -> YamlNode | None:
    try:
        return _parse_js(text)
    except RefusedError:
        parted = _ENTRY_AFTER_NOTHING.sub(r"\1\2\n\1", text)
        parted = _ENTRY_AFTER_ENTRY.sub(r"\1\2\n\1", parted)
        if parted == text:
            raise
        return _parse_js(parted)


def _keep_blanks(text: str, root: YamlNode | None) -> str:
    # js-yaml does not take blanks off the end of a line inside quotes.
    if not _BLANKS_AT_END.search(text):
        return text
    characters = list(text)
    for node in iter_nodes(root):
        if isinstance(node, Leaf) and node.style in {'"', "'"}:
            for found in _BLANKS_AT_END.finditer(text, node.start, node.end):
                masked = (chr(_PRIVATE + ord(one)) for one in found[0])
                characters[found.start() : found.end()] = masked
    return "".join(characters)


def _check_js_tag(node: YamlNode) -> None:
    if node.tag is None or node.tag == "!":
        return
    if node.tag not in _JS_TAGS or (isinstance(node, Leaf) and node.tag in _BRANCH_TAGS):
        raise refusal.tag_unknown(node.tag)


def _check_js_mapping(node: YamlNode) -> None:
    if not isinstance(node, Branch) or not node.is_map or not node.items:
        return
    if node.items[0].marked and not node.flow:
        raise refusal.marked_first_key()
    if any(isinstance(one, Leaf) for one in node.find_all("<<")):
        raise refusal.merge_not_mapping()


def _compose_masked(text: str) -> YamlNode | None:
    try:
        root = compose(text)
    except RefusedError as fault:
        if "found a tab character where an indentation" not in str(fault.__cause__):
            raise
        # Only libyaml minds a tab after the indentation of a block.
        root = compose(_INDENTED_TAB.sub(_mask_second, text))
    for node in iter_nodes(root):
        if isinstance(node, Leaf):
            node.text = _MASKED.sub(_unmask, node.text)
    return root


def _pair(text: str) -> str:
    return _SURROGATES.sub(_join, text)


def _join(match: re.Match[str]) -> str:
    pair = bytes.fromhex(match[1] + match[2])
    return pair.decode("utf-16-be")


def _mask(match: re.Match[str]) -> str:
    return chr(_PRIVATE + ord(match[0]))


def _mask_second(match: re.Match[str]) -> str:
    return match[1] + chr(_PRIVATE + ord(match[2]))


def _unmask(match: re.Match[str]) -> str:
    return chr(ord(match[0]) - _PRIVATE)
