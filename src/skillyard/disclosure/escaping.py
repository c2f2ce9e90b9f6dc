r"""Texts from elsewhere, made fit to stand in what an agent reads.

- A name, a description and a message become one line: every run of white space is one blank.
- A path stays as it is, but for line ends and tabs. In Markdown it stands in quotes where it holds
  a blank, a bracket or anything else that could be taken for its end.
- A character that cannot be seen, or turns the order of letters round, is shown as an escape such
  as `\u202e`. So are line ends and tabs in a path.
- In XML `&`, `<`, `>`, `"` and `'` become entities. In Markdown `<` does, so that no text opens or
  closes a tag, and what would start a block gets a backslash.
"""

import html
import re
from typing import Final

from skillyard.domain.text import visible

_BLANKS: Final = re.compile(r"\s+")
_IN_NAMES: Final = re.compile(r"([\\`*_\[\]])")
_IN_QUOTES: Final = re.compile(r'(["\\])')
_PLAIN_PATH: Final = re.compile(r"[\w/.+~@%,:=-]+")
_NUMBERED: Final = re.compile(r"([0-9]+)([.)])")
_STARTS_A_BLOCK: Final = frozenset("#>*+-=~`|[_$:")
_ENDS_A_SENTENCE: Final = frozenset(".!?\u2026\u3002\uff01\uff1f")


def to_line(text: str) -> str:
    """Give `text` as one line without hidden characters."""
    return show_hidden(_BLANKS.sub(" ", text).strip())


def to_lines(text: str) -> str:
    """Give `text` without hidden characters; its line feeds stay."""
    return "\n".join(map(show_hidden, text.split("\n")))


def show_hidden(text: str) -> str:
    """Give `text` with every hidden character, line end and tab as an escape."""
    # One by one, because `visible` also takes several together for the command of a build's log.
    return text if visible(text) == text else "".join(map(visible, text))


def to_xml(text: str) -> str:
    """Give one line of `text` as the content of an XML element, or of an attribute."""
    return html.escape(to_line(text))


def path_to_xml(path: str) -> str:
    """Give a path as the content of an XML element, or of an attribute."""
    return html.escape(show_hidden(path))


def to_markdown(text: str) -> str:
    """Give one line of `text` that can stand behind other words in a line of Markdown."""
    return to_line(text).replace("<", "&lt;")


def path_to_markdown(path: str) -> str:
    """Give a path that can stand behind other words in a line of Markdown.

    It stands in quotes where it holds anything that could be taken for its end.
    """
    if _PLAIN_PATH.fullmatch(shown := show_hidden(path)):
        return shown
    escaped = show_hidden(_IN_QUOTES.sub(r"\\\1", path))
    return f'"{escaped.replace("<", "&lt;")}"'


def name_to_markdown(name: str) -> str:
    """Give a name that can stand between asterisks in Markdown."""
    return _IN_NAMES.sub(r"\\\1", to_markdown(name))


def to_block(text: str) -> str:
    """Give one line of `text` that starts no block of Markdown, as the content of an element."""
    line = html.escape(to_line(text), quote=False)
    if line[:1] in _STARTS_A_BLOCK:
        return f"\\{line}"
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def to_deprecation(message: str) -> str:
    """Give the sentence that warns of a deprecated skill, for a line of Markdown."""
    says = to_markdown(message)
    return to_sentence(f"Deprecated: {says}") if says else "Deprecated."


def to_sentence(text: str) -> str:
    """End `text` with a full stop, unless it ends like a sentence."""
    return f"{text}." if text and text[-1] not in _ENDS_A_SENTENCE else text
