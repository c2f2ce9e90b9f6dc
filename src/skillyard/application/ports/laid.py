"""Packages that were laid out as directories, looked at again."""

import hashlib
from collections.abc import Mapping
from typing import Protocol

from skillyard.domain.package import Package, PackageFile
from skillyard.domain.run import ChangeKind


class LaidOut(Protocol):
    """Looks at directories that packages were laid out as."""

    def is_there(self, path: str) -> bool:
        """Tell whether there is a directory at `path`."""
        ...

    def is_link(self, path: str) -> bool:
        """Tell whether there is a link at `path`, wherever it leads."""
        ...

    def find_changes(
        self, package: Package, path: str, *, is_link: bool = False
    ) -> Mapping[str, ChangeKind]:
        """Compare the directory at `path` with a package; give the paths of files that differ.

        Where there is no directory, every file was removed. No link in it is followed; with
        `is_link`, it may be one itself.
        """
        ...

    def find_file(self, path: str) -> bytes | None:
        """Give the content of the file at `path`, of at most 16 MiB and a bit; None without one.

        A link is not followed. What is there and is no file has no content.
        """
        ...

    def list_files(self, path: str) -> Mapping[str, str] | None:
        """Give what stands in the directory `path`: the paths of files with a mark for each.

        The mark is the one that `mark_file` gives; what is no plain file has another. None means
        that nothing is there. Of very many files only the first are given.
        """
        ...


def mark_file(file: PackageFile) -> str:
    """Give what tells a file from any other: the hash of its content, and `+x` if executable."""
    return f"{hashlib.sha256(file.content).hexdigest()}{'+x' if file.executable else ''}"


def mark_package(package: Package) -> dict[str, str]:
    """Give the mark of every file of a package."""
    return {str(path): mark_file(file) for path, file in package.files.items()}
