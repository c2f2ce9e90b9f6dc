"""Removes a tree that a stranger had for a while.

It may be deeper than a path can be long, hold directories that nobody may write to, and still grow.
No link is followed, and no other file system is entered. What cannot be removed stays.
"""

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from skillyard.adapters.runs.opening import DIRECTORY, PRIVATE_DIRECTORY, exists

_MOST_LEVELS: Final = 32
_MOST_PASSES: Final = 250
_PATH_ONLY: Final[int] = getattr(os, "O_PATH", 0)
_CAN_CHANGE_UNFOLLOWED: Final = os.chmod in os.supports_follow_symlinks


def remove_tree(name: str, parent: int) -> bool:
    """Remove what `name` stands for in the directory `parent`; tell whether it is gone."""
    for _ in range(_MOST_PASSES):
        try:
            descriptor = open_whole(name, parent)
        except FileNotFoundError:
            return True
        except OSError:
            with suppress(OSError):
                os.unlink(name, dir_fd=parent)
            break
        try:
            has_changed = _Pass(descriptor).empty(descriptor, 1)
        finally:
            os.close(descriptor)
        with suppress(OSError):
            os.rmdir(name, dir_fd=parent)
            return True
        if not has_changed:
            break
    return not exists(name, parent)


class _Pass:
    """Goes through a tree once; what is too deep is moved to the top, for the next time."""

    def __init__(self, top: int) -> None:
        self._top = top
        self._device = os.fstat(top).st_dev

    def empty(self, directory: int, level: int) -> bool:
        """Remove what is in a directory; tell whether anything was changed."""
        if os.fstat(directory).st_dev != self._device:
            return False
        has_changed = False
        with os.scandir(directory) as entries:
            found = [(one.name, one.is_dir(follow_symlinks=False)) for one in entries]
        for name, is_directory in found:
            with suppress(OSError):
                if not is_directory:
                    os.unlink(name, dir_fd=directory)
                elif level == _MOST_LEVELS:
                    self._move_up(name, directory)
                else:
                    has_changed |= self._remove_directory(name, directory, level)
                    continue
                has_changed = True
        return has_changed

    def _remove_directory(self, name: str, parent: int, level: int) -> bool:
        descriptor = open_whole(name, parent)
        try:
            has_changed = self.empty(descriptor, level + 1)
        finally:
            os.close(descriptor)
        with suppress(OSError):
            os.rmdir(name, dir_fd=parent)
            return True
        return has_changed

    def _move_up(self, name: str, parent: int) -> None:
        os.close(open_whole(name, parent))  # to be moved, it has to be writable
        os.rename(name, f".moved-{secrets.token_hex(8)}", src_dir_fd=parent, dst_dir_fd=self._top)


def open_whole(name: str, parent: int) -> int:
    """Open a directory in which we may do everything, as far as that can be had.

    Raises:
        OSError: It cannot be opened at all, or is none.
    """
    try:
        descriptor = os.open(name, DIRECTORY, dir_fd=parent)
    except PermissionError:
        _change_mode(name, parent)
        return os.open(name, DIRECTORY, dir_fd=parent)
    if os.fstat(descriptor).st_mode & PRIVATE_DIRECTORY != PRIVATE_DIRECTORY:
        with suppress(OSError):
            os.fchmod(descriptor, PRIVATE_DIRECTORY)
    return descriptor


def _change_mode(name: str, parent: int) -> None:
    """Let its owner do everything in a directory that cannot be opened; a link is not followed.

    Linux changes modes through links only, unless it is led to what is open.
    """
    if _CAN_CHANGE_UNFOLLOWED:
        os.chmod(name, PRIVATE_DIRECTORY, dir_fd=parent, follow_symlinks=False)
        return
    descriptor = os.open(name, DIRECTORY | _PATH_ONLY, dir_fd=parent)
    try:
        Path(f"/proc/self/fd/{descriptor}").chmod(PRIVATE_DIRECTORY)
    finally:
        os.close(descriptor)
