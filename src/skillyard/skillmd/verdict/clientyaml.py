"""YAML as a client's reader sees it: aliases followed, tags kept, nothing refused for being unwise.

Built from libyaml's events, without recursion. A node that an alias repeats is the same object, so
a tree may lead back into itself: walk it with `iter_nodes`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import yaml
from yaml._yaml import CParser

from skillyard.skillmd.verdict import refusal

MOST_NODES: Final = 200_000
"""More values than this are not read: no front matter that is meant holds them."""
MOST_LEVELS: Final = 2_000
"""Nor are more levels: libyaml's time grows with their square."""
MOST_HANDLES: Final = 1_000
"""Nor are more `%TAG` lines, for the same reason."""


@dataclass(slots=True, eq=False)
class Leaf:
    """One scalar, with its `tag` where one was written, and the part of the text that it is.

    `marked` means that a tag or an anchor stands before it.
    """

    text: str
    style: str
    tag: str | None
    marked: bool
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Branch:
    """A list, or a mapping whose keys and values take turns in `items`."""

    is_map: bool = True
    flow: bool = False
    tag: str | None = None
    marked: bool = False
    items: "list[YamlNode]" = field(default_factory=list)

    def entries(self) -> "list[tuple[YamlNode, YamlNode]]":
        """Give the keys of a mapping with their values, in the order in which they stand."""
        return list(zip(self.items[::2], self.items[1::2], strict=False)) if self.is_map else []

    def find_all(self, key: str) -> "list[YamlNode]":
        """Give every value that stands under `key`."""
        return [value for one, value in self.entries() if isinstance(one, Leaf) and one.text == key]

    def find(self, key: str) -> "YamlNode | None":
        """Give the last value that stands under `key`, or None."""
        values = self.find_all(key)
        return values[-1] if values else None


YamlNode: TypeAlias = Leaf | Branch


def compose(text: str) -> YamlNode | None:
    """Read one YAML document; None where the text holds nothing.

    Raises:
        RefusedError: It is not YAML, or more than one document.
    """
    if text.count("%TAG") > MOST_HANDLES:
        raise refusal.too_many_handles(MOST_HANDLES)
    builder = _Builder()
    try:
        parser = CParser(text)
        event = parser.get_event()
        while event is not None:
            builder.take(event)
            event = parser.get_event()
    except yaml.YAMLError as error:
        raise refusal.not_yaml() from error
    except UnicodeDecodeError:
        # libyaml lets bytes through in a tag that Python does not take for text.
        raise refusal.tag_not_text() from None
    return builder.root


class _Builder:
    """Puts nodes together from events."""

    def __init__(self) -> None:
        self.root: YamlNode | None = None
        self._open: list[Branch] = []
        self._anchors: dict[str, YamlNode] = {}
        self._documents = 0
        self._nodes = 0

    def take(self, event: Any) -> None:  # noqa: ANN401 (libyaml's events have no stubs)
        match event:
            case yaml.ScalarEvent():
                self._add(_leaf(event), event.anchor)
            case yaml.AliasEvent():
                self._add(self._anchored(event.anchor), None)
            case yaml.CollectionStartEvent():
                self._enter(_branch(event), event.anchor)
            case yaml.CollectionEndEvent():
                self._open.pop()
            case yaml.DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    raise refusal.second_document()
            case _:
                pass

    def _enter(self, branch: Branch, anchor: str | None) -> None:
        self._add(branch, anchor)
        self._open.append(branch)
        if len(self._open) > MOST_LEVELS:
            raise refusal.too_deep()

    def _anchored(self, anchor: str | None) -> YamlNode:
        node = self._anchors.get(anchor or "")
        if node is None:
            raise refusal.alias_unknown(anchor or "")
        return node

    def _add(self, node: YamlNode, anchor: str | None) -> None:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise refusal.too_many_values(MOST_NODES)
        if anchor is not None:
            self._anchors[anchor] = node
        if self._open:
            self._open[-1].items.append(node)
        else:
            self.root = node


def _leaf(event: Any) -> Leaf:  # noqa: ANN401
    style = event.style if isinstance(event.style, str) else ""
    marked = event.tag is not None or event.anchor is not None
    return Leaf(event.value, style, event.tag, marked, event.start_mark.index, event.end_mark.index)


def _branch(event: Any) -> Branch:  # noqa: ANN401
    marked = event.tag is not None or event.anchor is not None
    is_map = isinstance(event, yaml.MappingStartEvent)
    return Branch(is_map=is_map, flow=bool(event.flow_style), tag=event.tag, marked=marked)


def iter_nodes(root: YamlNode | None) -> Iterator[YamlNode]:
    """Yield every node of a tree once, whatever aliases repeat."""
    waiting = [root] if root is not None else []
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, Branch):
            waiting.extend(node.items)


def each_once(nodes: Iterable[YamlNode]) -> list[YamlNode]:
    """Give `nodes` in their order, without those that an alias repeats."""
    return list({id(one): one for one in nodes}.values())


def find_twin_key(root: YamlNode | None) -> str | None:
    """Give a key that stands twice in one mapping, at any level, or None."""
    for node in iter_nodes(root):
        if isinstance(node, Branch):
            seen = set()
            for key, _ in node.entries():
                if isinstance(key, Leaf) and key.text in seen:
                    return key.text
                if isinstance(key, Leaf):
                    seen.add(key.text)
    return None
