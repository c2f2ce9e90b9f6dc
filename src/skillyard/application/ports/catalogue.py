"""The list of skills alone."""

from collections.abc import Sequence
from typing import Protocol

from skillyard.domain.catalogue import CatalogueEntry, SkillFilter


class Catalogue(Protocol):
    """The list of skills, for those who need nothing else of the store."""

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """See `Skills.list_entries`; each call sees a moment of its own."""
        ...

    def close(self) -> None:
        """Let go of everything; the catalogue is not used again."""
        ...
