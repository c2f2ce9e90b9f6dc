"""Look for damage in the store: every byte is read and compared with what was kept."""

from collections.abc import Iterator
from dataclasses import dataclass

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.catalogue import EVERYTHING, CatalogueEntry
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.skill import SkillVersion
from skillyard.skillmd.check import check_package

_RESTORE = "Restore the database from a backup"


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
    """Look at the database, then at every package, then at every skill; change nothing.

    What is seen is one moment of the store, however long it takes.
    """
    faults = tuple(StoreFault("database", fault) for fault in store.iter_faults())
    yield Examined("database", faults)
    with store.view() as view:
        for digest in view.packages.iter_digests():
            yield Examined("package", tuple(_package_faults(digest, view)))
        for entry in view.skills.list_entries(EVERYTHING):
            yield Examined("skill", tuple(_skill_faults(entry, view)))


def _package_faults(digest: TreeDigest, view: Transaction) -> Iterator[StoreFault]:
    try:
        view.packages.get(digest)
    except CorruptedContentError as error:
        yield StoreFault(str(digest), error.message)


def _skill_faults(entry: CatalogueEntry, view: Transaction) -> Iterator[StoreFault]:
    versions = {one.version: one for one in view.versions.list(entry.id)}
    current = versions.get(entry.version)
    if current is None:
        yield StoreFault(entry.reference, f"the current version {entry.version} is not there")
    elif current.digest != entry.digest:
        yield StoreFault(entry.reference, "the skill and its current version name two contents")
    for version in versions.values():
        yield from _version_faults(entry, version, view)


def _version_faults(
    entry: CatalogueEntry, version: SkillVersion, view: Transaction
) -> Iterator[StoreFault]:
    place = f"{entry.reference} {version.version}"
    if view.packages.find(version.digest) is None:
        yield StoreFault(place, f"its content {version.digest} is not there")
    elif version.version == entry.version and _name_in(version, view) != entry.slug:
        yield StoreFault(place, "its SKILL.md has another name than the skill")


def _name_in(version: SkillVersion, view: Transaction) -> str | None:
    try:
        file = view.packages.get_file(version.digest, SKILL_MD)
    except CorruptedContentError:
        return None
    package = Package.from_checked([(SKILL_MD, file)] if file else [])
    manifest = check_package(package).manifest
    return manifest.name if manifest else None
