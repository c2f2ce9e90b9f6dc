"""Places beside a target where content is made ready before it takes its name.

- A stage stands in the target's own directory, so that one rename puts it into place.
- Its name carries our marker and the number of its maker's process, and its maker keeps it locked.
  A kill releases the lock; whoever comes next to the same directory then sweeps the stage away.
- A lock alone would not do, because a stage is unlocked for a moment after it was made. A number
  alone would not either: containers that share a directory count their processes separately.
"""

import fcntl
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_NAME: Final = re.compile(r"\.skillyard-stage-([1-9][0-9]{0,8})-[0-9a-f]{16}", re.ASCII)
_OLD_SECONDS: Final = 3600
_READ: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_CREATE: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def close_synced(descriptor: int) -> None:
    """Close what was only read, or was synced: an error now could not take anything back."""
    with suppress(OSError):
        os.close(descriptor)


@contextmanager
def opened(name: str, parent: int, flags: int = _READ, mode: int = 0o600) -> Iterator[int]:
    """Open `name` in the directory `parent` without following a link, and close it again."""
    descriptor = os.open(name, flags, mode, dir_fd=parent)
    try:
        yield descriptor
    finally:
        close_synced(descriptor)


@contextmanager
def staged_directory(parent: int) -> Iterator[tuple[str, int]]:
    """Give the name and the descriptor of a new, private, empty directory in `parent`.

    What still bears that name at the end is removed.
    """
    name = _new_name()
    os.mkdir(name, 0o700, dir_fd=parent)
    try:
        with opened(name, parent, _READ | os.O_DIRECTORY) as descriptor:
            lock(descriptor)
            yield name, descriptor
    finally:
        shutil.rmtree(name, ignore_errors=True, dir_fd=parent)


@contextmanager
def staged_file(parent: int, content: bytes) -> Iterator[tuple[str, int]]:
    """Give the name and the descriptor of a new file with `content` in `parent`.

    What still bears that name at the end is removed.
    """
    name = _new_name()
    try:
        with opened(name, parent, _CREATE) as descriptor:
            lock(descriptor)
            write_all(descriptor, content)
            yield name, descriptor
    finally:
        with suppress(OSError):
            os.unlink(name, dir_fd=parent)


@contextmanager
def new_file(name: str, parent: int) -> Iterator[int]:
    """Give the descriptor of a file that did not exist; at the end its content is on the disk."""
    with opened(name, parent, _CREATE) as descriptor:
        yield descriptor
        os.fsync(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write every byte; the system may take fewer than it is given."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def lock(descriptor: int) -> None:
    """Keep others from taking a stage for abandoned."""
    # Some network file systems have no locks; nobody can take one for abandoned there either.
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def sweep_stages(parent: int) -> None:
    """Remove the stages in `parent` that killed processes left; a failure is for the next one."""
    with suppress(OSError):
        with os.scandir(parent) as entries:
            names = [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
        for name in names:
            _sweep_if_abandoned(name, parent)


def _sweep_if_abandoned(name: str, parent: int) -> None:
    # A deep tree that somebody else made under such a name must not end us.
    with suppress(OSError, RecursionError), opened(name, parent) as descriptor:
        status = os.fstat(descriptor)
        if not (_is_maker_dead(name) or _is_old(status)) or status.st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if stat.S_ISDIR(status.st_mode):
            shutil.rmtree(name, dir_fd=parent)
        elif stat.S_ISREG(status.st_mode):
            os.unlink(name, dir_fd=parent)


def _new_name() -> str:
    return f".skillyard-stage-{os.getpid()}-{secrets.token_hex(8)}"


def _is_maker_dead(name: str) -> bool:
    match = _NAME.fullmatch(name)
    if match is None:
        return False
    try:
        os.kill(int(match[1]), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _is_old(status: os.stat_result) -> bool:
    return time.time() - status.st_mtime > _OLD_SECONDS
