"""The roots of runs and their locks: `runs/run-<id>-<token>/` and `runs/locks/<root>.lock`.

- The lock is taken before the root is made, and let go of after it is removed. The programs of a
  run inherit it, so that it is free only when all of them are gone.
- A lock counts only while its file still bears its name: whoever sweeps may have removed it in the
  moment between its making and its taking, or whoever ended a run just before we took it.
- `runs/locks/<root>.kept` says that a root stays, and `<root>.logins` which logins are in it.
"""

import errno
import fcntl
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Final

from skillyard.adapters.runs.dropping import (
    KnownLogin,
    drop_in_place,
    drop_logins,
    parse_logins,
    render_logins,
)
from skillyard.adapters.runs.opening import (
    CREATE,
    DIRECTORY,
    PRIVATE_DIRECTORY,
    PRIVATE_FILE,
    READ,
    exists,
    opened,
    read_at_most,
    unlink_if_there,
    write_all,
)
from skillyard.adapters.runs.removal import remove_tree

_ROOT: Final = re.compile(r"run-([0-9A-Za-z][0-9A-Za-z_-]{0,99})-([0-9a-f]{8})", re.ASCII)
_LOCKS: Final = "locks"
_LOCK: Final = ".lock"
_KEPT: Final = ".kept"
_LOGINS: Final = ".logins"
_STAGE: Final = ".logins-new"
_MOST_BYTES: Final = 1024 * 1024
_TAKE: Final = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_REPLACE: Final = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
_ATTEMPTS: Final = 100


@dataclass(frozen=True, slots=True)
class HeldRoot:
    """A root that nobody else touches; `runs`, `locks` and `lock` are descriptors."""

    name: str
    runs: int
    locks: int
    lock: int

    def mark_as_kept(self) -> None:
        """Let the root stay when nobody holds it any more."""
        _mark_as_kept(self.name, self.locks)

    def is_kept(self) -> bool:
        """Tell whether the root stays."""
        return exists(f"{self.name}{_KEPT}", self.locks)

    def note_logins(self, logins: Sequence[KnownLogin]) -> None:
        """Remember which logins are in the root, before they are."""
        with opened(f"{self.name}{_STAGE}", self.locks, _REPLACE) as descriptor:
            write_all(descriptor, render_logins(logins))
        names = (f"{self.name}{_STAGE}", f"{self.name}{_LOGINS}")
        os.rename(*names, src_dir_fd=self.locks, dst_dir_fd=self.locks)

    def drop_logins(self) -> list[str]:
        """Remove the logins from the root; give the paths in it of what could not be removed.

        Whoever removes the root next need not look for them all over it.
        """
        if not self.is_kept():
            drop_in_place(self.name, self.runs, self._list_logins())
            return []
        left = drop_logins(self.name, self.runs, self._list_logins())
        if not left:
            unlink_if_there(f"{self.name}{_LOGINS}", self.locks)
        return left

    def _list_logins(self) -> list[KnownLogin]:
        with suppress(OSError), opened(f"{self.name}{_LOGINS}", self.locks, READ) as descriptor:
            return parse_logins(read_at_most(descriptor, _MOST_BYTES))
        return []

    def is_there(self) -> bool:
        """Tell whether the root exists."""
        return exists(self.name, self.runs)

    def remove(self) -> None:
        """Remove the root, as far as that can be done; the rest is for the next sweep."""
        with suppress(OSError):
            remove_tree(self.name, self.runs)

    def let_go(self) -> None:
        """Release the lock; without a root, nothing of it stays."""
        try:
            if not self.is_there():
                for ending in (_STAGE, _LOGINS, _KEPT, _LOCK):
                    unlink_if_there(f"{self.name}{ending}", self.locks)
        finally:
            os.close(self.lock)


class RootDirectory:
    """An open directory of runs."""

    def __init__(self, runs: int, locks: int) -> None:
        self._runs = runs
        self._locks = locks

    def hold_new(self, run_id: str) -> HeldRoot:
        """Take the lock of a root that does not exist yet.

        Raises:
            ValueError: A directory cannot be named after that id.
        """
        for _ in range(_ATTEMPTS):
            name = f"run-{run_id}-{secrets.token_hex(4)}"
            if not _ROOT.fullmatch(name):
                message = f"{run_id!r} cannot be part of a name"
                raise ValueError(message)
            with suppress(FileExistsError):
                held = self._hold(name, os.O_EXCL) if not exists(name, self._runs) else None
                if held is not None:
                    return held
        raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

    def list_roots(self) -> list[str]:
        """List the names of the roots that exist, in order."""
        with os.scandir(self._runs) as entries:
            return sorted(one.name for one in entries if _ROOT.fullmatch(one.name))

    def list_kept(self) -> list[str]:
        """List the names of the roots that were marked as kept, in order."""
        return [name for name in self.list_roots() if exists(f"{name}{_KEPT}", self._locks)]

    def mark_as_kept(self, name: str) -> None:
        """Let a root stay when nobody holds it any more."""
        _mark_as_kept(name, self._locks)

    def find_abandoned(self, name: str) -> HeldRoot | None:
        """Hold a root whose processes are all gone; None where there is none to be held."""
        with suppress(OSError):
            return self._hold(name)
        return None

    def sweep_locks(self) -> None:
        """Remove what was left of roots that are gone."""
        with os.scandir(self._locks) as entries:
            names = {one.name.partition(".")[0] for one in entries}
        for name in sorted(filter(_ROOT.fullmatch, names - set(self.list_roots()))):
            held = self.find_abandoned(name)
            if held is not None:
                held.let_go()

    def _hold(self, name: str, flags: int = 0) -> HeldRoot | None:
        lock = os.open(f"{name}{_LOCK}", _TAKE | flags, PRIVATE_FILE, dir_fd=self._locks)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            named = os.stat(f"{name}{_LOCK}", dir_fd=self._locks, follow_symlinks=False)
            if os.path.samestat(named, os.fstat(lock)):
                return HeldRoot(name, self._runs, self._locks, lock)
        except (BlockingIOError, FileNotFoundError):
            pass
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)
        return None


def _mark_as_kept(name: str, locks: int) -> None:
    with suppress(FileExistsError), opened(f"{name}{_KEPT}", locks, CREATE):
        pass


def to_run_id(name: str) -> str:
    """Give the id in the name of a root."""
    match = _ROOT.fullmatch(name)
    return match[1] if match else ""


@contextmanager
def opened_runs(directory: str, *, make: bool = False) -> Iterator[RootDirectory]:
    """Open the directory of runs; it may be a link."""
    if make:
        os.makedirs(directory, PRIVATE_DIRECTORY, exist_ok=True)  # noqa: PTH103
    with opened(directory, flags=os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) as runs:
        with suppress(OSError):  # if it is not there then, it cannot be opened
            os.mkdir(_LOCKS, PRIVATE_DIRECTORY, dir_fd=runs)
        with opened(_LOCKS, runs, DIRECTORY) as locks:
            yield RootDirectory(runs, locks)
