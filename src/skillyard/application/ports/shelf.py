"""Where packages and bundles are laid down as files."""

from pathlib import PurePath
from typing import Protocol

from skillyard.domain.package import Package


class Shelf(Protocol):
    """A file system that takes packages whole or not at all."""

    def require_free(self, target: PurePath, *, directory: bool) -> None:
        """Say now what putting a file, or a `directory`, at `target` would say; write nothing.

        Raises:
            TargetExistsError: Something is there, and it is no empty directory for a directory.
        """
        ...

    def put_package(self, package: Package, target: PurePath) -> None:
        """Lay `package` out as the new directory `target`.

        The directory appears whole or not at all, also if the process is killed. Files are
        readable by all and writable by the owner (0644, or 0755 where executable), whatever the
        umask.

        Raises:
            TargetExistsError: `target` exists and is not an empty directory.
            CorruptedContentError: What was written is not what was to be written.
            StorageUnavailableError: The file system refused.
        """
        ...

    def put_file(self, content: bytes, target: PurePath, *, replace: bool = False) -> None:
        """Write `content` as the file `target`, whole or not at all.

        Raises:
            TargetExistsError: `target` exists, and `replace` is not set or it is no file.
            StorageUnavailableError: The file system refused.
        """
        ...

    def replace_file(
        self,
        target: PurePath,
        *,
        expected: bytes,
        content: bytes,
        identity: tuple[int, int] | None = None,
    ) -> None:
        """Replace the content of the file `target`, keeping its mode; a link is not followed.

        With the `identity` that its reader gave it, no other file is replaced, wherever the way to
        `target` leads by now.

        Raises:
            DriftError: The file no longer holds `expected`, or is another file.
            UnsafePathError: `target` is a link, or no file.
            StorageUnavailableError: The file system refused.
        """
        ...
