"""What became of a delivered skill: compared with its package, whatever the run made of it.

A run can leave anything there: links, pipes, files that cannot be read, trees without end. No link
is followed, nothing is waited for, and the looking ends.
"""

import itertools
import os
import stat
from collections.abc import Collection, Iterator
from contextlib import ExitStack, suppress
from typing import Final

from skillyard.adapters.runs.opening import DIRECTORY, READ, opened, read_at_most
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.run import ChangeKind

_MOST_ADDED: Final = 1_000
_MOST_NAMES: Final = 20_000
_MOST_LEVELS: Final = 32
_GONE: Final = (FileNotFoundError, NotADirectoryError)

Changes = dict[str, ChangeKind]


def find_changes(package: Package, directory: int | None) -> Changes:
    """Compare a package with a directory, which is None where there is none; give what differs.

    Of what was added, the first thousand files are given.
    """
    if directory is None:
        return dict.fromkeys(package.files, ChangeKind.REMOVED)
    changes: Changes = {}
    with ExitStack() as stack:
        directories: dict[str, int | ChangeKind] = {"": directory}
        for path, file in package.files.items():
            parent, _, name = path.rpartition("/")
            kind = _compare(name, file, _reach(parent, directories, stack))
            if kind is not None:
                changes[path] = kind
    added = _Added(frozenset(package.files)).iter_in(directory, "", 1)
    changes.update(dict.fromkeys(itertools.islice(added, _MOST_ADDED), ChangeKind.ADDED))
    return changes


def find_foreign(directory: int, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield what stands in a directory besides what is `known`: its name, and the files in it.

    The second is empty for what is no directory. Of very much only the first is given.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        some = itertools.islice(entries, _MOST_NAMES)
        found = sorted((one.name, one.is_dir(follow_symlinks=False)) for one in some)
        for name, is_directory in found:
            if name in known:
                continue
            if not is_directory:
                yield _to_text(name), ""
            else:
                with suppress(OSError), opened(name, directory, DIRECTORY) as inner:
                    files = _Added(frozenset()).iter_in(inner, "", 1)
                    for file in itertools.islice(files, _MOST_ADDED):
                        yield _to_text(name), file


def _reach(
    path: str, directories: dict[str, int | ChangeKind], stack: ExitStack
) -> int | ChangeKind:
    """Open a directory; where it cannot be opened, give what that means for all in it."""
    if path not in directories:
        parent, _, name = path.rpartition("/")
        within = _reach(parent, directories, stack)
        directories[path] = within if isinstance(within, ChangeKind) else _open(name, within, stack)
    return directories[path]


def _open(name: str, parent: int, stack: ExitStack) -> int | ChangeKind:
    try:
        return stack.enter_context(opened(name, parent))
    except PermissionError:
        return ChangeKind.CHANGED
    except OSError:
        return ChangeKind.REMOVED


def _compare(name: str, file: PackageFile, directory: int | ChangeKind) -> ChangeKind | None:
    if isinstance(directory, ChangeKind):
        return directory
    try:
        descriptor = os.open(name, READ, dir_fd=directory)
    except _GONE:
        return ChangeKind.REMOVED
    except OSError:
        return ChangeKind.CHANGED  # a link, a socket, or nothing that we may read
    try:
        return None if _is_same(descriptor, file) else ChangeKind.CHANGED
    except OSError:
        return ChangeKind.CHANGED
    finally:
        os.close(descriptor)


def _is_same(descriptor: int, file: PackageFile) -> bool:
    status = os.fstat(descriptor)
    return (
        stat.S_ISREG(status.st_mode)
        and bool(status.st_mode & stat.S_IXUSR) == file.executable
        and status.st_size == len(file.content)
        and read_at_most(descriptor, len(file.content) or 1) == file.content
    )


class _Added:
    """Looks for what was not delivered; so many names, and no more."""

    def __init__(self, delivered: frozenset[str]) -> None:
        self._delivered = delivered
        self._names = _MOST_NAMES

    def iter_in(self, directory: int, prefix: str, level: int) -> Iterator[str]:
        """Yield the files that were added; where it gets too deep, the directory itself."""
        for name, is_directory in self._list(directory):
            path = prefix + name
            if not is_directory:
                if path not in self._delivered:
                    yield _to_text(path)
            elif level == _MOST_LEVELS:
                yield _to_text(f"{path}/")
            else:
                with suppress(OSError), opened(name, directory, DIRECTORY) as inner:
                    yield from self.iter_in(inner, f"{path}/", level + 1)

    def _list(self, directory: int) -> list[tuple[str, bool]]:
        with suppress(OSError), os.scandir(directory) as entries:
            some = itertools.islice(entries, self._names)
            found = sorted((one.name, one.is_dir(follow_symlinks=False)) for one in some)
            self._names -= len(found)
            return found
        return []


def _to_text(path: str) -> str:
    r"""Give a path as text that can be kept: bytes that are not UTF-8 become `\xff`."""
    return path if path.isascii() else os.fsencode(path).decode(errors="backslashreplace")
