"""Files and links carried from one directory to another; no link is followed on either side.

Every directory is opened by its name in the one above it. What stands on the way and is a link
gives an error, so that nothing outside the two directories is ever read or written.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

if sys.platform != "win32":
    import fcntl

MOST_FILES: Final = 200_000
MOST_BYTES: Final = 4 * 1024**3

_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A pipe must not hold us up, and a terminal must not become ours.
_SOURCE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_TARGET: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CLONE: Final = 0x40049409
_WORTH_CLONING: Final = 128 * 1024
_PIECE_BYTES: Final = 8 * 1024 * 1024
_WHILE_WRITING: Final = 0o600
_WITHOUT_SETUID: Final = 0o777
_NOT_THERE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK})


class TooLargeError(Exception):
    """There is more than a workspace may hold; the message says of what."""

    def __init__(self, what: str) -> None:
        super().__init__(what)


@dataclass(slots=True)
class Budget:
    """How much may still be copied."""

    files: int = MOST_FILES
    size: int = MOST_BYTES

    def take(self, size: int) -> None:
        """Count one file.

        Raises:
            TooLargeError: It is one too many, or too large.
        """
        self.files -= 1
        self.size -= size
        if self.files < 0:
            raise TooLargeError(what="it has too many files")
        if self.size < 0:
            raise TooLargeError(what="its files are too large")


@contextmanager
def opened(path: Path) -> Iterator[int]:
    """Open a directory by its path."""
    descriptor = os.open(path, _DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_in(parent: int, name: str) -> Iterator[int]:
    """Open a directory by its name in another one; a link gives an OSError."""
    descriptor = os.open(name, _DIRECTORY, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_below(root: int, path: PurePosixPath, *, make: bool = False) -> Iterator[int]:
    """Open a directory some way below another; what is missing is made if `make` says so."""
    descriptor = os.dup(root)
    try:
        for part in path.parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
            below = os.open(part, _DIRECTORY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def find_mode(root: int, path: str) -> int | None:
    """Give the mode of what stands at a path; None where nothing does, or a link is on the way."""
    whole = PurePosixPath(path)
    try:
        with opened_below(root, whole.parent) as parent:
            return os.stat(whole.name, dir_fd=parent, follow_symlinks=False).st_mode
    except OSError as error:
        if error.errno in _NOT_THERE:
            return None
        raise


def copy_path(path: str, source: int, target: int, *, budget: Budget) -> bool:
    """Copy the file or link at a path from one root to another; tell whether it was one."""
    whole = PurePosixPath(path)
    mode = find_mode(source, path)
    if mode is None or not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        return False
    with (
        opened_below(source, whole.parent) as from_here,
        opened_below(target, whole.parent, make=True) as to_there,
    ):
        if stat.S_ISLNK(mode):
            copy_link(whole.name, from_here, to_there)
            return True
        return copy_file(whole.name, from_here, to_there, budget=budget)


def copy_link(name: str, source: int, target: int) -> None:
    """Copy a link as it is."""
    os.symlink(os.readlink(name, dir_fd=source), name, dir_fd=target)


def copy_file(name: str, source: int, target: int, *, budget: Budget) -> bool:
    """Copy a file with its times and executable bits; tell whether it was one when opened."""
    read = os.open(name, _SOURCE, dir_fd=source)
    try:
        info = os.fstat(read)
        if not stat.S_ISREG(info.st_mode):
            return False
        budget.take(info.st_size)
        _write_copy(name, read, info, target)
    finally:
        os.close(read)
    return True


def _write_copy(name: str, read: int, info: os.stat_result, target: int) -> None:
    written = os.open(name, _TARGET, _WHILE_WRITING, dir_fd=target)
    try:
        if info.st_size < _WORTH_CLONING or not _cloned(read, written):
            _copy_bytes(read, written, info.st_size)
        os.fchmod(written, stat.S_IMODE(info.st_mode) & _WITHOUT_SETUID)
        os.utime(written, ns=(info.st_atime_ns, info.st_mtime_ns))
    finally:
        os.close(written)


def _cloned(read: int, written: int) -> bool:
    """Let both files share their blocks where the file system can."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        fcntl.ioctl(written, _CLONE, read)
    except OSError:
        return False
    return True


def _copy_bytes(read: int, written: int, size: int) -> None:
    """Copy `size` bytes, fewer where the file has become shorter; one that grows ends there."""
    left = size
    while left > 0 and (copied := _copy_piece(read, written, min(left, _PIECE_BYTES))):
        left -= copied


def _copy_piece(read: int, written: int, most: int) -> int:
    if sys.platform.startswith("linux"):
        try:
            return os.copy_file_range(read, written, most)
        except OSError as error:
            if error.errno not in {errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP}:
                raise
    piece = os.read(read, most)
    _write_all(written, piece)
    return len(piece)


def _write_all(written: int, piece: bytes) -> None:
    view = memoryview(piece)
    while view:
        view = view[os.write(written, view) :]


def remove_path(root: int, path: str) -> None:
    """Remove the file or link at a path, and the directories that are empty without it."""
    whole = PurePosixPath(path)
    try:
        with opened_below(root, whole.parent) as parent:
            os.unlink(whole.name, dir_fd=parent)
    except OSError as error:
        if error.errno not in _NOT_THERE | {errno.EISDIR, errno.EPERM}:
            raise
        return
    _remove_empty(root, whole.parent)


def _remove_empty(root: int, path: PurePosixPath) -> None:
    for directory in (path, *path.parents):
        if not directory.name:
            return
        try:
            with opened_below(root, directory.parent) as parent:
                os.rmdir(directory.name, dir_fd=parent)
        except OSError:
            return
