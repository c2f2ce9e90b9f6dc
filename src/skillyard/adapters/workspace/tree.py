"""A copy of a project as it stands, without what a run must not see.

- Directories of skills, the product's own directories and locks of git are left out.
- A link is kept where it cannot lead out of the copy: relative, upwards only at its beginning.
- Pipes, sockets and devices are left out, and so is a `.git` file that leads elsewhere.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from skillyard.adapters.workspace.copying import (
    Budget,
    TooLargeError,
    copy_file,
    copy_link,
    opened,
    opened_in,
)
from skillyard.adapters.workspace.hiding import Hiding

_DEEPEST: Final = 200
_GIT: Final = ".git"
_LINKED_WORK_TREES: Final = ".git/worktrees"
_POINTER: Final = b"gitdir: "

Identity = tuple[int, int]


@dataclass(slots=True)
class TreeCopy:
    """What was met while a project was copied: hidden directories, and what was left out."""

    hiding: Hiding
    apart: frozenset[Identity]
    budget: Budget = field(default_factory=Budget)
    hidden: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def copy(self, source: Path, target: Path) -> None:
        """Copy what stands in `source` into the empty directory `target`.

        Raises:
            TooLargeError: There is too much of it.
            OSError: Something cannot be read, or written.
        """
        with opened(source) as here, opened(target) as there:
            self._copy_directory(here, there, path="", depth=0)

    def _copy_directory(self, source: int, target: int, *, path: str, depth: int) -> None:
        if depth > _DEEPEST:
            raise TooLargeError(what="its directories are nested too deeply")
        with os.scandir(source) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
        for entry in found:
            inner = f"{path}/{entry.name}" if path else entry.name
            if not self._is_left_out(entry, inner):
                self._copy_entry(entry, inner, source, target, depth)

    def _is_left_out(self, entry: os.DirEntry[str], path: str) -> bool:
        if _is_in_git(path):
            return entry.name.endswith(".lock") or path == _LINKED_WORK_TREES
        hides = self.hiding.hides_link if entry.is_symlink() else self.hiding.find
        if not hides(path):
            return False
        self.hidden.append(path)
        return True

    def _copy_entry(
        self, entry: os.DirEntry[str], path: str, source: int, target: int, depth: int
    ) -> None:
        info = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(info.st_mode):
            if (info.st_dev, info.st_ino) not in self.apart:
                self._enter(entry.name, path, source, target, depth)
        elif not self._copy_leaf(entry.name, path, source, target, info):
            self.left_out.append(path)

    def _enter(self, name: str, path: str, source: int, target: int, depth: int) -> None:
        self.budget.take(0)
        os.mkdir(name, dir_fd=target)
        with opened_in(source, name) as here, opened_in(target, name) as there:
            self._copy_directory(here, there, path=path, depth=depth + 1)
            mode = stat.S_IMODE(os.fstat(here).st_mode) & 0o777
            os.fchmod(there, mode | stat.S_IRWXU)

    def _copy_leaf(
        self, name: str, path: str, source: int, target: int, info: os.stat_result
    ) -> bool:
        if stat.S_ISLNK(info.st_mode):
            if stays_inside(path, os.readlink(name, dir_fd=source)):
                self.budget.take(0)
                copy_link(name, source, target)
                return True
            return False
        if not stat.S_ISREG(info.st_mode) or _leads_elsewhere(name, path, source):
            return False
        return copy_file(name, source, target, budget=self.budget)


def identities(paths: Iterable[Path]) -> frozenset[Identity]:
    """Give what tells directories apart whatever they are called; those missing are left out."""
    return frozenset(
        (info.st_dev, info.st_ino) for info in (path.stat() for path in paths if path.is_dir())
    )


def stays_inside(path: str, target: str) -> bool:
    """Tell whether a link at a path of a tree leads nowhere out of it, whatever links it meets.

    Steps upwards count at the beginning only: after a name they start from wherever that leads.
    """
    parts = PurePosixPath(target).parts
    upwards = next((at for at, part in enumerate(parts) if part != ".."), len(parts))
    is_relative = bool(target) and not target.startswith("/")
    depth = path.count("/")
    return is_relative and upwards <= depth and ".." not in parts[upwards:]


def _is_in_git(path: str) -> bool:
    return path == _GIT or path.startswith(f"{_GIT}/")


def _leads_elsewhere(name: str, path: str, source: int) -> bool:
    """Tell whether a file is the link of git to a repository outside the copy."""
    if name != _GIT:
        return False
    descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=source)
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(4096)
    target = os.fsdecode(content.removeprefix(_POINTER).strip())
    return not content.startswith(_POINTER) or not stays_inside(path, target)
