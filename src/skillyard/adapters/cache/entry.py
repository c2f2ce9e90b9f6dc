"""One package as a read-only tree: written from memory, and verified whenever it is read.

A tree is read through descriptors, so that no link is followed and nothing blocks. It counts only
if it is whole and holds nothing else: every byte and every mode, and no file or directory besides.
"""

import errno
import itertools
import os
import stat
from contextlib import suppress
from typing import Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.limits import WIDE
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath

DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
"""How a directory is opened without following a link."""
READ_ONLY: Final = 0o555
"""The mode of every directory of an entry."""

_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PLAIN: Final = 0o444
_EXECUTABLE: Final = 0o555
_IS_EXECUTABLE: Final = {stat.S_IFREG | _PLAIN: False, stat.S_IFREG | _EXECUTABLE: True}
_IS_DIRECTORY: Final = stat.S_IFDIR | READ_ONLY
# More than any package may have, so that damage costs neither memory nor time without end.
_MOST_NAMES: Final = WIDE.package_files * WIDE.package_depth
_MOST_LEVELS: Final = WIDE.package_depth


class _DamagedError(Exception):
    """A tree is not what was written."""


def write_entry(package: Package, directory: int) -> None:
    """Write a package into an empty directory; all but the directory itself becomes read-only."""
    opened: dict[str, int] = {"": directory}
    try:
        for path, file in package.files.items():
            parent, _, name = path.rpartition("/")
            if parent not in opened:
                _make_directories(parent, opened)
            _write_file(name, file, opened[parent])
    finally:
        del opened[""]
        for descriptor in opened.values():
            with suppress(OSError):  # what is not as it should be is found when it is read
                os.fchmod(descriptor, READ_ONLY)
            os.close(descriptor)


def find_package(entry: int, digest: TreeDigest) -> Package | None:
    """Give the package in the directory `entry`, or None where it has not that digest."""
    reader = _Reader()
    try:
        reader.read_directory(entry, "", 1)
        package = Package.from_checked(reader.files)
        return package if package.digest() == digest else None
    except (OSError, UnicodeError, _DamagedError):
        return None


def _make_directories(path: str, opened: dict[str, int]) -> None:
    parent, _, name = path.rpartition("/")
    if parent not in opened:
        _make_directories(parent, opened)
    os.mkdir(name, 0o700, dir_fd=opened[parent])
    opened[path] = os.open(name, DIRECTORY, dir_fd=opened[parent])


def _write_file(name: str, file: PackageFile, directory: int) -> None:
    descriptor = os.open(name, _CREATE, 0o600, dir_fd=directory)
    try:
        rest = memoryview(file.content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fchmod(descriptor, _EXECUTABLE if file.executable else _PLAIN)
    finally:
        os.close(descriptor)


class _Reader:
    """Reads a tree whose size it does not trust."""

    def __init__(self) -> None:
        self.files: list[tuple[PackagePath, PackageFile]] = []
        self._room = WIDE.package_bytes
        self._names = _MOST_NAMES

    def read_directory(self, directory: int, prefix: str, level: int) -> None:
        """Read all that stands in a directory; `level` counts how deep that is."""
        with os.scandir(directory) as entries:
            names = [one.name for one in itertools.islice(entries, self._names + 1)]
        self._names -= len(names)
        # A directory without a file has no part in a digest, and is nothing that we wrote.
        if self._names < 0 or level > _MOST_LEVELS or (prefix and not names):
            raise _DamagedError
        for name in names:
            descriptor = os.open(name, _READ, dir_fd=directory)
            try:
                self._read(descriptor, prefix + name, level)
            finally:
                os.close(descriptor)

    def _read(self, descriptor: int, path: str, level: int) -> None:
        status = os.fstat(descriptor)
        executable = _IS_EXECUTABLE.get(status.st_mode)
        if executable is not None:
            content = self._read_file(descriptor, status.st_size)
            self.files.append((PackagePath(path), PackageFile(content, executable)))
        elif status.st_mode == _IS_DIRECTORY:
            self.read_directory(descriptor, f"{path}/", level + 1)
        else:
            raise _DamagedError

    def _read_file(self, descriptor: int, size: int) -> bytes:
        self._room -= size
        if self._room < 0:
            raise _DamagedError
        # One byte more than the size tells a file that grows from one that is complete.
        content = os.read(descriptor, size + 1)
        while len(content) < size and (more := os.read(descriptor, size - len(content))):
            content += more
        if len(content) != size:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return content
