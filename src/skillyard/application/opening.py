"""Open the skills that were chosen: from the store by their digests, or where they stand."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from skillyard.application.ports.store import Store, Transaction
from skillyard.disclosure.tier2 import OpenedSkill
from skillyard.disclosure.tokens import estimate_tokens
from skillyard.domain.errors import ContentChangedError, InvalidPackageError, MissingPathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package
from skillyard.domain.resolution import Candidate, Decision, Disposition, Resolution
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.rules import Profile

ReadPackage = Callable[[Candidate], Package]
"""Read the package of a candidate that stands in a directory."""

_REACHABLE = (Disposition.LOADED, Disposition.UNPROVEN)


def open_skill(
    decision: Decision, *, store: Store, read_package: ReadPackage, limits: Limits = STANDARD
) -> OpenedSkill:
    """Give the files of a chosen skill, and its instructions.

    Raises:
        CorruptedContentError: The store does not have what it kept.
        MissingPathError: The directory is not there any more.
        InvalidPackageError: Something in the directory is refused.
        ContentChangedError: The directory is not what was resolved.
    """
    candidate = replace(decision.candidate, offered=decision.offered)
    return _open(candidate, store, read_package, limits)


def measure_skill(
    candidate: Candidate, *, store: Store, read_package: ReadPackage, limits: Limits = STANDARD
) -> int:
    """Give how many tokens the instructions of a candidate take; 0 where it cannot be read."""
    try:
        return estimate_tokens(_open(candidate, store, read_package, limits).instructions)
    except (InvalidPackageError, MissingPathError):
        return 0


def _open(
    candidate: Candidate, store: Store, read_package: ReadPackage, limits: Limits
) -> OpenedSkill:
    package = _get_package(candidate, store, read_package)
    findings = Findings(Profile.LENIENT)
    document = read_document(package.skill_md or b"", limits=limits, findings=findings)
    return OpenedSkill(package, document.instructions)


def _get_package(candidate: Candidate, store: Store, read_package: ReadPackage) -> Package:
    digest = candidate.offered.digest
    if candidate.layer.is_directory or digest is None:
        package = read_package(candidate)
        if digest is not None and package.digest() != digest:
            raise ContentChangedError(candidate.location or candidate.slug)
        return package
    with store.view() as view:
        return view.packages.get(digest)


def add_files(resolution: Resolution, *, store: Store) -> Resolution:
    """Give the resolution with the paths of the files of every skill that can be reached."""
    with store.view() as view:
        return replace(resolution, decisions=tuple(_iter_with_files(resolution, view)))


def _iter_with_files(resolution: Resolution, view: Transaction) -> Iterator[Decision]:
    for one in resolution.decisions:
        digest = one.offered.digest
        is_known = one.disposition not in _REACHABLE or bool(one.candidate.files)
        listing = None if is_known or digest is None else view.packages.find(digest)
        if listing is None:
            yield one
        else:
            files = tuple(file.path for file in listing.files)
            yield replace(one, candidate=replace(one.candidate, files=files))
