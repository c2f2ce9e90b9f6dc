"""Opens the file of an index, so that no process takes it away from under another.

Whoever has the file open shares a lock; whoever makes it again holds the lock alone, and does not
wait for it.
"""

import fcntl
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillyard.adapters.search.file import IndexFile, make_file

_FORMAT: Final = 3
_LOCK: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_PRIVATE_FILE: Final = 0o600
_PRIVATE_DIRECTORY: Final = 0o700


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """An index, and the lock that says that it is in use; None where it is in memory."""

    file: IndexFile
    lock: int | None

    def close(self) -> None:
        """Let go of both."""
        self.file.close()
        if self.lock is not None:
            os.close(self.lock)


def open_file(path: Path | None, program: str) -> OpenedFile:
    """Open the index at `path`, or an empty one; `program` is the version that makes it.

    Raises:
        OSError: No file can be kept there.
        sqlite3.DatabaseError: The file is damaged, foreign or of another version.
    """
    return _open(path, program, renewed=False)


def renew_file(path: Path | None, program: str) -> OpenedFile:
    """Open an empty index at `path`, in place of what is there.

    Raises:
        OSError: No file can be kept there, or another process uses the one that is there.
    """
    return _open(path, program, renewed=True)


def open_memory(path: Path | None, program: str) -> OpenedFile:
    """Open an empty index that nobody else sees."""
    del path
    return OpenedFile(IndexFile(None, _to_version(program)), None)


def _open(path: Path | None, program: str, *, renewed: bool) -> OpenedFile:
    if path is None:
        return open_memory(path, program)
    path.parent.mkdir(mode=_PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    lock = os.open(path.with_suffix(".lock"), _LOCK, _PRIVATE_FILE)
    try:
        if renewed:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            _remove(path)
        fcntl.flock(lock, fcntl.LOCK_SH)
        make_file(path, _to_version(program))
        return OpenedFile(IndexFile(path, _to_version(program)), lock)
    except BaseException:
        os.close(lock)
        raise


def _remove(path: Path) -> None:
    # The index itself last: without it, what belongs to it would be taken for a new one's.
    for ending in ("-wal", "-shm", ""):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _to_version(program: str) -> int:
    # SQLite keeps a whole number of 32 bits with a sign.
    return zlib.crc32(f"{_FORMAT} {program}".encode()) >> 1
