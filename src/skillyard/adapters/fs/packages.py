"""Read the whole package of a skill that was found in a directory of skills.

What was read stays in memory as long as no file in it changes, so that a program which asks for
many skills again and again reads each of them once.
"""

import errno
import os
import stat
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import Final, TypeAlias

from skillyard.adapters.fs.handle import (
    Descent,
    Handle,
    Kind,
    close,
    list_directory,
    open_root,
    to_printable,
)
from skillyard.adapters.fs.tree import MOST_NAMES, is_package, read_tree
from skillyard.application.ports.discovery import Root
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.errors import MissingPathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Layer
from skillyard.skillmd.intake import find_left_out

_MOST_KEPT: Final = 128
_RACY_NANOSECONDS: Final = 2_000_000_000
_ROOT: Final = "."

_Listing: TypeAlias = Mapping[str, Kind]
_Signed: TypeAlias = tuple[str, int, int, int, int, int]
_Signature: TypeAlias = tuple[_Signed, ...]


class DiskPackages:
    """See `Packages`."""

    def __init__(self, *, limits: Limits = STANDARD, now: Callable[[], int] = time.time_ns) -> None:
        self._limits = limits
        self._now = now
        # Several threads may read: what one uses, another may be dropping.
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Root, str], tuple[_Signature, FoundPackage]] = OrderedDict()

    def read(self, root: Root, place: str) -> FoundPackage:
        """See `Packages.read`."""
        path = root.path if place == _ROOT else os.path.join(root.path, place)  # noqa: PTH118
        try:
            with _opened(root, place) as handle:
                listing = _list_package(handle, is_root=place == _ROOT)
                if not is_package(listing):
                    raise MissingPathError(to_printable(path), reason="holds no skill")
                return self._read(root, place, path, handle, listing)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise MissingPathError(
                to_printable(path), reason=f"cannot be looked into: {reason}"
            ) from error

    def _read(
        self, root: Root, place: str, path: str, handle: Handle, listing: _Listing
    ) -> FoundPackage:
        before = _sign(handle, listing, self._limits)
        kept = self._find_kept((root, place), before)
        if kept is not None:
            return kept
        found = _read(root, path, handle, listing, self._limits)
        if _is_settled(before, self._now()) and _sign(handle, listing, self._limits) == before:
            self._keep((root, place), before, found)
        return found

    def _keep(self, key: tuple[Root, str], signature: _Signature, found: FoundPackage) -> None:
        with self._lock:
            self._kept[key] = (signature, found)
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)

    def _find_kept(self, key: tuple[Root, str], signature: _Signature) -> FoundPackage | None:
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or not signature or kept[0] != signature:
                return None
            self._kept.move_to_end(key)
            return kept[1]


@contextmanager
def _opened(root: Root, place: str) -> Iterator[Handle]:
    if root.within is not None:
        _require_inside(root.path, root.within)
    handle = open_root(root.path)
    try:
        with Descent(handle) as descent:
            inner = descent.open("" if place == _ROOT else place)
            try:
                yield inner
            finally:
                close(inner)
    finally:
        close(handle)


def _require_inside(path: str, within: str) -> None:
    real, bound = os.path.realpath(path), os.path.realpath(within)
    if os.path.commonpath((real, bound)) != bound:
        raise OSError(errno.EPERM, f"it leads out of {to_printable(within)}")


def _list_package(handle: Handle, *, is_root: bool) -> _Listing:
    listing = list_directory(handle, most=MOST_NAMES)
    if not is_root:
        return listing
    return {
        name: kind
        for name, kind in listing.items()
        if kind is not Kind.DIRECTORY or not _holds_skill(name, handle)
    }


def _holds_skill(name: str, handle: Handle) -> bool:
    try:
        return not stat.S_ISDIR(_look(f"{name}/{SKILL_MD}", handle).st_mode)
    except OSError:
        return False


def _read(root: Root, path: str, handle: Handle, listing: _Listing, limits: Limits) -> FoundPackage:
    read = read_tree(handle, listing, limits=limits, is_ours=root.layer is Layer.BUNDLED)
    name = os.path.basename(os.path.realpath(path))  # noqa: PTH119
    return FoundPackage(
        location=to_printable(path),
        directory=to_printable(name),
        taken=read.taken,
        path=path,
        identity=read.identity,
    )


def _sign(handle: Handle, listing: _Listing, limits: Limits) -> _Signature:
    """Give what changes with any file of a package; nothing where there are too many to tell."""
    try:
        signed = tuple(islice(_iter_signed(handle, listing), 2 * limits.package_files + 1))
    except OSError:
        return ()
    return signed if len(signed) <= 2 * limits.package_files else ()


def _iter_signed(root: Handle, listing: _Listing) -> Iterator[_Signed]:
    yield from _iter_listed("", root, listing)
    waiting = _list_directories("", listing)
    with Descent(root) as descent:
        while waiting:
            path = waiting.pop()
            handle = descent.open(path)
            try:
                inner = list_directory(handle, most=MOST_NAMES)
                yield from _iter_listed(f"{path}/", handle, inner)
            finally:
                close(handle)
            waiting += _list_directories(f"{path}/", inner)


def _list_directories(prefix: str, listing: _Listing) -> list[str]:
    return [
        prefix + name
        for name in sorted(listing)
        if listing[name] is Kind.DIRECTORY and name != ".git" and find_left_out(name) is None
    ]


def _iter_listed(prefix: str, handle: Handle, listing: _Listing) -> Iterator[_Signed]:
    for name in sorted(listing):
        now = _look(name, handle)
        yield (
            prefix + name,
            now.st_mode,
            now.st_mtime_ns,
            now.st_ctime_ns,
            now.st_size,
            now.st_ino,
        )


def _look(name: str, handle: Handle) -> os.stat_result:
    if isinstance(handle, int):
        return os.stat(name, dir_fd=handle, follow_symlinks=False)
    return os.lstat(os.path.join(handle, name))  # noqa: PTH118


def _is_settled(signature: _Signature, now: int) -> bool:
    # What was written a moment ago may have been written once more within one tick of the clock.
    return bool(signature) and max(one[3] for one in signature) < now - _RACY_NANOSECONDS
