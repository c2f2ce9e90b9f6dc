"""Find the skills that stand in directories, and say what is wrong with the others.

Every root is a source of its own. What two roots offer under one name is for the resolver to weigh.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Final

from skillyard.application.ports.commands import Commands
from skillyard.application.ports.discovery import (
    NO_COST,
    Directories,
    FoundSkill,
    ListedRoot,
    LocatedFinding,
    OutgoingLink,
    Packages,
    Root,
)
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import MissingPathError
from skillyard.domain.resolution import Candidate, Cost, Offered
from skillyard.skillmd.rules import DUPLICATE_SKILL, LINK

Price = Callable[[FoundSkill], Cost]
"""Says how many tokens a skill takes."""

_Places = dict[str, tuple[Root, FoundSkill]]

WATCH_SECONDS: Final = 0.5
"""How long a watch waits between two looks: an edit is seen within a second."""


def _free(skill: FoundSkill) -> Cost:
    del skill
    return NO_COST


@dataclass(frozen=True, kw_only=True)
class Discovered:
    """What stands in the roots. Candidates and findings are put together when they are asked for.

    `missing` are the commands that some skill needs and this machine does not have.
    """

    listed: tuple[ListedRoot, ...]
    missing: frozenset[str] = frozenset()
    price: Price = _free

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every usable skill, root by root, in the order of paths; each name once in a root.

        Their digests are not known yet: see `add_digest`.
        """
        found: dict[str, Candidate] = {}
        for candidate in chain.from_iterable(map(self._iter_candidates, self.listed)):
            # A root may stand in another one: what both offer is offered once.
            found.setdefault(candidate.ref, candidate)
        return tuple(found.values())

    @cached_property
    def findings(self) -> tuple[LocatedFinding, ...]:
        """What is wrong, root by root; where a finding has `skipped`, there is no candidate."""
        has_links = any(one.links for one in self.listed)
        known = _find_real_places(self.listed) if has_links else {}
        return tuple(chain.from_iterable(_iter_findings(one, known) for one in self.listed))

    def _iter_candidates(self, listed: ListedRoot) -> Iterator[Candidate]:
        winners = set(_find_winners(listed.skills.slugs).values())
        for index, skill in enumerate(listed.skills):
            if index not in winners:
                continue
            missing = self.missing and tuple(
                one for one in skill.commands.split() if one in self.missing
            )
            yield skill.to_candidate(
                listed.root, missing_commands=missing or (), cost=self.price(skill)
            )


def discover_skills(
    roots: Iterable[Root],
    *,
    directories: Directories,
    commands: Commands,
    price: Price = _free,
) -> Discovered:
    """Look into every root; a root that is named twice is looked into once.

    A broken skill hides no other. Commands that skills need are looked up once each.
    """
    listed = tuple(directories.list_root(root) for root in dict.fromkeys(roots))
    return _complete(listed, commands, price)


def _complete(listed: tuple[ListedRoot, ...], commands: Commands, price: Price) -> Discovered:
    asked = {text for one in listed for text in set(one.skills.commands)}
    needed = {name for text in asked for name in text.split()}
    missing = commands.find_missing(needed) if needed else frozenset()
    return Discovered(listed=listed, missing=missing, price=price)


def _find_winners(slugs: Sequence[str]) -> dict[str, int]:
    """Give the number of the skill that counts for each name: of several, the last."""
    winners = {slug: index for index, slug in enumerate(slugs)}
    winners.pop("", None)
    return winners


def _iter_findings(listed: ListedRoot, known: _Places) -> Iterator[LocatedFinding]:
    yield from listed.findings
    for link in listed.links:
        found = known.get(link.target)
        yield link.finding if found is None else _find_elsewhere(link, *found)
    skills = listed.skills
    for index in skills.list_remarkable():
        skill = skills[index]
        location = skill.locate(listed.root)
        for diagnostic in skill.list_diagnostics():
            yield LocatedFinding(location, diagnostic, skipped=not skill.slug)
    yield from _iter_duplicates(listed)


def _find_real_places(listed: Sequence[ListedRoot]) -> _Places:
    """Give every skill by its path without links; of nested roots, the first counts."""
    known: _Places = {}
    for one in listed:
        for skill in one.skills:
            path = one.real if skill.place == "." else f"{one.real.rstrip('/')}/{skill.place}"
            known.setdefault(path, (one.root, skill))
    return known


def _find_elsewhere(link: OutgoingLink, root: Root, skill: FoundSkill) -> LocatedFinding:
    place = skill.locate(root)
    message = f"it is a link to `{place}`, which counts there as a {root.layer} skill"
    note = LINK.finding(message, severity=Severity.NOTE, path="")
    return LocatedFinding(link.finding.location, note, elsewhere=place)


def _iter_duplicates(listed: ListedRoot) -> Iterator[LocatedFinding]:
    slugs = listed.skills.slugs
    winners = _find_winners(slugs)
    if len(winners) == len(slugs):
        return
    for index, slug in enumerate(slugs):
        if slug and winners[slug] != index:
            location, other = (
                listed.skills[one].locate(listed.root) for one in (index, winners[slug])
            )
            finding = DUPLICATE_SKILL.finding(
                f"`{location}` and `{other}` are both called `{slug}`; the latter is used",
                path="",
                hint="Give one of them another name",
            )
            yield LocatedFinding(location, finding, skipped=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillsChange:
    """What became different since the last look, as the paths of skills' directories."""

    discovered: Discovered
    added: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def watch_skills(
    roots: Iterable[Root],
    *,
    directories: Directories,
    commands: Commands,
    pause: Callable[[float], None],
    price: Price = _free,
) -> Iterator[SkillsChange]:
    """Yield a change whenever there is one, for ever; the first names everything that is there.

    `pause` waits for so many seconds. Close the iterator to end the watch.
    """
    watched = tuple(dict.fromkeys(roots))
    seen: dict[str, object] = {}
    before: tuple[ListedRoot, ...] = ()
    while True:
        listed = tuple(map(directories.list_root, watched))
        if not before or not _is_same(before, listed):
            now = _list_editions(listed)
            change = _compare(seen, now, _complete(listed, commands, price))
            if not before or change.added or change.edited or change.removed:
                yield change
            seen, before = now, listed
        pause(WATCH_SECONDS)


def _is_same(before: tuple[ListedRoot, ...], now: tuple[ListedRoot, ...]) -> bool:
    return all(one.skills is other.skills for one, other in zip(before, now, strict=True))


def _list_editions(listed: tuple[ListedRoot, ...]) -> dict[str, object]:
    return {skill.locate(one.root): skill.edition for one in listed for skill in one.skills}


def _compare(
    seen: dict[str, object], now: dict[str, object], discovered: Discovered
) -> SkillsChange:
    return SkillsChange(
        discovered=discovered,
        added=tuple(path for path in now if path not in seen),
        edited=tuple(path for path in now if path in seen and now[path] != seen[path]),
        removed=tuple(path for path in seen if path not in now),
    )


def read_candidate(
    candidate: Candidate, *, roots: Iterable[Root], packages: Packages
) -> FoundPackage:
    """Read the whole package of a candidate that was found in one of `roots`.

    Raises:
        MissingPathError: It is not there any more.
    """
    for root in roots:
        place = _find_place(root.path, candidate.ref)
        if place is not None and root.layer is candidate.layer:
            return packages.read(root, place)
    raise MissingPathError(candidate.location, reason="is in none of the directories of skills")


def _find_place(root: str, ref: str) -> str | None:
    if ref == root:
        return "."
    prefix = f"{root.rstrip('/')}/"
    return ref.removeprefix(prefix) if ref.startswith(prefix) else None


def add_digest(candidate: Candidate, *, roots: Iterable[Root], packages: Packages) -> Candidate:
    """Give the candidate with the digest and the files of its package as it is now.

    Raises:
        MissingPathError: It is not there any more.
        InvalidPackageError: Something in it is refused; the error carries every diagnostic.
    """
    found = read_candidate(candidate, roots=roots, packages=packages)
    package = found.taken.require(found.location)
    offered = Offered(candidate.offered.version, package.digest())
    return replace(candidate, offered=offered, files=tuple(package))
