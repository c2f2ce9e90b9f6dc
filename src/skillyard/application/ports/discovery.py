"""Directories of skills that other people look after."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.resolution import Candidate, Cost, Layer

NO_COST = Cost()


@dataclass(frozen=True, slots=True)
class Root:
    """A directory of skills, and the layer that its skills belong to.

    `path` is absolute. A root that is a link may lead anywhere, unless it has to stay `within` a
    directory: a project is somebody else's word.
    """

    layer: Layer
    path: str
    within: str | None = None


@dataclass(frozen=True, slots=True)
class LocatedFinding:
    """A diagnostic, and the directory that it is about.

    `skipped` means that this is no skill. `elsewhere` is the skill that it is a link to, where that
    one stands in another root and counts there.
    """

    location: str
    diagnostic: Diagnostic
    skipped: bool = False
    elsewhere: str = ""


class FoundSkill(Protocol):
    """One directory with a SKILL.md.

    `place` is relative to the root, and `.` is the root itself. `slug` is empty where the skill is
    broken. `characters` is the length of SKILL.md. `edition` is equal to that of an earlier look as
    long as neither SKILL.md nor manifest.json was edited.
    """

    @property
    def place(self) -> str: ...  # noqa: D102
    @property
    def slug(self) -> str: ...  # noqa: D102
    @property
    def description(self) -> str: ...  # noqa: D102
    @property
    def commands(self) -> str: ...  # noqa: D102
    @property
    def characters(self) -> int: ...  # noqa: D102
    @property
    def edition(self) -> object: ...  # noqa: D102

    def locate(self, root: Root) -> str:
        """Give the path of its directory, as text that any output takes."""
        ...

    def list_diagnostics(self) -> tuple[Diagnostic, ...]:
        """Give what is to be said about it."""
        ...

    def to_candidate(
        self, root: Root, *, missing_commands: tuple[str, ...] = (), cost: Cost = NO_COST
    ) -> Candidate:
        """Make the candidate of a skill that is not broken."""
        ...


class FoundSkills(Protocol):
    """The skills of a root, in the order of their paths' bytes.

    There may be many, and most of what is known about them is rarely asked for: the columns are
    cheap, and skills are put together when they are asked for, best all in one go.
    """

    @property
    def slugs(self) -> Sequence[str]:
        """The name of each; empty where it is broken."""
        ...

    @property
    def commands(self) -> Sequence[str]:
        """The commands that each needs, separated by spaces."""
        ...

    def list_remarkable(self) -> Sequence[int]:
        """Give the numbers of those that have diagnostics."""
        ...

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[FoundSkill]: ...
    def __getitem__(self, index: int, /) -> FoundSkill: ...


@dataclass(frozen=True, slots=True)
class OutgoingLink:
    """A link in a root to a directory outside of it, and the finding that it is not followed.

    `target` is absolute, and free of links.
    """

    target: str
    finding: LocatedFinding


@dataclass(frozen=True, slots=True)
class ListedRoot:
    """What a root holds, and what was found out about other things in it.

    `real` is the path of the root, free of links.
    """

    root: Root
    skills: FoundSkills
    findings: tuple[LocatedFinding, ...] = ()
    links: tuple[OutgoingLink, ...] = ()
    real: str = ""


class Directories(Protocol):
    """Knows what stands in the roots, and remembers it."""

    def list_root(self, root: Root) -> ListedRoot:
        """Give the skills of `root`: at the root itself, and in its immediate subdirectories.

        A missing directory is empty. Nothing is written into it. Links are followed only to
        directories inside the root. A file that was not changed since it was last read, also by
        another process, is not read again; where nothing at all was, `skills` is the same object.
        """
        ...


class Packages(Protocol):
    """Reads whole packages."""

    def read(self, root: Root, place: str) -> FoundPackage:
        """Read the package at `place`; what cannot be read is among its diagnostics.

        No link is followed. The root itself goes without the subdirectories that are packages
        themselves. A package that was not changed meanwhile may come from memory.

        Raises:
            MissingPathError: There is no package any more.
        """
        ...
