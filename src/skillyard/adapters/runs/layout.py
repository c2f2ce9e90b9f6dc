"""Writes into the parts of a run: directories, files and links, and never over anything.

Each directory is opened once, one part of its path after the other, so that a link which somebody
put there leads nowhere. Nothing is synced: a run does not outlive the machine.
"""

import os
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

from skillyard.adapters.runs.opening import (
    CREATE,
    DIRECTORY,
    PRIVATE_DIRECTORY,
    PRIVATE_FILE,
    split_path,
    write_all,
)
from skillyard.domain.delivery import Part, RunPlaces
from skillyard.domain.package import Package

_DIRECTORY_MODE: Final = 0o755
_EXECUTABLE_MODE: Final = 0o755
_FILE_MODE: Final = 0o644


class Layout:
    """Keeps the directories open that it writes to, until it is left."""

    def __init__(self, places: RunPlaces) -> None:
        self._places = places
        self._opened: dict[tuple[Part, str], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for descriptor in self._opened.values():
            os.close(descriptor)

    def put_package(self, package: Package, part: Part, path: str) -> None:
        """Write a package as a new directory, with the usual modes whatever the umask says."""
        parent, name = self._reach(part, path)
        os.mkdir(name, _DIRECTORY_MODE, dir_fd=parent)
        directory = os.open(name, DIRECTORY, dir_fd=parent)
        try:
            os.fchmod(directory, _DIRECTORY_MODE)
            _write_package(package, directory)
        finally:
            os.close(directory)

    def put_link(self, target: str, part: Part, path: str) -> None:
        """Make a link to a directory."""
        parent, name = self._reach(part, path)
        os.symlink(target, name, dir_fd=parent)

    def put_file(self, content: bytes, part: Part, path: str, *, mode: int = PRIVATE_FILE) -> None:
        """Write a new file that nobody else can read."""
        parent, name = self._reach(part, path)
        _write_file(name, content, mode, parent)

    def _reach(self, part: Part, path: str) -> tuple[int, str]:
        parent, _, name = path.rpartition("/")
        split_path(path)
        return self._open(part, parent), name

    def _open(self, part: Part, path: str) -> int:
        descriptor = self._opened.get((part, path))
        if descriptor is None:
            descriptor = self._open_part(part) if not path else self._make(part, path)
            self._opened[part, path] = descriptor
        return descriptor

    def _open_part(self, part: Part) -> int:
        return os.open(self._places.of(part), DIRECTORY)

    def _make(self, part: Part, path: str) -> int:
        parent, _, name = path.rpartition("/")
        within = self._open(part, parent)
        with suppress(FileExistsError):  # if it is anything but a directory, it cannot be opened
            os.mkdir(name, PRIVATE_DIRECTORY, dir_fd=within)
        return os.open(name, DIRECTORY, dir_fd=within)


def _write_package(package: Package, directory: int) -> None:
    opened = {"": directory}
    try:
        for path, file in package.files.items():
            parent, _, name = path.rpartition("/")
            if parent not in opened:
                _make_directories(parent, opened)
            mode = _EXECUTABLE_MODE if file.executable else _FILE_MODE
            _write_file(name, file.content, mode, opened[parent])
    finally:
        del opened[""]
        for descriptor in opened.values():
            os.close(descriptor)


def _make_directories(path: str, opened: dict[str, int]) -> None:
    parent, _, name = path.rpartition("/")
    if parent not in opened:
        _make_directories(parent, opened)
    os.mkdir(name, _DIRECTORY_MODE, dir_fd=opened[parent])
    opened[path] = os.open(name, DIRECTORY, dir_fd=opened[parent])
    os.fchmod(opened[path], _DIRECTORY_MODE)


def _write_file(name: str, content: bytes, mode: int, directory: int) -> None:
    descriptor = os.open(name, CREATE, mode, dir_fd=directory)
    try:
        os.fchmod(descriptor, mode)
        write_all(descriptor, content)
    finally:
        os.close(descriptor)
