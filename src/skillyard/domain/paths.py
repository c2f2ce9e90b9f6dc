"""Which paths a package may hold.

A path is relative, separated by `/`, in Unicode's NFC form, and means the same file on every
operating system. Nothing here touches a disk.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NewType

from skillyard.domain.errors import UnsafePathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.text import visible

PackagePath = NewType("PackagePath", str)

SKILL_MD = PackagePath("SKILL.md")
MANIFEST_JSON = PackagePath("manifest.json")

_COMPONENT_BYTES = 255
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*(?:[./][A-Za-z0-9_][A-Za-z0-9_-]*)*", re.ASCII)
_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])"
    r"[ ]*(?:[.:].*)?",
    re.IGNORECASE | re.DOTALL,
)
_GIT = frozenset({".git", "git~1"})
# Control, format (bidirectional and zero-width), private, surrogate, line and paragraph.
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
# Windows programs that do not use Unicode read these as `/` and `\`.
_SEPARATORS = re.compile("[\u2044\u2215\u2216]")


def parse_path(text: str, *, limits: Limits = STANDARD) -> PackagePath:
    """Check that `text` may be a path inside a package.

    Raises:
        UnsafePathError: It may not.
    """
    problem = find_path_problem(text, limits=limits)
    if problem is not None:
        raise UnsafePathError(text, reason=problem)
    return PackagePath(text)


def find_path_problem(text: str, *, limits: Limits = STANDARD) -> str | None:
    """Say why `text` may not be a path inside a package, or None."""
    if len(text) > limits.path_characters:
        return f"it has {len(text)} characters, at most {limits.path_characters} are allowed"
    if not (_PLAIN.fullmatch(text) or (problem := _find_shape_problem(text)) is None):
        return problem
    components = text.split("/")
    if len(components) > limits.package_depth:
        return f"it is {len(components)} levels deep, at most {limits.package_depth} are allowed"
    return next(filter(None, map(_find_component_problem, components)), None)


def show_path(text: str) -> str:
    """Give `text` as it may stand in a message: the hidden escaped, the overlong cut."""
    shown = visible(text[: STANDARD.path_characters])
    return f"{shown}…" if len(text) > STANDARD.path_characters else shown


def _find_shape_problem(text: str) -> str | None:
    if not text:
        return "it is empty"
    if _holds_hidden(text):
        return "it holds a control, bidirectional or otherwise invisible character"
    if text.startswith("/") or "\\" in text or ":" in text:
        return "it is not a relative path with `/` between its parts"
    if unicodedata.normalize("NFC", text) != text:
        return "it is not in Unicode's NFC form"
    folded = unicodedata.normalize("NFKC", text)
    if "\\" in folded or folded.count("/") != text.count("/") or _SEPARATORS.search(text):
        return "it holds a character that some systems read as a separator"
    return None


def _holds_hidden(text: str) -> bool:
    # `##[` is not hidden, but is shown as an escape too.
    letters = text.replace("#", "")
    return visible(letters) != letters or any(
        unicodedata.category(one) in _HIDDEN for one in letters
    )


def _find_component_problem(component: str) -> str | None:
    if not unicodedata.normalize("NFKC", component).strip("."):
        return "a part of it is empty or made of dots"
    if component[-1] in ". " or component[0] == " ":
        return "a part of it starts or ends with a blank, or ends with a dot"
    if _DEVICE.fullmatch(component):
        return f"`{component}` is a device on Windows"
    if component.casefold() in _GIT:
        return f"`{component}` belongs to git"
    if len(component) * 4 > _COMPONENT_BYTES and len(component.encode()) > _COMPONENT_BYTES:
        return f"a part of it has more than {_COMPONENT_BYTES} bytes"
    return None


def collision_key(path: str) -> str:
    """Give what two paths share if some file system would take them for one."""
    if path.isascii():
        return path.lower()
    # Decomposed first: the fold of an iota below a letter depends on the order of the marks.
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", path).casefold())


def iter_collisions(paths: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield each path that some file system would take for an earlier one, with that one.

    A directory collides like a file: `Docs/a` and `docs/b` would end up in one place, and
    `docs` cannot be a file and a directory.
    """
    files: dict[str, str] = {}
    directories: dict[str, str] = {}
    for path in paths:
        key = collision_key(path)
        earlier = files.get(key) or directories.get(key)
        parents = list_parents(path)
        for parent in parents:
            parent_key = collision_key(parent)
            earlier = earlier or files.get(parent_key)
            if directories.get(parent_key, parent) != parent:
                earlier = earlier or directories[parent_key]
        if earlier is not None:
            yield path, earlier
            continue
        files[key] = path
        directories.update((collision_key(parent), parent) for parent in parents)


def list_parents(path: str) -> list[str]:
    """List the directories that `path` stands in, the outermost first."""
    parts = path.split("/")
    return ["/".join(parts[:end]) for end in range(1, len(parts))]
