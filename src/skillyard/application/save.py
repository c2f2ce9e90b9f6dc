"""Save a package as a version of a skill: a new skill, or a new version of a known one.

- Everything that can be judged without the store is judged first; then one transaction decides.
- Content that equals the current version changes nothing.
- A version never changes: without a number, the next free patch number is taken.
- What others or agents wrote starts unproven, and so does every new version of it.
- The author's base is compared with what is current. Of two who started from the same version the
  second is refused, and told who was first. A skill that is gone does not come back that way.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Final

from skillyard.application.journal import Journal
from skillyard.application.lookup import require_editable
from skillyard.application.numbering import Numbers, first_number, next_number
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.settling import settle
from skillyard.application.stale import require_base, require_expected, require_same
from skillyard.application.stated import (
    drop_outdated,
    find_manifest,
    first_author,
    first_confidence,
    list_adjustments,
    merge_facts,
    state_facts,
)
from skillyard.domain.diagnostic import Diagnostic, has_errors
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    CorruptedContentError,
    DuplicateInputError,
    InvalidInputError,
    InvalidPackageError,
    ReadOnlySkillError,
    SkillNotFoundError,
    SkillyardError,
    SlugTakenError,
    StaleWriteError,
    VersionExistsError,
)
from skillyard.domain.facts import (
    NO_CHANGES,
    FactChanges,
    require_facts,
    require_storable,
    require_text,
)
from skillyard.domain.manifest import Confidence, Manifest
from skillyard.domain.names import SkillName, parse_name
from skillyard.domain.package import Package
from skillyard.domain.skill import (
    PEOPLE,
    UNPROVEN,
    Actor,
    Provenance,
    Skill,
    SkillFacts,
    SkillVersion,
    SourceKind,
)
from skillyard.domain.version import Version
from skillyard.skillmd.check import STANDARD_JUDGEMENT, CheckedPackage, Judgement, check_package
from skillyard.skillmd.intake import take_in_files
from skillyard.skillmd.sidecar import take_off_exported

_BATCH: Final = 200
_NOWHERE: Final = "a package from nowhere"
# What is decided before anything is written, so that the transaction can go on.
_REFUSALS: Final = (
    CorruptedContentError,
    InvalidInputError,
    ReadOnlySkillError,
    SkillNotFoundError,
    SlugTakenError,
    StaleWriteError,
    VersionExistsError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveSkill:
    """The wish to save `package`; its SKILL.md names the skill.

    `directory` is the name that it must have, where its place gives it one, and `earlier` is what
    was found while it was read. `version` is the number that is asked for, `stated` the one that a
    bundle gives its package. `base` is the version that the author started from, `expected` the
    revision and `skill_id` the id of the skill that they saw: None does not compare, and anything
    else saves no new skill. `must_be_new` refuses a known slug. `made_at` is when the content was
    made, where that is known and past; otherwise it is now.
    """

    package: Package
    directory: str | None = None
    earlier: tuple[Diagnostic, ...] = ()
    location: str = ""
    owner: str = PEOPLE
    version: Version | None = None
    stated: Version | None = None
    base: Version | None = None
    expected: int | None = None
    skill_id: str | None = None
    message: str = ""
    made_at: datetime | None = None
    changes: FactChanges = NO_CHANGES
    kind: SourceKind = SourceKind.ADMIN
    plugin_id: str | None = None
    must_be_new: bool = False
    keep_confidence: bool = False
    judgement: Judgement = STANDARD_JUDGEMENT


class Outcome(StrEnum):
    """What saving came to."""

    CREATED = "created"
    SAVED = "saved"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSkill:
    """A skill after its package was saved; `notes` say what is kept otherwise than stated."""

    location: str
    outcome: Outcome
    skill: Skill
    version: SkillVersion
    diagnostics: tuple[Diagnostic, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedSkill:
    """A package that was not saved, and why."""

    location: str
    error: SkillyardError


@dataclass(frozen=True, slots=True)
class PreparedSkill:
    """A wish whose package was judged."""

    wish: SaveSkill
    slug: SkillName
    manifest: Manifest
    facts: SkillFacts
    digest: TreeDigest
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...] = ()

    @property
    def numbers(self) -> Numbers:
        """The numbers that it may have."""
        wish = self.wish
        return Numbers.of(self.manifest, wanted=wish.version, stated=wish.stated)

    @property
    def reference(self) -> str:
        """What a person types to name the skill."""
        owner = self.wish.owner
        return self.slug if owner == PEOPLE else f"{owner}/{self.slug}"


def save_skill(
    wish: SaveSkill,
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> SavedSkill:
    """Save one package; a dry run does everything but keep it.

    Raises:
        InvalidPackageError: The package cannot be a skill.
        InvalidFactError: What is said about it cannot be kept.
        SkillNotFoundError: The skill that was looked at is gone.
        StaleWriteError: Someone else saved since `base` or `expected`, or it is another skill.
        VersionExistsError: The version that was asked for exists with other content.
        SlugTakenError: It must be new, and is not.
    """
    return save_together([wish], store=store, clock=clock, ids=ids, actor=actor, dry_run=dry_run)[0]


def save_together(
    wishes: Sequence[SaveSkill],
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> tuple[SavedSkill, ...]:
    """Save several packages, all or none; see `save_skill` for what it raises."""
    prepared = [prepare_skill(wish) for wish in wishes]
    if not prepared:
        return ()
    with store.begin() as transaction:
        transaction.packages.add(one.wish.package for one in prepared)
        saving = _Saving(Journal(transaction, actor, clock.now()), ids)
        # Everyone takes skills in the same order, so that no two wait for each other.
        done = {id(one): saving.save(one) for one in sorted(prepared, key=_by_slug)}
        if not dry_run:
            transaction.commit()
    return tuple(done[id(one)] for one in prepared)


def save_skills(
    wishes: Iterable[SaveSkill],
    *,
    store: Store,
    clock: Clock,
    ids: IdSource,
    actor: Actor,
    dry_run: bool = False,
) -> Iterator[SavedSkill | RefusedSkill]:
    """Save many packages; one that is refused does not keep the others from being saved.

    What was yielded is kept, also if the rest never comes. They are saved in groups, for speed. Of
    two different packages of one skill the second is refused: nobody can tell which one is meant.
    """
    remaining, seen = iter(wishes), _Seen()
    while group := list(islice(remaining, _BATCH)):
        prepared = [seen.try_to_prepare(wish) for wish in group]
        sound = [one for one in prepared if isinstance(one, PreparedSkill)]
        with store.begin() as transaction:
            transaction.packages.add(one.wish.package for one in sound)
            saving = _Saving(Journal(transaction, actor, clock.now()), ids)
            # Everyone takes skills in the same order, so that no two wait for each other.
            done = {id(one): saving.try_to_save(one) for one in sorted(sound, key=_by_slug)}
            if not dry_run:
                transaction.commit()
        for one in prepared:
            yield one if isinstance(one, RefusedSkill) else done[id(one)]


def _by_slug(prepared: PreparedSkill) -> tuple[str, str]:
    return (prepared.slug, prepared.wish.owner)


class _Seen:
    """Which content each skill was given with first, and where that was."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], tuple[TreeDigest, str]] = {}

    def try_to_prepare(self, wish: SaveSkill) -> PreparedSkill | RefusedSkill:
        """Judge a package, or say why it cannot be saved."""
        try:
            prepared = prepare_skill(wish)
            self._require_once(prepared)
        except SkillyardError as error:
            return RefusedSkill(location=wish.location, error=error)
        return prepared

    def _require_once(self, prepared: PreparedSkill) -> None:
        here = prepared.wish.location or _NOWHERE
        digest, first = self._first.setdefault(_by_slug(prepared), (prepared.digest, here))
        if digest != prepared.digest:
            raise DuplicateInputError(prepared.reference, first=first, second=here)


def prepare_skill(wish: SaveSkill) -> PreparedSkill:
    """Judge the package of a wish, without a store.

    The manifest.json that an export wrote is read, and then taken off: the package is without it.
    Where it was written for other files, it is not heard.

    Raises:
        InvalidPackageError: It cannot be a skill.
        InvalidFactError: What is said about it cannot be kept.
    """
    require_text("message", wish.message)
    require_storable("location", wish.location)
    checked, notes = _check(wish)
    manifest = checked.manifest
    if has_errors(checked.diagnostics) or manifest is None:
        raise InvalidPackageError(wish.location or wish.directory or "package", checked.diagnostics)
    facts = state_facts(manifest)
    require_facts(wish.changes.apply(facts), limits=wish.judgement.limits)
    package, _ = take_off_exported(checked.package, limits=wish.judgement.limits)
    return PreparedSkill(
        wish=replace(wish, package=package),
        slug=parse_name(manifest.name),
        manifest=manifest,
        facts=facts,
        digest=package.digest(),
        diagnostics=checked.diagnostics,
        notes=notes,
    )


def _check(wish: SaveSkill) -> tuple[CheckedPackage, tuple[str, ...]]:
    # A program can make a package without coming through any door that keeps the limits.
    files = {str(path): file for path, file in wish.package.files.items()}
    taken = take_in_files(files, limits=wish.judgement.limits)
    package, notes = drop_outdated(taken.package, limits=wish.judgement.limits)
    checked = check_package(
        package,
        directory=wish.directory,
        judgement=wish.judgement,
        earlier=(*wish.earlier, *taken.diagnostics),
    )
    return checked, notes


@dataclass(frozen=True, slots=True)
class _Saving:
    """Saves prepared packages in one transaction."""

    journal: Journal
    ids: IdSource

    @property
    def transaction(self) -> Transaction:
        return self.journal.transaction

    def try_to_save(self, prepared: PreparedSkill) -> SavedSkill | RefusedSkill:
        """Save, or refuse; what is refused has written nothing but contents that nobody names."""
        try:
            return self.save(prepared)
        except _REFUSALS as error:
            return RefusedSkill(location=prepared.wish.location, error=error)

    def save(self, prepared: PreparedSkill) -> SavedSkill:
        """Save a package whose contents are in the store."""
        return settle(prepared.slug, lambda: self._try_once(prepared))

    def _try_once(self, prepared: PreparedSkill) -> SavedSkill | None:
        found = self.transaction.skills.find(prepared.slug, owner=prepared.wish.owner)
        if found is not None:
            return self._update(found, prepared)
        if _is_about_known(prepared.wish):
            raise SkillNotFoundError(prepared.reference)
        return self._create(prepared)

    def _create(self, prepared: PreparedSkill) -> SavedSkill | None:
        """Make a new skill; None means that someone else was first."""
        skill = self._new_skill(prepared)
        if self.transaction.skills.add_if_absent(skill).id != skill.id:
            return None
        version = self._add_version(skill, prepared, base=None)
        self._note("skill.created", skill, version, before=None)
        return _saved(Outcome.CREATED, skill, version, prepared)

    def _new_skill(self, prepared: PreparedSkill) -> Skill:
        wish, journal = prepared.wish, self.journal
        if wish.kind is SourceKind.ADMIN:
            parse_name(prepared.slug, new=True)
        facts = replace(
            prepared.facts,
            confidence=first_confidence(wish.kind, prepared.manifest),
            author=first_author(wish.kind, prepared.manifest, source=wish.location),
            agents=None if wish.kind in UNPROVEN else prepared.facts.agents,
        )
        return Skill(
            id=self.ids.new_id(),
            slug=prepared.slug,
            owner=wish.owner,
            source_kind=wish.kind,
            plugin_id=wish.plugin_id,
            provenance=self._provenance(wish),
            facts=require_facts(wish.changes.apply(facts), limits=wish.judgement.limits),
            current=first_number(prepared.numbers),
            digest=prepared.digest,
            created_at=journal.at,
            created_by=journal.actor.name,
            updated_at=journal.at,
            updated_by=journal.actor.name,
        )

    def _provenance(self, wish: SaveSkill) -> Provenance:
        return Provenance(self.journal.actor.door, wish.location or None)

    def _update(self, found: Skill, prepared: PreparedSkill) -> SavedSkill | None:
        """Save over `found`; None means that someone else has changed it since."""
        wish = prepared.wish
        self._require_unmoved(found, wish)
        require_editable(found, self.journal.actor)
        if found.digest == prepared.digest and wish.version in (None, found.current):
            return self._update_facts(found, prepared)
        is_taken_over = wish.kind in UNPROVEN
        number = next_number(
            found,
            prepared.numbers,
            versions=self.transaction.versions,
            from_others=is_taken_over,
        )
        skill = replace(
            found,
            source_kind=wish.kind if is_taken_over else found.source_kind,
            provenance=self._provenance(wish) if is_taken_over else found.provenance,
            facts=self._next_facts(found, prepared),
            current=number,
            digest=prepared.digest,
            revision=found.revision + 1,
            updated_at=self.journal.at,
            updated_by=self.journal.actor.name,
        )
        if not self.transaction.skills.replace(skill):
            return None
        version = self._add_version(skill, prepared, base=wish.base or found.current)
        self._note("skill.saved", skill, version, before=found)
        return _saved(Outcome.SAVED, skill, version, prepared)

    def _update_facts(self, found: Skill, prepared: PreparedSkill) -> SavedSkill | None:
        facts = prepared.wish.changes.apply(found.facts)
        version = self.transaction.versions.find(found.id, found.current)
        if version is None:  # it was deleted right now
            return None
        if facts == found.facts:
            return _saved(Outcome.UNCHANGED, found, version, prepared)
        skill = replace(
            found,
            facts=facts,
            revision=found.revision + 1,
            updated_at=self.journal.at,
            updated_by=self.journal.actor.name,
        )
        if not self.transaction.skills.replace(skill):
            return None
        self._note("skill.changed", skill, version, before=found)
        return _saved(Outcome.SAVED, skill, version, prepared)

    def _next_facts(self, found: Skill, prepared: PreparedSkill) -> SkillFacts:
        stated = find_manifest(found.digest, transaction=self.transaction)
        kinds = {found.source_kind, prepared.wish.kind}
        facts = merge_facts(
            found.facts,
            before=state_facts(stated) if stated else prepared.facts,
            after=prepared.facts,
            kinds=kinds,
        )
        if kinds & UNPROVEN and not prepared.wish.keep_confidence:
            facts = replace(facts, confidence=Confidence.LOW)
        return require_facts(
            prepared.wish.changes.apply(facts), limits=prepared.wish.judgement.limits
        )

    def _require_unmoved(self, found: Skill, wish: SaveSkill) -> None:
        if wish.must_be_new:
            raise SlugTakenError(found.slug)
        require_same(found, wish.skill_id)
        require_base(found, wish.base, transaction=self.transaction)
        require_expected(found, wish.expected)

    def _add_version(
        self, skill: Skill, prepared: PreparedSkill, *, base: Version | None
    ) -> SkillVersion:
        version = SkillVersion(
            skill_id=skill.id,
            version=skill.current,
            digest=prepared.digest,
            revision=skill.revision,
            created_at=min(prepared.wish.made_at or self.journal.at, self.journal.at),
            created_by=self.journal.actor.name,
            message=prepared.wish.message,
            base=base,
            source_kind=skill.source_kind,
            provenance=skill.provenance,
        )
        return self.transaction.versions.add_if_absent(version)

    def _note(
        self, action: str, skill: Skill, version: SkillVersion, *, before: Skill | None
    ) -> None:
        details = {"version": str(version.version)}
        if before is not None:
            details["from"] = str(before.current)
        if version.message:
            details["message"] = version.message
        self.journal.note_skill(
            action,
            skill,
            before=before.digest if before else None,
            after=skill.digest,
            details=details,
        )


def _is_about_known(wish: SaveSkill) -> bool:
    return any(one is not None for one in (wish.base, wish.expected, wish.skill_id))


def _saved(
    outcome: Outcome, skill: Skill, version: SkillVersion, prepared: PreparedSkill
) -> SavedSkill:
    return SavedSkill(
        location=prepared.wish.location,
        outcome=outcome,
        skill=skill,
        version=version,
        diagnostics=prepared.diagnostics,
        notes=(
            *prepared.notes,
            *list_adjustments(prepared.manifest),
            *prepared.numbers.list_notes(version.version),
        ),
    )
