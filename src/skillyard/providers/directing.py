"""Tell from the text of a project's settings whether they direct which skills a client sees."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from skillyard.domain.client import SkillSettings

_TEXT: Final = r'"(?:\\.|[^"\\])*"'
_COMMENT: Final = re.compile(rf"({_TEXT})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA: Final = re.compile(rf"({_TEXT})|,(?=\s*[}}\]])", re.DOTALL)


def find_directing_keys(settings: SkillSettings, content: bytes) -> tuple[str, ...]:
    """Give those of the keys that a file has and that say something, in order.

    Of a file that cannot be read, all count whose last name stands in it anywhere.
    """
    text = content.decode("utf-8-sig", errors="replace")
    try:
        tree = _parse(text)
    except (ValueError, RecursionError):
        return tuple(key for key in settings.keys if key.rpartition(".")[2] in text)
    return tuple(key for key in settings.keys if _says(tree, key.split(".")))


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        bare = _COMMENT.sub(r"\1 ", text)
        return json.loads(_COMMA.sub(r"\1", bare))


def _says(tree: object, names: Sequence[str]) -> bool:
    if not names:
        return tree is not None and tree not in ({}, [])
    if not isinstance(tree, Mapping):
        return False
    name, *rest = names
    inner = tree.values() if name == "*" else (tree[name],) if name in tree else ()
    return any(_says(one, rest) for one in inner)
