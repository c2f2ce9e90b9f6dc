"""A named entry in the store, and the versions that it keeps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import SYSTEM, Author, Confidence, Invocation
from skillyard.domain.version import Version

PEOPLE: Final = "people"
"""The owner of every skill that no plugin owns; a plugin's skills are owned by its id."""


class SkillStatus(StrEnum):
    """Where a skill is in its life; only active ones are resolved."""

    ACTIVE = "active"
    DRAFT = "draft"
    ARCHIVED = "archived"


class SourceKind(StrEnum):
    """Who brought a skill into the store."""

    ADMIN = "admin"
    PLUGIN = "plugin"
    EARNED = "earned"
    IMPORTED = "imported"
    LEGACY = "legacy"


UNPROVEN: Final = frozenset({SourceKind.EARNED, SourceKind.IMPORTED})
"""What others or agents wrote: it has to earn its confidence, and says nothing about trust."""


class Door(StrEnum):
    """Which way a skill, or a change, came in."""

    UI = "ui"
    API = "api"
    CLI = "cli"
    MCP = "mcp"
    SEED = "seed"
    IMPORT = "import"
    SYNC = "sync"
    LEGACY = "legacy"
    PLUGIN = "plugin"


class InstallStrategy(StrEnum):
    """How a skill is laid out for a client."""

    MATERIALIZE = "materialize"
    LINK = "link"
    PROMPT_FALLBACK = "prompt_fallback"


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a skill came from: the door, and what stood at it (a path, a URL, a commit)."""

    door: Door = Door.CLI
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Who is doing something, and through which door."""

    name: str
    door: Door = Door.CLI


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFacts:
    """What is known about a skill besides its content, and may change without a new version.

    `agents` is None where assignments alone decide. `deprecated` is the message that users of the
    skill are shown; None where it is not deprecated. `description` is the one that the current
    version states.
    """

    display_name: str
    description: str
    category: str = "general"
    status: SkillStatus = SkillStatus.ACTIVE
    deprecated: str | None = None
    enabled: bool = True
    confidence: Confidence = Confidence.MEDIUM
    author: Author = SYSTEM
    tags: tuple[str, ...] = ()
    requires_tools: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    agents: tuple[str, ...] | None = None
    provider_hints: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    install_strategy: InstallStrategy | None = None
    invocation: Invocation = Invocation.AUTO
    metadata: Mapping[str, str] = field(default_factory=_nothing, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """One skill. `revision` grows by one with every change to it, and is what a save compares.

    `id` and `slug` never change. `digest`, `source_kind` and `provenance` are those of the current
    version.
    """

    id: str
    slug: str
    owner: str = PEOPLE
    source_kind: SourceKind = SourceKind.ADMIN
    plugin_id: str | None = None
    provenance: Provenance = Provenance()
    facts: SkillFacts
    current: Version
    digest: TreeDigest
    revision: int = 1
    created_at: datetime
    created_by: str
    updated_at: datetime
    updated_by: str

    @property
    def reference(self) -> str:
        """What a person types to name it: its slug, or its owner and slug."""
        return self.slug if self.owner == PEOPLE else f"{self.owner}/{self.slug}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillVersion:
    """A package saved under a skill; it never changes.

    `revision` is the revision of the skill that brought it in, so it orders versions by the moment
    of saving. `base` is the version that its author started from. `source_kind` and `provenance`
    are who brought it, and from where: what a person makes from what others wrote is still theirs.
    """

    skill_id: str
    version: Version
    digest: TreeDigest
    revision: int
    created_at: datetime
    created_by: str
    message: str = ""
    base: Version | None = None
    source_kind: SourceKind = SourceKind.ADMIN
    provenance: Provenance = Provenance()


@dataclass(frozen=True, slots=True, order=True)
class StoredFile:
    """One file of a stored package: its content is kept once, under its SHA-256."""

    path: str
    sha256: str
    size: int
    content_type: str
    executable: bool = False


@dataclass(frozen=True, slots=True)
class PackageListing:
    """The files of a stored package, in the order of their paths' bytes, without their contents."""

    digest: TreeDigest
    files: tuple[StoredFile, ...]

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """What is left of a skill that was deleted."""

    skill_id: str
    owner: str
    slug: str
    version: Version
    digest: TreeDigest
    deleted_at: datetime
    deleted_by: str

    @property
    def reference(self) -> str:
        """What a person typed to name it: its slug, or its owner and slug."""
        return self.slug if self.owner == PEOPLE else f"{self.owner}/{self.slug}"
