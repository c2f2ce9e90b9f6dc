"""Keeps tables in files of our own, one for each root, from one process to the next.

It is a cache: what is missing, foreign, damaged or not to be written is no error, and costs time
only. Processes do not wait for each other: each writes a whole file and gives it the name in one
step, and the last one counts.
"""

import hashlib
import os
import stat
import threading
import time
from contextlib import suppress
from typing import Final

from skillyard.adapters.index.table import Table

_MOST_BYTES: Final = 512 * 1024 * 1024
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_WRITE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PRIVATE_FILE: Final = 0o600
_PRIVATE_DIRECTORY: Final = 0o700
_STAGED: Final = ".tmp"
_STALE_SECONDS: Final = 3600


class IndexFiles:
    """The files below `directory`; with None, nothing is remembered."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory

    def find(self, root: str, origin: str) -> Table | None:
        """Give the table that was kept for `root`, or None."""
        if self._directory is None:
            return None
        try:
            content = _read_own(self._path(root))
        except (OSError, ValueError):
            return None
        return Table.parse(content, origin)

    def keep(self, root: str, origin: str, table: Table) -> None:
        """Keep `table` for `root`, if that can be done."""
        if self._directory is None:
            return
        with suppress(OSError, ValueError):
            os.makedirs(self._directory, mode=_PRIVATE_DIRECTORY, exist_ok=True)  # noqa: PTH103
            _sweep(self._directory)
            _write_own(self._path(root), table.render(origin))

    def _path(self, root: str) -> str:
        name = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        return f"{self._directory}/{name}.index"


def _read_own(path: str) -> bytes:
    descriptor = os.open(path, _READ)
    try:
        status = os.fstat(descriptor)
        is_own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
        if not is_own or status.st_size > _MOST_BYTES:
            raise ValueError(path)
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(status.st_size)
    finally:
        os.close(descriptor)


def _write_own(path: str, content: bytes) -> None:
    staged = f"{path}.{os.getpid()}-{threading.get_ident()}{_STAGED}"
    descriptor = os.open(staged, _WRITE, _PRIVATE_FILE)
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - it is a descriptor
            file.write(content)
        os.replace(staged, path)  # noqa: PTH105
    except BaseException:
        with suppress(OSError):
            os.unlink(staged)  # noqa: PTH108
        raise


def _sweep(directory: str) -> None:
    """Remove what processes that were killed left behind."""
    oldest = time.time() - _STALE_SECONDS
    with os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(_STAGED):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_mtime < oldest:
                        os.unlink(entry.path)  # noqa: PTH108
