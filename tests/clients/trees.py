"""Compare directories file by file, as they were and as they are."""

import hashlib
import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from skillyard.domain.package import Package, PackageFile

Tree = dict[str, str]


def look_at(root: Path, *, without: Collection[Path] = ()) -> Tree:
    """Give everything below `root`: for each path its kind, mode and content.

    Links are not followed. What is `without` is not looked into.
    """
    return {path.relative_to(root).as_posix(): _describe(path) for path in _iter(root, without)}


def _iter(directory: Path, without: Collection[Path]) -> Iterator[Path]:
    with os.scandir(directory) as entries:
        names = sorted(entry.name for entry in entries)
    for path in (directory / name for name in names):
        if path in without:
            continue
        yield path
        if path.is_dir() and not path.is_symlink():
            yield from _iter(path, without)


def _describe(path: Path) -> str:
    status = path.lstat()
    kind = stat.filemode(status.st_mode)
    if stat.S_ISLNK(status.st_mode):
        return f"{kind} to {path.readlink()}"
    if stat.S_ISREG(status.st_mode):
        return f"{kind} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return kind


def compare(before: Tree, after: Tree) -> list[str]:
    """Say what differs, in the order of paths."""
    return [
        f"{path}: {before.get(path, 'not there')}, then {after.get(path, 'not there')}"
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    ]


def read_package(directory: Path) -> Package:
    """Read a directory as a package, every file in it."""
    return Package.of(
        {
            path.relative_to(directory).as_posix(): PackageFile(
                path.read_bytes(), executable=bool(path.stat().st_mode & stat.S_IXUSR)
            )
            for path in sorted(directory.rglob("*"))
            if path.is_file()
        }
    )
