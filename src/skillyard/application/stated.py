"""What a package says about its skill, and how that meets what people said.

A fact that a person set stays until a package states another one than its predecessor did.
"""

from dataclasses import fields, replace

from skillyard.domain.facts import normalize_tags
from skillyard.domain.manifest import CATEGORIES, Manifest
from skillyard.domain.names import is_name
from skillyard.domain.skill import SkillFacts
from skillyard.domain.text import shorten


def state_facts(manifest: Manifest) -> SkillFacts:
    """Give the facts that a package states, with the defaults for those that it does not.

    The store keeps well-formed tags and known categories only: what a package states is brought
    into that form. Confidence and status are nothing that a package can claim.
    """
    sidecar = manifest.sidecar
    return SkillFacts(
        display_name=manifest.display_name or manifest.name,
        description=manifest.description,
        category=_category(manifest),
        tags=normalize_tags(manifest.tags),
        requires_tools=manifest.requires_tools,
        requires=tuple(dict.fromkeys(one for one in manifest.requires if is_name(one))),
        agents=sidecar.agents if sidecar else None,
        provider_hints=manifest.providers,
        invocation=manifest.invocation,
        metadata=manifest.metadata,
    )


def _category(manifest: Manifest) -> str:
    if manifest.category is None:
        return "general"
    return manifest.category if manifest.category in CATEGORIES else "custom"


def list_adjustments(manifest: Manifest) -> tuple[str, ...]:
    """Say what of a package's statements is kept in another form."""
    said = []
    if normalize_tags(manifest.tags) != tuple(dict.fromkeys(manifest.tags)):
        said.append(f"the tags are kept as `{' '.join(normalize_tags(manifest.tags))}`")
    if manifest.category not in (None, *CATEGORIES):
        said.append(f"the category `{shorten(manifest.category or '')}` is kept as `custom`")
    return tuple(said)


_PEOPLES = frozenset({"status", "deprecated", "enabled", "confidence", "author"})
"""Facts that no package states."""
_CONTENT = frozenset({"description"})
"""Facts that are always those of the current content."""


def merge_facts(kept: SkillFacts, *, before: SkillFacts, after: SkillFacts) -> SkillFacts:
    """Give the facts after content that stated `before` gave way to content that states `after`."""
    stated = {
        one.name: getattr(after, one.name)
        for one in fields(SkillFacts)
        if one.name not in _PEOPLES
        and (one.name in _CONTENT or getattr(before, one.name) != getattr(after, one.name))
    }
    return replace(kept, **stated)
