"""One line of the list of skills, as JSON holds it."""

from skillyard.domain.catalogue import CatalogueEntry


def identify_entry(entry: CatalogueEntry) -> dict[str, object]:
    """Give what tells a skill from others, and whether it is used."""
    return {
        "id": entry.id,
        "slug": entry.slug,
        "owner": entry.owner,
        "display_name": entry.display_name,
        "description": entry.description,
        "version": str(entry.version),
        "digest": entry.digest.text,
        "status": entry.status.value,
        "enabled": entry.enabled,
    }
