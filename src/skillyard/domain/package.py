"""One skill's files at one moment, as a pure value."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Self

from skillyard.domain.digest import TreeDigest
from skillyard.domain.paths import SKILL_MD, PackagePath, parse_path


@dataclass(frozen=True, slots=True)
class PackageFile:
    """One file: its bytes, and whether it may be executed."""

    content: bytes
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Package:
    """The files of one skill, in the order of their paths' bytes.

    A package does not know where it came from. Each path has been checked by itself; that no two
    are one file on some system is seen to where packages come in. Whether it is a good skill is for
    `check_package` to say.
    """

    files: Mapping[PackagePath, PackageFile] = field(hash=False)
    _digest: TreeDigest | None = field(default=None, init=False, repr=False, compare=False)

    @classmethod
    def of(cls, files: Mapping[str, PackageFile | bytes | str]) -> Self:
        """Make a package from paths and contents; plain contents are not executable.

        Raises:
            UnsafePathError: A path may not stand in a package.
        """
        return cls.from_checked(
            (parse_path(path), to_file(content)) for path, content in files.items()
        )

    @classmethod
    def from_checked(cls, files: Iterable[tuple[PackagePath, PackageFile]]) -> Self:
        """Make a package from files whose paths have been checked."""
        ordered = dict(sorted(files, key=lambda one: one[0].encode()))
        return cls(MappingProxyType(ordered))

    def __iter__(self) -> Iterator[PackagePath]:
        return iter(self.files)

    def __reduce__(self) -> tuple[object, ...]:
        # A read-only mapping cannot be pickled.
        return type(self).from_checked, (list(self.files.items()),)

    @property
    def skill_md(self) -> bytes | None:
        """The bytes of SKILL.md, or None where there is none."""
        file = self.files.get(SKILL_MD)
        return file.content if file else None

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(len(file.content) for file in self.files.values())

    def digest(self) -> TreeDigest:
        """Give the identity of the package's content; it is computed once."""
        if self._digest is not None:
            return self._digest
        files = ((path, file.executable, file.content) for path, file in self.files.items())
        digest = TreeDigest.of(files)
        object.__setattr__(self, "_digest", digest)
        return digest


def to_file(content: PackageFile | bytes | str) -> PackageFile:
    """Give `content` as a file; plain contents are not executable."""
    if isinstance(content, PackageFile):
        return content
    return PackageFile(content.encode() if isinstance(content, str) else content)
