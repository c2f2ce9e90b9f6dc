"""Look again at packages that were laid out as directories."""

import os
import stat
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from skillyard.adapters.runs.changes import find_changes
from skillyard.adapters.runs.opening import DIRECTORY, READ, opened, read_at_most
from skillyard.application.ports.laid import mark_file
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.run import ChangeKind

_LINKED: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC

_MOST_FILES: Final = 20_000
_MOST_LEVELS: Final = 32
_MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_READ: Final = 16 * 1024 * 1024 + 1
_OTHER: Final = "other"


class DiskLaidOut:
    """See `LaidOut`."""

    def is_there(self, path: str) -> bool:
        """See `LaidOut.is_there`."""
        return os.path.isdir(path) and not os.path.islink(path)  # noqa: PTH112, PTH114

    def is_link(self, path: str) -> bool:
        """See `LaidOut.is_link`."""
        return os.path.islink(path)  # noqa: PTH114

    def find_changes(
        self, package: Package, path: str, *, is_link: bool = False
    ) -> Mapping[str, ChangeKind]:
        """See `LaidOut.find_changes`."""
        try:
            with opened(path, flags=_LINKED if is_link else DIRECTORY) as directory:
                return find_changes(package, directory)
        except OSError:
            return find_changes(package, None)

    def find_file(self, path: str) -> bytes | None:
        """See `LaidOut.find_file`."""
        try:
            with opened(path, flags=READ) as descriptor:
                is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
                return read_at_most(descriptor, _MOST_READ) if is_file else b""
        except FileNotFoundError:
            return None
        except OSError:
            return b""

    def list_files(self, path: str) -> Mapping[str, str] | None:
        """See `LaidOut.list_files`."""
        try:
            with opened(path) as directory:
                return dict(islice(_iter_marks(directory, ""), _MOST_FILES))
        except FileNotFoundError:
            return None
        except OSError:
            return {"": _OTHER}  # a link or a file


def _iter_marks(directory: int, prefix: str, level: int = 1) -> Iterator[tuple[str, str]]:
    with os.scandir(directory) as entries:
        found = sorted((one.name, one.is_dir(follow_symlinks=False)) for one in entries)
    for name, is_directory in found:
        path = f"{prefix}{name}"
        if not is_directory:
            yield path, _mark(name, directory)
        elif level == _MOST_LEVELS:
            yield path, _OTHER
        else:
            with opened(name, directory) as inner:
                yield from _iter_marks(inner, f"{path}/", level + 1)


def _mark(name: str, directory: int) -> str:
    try:
        with opened(name, directory, READ) as descriptor:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST_BYTES:
                return _OTHER
            content = read_at_most(descriptor, _MOST_BYTES + 1)
            return mark_file(PackageFile(content, bool(status.st_mode & stat.S_IXUSR)))
    except OSError:
        return _OTHER
