"""Choose the skills that a program is given, and have their contents."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skillyard.application.opening import ReadPackage
from skillyard.application.ports.cache import PackageCache
from skillyard.application.ports.store import Store
from skillyard.application.resolve import ResolvedSkills, ResolveSkills
from skillyard.domain.delivery import ChosenSkill, Note, NoteKind, OnInvalid
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError, DeliveryError, DriftError
from skillyard.domain.package import Package
from skillyard.domain.resolution import Decision, ProblemKind
from skillyard.providers.setting import PROMPT


@dataclass(frozen=True, slots=True)
class SkillChoice:
    """How skills are chosen: by `resolve`; the packages of those in directories are read."""

    resolve: Callable[[ResolveSkills], ResolvedSkills]
    read_package: ReadPackage


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenSkills:
    """The chosen skills with their contents, and what has to be said about the others."""

    resolved: ResolvedSkills
    provider: str
    skills: tuple[ChosenSkill, ...]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Shelves:
    """Where the contents of skills are had from."""

    store: Store
    cache: PackageCache


def choose_skills(
    wish: ResolveSkills, *, on_invalid: OnInvalid, choice: SkillChoice, shelves: Shelves
) -> ChosenSkills:
    """Choose, and give every chosen skill with the content that was decided on.

    One whose content cannot be had is left out with a note, unless it is required or nothing is to
    be left out.

    Raises:
        ResolutionError: Something that is required cannot be had.
        DriftError: A directory is being written to at this moment.
    """
    resolved = choice.resolve(wish)
    resolved.require_complete()
    notes = [*_iter_deprecated(resolved), *_iter_broken(resolved, on_invalid)]
    skills = tuple(_iter_chosen(resolved, on_invalid, choice, shelves, notes))
    return ChosenSkills(
        resolved=resolved,
        provider=resolved.request.provider or PROMPT,
        skills=skills,
        notes=tuple(notes),
    )


def _iter_deprecated(resolved: ResolvedSkills) -> Iterator[Note]:
    for one in resolved.resolution.problems:
        if one.kind is ProblemKind.DEPRECATED:
            yield Note(kind=NoteKind.DEPRECATED, slug=one.slug, message=one.message)


def _iter_broken(resolved: ResolvedSkills, on_invalid: OnInvalid) -> Iterator[Note]:
    """Yield what is to be said about skills in directories that cannot be read."""
    problems = [f"{one.slug} cannot be read: {reason}" for one, reason in resolved.broken]
    if problems and on_invalid is OnInvalid.FAIL:
        raise DeliveryError(problems)
    for (candidate, _), problem in zip(resolved.broken, problems, strict=True):
        yield Note(kind=NoteKind.LEFT_OUT, slug=candidate.slug, message=problem)


def _iter_chosen(
    resolved: ResolvedSkills,
    on_invalid: OnInvalid,
    choice: SkillChoice,
    shelves: Shelves,
    notes: list[Note],
) -> Iterator[ChosenSkill]:
    for decision in (*resolved.resolution.loaded, *resolved.resolution.unproven):
        try:
            yield ChosenSkill(decision, _get_package(decision, choice, shelves))
        except CorruptedContentError as error:
            problem = f"{decision.slug} is damaged: {error.message}"
            if decision.is_required or on_invalid is OnInvalid.FAIL:
                raise DeliveryError([problem]) from error
            notes.append(Note(kind=NoteKind.LEFT_OUT, slug=decision.slug, message=problem))


def _get_package(decision: Decision, choice: SkillChoice, shelves: Shelves) -> Package:
    digest = get_digest(decision)
    if not decision.candidate.layer.is_directory:
        return shelves.cache.get(digest, lambda: _read_stored(digest, shelves.store))
    package = choice.read_package(decision.candidate)
    if package.digest() != digest:
        raise DriftError(decision.candidate.location)
    return package


def _read_stored(digest: TreeDigest, store: Store) -> Package:
    with store.view() as view:
        return view.packages.get(digest)


def get_digest(decision: Decision) -> TreeDigest:
    """Give the digest of a chosen skill; it is known of every one that was resolved."""
    if decision.offered.digest is None:
        message = f"the digest of {decision.slug} is not known"
        raise ValueError(message)
    return decision.offered.digest
