"""What a package says about its skill, and how that meets what people said.

A fact that a person set stays until a package states another one than its predecessor did. Whom a
skill is for is never taken from what others or agents wrote.
"""

from collections.abc import Collection
from dataclasses import fields, replace
from typing import Final

from skillyard.application.ports.store import Transaction
from skillyard.domain.digest import TreeDigest
from skillyard.domain.facts import normalize_tags
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import CATEGORIES, SYSTEM, Author, Confidence, Manifest
from skillyard.domain.names import is_name
from skillyard.domain.package import Package
from skillyard.domain.paths import MANIFEST_JSON, SKILL_MD
from skillyard.domain.skill import UNPROVEN, SkillFacts, SourceKind
from skillyard.domain.text import shorten
from skillyard.skillmd.check import check_package
from skillyard.skillmd.sidecar import take_off_exported

_STATING: Final = (SKILL_MD, MANIFEST_JSON)
_RANK: Final = {one: rank for rank, one in enumerate(Confidence)}
_OUTDATED: Final = "the manifest.json of an export describes other files, and is not heard"


def find_manifest(digest: TreeDigest, *, transaction: Transaction) -> Manifest | None:
    """Give what a stored package says, or None where it cannot be read.

    Raises:
        CorruptedContentError: Its bytes are not the ones that were kept.
    """
    found = ((path, transaction.packages.get_file(digest, path)) for path in _STATING)
    package = Package.from_checked((path, file) for path, file in found if file)
    return check_package(package).manifest


def drop_outdated(
    package: Package, *, limits: Limits = STANDARD
) -> tuple[Package, tuple[str, ...]]:
    """Give the package without a manifest.json that an export wrote for other files, and a note."""
    rest, sidecar = take_off_exported(package, limits=limits)
    if sidecar is None or sidecar.digest == str(rest.digest()):
        return package, ()
    return rest, (_OUTDATED,)


def first_confidence(kind: SourceKind, manifest: Manifest | None) -> Confidence:
    """Give the confidence that content starts with.

    A package's own claim may lower what its door gives it, and never raise it.
    """
    given = Confidence.LOW if kind in UNPROVEN else Confidence.MEDIUM
    claimed = manifest.sidecar.confidence if manifest and manifest.sidecar else None
    return min(given, claimed or given, key=_RANK.__getitem__)


def first_author(kind: SourceKind, manifest: Manifest | None, *, source: str | None) -> Author:
    """Give the author that content starts with; what is imported came from `source`."""
    if kind is SourceKind.IMPORTED:
        return Author("imported", source=source or None)
    return (manifest.sidecar.author if manifest and manifest.sidecar else None) or SYSTEM


def higher(one: Confidence, other: Confidence) -> Confidence:
    """Give the higher one of two."""
    return max(one, other, key=_RANK.__getitem__)


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


def merge_facts(
    kept: SkillFacts, *, before: SkillFacts, after: SkillFacts, kinds: Collection[SourceKind]
) -> SkillFacts:
    """Give the facts after content that stated `before` gave way to content that states `after`.

    `kinds` are who brought the two.
    """
    peoples = _PEOPLES | {"agents"} if UNPROVEN.intersection(kinds) else _PEOPLES
    stated = {
        one.name: getattr(after, one.name)
        for one in fields(SkillFacts)
        if one.name not in peoples
        and (one.name in _CONTENT or getattr(before, one.name) != getattr(after, one.name))
    }
    return replace(kept, **stated)
