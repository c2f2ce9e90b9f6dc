"""Takes the copies of logins out of the root of a run, wherever the run has put them.

A run can move its directories, take rights from itself and make copies. What was laid out is known
again by its path, by the file and the directory that it was, and by its content. No link is
followed, no other file system is entered, and the looking ends.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from skillyard.adapters.runs.opening import (
    PRIVATE_FILE,
    READ,
    descended,
    opened,
    read_at_most,
)
from skillyard.adapters.runs.removal import open_whole
from skillyard.domain.delivery import Part

_MOST_LEVELS: Final = 64
_MOST_NAMES: Final = 1_000_000
Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class KnownLogin:
    """A copy of a login: where it was laid out in the home, and how it is known again.

    `file` and `parent` are devices and numbers; they are None until it is written.
    """

    path: str
    size: int
    digest: str
    file: Identity | None = None
    parent: Identity | None = None

    @classmethod
    def of(cls, path: str, content: bytes) -> "KnownLogin":
        """Give what is known of a login before it is written."""
        return cls(path, len(content), hashlib.sha256(content).hexdigest())

    def located(self, home: str) -> "KnownLogin":
        """Give what is known of it after it was written."""
        parent, _, name = self.path.rpartition("/")
        with suppress(OSError), descended(home, parent) as directory:
            file = os.stat(name, dir_fd=directory, follow_symlinks=False)
            ids = (_identity(file), _identity(os.fstat(directory)))
            return KnownLogin(self.path, self.size, self.digest, *ids)
        return self


def render_logins(logins: Iterable[KnownLogin]) -> bytes:
    """Write down what is known of logins; nothing of their content is in it."""
    return json.dumps([asdict(one) for one in logins]).encode()


def parse_logins(content: bytes) -> list[KnownLogin]:
    """Read what `render_logins` wrote; nothing where it is something else."""
    with suppress(ValueError, TypeError, LookupError):
        return [_to_login(one) for one in json.loads(content)]
    return []


def _to_login(value: dict[str, object]) -> KnownLogin:
    file, parent = (_to_identity(value[name]) for name in ("file", "parent"))
    size = value["size"]
    if not isinstance(size, int):
        raise TypeError(size)
    return KnownLogin(str(value["path"]), size, str(value["digest"]), file, parent)


def _to_identity(value: object) -> Identity | None:
    match value:
        case [int(device), int(number)]:
            return device, number
        case _:
            return None


def drop_in_place(name: str, runs: int, logins: Iterable[KnownLogin]) -> None:
    """Remove the logins from where they were laid out in the root `name`, if they are there."""
    for login in logins:
        *parents, file = f"{name}/{Part.HOME}/{login.path}".split("/")
        with suppress(OSError), ExitStack() as stack:
            directory = runs
            for part in parents:
                directory = stack.enter_context(opened(part, directory))
            os.unlink(file, dir_fd=directory)


def drop_logins(name: str, runs: int, logins: Sequence[KnownLogin]) -> list[str]:
    """Remove the logins from the root `name`; give the paths in it of what could not be removed."""
    if not logins:
        return []
    search = _Search(logins)
    try:
        root = open_whole(name, runs)
    except FileNotFoundError:
        return []
    except OSError:
        return ["."]
    try:
        search.look_through(root, "", 1, os.fstat(root).st_dev)
    finally:
        os.close(root)
    return search.left


class _Search:
    """Looks for logins and removes them; `left` is what could not be looked at or removed."""

    def __init__(self, logins: Sequence[KnownLogin]) -> None:
        self.left: list[str] = []
        self._paths = {f"{Part.HOME}/{one.path}" for one in logins}
        self._files = {one.file for one in logins if one.file}
        self._places = {(one.parent, one.path.rpartition("/")[2]) for one in logins if one.parent}
        self._contents = {(one.size, one.digest) for one in logins}
        self._sizes = {one.size for one in logins if one.size}
        self._names = _MOST_NAMES

    def look_through(self, directory: int, path: str, level: int, device: int) -> None:
        here = os.fstat(directory)
        if here.st_dev != device:
            return
        with os.scandir(directory) as entries:
            found = sorted((one.name, one.is_dir(follow_symlinks=False)) for one in entries)
        self._names -= len(found)
        if self._names < 0 or level > _MOST_LEVELS:
            self.left.append(path)
            return
        for name, is_directory in found:
            inner = f"{path}/{name}" if path else name
            try:
                if is_directory:
                    self._enter(name, directory, inner, level, device)
                elif self._is_login(name, directory, inner, _identity(here)):
                    os.unlink(name, dir_fd=directory)
            except OSError:
                self.left.append(inner)

    def _enter(self, name: str, parent: int, path: str, level: int, device: int) -> None:
        directory = open_whole(name, parent)
        try:
            self.look_through(directory, path, level + 1, device)
        finally:
            os.close(directory)

    def _is_login(self, name: str, directory: int, path: str, parent: Identity) -> bool:
        about = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if path in self._paths or (parent, name) in self._places:
            return True
        if not stat.S_ISREG(about.st_mode):
            return False
        return _identity(about) in self._files or (
            about.st_size in self._sizes and self._has_content(name, directory, about.st_size)
        )

    def _has_content(self, name: str, directory: int, size: int) -> bool:
        try:
            descriptor = os.open(name, READ, dir_fd=directory)
        except PermissionError:
            _let_read(name, directory)
            descriptor = os.open(name, READ, dir_fd=directory)
        try:
            content = read_at_most(descriptor, size + 1)
        finally:
            os.close(descriptor)
        return (len(content), hashlib.sha256(content).hexdigest()) in self._contents


def _let_read(name: str, directory: int) -> None:
    """Let us read a file that its owner may not read; a link is not followed."""
    if os.chmod in os.supports_follow_symlinks:
        os.chmod(name, PRIVATE_FILE, dir_fd=directory, follow_symlinks=False)
        return
    descriptor = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
    try:
        Path(f"/proc/self/fd/{descriptor}").chmod(PRIVATE_FILE)
    finally:
        os.close(descriptor)


def _identity(about: os.stat_result) -> Identity:
    return about.st_dev, about.st_ino
