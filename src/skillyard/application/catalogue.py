"""Look into the store: lists, single skills, versions, contents and what happened."""

from collections.abc import Sequence
from dataclasses import dataclass

from skillyard.application.assign import require_subject
from skillyard.application.lookup import get_skill, get_version, near_misses
from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.audit import AuditEntry, AuditFilter
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.difference import PackageDifference, compare_packages
from skillyard.domain.errors import SkillFileNotFoundError, SkillNotFoundError
from skillyard.domain.facts import is_storable
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.skill import PEOPLE, PackageListing, Skill, SkillVersion, Tombstone
from skillyard.domain.version import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillPage:
    """A part of the list of skills; `next` is where the next part begins, None at the end."""

    entries: tuple[CatalogueEntry, ...]
    next: tuple[str, str] | None = None


def list_skills(
    wanted: SkillFilter,
    *,
    store: Store,
    after: tuple[str, str] | None = None,
    most: int | None = None,
) -> SkillPage:
    """Give the skills that are wanted in the order of slug and owner; without `most`, all."""
    # What no skill can say is not asked of the database: it could not be written down for it.
    said = (wanted.text, wanted.owner, wanted.category, *wanted.tags, *(after or ()))
    if not all(is_storable(one) for one in said if one is not None):
        return SkillPage(entries=())
    asked = most + 1 if most is not None else None
    with store.view() as view:
        found = tuple(view.skills.list_entries(wanted, after=after, most=asked))
    if most is None or len(found) <= most:
        return SkillPage(entries=found)
    return SkillPage(entries=found[:most], next=found[most - 1].place if most else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillDetails:
    """All there is to say about a skill at one of its versions."""

    skill: Skill
    version: SkillVersion
    listing: PackageListing
    assignments: tuple[Assignment, ...]
    versions: int


def read_skill(reference: str, *, store: Store, version: Version | None = None) -> SkillDetails:
    """Give one skill, at one of its versions; None means the current one.

    Raises:
        SkillNotFoundError: There is no such skill.
        VersionNotFoundError: It has no such version.
    """
    with store.view() as view:
        skill = get_skill(reference, transaction=view)
        found = get_version(skill, version, transaction=view)
        return SkillDetails(
            skill=skill,
            version=found,
            listing=_listing(found, view),
            assignments=tuple(view.assignments.list(skill_id=skill.id)),
            versions=len(view.versions.list(skill.id)),
        )


def _listing(version: SkillVersion, view: Transaction) -> PackageListing:
    return view.packages.find(version.digest) or PackageListing(version.digest, ())


def read_package_of(
    reference: str, *, store: Store, version: Version | None = None
) -> tuple[Skill, SkillVersion, Package]:
    """Give the content of a skill at one of its versions, every byte verified.

    Raises:
        CorruptedContentError: The stored bytes are not the ones that were saved.
    """
    with store.view() as view:
        skill = get_skill(reference, transaction=view)
        found = get_version(skill, version, transaction=view)
        return skill, found, view.packages.get(found.digest)


def read_file(
    reference: str, path: str, *, store: Store, version: Version | None = None
) -> PackageFile:
    """Give one file of a skill.

    Raises:
        SkillFileNotFoundError: There is no such file.
    """
    with store.view() as view:
        skill = get_skill(reference, transaction=view)
        found = get_version(skill, version, transaction=view)
        file = view.packages.get_file(found.digest, path) if is_storable(path) else None
    if file is None:
        raise SkillFileNotFoundError(skill.reference, str(found.version), path)
    return file


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHistory:
    """A skill with every version, in the order of saving."""

    skill: Skill
    versions: tuple[SkillVersion, ...]


def read_history(reference: str, *, store: Store) -> SkillHistory:
    """Give every version of a skill."""
    with store.view() as view:
        skill = get_skill(reference, transaction=view)
        return SkillHistory(skill=skill, versions=tuple(view.versions.list(skill.id)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedVersions:
    """Two versions of a skill, and how they differ."""

    skill: Skill
    before: SkillVersion
    after: SkillVersion
    difference: PackageDifference


def compare_versions(
    reference: str, before: Version | None, after: Version | None, *, store: Store
) -> ComparedVersions:
    """Compare two versions of a skill.

    Without `after` it is the current one; without `before`, the one that `after` was made from, or
    the one saved before it, or itself where it is the first.
    """
    with store.view() as view:
        skill = get_skill(reference, transaction=view)
        second = get_version(skill, after, transaction=view)
        first = get_version(skill, before, transaction=view) if before else None
        first = first or _predecessor(second, view)
        difference = compare_packages(
            view.packages.get(first.digest), view.packages.get(second.digest)
        )
    return ComparedVersions(skill=skill, before=first, after=second, difference=difference)


def _predecessor(version: SkillVersion, view: Transaction) -> SkillVersion:
    base = view.versions.find(version.skill_id, version.base) if version.base else None
    earlier = [
        one for one in view.versions.list(version.skill_id) if one.revision < version.revision
    ]
    return base or (earlier[-1] if earlier else version)


def list_assignments(
    *, store: Store, reference: str | None = None, subject: Subject | None = None
) -> Sequence[Assignment]:
    """Give assignments, of one skill or to one subject, in the order of precedence.

    Raises:
        SkillNotFoundError: There is no such skill.
        RecordNotFoundError: There is no such subject.
    """
    with store.view() as view:
        if subject is not None:
            require_subject(subject, transaction=view)
        skill = get_skill(reference, transaction=view) if reference is not None else None
        return view.assignments.list(
            skill_id=skill.id if skill else None, subjects=[subject] if subject else None
        )


def read_audit(
    wanted: AuditFilter, *, store: Store, before: int | None = None, most: int | None = None
) -> Sequence[AuditEntry]:
    """Give what happened, the newest first; what happened to a skill outlives the skill."""
    said = (wanted.target, wanted.skill_id, wanted.actor, wanted.action)
    if not all(is_storable(one) for one in said if one is not None):
        return ()
    with store.view() as view:
        return view.audit.list(wanted, before=before, most=most)


def find_audited_skill(reference: str, *, store: Store) -> str:
    """Give the name under which the log knows a skill, also after it was deleted.

    A skill that is there comes before one that was deleted, and the one deleted last before others.
    What happened to an earlier skill of that name is found under it too.

    Raises:
        SkillNotFoundError: There is no such skill, and never was.
    """
    with store.view() as view:
        try:
            return get_skill(reference, transaction=view).reference
        except SkillNotFoundError as error:
            gone = list(reversed(view.skills.list_tombstones()))
            found = [one for one in gone if reference in _names(one)]
            if not found:
                near = near_misses(reference, {*error.near, *(one.reference for one in gone)})
                raise SkillNotFoundError(reference, near=near) from None
    return next((one for one in found if one.owner == PEOPLE), found[0]).reference


def _names(tombstone: Tombstone) -> tuple[str, ...]:
    return tombstone.skill_id, tombstone.slug, tombstone.reference
