"""Places where skill packages are found."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from skillyard.skillmd.intake import TakenIn


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPackage:
    """A package as it was found: read and bounded, not yet judged.

    `location` is what the user would type to name it. `directory` is the name that the package's
    `name` must equal, or None where the place gives it no name (a bundle). A `container` is
    a bundle or a git tree: the package's files are not files on a disk. An alias is a link with
    another name than what it leads to.

    `path` is the directory on the disk, byte for byte, where `location` only has to be legible.
    `identity` says which file SKILL.md was when it was read; it means something to the shelf only.
    Both are None where there are no files on a disk.
    """

    location: str
    directory: str | None
    taken: TakenIn
    container: bool = False
    is_alias: bool = False
    path: str | None = None
    identity: tuple[int, int] | None = None


class SkillSource(Protocol):
    """A place that offers packages."""

    def iter_packages(self) -> Iterator[FoundPackage]:
        """Yield every package once, in the order of their locations' bytes.

        A directory is a package if it holds SKILL.md, or a file whose name differs from that only
        in the case of its letters. What stands below a package belongs to it. A package that
        cannot be read is yielded with its diagnostics: it never hides the others.

        Raises:
            MissingPathError: The place does not exist, or holds no package.
        """
        ...
