"""A SKILL.md as it was written: its front matter with every place in it, and its body."""

from dataclasses import dataclass
from typing import NamedTuple

from skillyard.domain.diagnostic import Span


class Place(NamedTuple):
    """Where a node stands: offsets into the file's text, the end exclusive.

    Lines and columns are worked out when they are asked for. Only a line feed ends a line, as in
    the editors that places are shown in; YAML knows more line ends.
    """

    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        return f"Place({self.start}, {self.end})"

    @property
    def line(self) -> int:
        """The line that the node starts on, from 1."""
        return self.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        """The column that the node starts in, from 1."""
        return self.start - self.text.rfind("\n", 0, self.start)

    @property
    def span(self) -> Span:
        """The same place, as a diagnostic shows it."""
        return span_of(self.text, self.start, self.end)


def span_of(text: str, start: int, end: int) -> Span:
    """Give the lines and columns of a part of `text`."""
    line = text.count("\n", 0, start) + 1
    end_line = line + text.count("\n", start, end)
    return Span(line, start - text.rfind("\n", 0, start), end_line, end - text.rfind("\n", 0, end))


class Scalar(NamedTuple):
    """One value. `style` is the character that started it, or empty where it is plain.

    `"` and `'` are quotes, `|` and `>` blocks, `!` is a tag, `&` an anchor and `*` an alias, which
    has no text.
    """

    text: str
    style: str
    place: Place


class Listing(NamedTuple):
    """A list of nodes; `flow` means that it was written in brackets."""

    items: "tuple[Node, ...]"
    flow: bool
    place: Place


class Fields(NamedTuple):
    """A mapping, in the order in which it was written; a key may stand twice."""

    entries: "tuple[tuple[Scalar, Node], ...]"
    flow: bool
    place: Place

    def find(self, key: str) -> "Node | None":
        """Give the value of `key`; of several, the last, as YAML readers do."""
        found = None
        for name, value in self.entries:
            if name.text == key:
                found = value
        return found

    def find_key(self, key: str) -> Scalar | None:
        """Give the last place where `key` itself is written."""
        found = None
        for name, _ in self.entries:
            if name.text == key:
                found = name
        return found


Node = Scalar | Listing | Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDocument:
    """The text of a SKILL.md, cut into front matter and body.

    `fields` is None where there is no readable front matter. `front` and `body` are offsets into
    `text`: the YAML between the `---` lines, and where the Markdown starts. `recovered` means that
    the YAML could not be read, and that `fields` was found line by line.
    """

    text: str
    fields: Fields | None
    front: tuple[int, int] = (0, 0)
    body: int = 0
    recovered: bool = False

    @property
    def front_matter(self) -> str:
        """The YAML between the `---` lines."""
        return self.text[self.front[0] : self.front[1]]

    @property
    def instructions(self) -> str:
        """The Markdown after the front matter."""
        return self.text[self.body :]


def to_plain(node: Node) -> object:
    """Turn a node into texts, lists and dictionaries."""
    match node:
        case Scalar():
            return node.text
        case Listing():
            return [to_plain(one) for one in node.items]
        case Fields():
            return {key.text: to_plain(value) for key, value in node.entries}
