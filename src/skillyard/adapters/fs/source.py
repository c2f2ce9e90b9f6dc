"""Find skills on the local disk.

- The walk goes down directory by directory, without recursion, and follows no link.
- One package is read at a time, and only when it is asked for; no more than the names of the
  directories that are still to be looked at is kept.
"""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from pathlib import Path
from typing import Final

from skillyard.adapters.fs.bundle import BundleSource, is_bundle
from skillyard.adapters.fs.handle import (
    Descent,
    Handle,
    Kind,
    close,
    list_directory,
    open_root,
    to_printable,
)
from skillyard.adapters.fs.tree import (
    MOST_NAMES,
    ReadTree,
    is_package,
    is_skill_md,
    read_tree,
    refused,
    unreadable,
)
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.errors import MissingPathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd import rules

_SKIPPED: Final = frozenset({".git", "node_modules", "__pycache__"})
_MOST_DIRECTORIES: Final = 500_000
_MOST_LEVELS: Final = 64
# Gone, or swapped for something else, since its name was read: what is there now is no directory.
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


@dataclass(frozen=True, slots=True)
class DirectorySource:
    """The packages in a directory: itself, or those below it; `root` may also be its SKILL.md.

    Where there are none, the bundles that lie in the directory itself are read.
    A directory that cannot be looked into is yielded as a package that cannot be read.
    """

    root: Path
    limits: Limits = STANDARD

    def iter_packages(self) -> Iterator[FoundPackage]:
        """See `SkillSource.iter_packages`."""
        root = str(_find_directory(self.root))
        try:
            handle = _open_named(root)
        except OSError as error:
            yield _found_root(root, ReadTree(refused(unreadable("", error))))
            return
        try:
            with Descent(handle) as descent:
                packages = _Walk(root, descent, self.limits).iter_packages()
                first = next(packages, None)
                if first is not None:
                    yield first
                    yield from packages
                    return
                names = list_directory(handle, most=MOST_NAMES)
            yield from self._iter_bundles(root, names)
        finally:
            close(handle)

    def _iter_bundles(self, root: str, names: dict[str, Kind]) -> Iterator[FoundPackage]:
        files = (Path(root, name) for name, kind in names.items() if kind is Kind.FILE)
        bundles = sorted(filter(is_bundle, files), key=lambda one: os.fsencode(one.name))
        if not bundles:
            raise _holds_no_skill(root)
        for bundle in bundles:
            yield from BundleSource(bundle, self.limits).iter_packages()


class _Walk:
    """Looks at directories in the order of their locations' bytes.

    A plain walk would put `a/x` before `a-b`. What is still to be looked at therefore waits in a
    heap: whatever is found below a directory sorts after the directory itself.
    """

    def __init__(self, root: str, descent: Descent, limits: Limits) -> None:
        self._root = root
        self._prefix = "" if root == "." else os.path.join(root, "")  # noqa: PTH118 - adds the `/`
        self._descent = descent
        self._limits = limits
        self._waiting: list[bytes] = [b""]
        self._seen = 1

    def iter_packages(self) -> Iterator[FoundPackage]:
        waiting = self._waiting
        while waiting:
            path = os.fsdecode(heappop(waiting))
            if path.count("/") >= _MOST_LEVELS:
                read: ReadTree | None = ReadTree(refused(_too_deep()))
            else:
                read = self._try_to_look_into(path)
            if read is not None:
                yield self._found(path, read)

    def _try_to_look_into(self, path: str) -> ReadTree | None:
        try:
            return self._look_into(path)
        except OSError as error:
            if path and error.errno in _GONE:
                return None
            return ReadTree(refused(unreadable("", error)))

    def _look_into(self, path: str) -> ReadTree | None:
        handle = self._descent.open(path)
        try:
            listing = list_directory(handle, most=MOST_NAMES)
            if is_package(listing):
                return read_tree(handle, listing, limits=self._limits)
        finally:
            close(handle)
        self._look_later(path, listing)
        return None

    def _look_later(self, path: str, listing: dict[str, Kind]) -> None:
        prefix = os.fsencode(path) + b"/" if path else b""
        for name, kind in listing.items():
            if kind is Kind.DIRECTORY and name not in _SKIPPED:
                heappush(self._waiting, prefix + os.fsencode(name))
                self._seen += 1
        if self._seen > _MOST_DIRECTORIES:
            raise MissingPathError(
                to_printable(self._root),
                reason=f"holds more than {_MOST_DIRECTORIES:,} directories",
                hint="Name a directory that is nearer to the skills",
            )

    def _found(self, path: str, read: ReadTree) -> FoundPackage:
        if not path:
            return _found_root(self._root, read)
        place = self._prefix + path
        location = to_printable(place)
        return FoundPackage(
            location=location,
            directory=location.rpartition("/")[2],
            taken=read.taken,
            path=place,
            identity=read.identity,
        )


def _find_directory(root: Path) -> Path:
    try:
        is_directory = stat.S_ISDIR(root.stat().st_mode)
    except (OSError, ValueError):
        is_directory = False
    if is_skill_md(root.name) and not is_directory and os.path.lexists(root):
        return root.parent
    return root


def _open_named(root: str) -> Handle:
    try:
        return open_root(root)
    except (FileNotFoundError, ValueError) as error:
        raise MissingPathError(to_printable(root)) from error
    except NotADirectoryError as error:
        raise MissingPathError(to_printable(root), reason="is not a directory") from error


def _holds_no_skill(root: str) -> MissingPathError:
    return MissingPathError(
        to_printable(root),
        reason="holds no skill",
        hint="A skill is a directory with a SKILL.md in it; linked directories are not entered",
    )


def _found_root(root: str, read: ReadTree) -> FoundPackage:
    real = os.path.basename(os.path.realpath(root))  # noqa: PTH119
    name = os.path.basename(root)  # noqa: PTH119
    if name in {"", ".", ".."}:
        name = real
    return FoundPackage(
        location=to_printable(root),
        directory=to_printable(name) or None,
        taken=read.taken,
        is_alias=name != real,
        path=root,
        identity=read.identity,
    )


def _too_deep() -> Diagnostic:
    return rules.PATH_UNSAFE.finding(
        f"the directory is more than {_MOST_LEVELS} levels down, and was not looked into", path=""
    )
