"""A cache of packages on the local disk.

`<directory>/sha256/ab/<hex>/` holds a package; `<directory>/staging/` what is on its way in or out.
Nothing is synced: what a crash damages is found when it is read, and filled again.
"""

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from skillyard.adapters.cache.entry import DIRECTORY, READ_ONLY, find_package, write_entry
from skillyard.adapters.cache.staging import move_away, remove, remove_abandoned, staged
from skillyard.application.ports.cache import SweptCache
from skillyard.application.ports.clock import Clock
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError, StorageUnavailableError
from skillyard.domain.package import Package

_ENTRIES: Final = "sha256"
_STAGING: Final = "staging"
_PREFIX: Final = "sha256:"
_SHARD: Final = re.compile(r"[0-9a-f]{2}", re.ASCII)
_ENTRY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_PRIVATE: Final = 0o700
_PERMISSIONS: Final = 0o7777
_TAKEN: Final = frozenset({errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR})
_TOUCHED_AGAIN_SECONDS: Final = 3600.0


class _Place(NamedTuple):
    """Where an entry stands, or would: open directories, and a name in the first of them."""

    shard: int
    staging: int
    name: str


class DiskCache:
    """See `PackageCache`. When an entry was used last is known to the hour."""

    def __init__(self, directory: Path, *, clock: Clock) -> None:
        self._directory = os.fspath(directory.absolute())
        self._clock = clock

    def get(self, digest: TreeDigest, fill: Callable[[], Package]) -> Package:
        """See `PackageCache.get`."""
        found = self._find(digest)
        if found is not None:
            return found
        package = _require_digest(fill(), digest)
        with suppress(OSError):
            self._keep(package, digest)
        return package

    def lay_down(self, digest: TreeDigest, fill: Callable[[], Package]) -> Path | None:
        """See `PackageCache.lay_down`."""
        path = Path(self._path_of(digest))
        try:
            if not self._is_standing(digest):
                self._keep(_require_digest(fill(), digest), digest)
                self._require_standing(digest)
            return path if _is_protected(path) else None
        except OSError as error:
            reason = error.strerror or str(error)
            raise StorageUnavailableError(str(path), reason=reason) from error

    def sweep(self, *, unused_seconds: float, in_use: frozenset[TreeDigest]) -> SweptCache:
        """See `PackageCache.sweep`."""
        oldest = self._clock.now().timestamp() - unused_seconds
        kept = {digest.text.removeprefix(_PREFIX) for digest in in_use}
        try:
            with _opened(self._directory) as (entries, staging):
                sizes = [
                    size
                    for place in _iter_places(entries, staging)
                    if place.name not in kept
                    and (size := _remove_unused(place, oldest)) is not None
                ]
                leftovers, more = remove_abandoned(staging)
        except OSError:
            return SweptCache(0, 0, 0)  # there is none yet, or none that we may look at
        return SweptCache(len(sizes), leftovers, sum(sizes) + more)

    def _path_of(self, digest: TreeDigest) -> str:
        name = digest.text.removeprefix(_PREFIX)
        return f"{self._directory}/{_ENTRIES}/{name[:2]}/{name}"

    def _find(self, digest: TreeDigest) -> Package | None:
        # A link on the way is no harm here: what is read is compared with the digest.
        try:
            entry = os.open(self._path_of(digest), DIRECTORY)
        except OSError:
            return None
        try:
            found = find_package(entry, digest)
            if found is not None:
                self._note_use(entry)
            return found
        finally:
            os.close(entry)

    def _note_use(self, entry: int, *, exactly: bool = False) -> None:
        now = self._clock.now().timestamp()
        with suppress(OSError):  # it may be somebody else's, or on a disk that is read-only
            status = os.fstat(entry)
            if status.st_mode & _PERMISSIONS != READ_ONLY:
                os.fchmod(entry, READ_ONLY)  # whoever put it there was killed just before
            if exactly or abs(now - status.st_mtime) > _TOUCHED_AGAIN_SECONDS:
                os.utime(entry, (now, now))

    def _is_standing(self, digest: TreeDigest) -> bool:
        """Verify an entry where it stands, without following a link on the way to it.

        It is touched first and looked for again then: a sweep that takes it in between sees that.
        """
        with suppress(OSError), _placed(self._directory, digest) as place:
            entry = os.open(place.name, DIRECTORY, dir_fd=place.shard)
            try:
                if find_package(entry, digest) is None:
                    return False
                self._note_use(entry, exactly=True)
                named = os.stat(place.name, dir_fd=place.shard, follow_symlinks=False)
                return os.path.samestat(named, os.fstat(entry))
            finally:
                os.close(entry)
        return False

    def _require_standing(self, digest: TreeDigest) -> None:
        if not self._is_standing(digest):
            raise OSError(errno.EIO, "what was written is not what is there")

    def _keep(self, package: Package, digest: TreeDigest) -> None:
        now = self._clock.now().timestamp()
        os.makedirs(self._directory, _PRIVATE, exist_ok=True)  # noqa: PTH103
        with (
            _placed(self._directory, digest, make=True) as place,
            staged(place.staging) as (stage, entry),
        ):
            write_entry(package, entry)
            os.utime(entry, (now, now))
            _put_into_place(stage, place, digest)
            os.fchmod(entry, READ_ONLY)


def _require_digest(package: Package, digest: TreeDigest) -> Package:
    found = package.digest()
    if found != digest:
        raise CorruptedContentError(str(digest), expected=str(digest), found=str(found))
    return package


@contextmanager
def _opened(directory: str, *, make: bool = False) -> Iterator[tuple[int, int]]:
    """Open the directories of entries and stages; the cache itself may be a link."""
    root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with (
            _inner(_ENTRIES, root, make=make) as entries,
            _inner(_STAGING, root, make=make) as staging,
        ):
            yield entries, staging
    finally:
        os.close(root)


@contextmanager
def _placed(directory: str, digest: TreeDigest, *, make: bool = False) -> Iterator[_Place]:
    name = digest.text.removeprefix(_PREFIX)
    with (
        _opened(directory, make=make) as (entries, staging),
        _inner(name[:2], entries, make=make) as shard,
    ):
        yield _Place(shard, staging, name)


@contextmanager
def _inner(name: str, parent: int, *, make: bool = False) -> Iterator[int]:
    if make:
        with suppress(FileExistsError):
            os.mkdir(name, _PRIVATE, dir_fd=parent)
    descriptor = os.open(name, DIRECTORY, dir_fd=parent)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _put_into_place(stage: str, place: _Place, digest: TreeDigest) -> None:
    """Give a stage its name; a good entry that is there already stays, a damaged one goes."""
    try:
        _rename(stage, place)
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        if not _is_good(place, digest):
            with suppress(FileNotFoundError):
                remove(move_away(place.name, place.shard, place.staging), place.staging)
            _rename(stage, place)


def _rename(stage: str, place: _Place) -> None:
    os.rename(stage, place.name, src_dir_fd=place.staging, dst_dir_fd=place.shard)


def _is_good(place: _Place, digest: TreeDigest) -> bool:
    try:
        entry = os.open(place.name, DIRECTORY, dir_fd=place.shard)
    except OSError:
        return False
    try:
        return find_package(entry, digest) is not None
    finally:
        os.close(entry)


def _is_protected(path: Path) -> bool:
    """Tell whether neither we nor anybody else but root can write to an entry as it is."""
    owner = path.lstat().st_uid
    return owner in {0, os.geteuid()} and not os.access(
        path, os.W_OK, effective_ids=os.access in os.supports_effective_ids
    )


def _iter_places(entries: int, staging: int) -> Iterator[_Place]:
    for shard in _list_names(entries, _SHARD):
        with suppress(OSError), _inner(shard, entries) as descriptor:
            for name in _list_names(descriptor, _ENTRY):
                yield _Place(descriptor, staging, name)


def _list_names(directory: int, shape: re.Pattern[str]) -> list[str]:
    with os.scandir(directory) as entries:
        return sorted(entry.name for entry in entries if shape.fullmatch(entry.name))


def _remove_unused(place: _Place, oldest: float) -> int | None:
    """Remove an entry that was last used at `oldest` or before; give the bytes that were in it."""
    try:
        if os.stat(place.name, dir_fd=place.shard, follow_symlinks=False).st_mtime > oldest:
            return None
        stage = move_away(place.name, place.shard, place.staging)
        if os.stat(stage, dir_fd=place.staging, follow_symlinks=False).st_mtime > oldest:
            _put_back(stage, place)
            return None
    except OSError:
        return None
    return remove(stage, place.staging)


def _put_back(stage: str, place: _Place) -> None:
    """Let an entry stand again that somebody used while it was taken away."""
    with _inner(stage, place.staging) as entry:
        with suppress(OSError):  # it may have been filled again meanwhile
            _rename(stage, place)
        os.fchmod(entry, READ_ONLY)
