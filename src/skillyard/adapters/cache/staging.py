"""Where entries are made ready before they take their names, and go before they are removed.

Whoever fills a stage keeps it locked, and a kill releases the lock. A stage is unlocked for a
moment after it was made; if a sweep takes it then, its maker sees that and makes another.
"""

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from skillyard.adapters.cache.entry import DIRECTORY

_NAME: Final = re.compile(r"[0-9a-f]{24}", re.ASCII)
_ATTEMPTS: Final = 100
_MOST_LEVELS: Final = 64
_PRIVATE: Final = 0o700
_PATH_ONLY: Final[int] = getattr(os, "O_PATH", 0)
_CAN_CHANGE_UNFOLLOWED: Final = os.chmod in os.supports_follow_symlinks


@contextmanager
def staged(staging: int) -> Iterator[tuple[str, int]]:
    """Give the name and the descriptor of a new, private, empty directory in `staging`.

    What still bears that name at the end is removed.
    """
    name, descriptor = _make_stage(staging)
    try:
        yield name, descriptor
    finally:
        remove(name, staging)
        os.close(descriptor)


def move_away(name: str, parent: int, staging: int) -> str:
    """Take `name` out of the directory `parent` in one step; give what it is called in `staging`.

    Raises:
        OSError: It is not there any more, or may not be moved.
    """
    # To move a directory one has to be allowed to write to it.
    with suppress(OSError):
        _make_writable(name, parent)
    stage = _new_name()
    os.rename(name, stage, src_dir_fd=parent, dst_dir_fd=staging)
    return stage


def remove(name: str, parent: int) -> int:
    """Remove a file, a link or a tree, as far as possible; give the bytes that were in it."""
    try:
        return _remove(name, parent, 1)
    except OSError:
        return 0


def remove_abandoned(staging: int) -> tuple[int, int]:
    """Remove the stages whose makers are gone; give their number and the bytes in them."""
    with os.scandir(staging) as entries:
        names = [entry.name for entry in entries if _NAME.fullmatch(entry.name)]
    sizes = [remove(name, staging) for name in names if _is_abandoned(name, staging)]
    return len(sizes), sum(sizes)


def _make_stage(staging: int) -> tuple[str, int]:
    for _ in range(_ATTEMPTS):
        name = _new_name()
        os.mkdir(name, _PRIVATE, dir_fd=staging)
        with suppress(FileNotFoundError):
            descriptor = os.open(name, DIRECTORY, dir_fd=staging)
            if _lock(descriptor) and _is_named(name, staging, descriptor):
                return name, descriptor
            os.close(descriptor)
    raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _new_name() -> str:
    return secrets.token_hex(12)


def _lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems have no locks; nobody can take one for abandoned there either.
        return True
    return True


def _is_named(name: str, parent: int, descriptor: int) -> bool:
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(found, os.fstat(descriptor))


def _is_abandoned(name: str, staging: int) -> bool:
    """Tell whether nobody fills a stage; what is no directory is never filled."""
    try:
        descriptor = os.open(name, DIRECTORY, dir_fd=staging)
    except NotADirectoryError:
        return True
    except PermissionError:
        return True  # a damaged entry on its way out: what we fill can be opened
    except OSError as error:
        return error.errno in {errno.ELOOP, errno.EMLINK}
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _remove(name: str, parent: int, level: int) -> int:
    status = os.stat(name, dir_fd=parent, follow_symlinks=False)
    try:
        os.unlink(name, dir_fd=parent)
    except (IsADirectoryError, PermissionError):
        return _remove_directory(name, parent, level)
    return status.st_size


def _remove_directory(name: str, parent: int, level: int) -> int:
    _make_writable(name, parent)
    descriptor = os.open(name, DIRECTORY, dir_fd=parent)
    try:
        size = _empty(descriptor, level) if level < _MOST_LEVELS else 0
    finally:
        os.close(descriptor)
    with suppress(OSError):
        os.rmdir(name, dir_fd=parent)
    return size


def _empty(directory: int, level: int) -> int:
    with os.scandir(directory) as entries:
        names = [entry.name for entry in entries]
    size = 0
    for name in names:
        with suppress(OSError):
            size += _remove(name, directory, level + 1)
    return size


def _make_writable(name: str, parent: int) -> None:
    """Let its owner do everything in a directory; what is none, or a link to one, stays as it is.

    Linux changes modes through links only, unless it is led to what is open.
    """
    if _CAN_CHANGE_UNFOLLOWED:
        os.chmod(name, _PRIVATE, dir_fd=parent, follow_symlinks=False)
        return
    descriptor = os.open(name, DIRECTORY | _PATH_ONLY, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{descriptor}").chmod(_PRIVATE)
    finally:
        os.close(descriptor)
