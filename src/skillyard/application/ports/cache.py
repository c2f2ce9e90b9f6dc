"""Packages kept on this machine, so that the store is asked for each of them once."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from skillyard.domain.digest import TreeDigest
from skillyard.domain.package import Package


@dataclass(frozen=True, slots=True)
class SweptCache:
    """What a sweep removed: packages, leftovers of killed processes, and their bytes."""

    packages: int
    leftovers: int
    bytes: int


class PackageCache(Protocol):
    """Content-addressed, shared by every process of a user, and disposable.

    Any number of processes may fill, read and sweep it at the same time, and any of them may be
    killed at any moment: a package is there whole or not at all. Whatever is read is verified; an
    entry that is damaged is thrown away and filled again.
    """

    def get(self, digest: TreeDigest, fill: Callable[[], Package]) -> Package:
        """Give the package of this digest; `fill` is asked where it is not there, or damaged.

        Where nothing can be kept (a full or read-only disk) it still gives what `fill` gave.

        Raises:
            CorruptedContentError: What `fill` gave has another digest.
        """
        ...

    def lay_down(self, digest: TreeDigest, fill: Callable[[], Package]) -> Path | None:
        """Give the directory in which the package stands, verified now; nothing in it is writable.

        None is given where that cannot be held, because we may write everywhere, or somebody else
        may write there: then it has to be copied.

        Raises:
            CorruptedContentError: What `fill` gave has another digest.
            StorageUnavailableError: It cannot be kept.
        """
        ...

    def sweep(self, *, unused_seconds: float, in_use: frozenset[TreeDigest]) -> SweptCache:
        """Remove what was unused for so long and is not `in_use`, and all leftovers.

        What somebody fills, reads or lays down meanwhile is not harmed.
        """
        ...
