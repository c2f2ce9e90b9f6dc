"""Lay packages and bundles down on the local disk, whole or not at all.

Content is staged beside its target, synced, and compared with what it should be; only then does
one rename, or one link, give it its name. Nothing is written through a path that could be swapped
for a link meanwhile: the target's directory is opened once, and everything is relative to it.

Replacing a file that somebody else may edit has one window that no file system closes. Where names
can be exchanged (Linux), what comes out is looked at, and put back if it is not what was read; lost
is only what is written through an older descriptor after that look, or in the instant between the
two exchanges. Elsewhere, an edit between the last look and the rename is lost.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import Final, NamedTuple, TypeAlias

from skillyard.adapters.fs.exchange import exchange
from skillyard.adapters.fs.handle import LINK_ERRORS, read_at_most, to_printable
from skillyard.adapters.fs.stage import (
    close_synced,
    lock,
    new_file,
    opened,
    staged_directory,
    staged_file,
    sweep_stages,
    write_all,
)
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    CorruptedContentError,
    DriftError,
    StorageUnavailableError,
    TargetExistsError,
    UnsafePathError,
)
from skillyard.domain.package import Package, PackageFile

_ELSEWHERE: Final = "Choose another place, or remove what is there"
_NO_FILE: Final = "It is no file, and only files are replaced; choose another place"
_ASIDE: Final = "aside"
_DIRECTORY_MODE: Final = 0o755
_EXECUTABLE_MODE: Final = 0o755
_FILE_MODE: Final = 0o644
_PRIVATE_MODE: Final = 0o600
_PERMISSIONS: Final = 0o777
_READ_ONLY: Final = 0o555
_TAKEN: Final = frozenset({errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR, errno.EISDIR})
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS})
# Some network file systems sync files, but not directories.
_CANNOT_SYNC: Final = frozenset({errno.EINVAL, errno.ENOTSUP})

_Tree: TypeAlias = "dict[str, PackageFile | _Tree]"


class _Place(NamedTuple):
    """Where something goes: an open directory, and a name in it."""

    parent: int
    name: str
    shown: str


class DiskShelf:
    """The local file system. See `Shelf`."""

    def __init__(self) -> None:
        self._swept: tuple[int, int] | None = None

    def require_free(self, target: PurePath, *, directory: bool) -> None:
        """See `Shelf.require_free`."""
        shown = to_printable(os.fspath(target))
        with _translated(shown):
            if os.path.lexists(target) and not (directory and _is_empty_directory(target)):
                raise TargetExistsError(shown, hint=_ELSEWHERE)

    def put_package(self, package: Package, target: PurePath, *, read_only: bool = False) -> None:
        """See `Shelf.put_package`. Missing parents are made.

        Raises:
            CorruptedContentError: What was written is not what was given.
        """
        with _reach_anew(target) as place:
            self._sweep(place.parent)
            with staged_directory(place.parent) as (stage, descriptor):
                _write_directory(
                    _to_tree(package), descriptor, _READ_ONLY if read_only else _PERMISSIONS
                )
                _require_digest(descriptor, package.digest(), place)
                _name_directory(stage, place)

    def replace_package(
        self, package: Package, target: PurePath, *, read_only: bool = False
    ) -> None:
        """See `Shelf.replace_package`."""
        with _reach(target) as place:
            _require_directory(place)
            self._sweep(place.parent)
            with staged_directory(place.parent) as (stage, descriptor):
                _write_directory(
                    _to_tree(package), descriptor, _READ_ONLY if read_only else _PERMISSIONS
                )
                _require_digest(descriptor, package.digest(), place)
                if not exchange(stage, place.name, place.parent):
                    _put_aside(stage, place)
                _sync_directory(place.parent)

    def remove_directory(self, target: PurePath) -> None:
        """See `Shelf.remove_directory`."""
        with _reach(target) as place:
            _require_directory(place)
            with staged_directory(place.parent) as (_, aside):
                os.rename(place.name, _ASIDE, src_dir_fd=place.parent, dst_dir_fd=aside)
                _sync_directory(place.parent)

    def put_file(
        self, content: bytes, target: PurePath, *, replace: bool = False, private: bool = False
    ) -> None:
        """See `Shelf.put_file`. Missing parents are made."""
        with _reach_anew(target) as place:
            if replace:
                _require_file_or_nothing(place)
            self._sweep(place.parent)
            with staged_file(place.parent, content) as (stage, descriptor):
                os.fchmod(descriptor, _PRIVATE_MODE if private else _FILE_MODE)
                os.fsync(descriptor)
                if not replace:
                    _name_new_file(stage, place)
                else:
                    # Writing takes a while; what appeared meanwhile is no more to be replaced.
                    _require_file_or_nothing(place)
                    _rename(stage, place)
                    _sync_directory(place.parent)

    def replace_file(
        self,
        target: PurePath,
        *,
        expected: bytes,
        content: bytes,
        identity: tuple[int, int] | None = None,
    ) -> None:
        """See `Shelf.replace_file`.

        Raises:
            UnsafePathError: `target` is a link, or no file.
        """
        with _reach(target) as place:
            status = _require_content(place, expected, identity)
            self._sweep(place.parent)
            if not status.st_mode & stat.S_IWUSR:
                raise StorageUnavailableError(place.shown, reason="it is read-only")
            with staged_file(place.parent, content) as (stage, descriptor):
                _keep_owner_and_mode(descriptor, status)
                os.fsync(descriptor)
                # Writing takes a while; a second look keeps an edit made meanwhile.
                last = _identify(_require_content(place, expected, identity))
                _exchange_or_rename(stage, place, expected, last)
                _sync_directory(place.parent)

    def _sweep(self, parent: int) -> None:
        # Once for a row of packages into one directory: listing it each time would be quadratic.
        identity = _identify(os.fstat(parent))
        if identity != self._swept:
            sweep_stages(parent)
            self._swept = identity


def _is_empty_directory(target: PurePath) -> bool:
    if os.path.islink(target) or not os.path.isdir(target):  # noqa: PTH112, PTH114 (a pure path)
        return False
    return not os.listdir(target)  # noqa: PTH208


@contextmanager
def _reach(target: PurePath) -> Iterator[_Place]:
    """Open the directory that `target` stands in."""
    parent, name = _split(target)
    shown = to_printable(os.fspath(target))
    if not name:
        raise TargetExistsError(shown, hint=_ELSEWHERE)
    with _translated(shown):
        descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            yield _Place(descriptor, name, shown)
        finally:
            close_synced(descriptor)


@contextmanager
def _reach_anew(target: PurePath) -> Iterator[_Place]:
    """Make what is missing of the way to `target`, and take it back if anything fails."""
    made: list[Path] = []
    try:
        with _translated(to_printable(os.fspath(target))):
            _make_directories(_split(target)[0], made)
        with _reach(target) as place:
            yield place
    except BaseException:
        for directory in reversed(made):
            with suppress(OSError):
                directory.rmdir()
        raise


@contextmanager
def _translated(shown: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageUnavailableError(shown, reason=error.strerror or str(error)) from error


def _split(target: PurePath) -> tuple[Path, str]:
    # `.` and `..` name a directory without saying what it is called.
    path = Path(target) if target.name not in {"", ".."} else Path(target).resolve()
    return path.parent, path.name


def _make_directories(directory: Path, made: list[Path]) -> None:
    missing: list[Path] = []
    while not os.path.lexists(directory):
        missing.append(directory)
        directory = directory.parent
    for one in reversed(missing):
        with suppress(FileExistsError):  # somebody else was faster, and it is theirs
            one.mkdir()
            made.append(one)
            with _reach(one) as place:
                _sync_directory(place.parent)


def _to_tree(package: Package) -> _Tree:
    tree: _Tree = {}
    for path, file in package.files.items():
        *parents, name = path.split("/")
        directory = tree
        for parent in parents:
            inner = directory.setdefault(parent, {})
            if isinstance(inner, PackageFile):
                raise UnsafePathError(path, reason=f"`{parent}` is a file and a directory")
            directory = inner
        directory[name] = file
    return tree


def _write_directory(tree: _Tree, descriptor: int, mask: int = _PERMISSIONS) -> None:
    """Write files and directories; a file gets only the permissions that are in `mask`."""
    for name, node in tree.items():
        if isinstance(node, PackageFile):
            with new_file(name, descriptor) as file:
                write_all(file, node.content)
                os.fchmod(file, (_EXECUTABLE_MODE if node.executable else _FILE_MODE) & mask)
        else:
            os.mkdir(name, 0o700, dir_fd=descriptor)
            with opened(name, descriptor) as inner:
                _write_directory(node, inner, mask)
    os.fchmod(descriptor, _DIRECTORY_MODE)
    _sync_directory(descriptor)


def _require_digest(stage: int, expected: TreeDigest, place: _Place) -> None:
    found = TreeDigest.of(_iter_files(stage))
    if found != expected:
        raise CorruptedContentError(place.shown, expected=str(expected), found=str(found))


def _iter_files(descriptor: int, prefix: str = "") -> Iterator[tuple[str, bool, bytes]]:
    for name in os.listdir(descriptor):
        with opened(name, descriptor) as inner:
            status = os.fstat(inner)
            if stat.S_ISDIR(status.st_mode):
                yield from _iter_files(inner, f"{prefix}{name}/")
            else:
                content = read_at_most(inner, status.st_size + 1, status.st_size)
                yield f"{prefix}{name}", bool(status.st_mode & stat.S_IXUSR), content


def _name_directory(stage: str, place: _Place) -> None:
    _rename(stage, place)
    try:
        _sync_directory(place.parent)
    except OSError:
        # It may not outlive a crash, so it must not look finished: back, to be removed.
        os.rename(place.name, stage, src_dir_fd=place.parent, dst_dir_fd=place.parent)
        raise


def _require_directory(place: _Place) -> None:
    status = os.stat(place.name, dir_fd=place.parent, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))


def _put_aside(stage: str, place: _Place) -> None:
    """Name a stage after what had the name was moved away; it moves back if that fails."""
    with staged_directory(place.parent) as (_, aside):
        os.rename(place.name, _ASIDE, src_dir_fd=place.parent, dst_dir_fd=aside)
        try:
            _rename(stage, place)
        except BaseException:
            os.rename(_ASIDE, place.name, src_dir_fd=aside, dst_dir_fd=place.parent)
            raise


def _name_new_file(stage: str, place: _Place) -> None:
    try:
        os.link(stage, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
    except FileExistsError as error:
        raise TargetExistsError(place.shown, hint=_ELSEWHERE) from error
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _claim_and_rename(stage, place)
    try:
        _sync_directory(place.parent)
    except OSError:
        os.unlink(place.name, dir_fd=place.parent)
        raise


def _claim_and_rename(stage: str, place: _Place) -> None:
    """Name a file where there are no hard links; a kill in between leaves an empty file."""
    try:
        with new_file(place.name, place.parent):
            pass
    except FileExistsError as error:
        raise TargetExistsError(place.shown, hint=_ELSEWHERE) from error
    try:
        _rename(stage, place)
    except BaseException:
        os.unlink(place.name, dir_fd=place.parent)
        raise


def _rename(stage: str, place: _Place) -> None:
    try:
        os.rename(stage, place.name, src_dir_fd=place.parent, dst_dir_fd=place.parent)
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        raise TargetExistsError(place.shown, hint=_ELSEWHERE) from error


def _require_file_or_nothing(place: _Place) -> None:
    try:
        status = os.stat(place.name, dir_fd=place.parent, follow_symlinks=False)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        raise TargetExistsError(place.shown, hint=_NO_FILE)


def _exchange_or_rename(
    stage: str, place: _Place, expected: bytes, identity: tuple[int, int]
) -> None:
    """Name the stage; what had the name gets it back if it is not what was expected."""
    with opened(place.name, place.parent) as before:
        lock(before)  # it becomes the stage, and may be old
        if not exchange(stage, place.name, place.parent):
            _rename(stage, place)
            return
        _require_exchanged(stage, place, expected, identity)


def _require_exchanged(
    stage: str, place: _Place, expected: bytes, identity: tuple[int, int]
) -> None:
    try:
        _require_content(place._replace(name=stage), expected, identity)
    except BaseException:
        exchange(stage, place.name, place.parent)
        raise


def _require_content(
    place: _Place, expected: bytes, identity: tuple[int, int] | None
) -> os.stat_result:
    try:
        with opened(place.name, place.parent) as descriptor:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnsafePathError(place.shown, reason="it is no file")
            found = read_at_most(descriptor, len(expected) + 1, len(expected))
    except FileNotFoundError as error:
        raise DriftError(place.shown) from error
    except OSError as error:
        if error.errno not in LINK_ERRORS:
            raise
        raise UnsafePathError(place.shown, reason="it is a link") from error
    if found != expected or identity not in {None, _identify(status)}:
        raise DriftError(place.shown)
    return status


def _identify(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _keep_owner_and_mode(descriptor: int, status: os.stat_result) -> None:
    with suppress(PermissionError):
        os.fchown(descriptor, status.st_uid, status.st_gid)
    os.fchmod(descriptor, status.st_mode & _PERMISSIONS)


def _sync_directory(descriptor: int) -> None:
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
