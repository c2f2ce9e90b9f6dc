"""Take skills in from elsewhere: read and judge, let a person look, then save all of it or nothing.

- Planning writes nothing. It reads every package through the one intake, judges it, has it scanned,
  and compares it with what the store holds.
- What comes in is *imported* and unproven. What a bundle says of its trust is not heard: confidence
  and agents are given by the person who confirms, and by the store.
- A skill that cannot be taken in is named in the plan, and left out. The others are saved together.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from typing import Final

from skillyard.application.claims import read_claims
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.scanner import Scanner
from skillyard.application.ports.source import FoundPackage
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.save import (
    PreparedSkill,
    RefusedSkill,
    SavedSkill,
    SaveSkill,
    prepare_skill,
    save_together,
)
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.difference import PackageDifference, compare_packages
from skillyard.domain.errors import (
    ConcurrentChangeError,
    InvalidInputError,
    InvalidPackageError,
    NotAllowedError,
    SlugTakenError,
)
from skillyard.domain.facts import UNSET, FactChanges
from skillyard.domain.limits import STANDARD
from skillyard.domain.manifest import Author, Confidence
from skillyard.domain.names import SkillName, parse_name
from skillyard.domain.package import Package
from skillyard.domain.scan import ScanReport
from skillyard.domain.skill import Actor, Door, Skill, SourceKind
from skillyard.domain.version import Version
from skillyard.skillmd.check import STANDARD_JUDGEMENT, Judgement
from skillyard.skillmd.compose import rename_package

_CHOICES: Final = "Choose with `--on-conflict`: overwrite (a new version), skip, or rename"
_ATTEMPTS: Final = 100
_MILLISECOND: Final = 1000


class OnConflict(StrEnum):
    """What is done with a skill whose slug another one has."""

    OVERWRITE = "overwrite"
    SKIP = "skip"
    RENAME = "rename"


class Standing(StrEnum):
    """How a skill that is offered stands to what the store holds."""

    NEW = "new"
    UNCHANGED = "unchanged"
    TAKEN = "taken"


class ImportOutcome(StrEnum):
    """What became of a skill that was offered."""

    CREATED = "created"
    SAVED = "saved"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanImport:
    """The wish to take skills in.

    `name` is what the one skill is to be called here. `confidence` is what the person who confirms
    gives to all of them: low or medium.
    """

    name: str | None = None
    confidence: Confidence = Confidence.LOW
    message: str = ""
    judgement: Judgement = STANDARD_JUDGEMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedSkill:
    """A skill that can come in, with what a person should see before they say yes.

    `package` is what is kept. `wish` saves it as a new skill. `version` is the one that it, or its
    bundle, states. Where its slug is taken, `known` is the skill that has it and `difference` leads
    from there to here.
    """

    location: str
    slug: SkillName
    version: Version | None
    description: str
    package: Package
    diagnostics: tuple[Diagnostic, ...]
    scan: ScanReport
    wish: SaveSkill
    known: Skill | None = None
    difference: PackageDifference | None = None

    @property
    def standing(self) -> Standing:
        """How it stands to what the store holds."""
        if self.known is None:
            return Standing.NEW
        is_same = self.difference is not None and self.difference.is_empty
        return Standing.UNCHANGED if is_same else Standing.TAKEN


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What would come in, and what cannot, each in the order of the sources."""

    offers: tuple[OfferedSkill, ...]
    refused: tuple[RefusedSkill, ...] = ()

    @property
    def conflicts(self) -> tuple[OfferedSkill, ...]:
        """The skills that somebody has to decide about."""
        return tuple(one for one in self.offers if one.standing is Standing.TAKEN)

    @property
    def dangers(self) -> tuple[Diagnostic, ...]:
        """What scans found that nobody may wave through without having seen it."""
        found = (finding for one in self.offers for finding in one.scan.findings)
        return tuple(one for one in found if one.severity is Severity.ERROR)

    def decide_all(self, choice: OnConflict) -> Mapping[str, OnConflict]:
        """Give the same answer for every conflict."""
        return {one.slug: choice for one in self.conflicts}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedSkill:
    """What became of an offer, and the slug that it has here.

    `saved` is None where it was skipped, or is there already.
    """

    offer: OfferedSkill
    slug: SkillName
    outcome: ImportOutcome
    saved: SavedSkill | None = None


def plan_import(
    wish: PlanImport, found: Iterable[FoundPackage], *, store: Store, scanner: Scanner
) -> ImportPlan:
    """Read, judge, scan and compare what is found; nothing is written.

    Raises:
        InvalidNameError: The name that was asked for is none for a new skill.
        InvalidInputError: There is one name, and several skills.
    """
    name = None if wish.name is None else parse_name(wish.name, new=True)
    packages = list(found)
    if name is not None and len(packages) > 1:
        message = f"there are {len(packages)} skills, and one name `{name}` for them"
        raise InvalidInputError(message, hints=["Import the one that is to have that name"])
    with store.view() as view:
        planning = _Planning(wish, name, view, scanner)
        planned = [planning.try_to_offer(one) for one in packages]
    return ImportPlan(
        tuple(one for one in planned if isinstance(one, OfferedSkill)),
        tuple(one for one in planned if isinstance(one, RefusedSkill)),
    )


class _Planning:
    """Turns packages into offers, and sees to it that each slug comes once."""

    def __init__(
        self, wish: PlanImport, name: SkillName | None, view: Transaction, scanner: Scanner
    ) -> None:
        self._wish = wish
        self._name = name
        self._view = view
        self._scanner = scanner
        self._offered: dict[SkillName, str] = {}

    def try_to_offer(self, found: FoundPackage) -> OfferedSkill | RefusedSkill:
        """Give an offer, or why there is none."""
        try:
            wish = self._wish_for(found)
            prepared = prepare_skill(wish)
            self._require_once(prepared.slug, found.location)
        except (InvalidInputError, SlugTakenError) as error:
            return RefusedSkill(location=found.location, error=error)
        return self._compare(wish, prepared)

    def _wish_for(self, found: FoundPackage) -> SaveSkill:
        # What was refused on the way in is enough to know.
        found.taken.require(found.location)
        claims = read_claims(found, self._wish.judgement)
        wish = SaveSkill(
            package=claims.package,
            directory=found.directory,
            earlier=found.taken.diagnostics,
            location=found.location,
            stated=claims.version,
            message=self._wish.message,
            made_at=claims.made_at,
            changes=self._mistrust(claims.changes, found.location),
            kind=SourceKind.IMPORTED,
            must_be_new=True,
            judgement=self._wish.judgement,
        )
        return self._give_name(wish, claims.name)

    def _give_name(self, wish: SaveSkill, before: str | None) -> SaveSkill:
        if self._name is None:
            return wish
        try:
            return _rename(wish, before, self._name)
        except InvalidPackageError:
            # What is wrong with the package itself says more.
            prepare_skill(replace(wish, directory=None))
            raise

    def _mistrust(self, changes: FactChanges, location: str) -> FactChanges:
        proven = self._wish.confidence is not Confidence.LOW
        return replace(
            changes,
            author=Author("imported", source=location),
            agents=None,
            confidence=self._wish.confidence if proven else UNSET,
        )

    def _require_once(self, slug: SkillName, location: str) -> None:
        other = self._offered.get(slug)
        self._offered.setdefault(slug, location)
        if other is not None:
            hint = f"`{other}` brings it too: import them one after the other"
            raise SlugTakenError(slug, hint=hint)

    def _compare(self, wish: SaveSkill, prepared: PreparedSkill) -> OfferedSkill:
        package = prepared.wish.package
        offer = OfferedSkill(
            location=wish.location,
            slug=prepared.slug,
            version=prepared.numbers.believed,
            description=prepared.manifest.description,
            package=package,
            diagnostics=prepared.diagnostics,
            scan=self._scanner.scan(package),
            wish=wish,
        )
        known = self._view.skills.find(prepared.slug)
        return offer if known is None else self._compare_with(known, offer)

    def _compare_with(self, known: Skill, offer: OfferedSkill) -> OfferedSkill:
        difference = PackageDifference()
        if known.digest != offer.package.digest():
            difference = compare_packages(self._view.packages.get(known.digest), offer.package)
        return replace(offer, known=known, difference=difference)


def _rename(wish: SaveSkill, before: str | None, name: SkillName) -> SaveSkill:
    """Give the wish under another name; a name to show that was the old one goes with it."""
    changes = wish.changes
    if changes.display_name == before:
        changes = replace(changes, display_name=UNSET)
    return replace(
        wish,
        package=rename_package(wish.package, name, limits=wish.judgement.limits),
        directory=name,
        changes=changes,
    )


@dataclass(frozen=True, slots=True)
class ApplyImport:
    """The wish to take in what a person has seen and confirmed.

    `choices` says for the slug of each conflict what is done about it.
    """

    plan: ImportPlan
    choices: Mapping[str, OnConflict]


def apply_import(
    wish: ApplyImport,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> tuple[ImportedSkill, ...]:
    """Save the skills of a plan, all of them or none; a dry run keeps nothing.

    A name that is made up here is free: another one is made up if somebody takes it meanwhile.

    Raises:
        SlugTakenError: Nobody decided about a conflict, or a slug was taken since the plan.
        SkillNotFoundError: A skill that is to be overwritten was deleted since the plan.
        StaleWriteError: It was changed since the plan, or another one was made in its place.
    """
    require_decided(wish.plan, wish.choices)
    importer = replace(actor, door=Door.IMPORT)
    for _ in range(_ATTEMPTS):
        steps = _list_steps(wish, store)
        wishes = [one.wish for one in steps if one.wish is not None]
        try:
            saved = save_together(
                wishes, store=store, clock=clock, ids=ids, actor=importer, dry_run=dry_run
            )
        except SlugTakenError as error:
            _require_made_up(error, wish.plan)
        else:
            return tuple(_finish(steps, iter(saved)))
    raise ConcurrentChangeError(wish.plan.offers[0].slug)


def require_decided(plan: ImportPlan, choices: Mapping[str, OnConflict]) -> None:
    """Make sure that there is an answer for every slug that is taken.

    Raises:
        SlugTakenError: There is none for this one; the hint names the choices.
    """
    for offer in plan.conflicts:
        if offer.slug not in choices:
            raise SlugTakenError(offer.slug, hint=_CHOICES)


def require_harmless(plan: ImportPlan) -> None:
    """Make sure that nobody has to look at what scans found, so that a program may say yes.

    Raises:
        NotAllowedError: A person has to.
    """
    if plan.dangers:
        message = f"the scan found what a person has to look at: {plan.dangers[0].message}"
        raise NotAllowedError(message, hints=["Look at the findings, and confirm at a terminal"])


def _require_made_up(error: SlugTakenError, plan: ImportPlan) -> None:
    if any(one.slug == error.slug for one in plan.offers):
        raise SlugTakenError(error.slug, hint=_CHOICES) from error


@dataclass(frozen=True, slots=True)
class _Step:
    """What is done about one offer; without a wish, nothing is saved."""

    offer: OfferedSkill
    slug: SkillName
    wish: SaveSkill | None = None
    skipped: bool = False


def _list_steps(wish: ApplyImport, store: Store) -> list[_Step]:
    offers = wish.plan.offers
    with store.view() as view:
        renaming = _Renaming(view, {one.slug for one in offers})
        return [_find_step(one, wish.choices.get(one.slug), renaming) for one in offers]


def _find_step(offer: OfferedSkill, choice: OnConflict | None, renaming: "_Renaming") -> _Step:
    if offer.known is None:
        return _Step(offer, offer.slug, offer.wish)
    if offer.standing is Standing.UNCHANGED:
        return _Step(offer, offer.slug)
    if choice is OnConflict.RENAME:
        return renaming.find_step(offer)
    if choice is OnConflict.SKIP:
        return _Step(offer, offer.slug, skipped=True)
    return _Step(offer, offer.slug, _overwrite(offer, offer.known))


def _overwrite(offer: OfferedSkill, known: Skill) -> SaveSkill:
    return replace(
        offer.wish,
        must_be_new=False,
        # What the person saw: a change since then is refused.
        base=known.current,
        skill_id=known.id,
        changes=replace(offer.wish.changes, agents=UNSET),
    )


class _Renaming:
    """Makes up names that nobody has."""

    def __init__(self, view: Transaction, reserved: set[SkillName]) -> None:
        self._view = view
        self._reserved = reserved

    def find_step(self, offer: OfferedSkill) -> _Step:
        """Save under the first free name; under a name that has the same content, nothing."""
        for name in _iter_names(offer.slug):
            if name in self._reserved:
                continue
            wish = _rename(offer.wish, offer.slug, name)
            known = self._view.skills.find(name)
            if known is None or known.digest == prepare_skill(wish).digest:
                self._reserved.add(name)
                return _Step(offer, name, wish if known is None else None)
        raise AssertionError(offer.slug)  # there is always another number


def _iter_names(slug: SkillName) -> Iterator[SkillName]:
    for number in count(2):
        ending = f"-{number}"
        yield SkillName(slug[: STANDARD.name_characters - len(ending)].rstrip("-") + ending)


def _finish(steps: list[_Step], saved: Iterator[SavedSkill]) -> Iterator[ImportedSkill]:
    for step in steps:
        if step.wish is not None:
            one = next(saved)
            outcome = ImportOutcome(one.outcome.value)
            yield ImportedSkill(offer=step.offer, slug=step.slug, outcome=outcome, saved=one)
        else:
            outcome = ImportOutcome.SKIPPED if step.skipped else ImportOutcome.UNCHANGED
            yield ImportedSkill(offer=step.offer, slug=step.slug, outcome=outcome)
