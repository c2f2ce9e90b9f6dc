"""The skills of a store, as a list shows them."""

from dataclasses import dataclass
from datetime import datetime

from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import Confidence
from skillyard.domain.skill import PEOPLE, SkillStatus, SourceKind
from skillyard.domain.version import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillFilter:
    """Which skills are wanted; None does not restrict.

    `text` is looked for in slug, display name and description, whatever the case of its letters.
    Every one of `tags` must be there. Archived skills are left out unless `status` asks for them
    or `archived` is set.
    """

    text: str | None = None
    owner: str | None = None
    category: str | None = None
    source_kind: SourceKind | None = None
    status: SkillStatus | None = None
    enabled: bool | None = None
    confidence: Confidence | None = None
    tags: tuple[str, ...] = ()
    archived: bool = False
    ids: tuple[str, ...] | None = None


EVERYTHING = SkillFilter(archived=True)


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One line of the list of skills."""

    id: str
    slug: str
    owner: str
    display_name: str
    description: str
    category: str
    source_kind: SourceKind
    status: SkillStatus
    enabled: bool
    deprecated: bool
    confidence: Confidence
    tags: tuple[str, ...]
    version: Version
    digest: TreeDigest
    files: int
    size: int
    assignments: int
    updated_at: datetime

    @property
    def reference(self) -> str:
        """What a person types to name it: its slug, or its owner and slug."""
        return self.slug if self.owner == PEOPLE else f"{self.owner}/{self.slug}"

    @property
    def place(self) -> tuple[str, str]:
        """Where it stands in the order of the list."""
        return (self.slug, self.owner)
