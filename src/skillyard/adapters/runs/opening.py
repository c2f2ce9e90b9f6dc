"""Directories and files opened name by name, so that no link leads elsewhere and nothing blocks."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a directory is opened without following a link."""
READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
"""How a file is opened that may have become anything."""
CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a file is made where there is none."""
PRIVATE_FILE: Final = 0o600
PRIVATE_DIRECTORY: Final = 0o700


def split_path(path: str) -> list[str]:
    """Give the parts of a relative path; one that could lead elsewhere is an error of ours.

    Raises:
        ValueError: The path is not relative, or has `.` or `..` in it.
    """
    parts = path.split("/")
    if {"", ".", ".."} & set(parts):
        message = f"{path!r} is no relative path"
        raise ValueError(message)
    return parts


@contextmanager
def opened(name: str, parent: int | None = None, flags: int = DIRECTORY) -> Iterator[int]:
    """Open `name` in the directory `parent`, and close it again."""
    descriptor = os.open(name, flags, PRIVATE_FILE, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def descended(top: str, path: str) -> Iterator[int]:
    """Open the directory at `path` below the directory `top`; an empty path is `top` itself."""
    descriptor = os.open(top, DIRECTORY)
    try:
        for part in split_path(path) if path else ():
            inner = os.open(part, DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write every byte; the system may take fewer than it is given."""
    written = os.write(descriptor, content)
    if written != len(content):
        rest = memoryview(content)[written:]
        while rest:
            rest = rest[os.write(descriptor, rest) :]


def read_at_most(descriptor: int, most: int) -> bytes:
    """Read a file; give at most `most` bytes of it."""
    content = b""
    while len(content) < most and (more := os.read(descriptor, most - len(content))):
        content = content + more if content else more
    return content


def exists(name: str, parent: int) -> bool:
    """Tell whether anything bears the name, be it a link that leads nowhere."""
    try:
        os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def unlink_if_there(name: str, parent: int) -> None:
    """Remove a file, if it is there and may be removed."""
    with suppress(OSError):
        os.unlink(name, dir_fd=parent)
