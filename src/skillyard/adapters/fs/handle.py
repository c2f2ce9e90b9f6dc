"""Directories and files opened so that no link is followed and nothing blocks.

A handle is a directory's descriptor. Names are opened relative to it, one at a time, so that a
directory which is swapped for a link while it is being read leads nowhere. Where the platform has
no such descriptors, a handle is a path, and links are looked for before each opening.
"""

import errno
import os
from enum import Enum
from types import TracebackType
from typing import Final, Self

Handle = int | str

_HAS_DESCRIPTORS: Final = os.open in os.supports_dir_fd and os.scandir in os.supports_fd
_CLOSED_ON_EXEC: Final[int] = getattr(os, "O_CLOEXEC", 0)
_NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY: Final[int] = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _CLOSED_ON_EXEC
# A pipe without a writer, or a terminal, must neither hold us up nor become ours.
_FILE: Final[int] = (
    os.O_RDONLY
    | _CLOSED_ON_EXEC
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)

LINK_ERRORS: Final = frozenset({errno.ELOOP, errno.EMLINK})
"""What opening a link without following it gives; FreeBSD says EMLINK."""


class Kind(Enum):
    """What a name in a directory stands for."""

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    SPECIAL = "special"


def open_root(path: str) -> Handle:
    """Open the directory that the user named; a link to it is followed, because it was named."""
    if _HAS_DESCRIPTORS:
        return os.open(path or ".", _DIRECTORY)
    with os.scandir(path or "."):
        return path


def open_directory(name: str, *, within: Handle) -> Handle:
    """Open the directory `name`; a link gives an OSError."""
    if isinstance(within, int):
        return os.open(name, _DIRECTORY | _NO_LINK, dir_fd=within)
    path = _join_unlinked(within, name)
    with os.scandir(path):
        return path


def open_file(name: str, *, within: Handle) -> int:
    """Open the file `name` for reading; a link gives an OSError, and a pipe does not block."""
    if isinstance(within, int):
        return os.open(name, _FILE | _NO_LINK, dir_fd=within)
    return os.open(_join_unlinked(within, name), _FILE)


def open_named_file(path: str) -> int:
    """Open the file that the user named; a link to it is followed, because it was named."""
    return os.open(path, _FILE)


def close(handle: Handle) -> None:
    """Let go of a directory."""
    if isinstance(handle, int):
        os.close(handle)


def list_directory(handle: Handle, *, most: int) -> dict[str, Kind]:
    """Give what a directory holds, in no order; more than `most` names gives an OSError."""
    found: dict[str, Kind] = {}
    with os.scandir(handle) as entries:
        for entry in entries:
            is_file = entry.is_file(follow_symlinks=False)
            found[entry.name] = Kind.FILE if is_file else _kind_of_other(entry)
            if len(found) > most:
                raise OSError(errno.E2BIG, f"it holds more than {most:,} names")
    return found


def read_at_most(descriptor: int, most: int, expected: int) -> bytes:
    """Read the file, which should have `expected` bytes; give at most `most`."""
    content = os.read(descriptor, most)
    # A short answer is no proof of the end: network file systems answer in pieces.
    while len(content) < expected and (more := os.read(descriptor, most - len(content))):
        content += more
    return content


def to_printable(name: str) -> str:
    r"""Give a file's name as text that any output takes: bytes that are not UTF-8 become `\xff`."""
    return name if name.isascii() else os.fsencode(name).decode(errors="backslashreplace")


class Descent:
    """Opens directories at any depth below a root, part by part, so that no link is followed.

    The parent of the last one stays open, because its neighbours usually come next.
    """

    def __init__(self, root: Handle) -> None:
        self._root = root
        self._parent = ""
        self._parent_handle = root

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._leave()

    def open(self, path: str) -> Handle:
        """Open the directory at `path`, which is relative to the root; the root itself is empty."""
        parent, _, name = path.rpartition("/")
        if parent != self._parent:
            self._enter(parent)
        return open_directory(name or ".", within=self._parent_handle)

    def _enter(self, parent: str) -> None:
        self._leave()
        handle = self._root
        for name in parent.split("/") if parent else ():
            try:
                inner = open_directory(name, within=handle)
            finally:
                self._close(handle)
            handle = inner
        self._parent, self._parent_handle = parent, handle

    def _leave(self) -> None:
        self._close(self._parent_handle)
        self._parent, self._parent_handle = "", self._root

    def _close(self, handle: Handle) -> None:
        if handle is not self._root:
            close(handle)


def _kind_of_other(entry: "os.DirEntry[str]") -> Kind:
    if entry.is_dir(follow_symlinks=False):
        return Kind.DIRECTORY
    return Kind.LINK if entry.is_symlink() else Kind.SPECIAL


def _join_unlinked(within: str, name: str) -> str:
    path = os.path.join(within, name)  # noqa: PTH118 - a measured part of every reading
    if os.path.islink(path):  # noqa: PTH114
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
    return path
