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

    def put_package(self, package: Package, target: PurePath, *, read_only: bool = False) -> None:
        """Lay `package` out as the new directory `target`.

        The directory appears whole or not at all, also if the process is killed. Files are
        readable by all and writable by the owner (0644, or 0755 where executable), whatever the
        umask; with `read_only` they are writable by nobody.

        Raises:
            TargetExistsError: `target` exists and is not an empty directory.
            CorruptedContentError: What was written is not what was to be written.
            StorageUnavailableError: The file system refused.
        """
        ...

    def replace_package(
        self, package: Package, target: PurePath, *, read_only: bool = False
    ) -> None:
        """Let `package` take the place of the directory `target` with all that is in it.

        There is one or the other at any moment, whole, where names can be exchanged; elsewhere a
        kill may leave neither.

        Raises:
            CorruptedContentError: What was written is not what was to be written.
            StorageUnavailableError: The file system refused, or there is no such directory.
        """
        ...

    def remove_directory(self, target: PurePath) -> None:
        """Remove the directory `target` with all that is in it; it is gone at one moment.

        Raises:
            StorageUnavailableError: The file system refused, or there is no such directory.
        """
        ...

    def put_file(
        self, content: bytes, target: PurePath, *, replace: bool = False, private: bool = False
    ) -> None:
        """Write `content` as the file `target`, whole or not at all.

        All may read it; where it is `private`, only its owner may (0600).

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
