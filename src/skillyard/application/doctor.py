"""Look for damage in the store: every byte is read and compared with what was kept."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.audit import AuditFilter
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError, StoreUnavailableError
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.records import RECORD_KINDS
from skillyard.domain.skill import Skill, SkillVersion
from skillyard.domain.version import Version, find_version
from skillyard.skillmd.check import check_package

_RESTORE: Final = "Restore the database from a backup"
_PAGE: Final = 1000


@dataclass(frozen=True, slots=True)
class StoreFault:
    """One thing that is wrong with the store: where, what, and what to do."""

    place: str
    message: str
    hint: str = _RESTORE


@dataclass(frozen=True, slots=True)
class Examined:
    """One thing that was looked at, and what was found; no faults mean that it is whole."""

    kind: str
    faults: tuple[StoreFault, ...] = ()


def examine_store(*, store: Store) -> Iterator[Examined]:
    """Look at the database, every package, every skill, the records, the log; change nothing.

    What is seen is one moment of the store, however long it takes. What cannot be read is a fault
    like any other, and the rest is looked at nevertheless, as far as the database still answers.
    """
    faults = tuple(StoreFault("database", fault) for fault in store.iter_faults())
    yield Examined("database", faults)
    try:
        with store.view() as view:
            yield from _iter_examined(view)
    except StoreUnavailableError as error:
        yield Examined("database", (StoreFault("database", error.message),))


def _iter_examined(view: Transaction) -> Iterator[Examined]:
    for digest in view.packages.iter_digests():
        yield Examined("package", tuple(_package_faults(digest, view)))
    for skill_id in view.skills.iter_ids():
        yield Examined("skill", tuple(_skill_faults(skill_id, view)))
    yield Examined("records", tuple(_record_faults(view)))
    yield Examined("log", tuple(_log_faults(view)))


def _package_faults(digest: TreeDigest, view: Transaction) -> Iterator[StoreFault]:
    try:
        view.packages.get(digest)
    except CorruptedContentError as error:
        yield StoreFault(str(digest), error.message)


def _skill_faults(skill_id: str, view: Transaction) -> Iterator[StoreFault]:
    place = f"skill {skill_id}"
    try:
        skill = view.skills.find_by_id(skill_id)
        if skill is not None:
            place = skill.reference
            yield from _known_skill_faults(skill, view)
    except CorruptedContentError as error:
        yield StoreFault(place, error.message)


def _known_skill_faults(skill: Skill, view: Transaction) -> Iterator[StoreFault]:
    versions = {one.version: one for one in view.versions.list(skill.id)}
    current = versions.get(skill.current)
    if current is None:
        yield StoreFault(skill.reference, f"the current version {skill.current} is not there")
    elif current.digest != skill.digest:
        yield StoreFault(skill.reference, "the skill and its current version name two contents")
    for lost in sorted(_find_named(skill, versions, view) - {*versions, skill.current}):
        yield StoreFault(skill.reference, f"the version {lost} was saved, and is not there")
    for version in versions.values():
        yield from _version_faults(skill, version, view)
    view.assignments.list(skill_id=skill.id)


def _find_named(
    skill: Skill, versions: dict[Version, SkillVersion], view: Transaction
) -> set[Version]:
    """Give every version that another one, or the log, says was there."""
    bases = {one.base for one in versions.values() if one.base is not None}
    entries = view.audit.list(AuditFilter(skill_id=skill.id))
    logged = (find_version(str(one.details.get("version", ""))) for one in entries)
    return bases | {one.without_build() for one in logged if one is not None}


def _version_faults(skill: Skill, version: SkillVersion, view: Transaction) -> Iterator[StoreFault]:
    place = f"{skill.reference} {version.version}"
    if view.packages.find(version.digest) is None:
        yield StoreFault(place, f"its content {version.digest} is not there")
    elif version.version == skill.current and _name_in(version, view) != skill.slug:
        yield StoreFault(place, "its SKILL.md has another name than the skill")


def _name_in(version: SkillVersion, view: Transaction) -> str | None:
    try:
        file = view.packages.get_file(version.digest, SKILL_MD)
    except CorruptedContentError:
        return None
    package = Package.from_checked([(SKILL_MD, file)] if file else [])
    manifest = check_package(package).manifest
    return manifest.name if manifest else None


def _record_faults(view: Transaction) -> Iterator[StoreFault]:
    kinds: tuple[type[Any], ...] = RECORD_KINDS
    for kind in kinds:
        try:
            view.records.list(kind)
        except CorruptedContentError as error:
            yield StoreFault("records", error.message)


def _log_faults(view: Transaction) -> Iterator[StoreFault]:
    try:
        _read_log(view)
    except CorruptedContentError as error:
        yield StoreFault("log", error.message)


def _read_log(view: Transaction) -> None:
    before = None
    while entries := view.audit.list(AuditFilter(), before=before, most=_PAGE):
        before = entries[-1].number
    view.outbox.list_pending(most=_PAGE)
    view.skills.list_tombstones()
