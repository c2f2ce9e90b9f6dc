"""Have a locked resolution again, byte for byte."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from skillyard.application.describe import describe_skill
from skillyard.application.discover import Discovered
from skillyard.application.opening import ReadPackage
from skillyard.application.ports.discovery import Root
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.resolve import ResolvedSkills
from skillyard.domain.assignment import GLOBAL, Assignment
from skillyard.domain.errors import (
    CorruptedContentError,
    InvalidPackageError,
    LockDriftError,
    MissingPathError,
)
from skillyard.domain.lock import Lock, LockedSkill
from skillyard.domain.package import Package
from skillyard.domain.resolution import Candidate, Decision, Offered, Request, Resolution
from skillyard.skillmd.intake import TakenIn

_ROOT = "."


@dataclass(frozen=True, slots=True)
class ReplayedSkill:
    """A locked skill where it was found now, with its content, which has the locked digest."""

    locked: LockedSkill
    candidate: Candidate
    package: Package


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where locked skills are looked for.

    `discovered` is what stands in directories, and `read_package` reads it. `skills_path` is where
    the agent sees the skills of the store, if it sees them.
    """

    discovered: Discovered
    read_package: ReadPackage
    skills_path: str | None = None


def find_place(candidate: Candidate, *, roots: Iterable[Root]) -> str:
    """Give where a directory stands in the root that it was found in; the root itself is `.`.

    Raises:
        MissingPathError: It stands in none of the roots of its layer.
    """
    for root in roots:
        prefix = f"{root.path.rstrip('/')}/"
        if root.layer is candidate.layer and f"{candidate.ref}/".startswith(prefix):
            return candidate.ref.removeprefix(prefix.rstrip("/")).strip("/") or _ROOT
    raise MissingPathError(candidate.location, reason="is in none of the directories of skills")


def replay_lock(
    lock: Lock, *, name: str, store: Store, places: Places
) -> tuple[ReplayedSkill, ...]:
    """Give every skill of a lock as it was when it was locked, in order.

    A skill of the store is found by owner, name and version, and a directory by its place in any
    root of its layer. Either has to have the locked digest.

    Raises:
        LockDriftError: One of them is gone or different; every one is named.
    """
    replayed: list[ReplayedSkill] = []
    lost: list[str] = []
    with store.view() as view:
        for locked in lock.skills:
            find = _find_directory if locked.layer.is_directory else _find_stored
            found = find(locked, view, places)
            if isinstance(found, ReplayedSkill):
                replayed.append(found)
            else:
                lost.append(f"{locked.name} {found}")
    if lost:
        raise LockDriftError(name, lost=lost)
    return tuple(replayed)


def _find_stored(locked: LockedSkill, view: Transaction, places: Places) -> ReplayedSkill | str:
    skill = view.skills.find(locked.slug, owner=locked.owner)
    version = skill and view.versions.find(skill.id, locked.version)
    if skill is None or version is None:
        return "is gone: it is not in the store"
    if version.digest != locked.digest:
        return "has other content"
    try:
        package = view.packages.get(locked.digest)
    except CorruptedContentError:
        return "is gone: the store does not have what it kept"
    root = places.skills_path
    candidate = Candidate(
        slug=locked.slug,
        layer=locked.layer,
        ref=skill.id,
        owner=skill.owner,
        source_kind=skill.source_kind,
        location="" if root is None else f"{root.rstrip('/')}/{locked.slug}",
        offered=Offered(locked.version, locked.digest),
        files=tuple(package),
    )
    return ReplayedSkill(locked, _describe(candidate, package), package)


def _describe(candidate: Candidate, package: Package) -> Candidate:
    # A lock holds no facts: they are what the content says about itself.
    facts = describe_skill(TakenIn(package, ()), candidate.slug).facts
    if facts is None:
        return candidate
    return replace(
        candidate,
        display_name=facts.display_name,
        description=facts.description,
        tags=facts.tags,
        category=facts.category,
        requires_tools=facts.requires_tools,
        invocation=facts.invocation,
    )


def _find_directory(locked: LockedSkill, view: Transaction, places: Places) -> ReplayedSkill | str:
    del view
    looked: list[str] = []
    standing: list[str] = []
    for location, candidate in _iter_standing(locked, places.discovered):
        looked.append(location)
        package = None if candidate is None else _read(candidate, places.read_package)
        if candidate is None or package is None:
            continue
        standing.append(location)
        offered = Offered(candidate.offered.version, package.digest())
        found = replace(candidate, offered=offered, files=tuple(package))
        if (found.slug, offered) == (locked.slug, Offered(locked.version, locked.digest)):
            return ReplayedSkill(locked, found, package)
    if standing:
        return f"has other content: {', '.join(standing)}"
    return f"is gone: {', '.join(looked) or f'there is no directory of {locked.layer} skills'}"


def _iter_standing(
    locked: LockedSkill, discovered: Discovered
) -> Iterator[tuple[str, Candidate | None]]:
    """Yield each path at which a directory may stand, with what stands there."""
    for listed in discovered.listed:
        if listed.root.layer is not locked.layer:
            continue
        found = next((one for one in listed.skills if one.place == locked.place and one.slug), None)
        location = found.locate(listed.root) if found else _locate(listed.root.path, locked.place)
        yield location, None if found is None else found.to_candidate(listed.root)


def _locate(root: str, place: str) -> str:
    path = root if place == _ROOT else f"{root.rstrip('/')}/{place}"
    # What is no text is shown as escapes.
    return path.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _read(candidate: Candidate, read_package: ReadPackage) -> Package | None:
    try:
        return read_package(candidate)
    except (InvalidPackageError, MissingPathError):
        return None


def to_resolved(replayed: Sequence[ReplayedSkill]) -> ResolvedSkills:
    """Give replayed skills as the answer that was locked."""
    decisions = tuple(map(_to_decision, replayed))
    return ResolvedSkills(
        request=Request(),
        candidates=tuple(one.candidate for one in decisions),
        resolution=Resolution(decisions=decisions),
    )


def _to_decision(replayed: ReplayedSkill) -> Decision:
    locked, candidate = replayed.locked, replayed.candidate
    return Decision(
        candidate=candidate,
        disposition=locked.disposition,
        rule=locked.rule,
        reason=locked.reason,
        offered=candidate.offered,
        assignment=_to_assignment(replayed) if locked.auto_inject else None,
        is_required=locked.required,
    )


def _to_assignment(replayed: ReplayedSkill) -> Assignment:
    # All that a lock keeps of an assignment.
    locked, ref = replayed.locked, replayed.candidate.ref
    return Assignment(
        id=ref,
        skill_id=ref,
        owner=locked.owner,
        slug=locked.slug,
        subject=GLOBAL,
        auto_inject=True,
        required=locked.required,
    )
