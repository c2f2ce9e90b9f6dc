"""What bundles and exported directories say of a skill besides its package.

What a store said of a skill when it exported it counts as what people knew, as long as it describes
exactly the files that it came with. Otherwise, and from anyone else, SKILL.md counts first. What
they say of trust, such as confidence, agents and author, is not heard at all.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from skillyard.application.ports.source import FoundPackage
from skillyard.application.stated import drop_outdated
from skillyard.domain.facts import NO_CHANGES, UNSET, FactChanges, normalize_tags
from skillyard.domain.manifest import CATEGORIES, Manifest, SidecarManifest
from skillyard.domain.names import is_name
from skillyard.domain.package import Package
from skillyard.domain.version import Version, find_version
from skillyard.skillmd.bundles import PortableFacts, TakenBundle
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.sidecar import take_off_exported

_MILLISECOND: Final = 1000
# Nobody wrote a skill before: such a moment is a mistake.
_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Claims:
    """What a bundle or an exported directory says besides the package, as far as it is heard.

    `name` is what SKILL.md calls the skill; None where it cannot be read.
    """

    package: Package
    name: str | None = None
    changes: FactChanges = NO_CHANGES
    version: Version | None = None
    made_at: datetime | None = None


def read_claims(found: FoundPackage, judgement: Judgement) -> Claims:
    """Give what came with a package, and the package without what an export said of it."""
    package = found.taken.package
    heard, _ = drop_outdated(package, limits=judgement.limits)
    manifest = check_package(heard, judgement=judgement).manifest
    claims = Claims(package, manifest.name if manifest else None)
    if isinstance(found.taken, TakenBundle) and manifest is not None:
        claims = _hear_bundle(found.taken.facts, package, manifest)
    rest, sidecar = take_off_exported(package, limits=judgement.limits)
    if sidecar is not None and sidecar.digest == str(rest.digest()):
        return _hear_sidecar(sidecar, rest, claims)
    return claims


def _hear_bundle(facts: PortableFacts, package: Package, manifest: Manifest) -> Claims:
    is_store = facts.describes(package)

    def is_heard(said: object, in_skill_md: object) -> bool:
        return bool(said) and (is_store or not in_skill_md)

    name = facts.name if facts.name and facts.name.strip() else ""
    tags, tools = normalize_tags(facts.tags), facts.requires_tools
    changes = FactChanges(
        display_name=name if is_heard(name, manifest.display_name) else UNSET,
        category=_to_category(facts) if is_heard(facts.category, manifest.category) else UNSET,
        tags=tags if is_store or is_heard(tags, manifest.tags) else UNSET,
        requires_tools=tools if is_store or is_heard(tools, manifest.requires_tools) else UNSET,
    )
    heard = find_version(facts.version or "") if is_heard(facts.version, manifest.version) else None
    made_at = parse_moment(facts.exported_at) if is_store else None
    return Claims(package, manifest.name, changes, heard, made_at)


def _to_category(facts: PortableFacts) -> str:
    return facts.category if facts.category in CATEGORIES else "custom"


def _hear_sidecar(sidecar: SidecarManifest, rest: Package, claims: Claims) -> Claims:
    return Claims(
        rest,
        claims.name,
        replace(
            claims.changes,
            tags=normalize_tags(sidecar.tags),
            requires=tuple(dict.fromkeys(filter(is_name, sidecar.requires))),
        ),
        find_version(sidecar.version or ""),
        parse_moment(sidecar.created),
    )


def parse_moment(text: str | None) -> datetime | None:
    """Read a moment in ISO 8601, in whole milliseconds; None where it is none, or before 2000."""
    try:
        moment = datetime.fromisoformat(text or "")
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    # Without a time zone it would mean another moment on every machine.
    if moment.tzinfo is None or utc < _EARLIEST:
        return None
    return utc.replace(microsecond=utc.microsecond // _MILLISECOND * _MILLISECOND)
