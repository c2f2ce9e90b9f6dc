"""Read lists and switches out of front matter nodes, in the forms in which people write them."""

import re

from skillyard.domain.document import Fields, Listing, Node, Scalar

_WORDS = re.compile(r"\S+")
# A tool pattern may hold blanks and commas between brackets: Bash(git add:*, git commit:*).
_TOOL = re.compile(r"(?:[^\s,()]|\([^()]*\)|[()])+")


def to_text(node: Node | None) -> str | None:
    """Give the text of a scalar, without blanks around it; None for anything else."""
    return node.text.strip() if isinstance(node, Scalar) else None


def to_words(node: Node | None) -> tuple[str, ...] | None:
    """Give the words of a list of texts, or of one text with blanks or commas; None otherwise."""
    if isinstance(node, Scalar):
        return tuple(_WORDS.findall(node.text.replace(",", " ")))
    if isinstance(node, Listing) and all(isinstance(one, Scalar) for one in node.items):
        return tuple(one.text.strip() for one in node.items if isinstance(one, Scalar))
    return None


def to_texts(node: Node | None) -> tuple[str, ...] | None:
    """Give the items of a list of texts, or one text as the only item; None otherwise."""
    if isinstance(node, Scalar):
        return (node.text,) if node.text.strip() else ()
    return to_words(node)


def to_tools(node: Node | None) -> tuple[str, ...] | None:
    """Give the tools of `allowed-tools` in any of its forms; None where it has none of them."""
    if isinstance(node, Scalar):
        return split_tools(node.text)
    return to_words(node)


def split_tools(text: str) -> tuple[str, ...]:
    """Cut a text at the blanks and commas that stand outside brackets."""
    return tuple(_TOOL.findall(text))


def to_mapping(node: Node | None) -> Fields | None:
    """Give the node if it is a mapping."""
    return node if isinstance(node, Fields) else None
