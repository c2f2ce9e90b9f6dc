"""A cache of packages in memory."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from skillyard.application.ports.cache import SweptCache
from skillyard.application.ports.clock import Clock
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package


class MemoryCache:
    """See `PackageCache`: keeps packages for one process. No directory can be had of it."""

    def __init__(self, *, clock: Clock) -> None:
        self._clock = clock
        self._packages: dict[TreeDigest, Package] = {}
        self._used_at: dict[TreeDigest, datetime] = {}

    def get(self, digest: TreeDigest, fill: Callable[[], Package]) -> Package:
        """See `PackageCache.get`."""
        if digest not in self._packages:
            self._packages[digest] = _require_digest(fill(), digest)
        self._used_at[digest] = self._clock.now()
        return self._packages[digest]

    def lay_down(self, digest: TreeDigest, fill: Callable[[], Package]) -> Path | None:
        """See `PackageCache.lay_down`."""
        self.get(digest, fill)
        return None

    def sweep(self, *, unused_seconds: float, in_use: frozenset[TreeDigest]) -> SweptCache:
        """See `PackageCache.sweep`."""
        oldest = self._clock.now().timestamp() - unused_seconds
        unused = [
            digest
            for digest, moment in self._used_at.items()
            if moment.timestamp() <= oldest and digest not in in_use
        ]
        for digest in unused:
            del self._used_at[digest]
        removed = [self._packages.pop(digest) for digest in unused]
        return SweptCache(len(removed), 0, sum(package.size for package in removed))


def _require_digest(package: Package, digest: TreeDigest) -> Package:
    found = package.digest()
    if found != digest:
        raise CorruptedContentError(str(digest), expected=str(digest), found=str(found))
    return package
