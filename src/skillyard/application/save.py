"""Save a package as a version of a skill: a new skill, or a new version of a known one.

- Everything that can be judged without the store is judged first; then one transaction decides.
- Content that equals the current version changes nothing.
- A version never changes: without a number, the next free patch number is taken.
- What others or agents wrote starts unproven, and so does every new version of it.
- The author's base is compared with what is current. Of two who started from the same version the
  second is refused, and told who was first.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice
from typing import Final

from skillyard.application.journal import Journal
from skillyard.application.lookup import require_editable
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.settling import settle
from skillyard.application.stated import list_adjustments, merge_facts, state_facts
from skillyard.domain.diagnostic import Diagnostic, has_errors
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    ConcurrentChangeError,
    InvalidInputError,
    InvalidPackageError,
    ReadOnlySkillError,
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
from skillyard.domain.manifest import SYSTEM, Author, Confidence, Manifest
from skillyard.domain.names import SkillName, parse_name
from skillyard.domain.package import Package
from skillyard.domain.paths import MANIFEST_JSON, SKILL_MD
from skillyard.domain.skill import (
    PEOPLE,
    Actor,
    Provenance,
    Skill,
    SkillFacts,
    SkillVersion,
    SourceKind,
)
from skillyard.domain.version import Version, find_version
from skillyard.skillmd.check import STANDARD_JUDGEMENT, CheckedPackage, Judgement, check_package
from skillyard.skillmd.intake import take_in_files
from skillyard.skillmd.sidecar import take_off_exported

FIRST: Final = Version(1)
_STATING: Final = (SKILL_MD, MANIFEST_JSON)
_BATCH: Final = 200
# What others or agents wrote has to earn its confidence again with every version.
_UNPROVEN: Final = frozenset({SourceKind.EARNED, SourceKind.IMPORTED})
# What is decided before anything is written, so that the transaction can go on.
_REFUSALS: Final = (
    InvalidInputError,
    ReadOnlySkillError,
    SlugTakenError,
    StaleWriteError,
    VersionExistsError,
)
_RANK: Final = {one: rank for rank, one in enumerate(Confidence)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveSkill:
    """The wish to save `package`; its SKILL.md names the skill.

    `directory` is the name that it must have, where its place gives it one, and `earlier` is what
    was found while it was read. `base` is the version that the author started from, `expected` the
    revision of the skill that they saw: None does not compare. `must_be_new` refuses a known slug.
    `made_at` is when the content was made, where that is known; otherwise it is now.
    """

    package: Package
    directory: str | None = None
    earlier: tuple[Diagnostic, ...] = ()
    location: str = ""
    owner: str = PEOPLE
    version: Version | None = None
    base: Version | None = None
    expected: int | None = None
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
        StaleWriteError: Someone else saved since `base` or `expected`.
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

    What was yielded is kept, also if the rest never comes. They are saved in groups, for speed.
    """
    remaining = iter(wishes)
    while group := list(islice(remaining, _BATCH)):
        prepared = [_try_to_prepare(wish) for wish in group]
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


def _try_to_prepare(wish: SaveSkill) -> PreparedSkill | RefusedSkill:
    try:
        return prepare_skill(wish)
    except SkillyardError as error:
        return RefusedSkill(location=wish.location, error=error)


def prepare_skill(wish: SaveSkill) -> PreparedSkill:
    """Judge the package of a wish, without a store.

    The manifest.json that an export wrote is read, and then taken off: the package is without it.

    Raises:
        InvalidPackageError: It cannot be a skill.
        InvalidFactError: What is said about it cannot be kept.
    """
    require_text("message", wish.message)
    require_storable("location", wish.location)
    checked = _check(wish)
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
    )


def _check(wish: SaveSkill) -> CheckedPackage:
    # A program can make a package without coming through any door that keeps the limits.
    files = {str(path): file for path, file in wish.package.files.items()}
    taken = take_in_files(files, limits=wish.judgement.limits)
    return check_package(
        taken.package,
        directory=wish.directory,
        judgement=wish.judgement,
        earlier=(*wish.earlier, *taken.diagnostics),
    )


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
        return self._update(found, prepared) if found else self._create(prepared)

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
            confidence=_first_confidence(wish.kind, prepared.manifest),
            author=_author(wish, prepared.manifest),
        )
        return Skill(
            id=self.ids.new_id(),
            slug=prepared.slug,
            owner=wish.owner,
            source_kind=wish.kind,
            plugin_id=wish.plugin_id,
            provenance=self._provenance(wish),
            facts=require_facts(wish.changes.apply(facts), limits=wish.judgement.limits),
            current=_wanted_version(wish) or _stated_version(prepared.manifest) or FIRST,
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
        _require_unmoved(found, wish)
        require_editable(found, self.journal.actor)
        if found.digest == prepared.digest and wish.version in (None, found.current):
            return self._update_facts(found, prepared)
        number = self._choose_version(found, prepared)
        is_taken_over = wish.kind in _UNPROVEN
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
        if version is None:
            raise ConcurrentChangeError(found.reference)
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
        after = prepared.facts
        before = find_stated_facts(found.digest, transaction=self.transaction) or after
        facts = merge_facts(found.facts, before=before, after=after)
        kinds = {found.source_kind, prepared.wish.kind}
        if kinds & _UNPROVEN and not prepared.wish.keep_confidence:
            facts = replace(facts, confidence=Confidence.LOW)
        return require_facts(
            prepared.wish.changes.apply(facts), limits=prepared.wish.judgement.limits
        )

    def _choose_version(self, found: Skill, prepared: PreparedSkill) -> Version:
        taken = {one.version for one in self.transaction.versions.list(found.id)}
        wanted = _wanted_version(prepared.wish)
        if wanted in taken:
            free = _next_free(found.current, taken)
            raise VersionExistsError(found.reference, str(wanted), free=str(free))
        if wanted is not None:
            return wanted
        stated = _stated_version(prepared.manifest)
        if stated is not None and stated not in taken and stated > found.current:
            return stated
        return _next_free(found.current, taken)

    def _add_version(
        self, skill: Skill, prepared: PreparedSkill, *, base: Version | None
    ) -> SkillVersion:
        version = SkillVersion(
            skill_id=skill.id,
            version=skill.current,
            digest=prepared.digest,
            revision=skill.revision,
            created_at=prepared.wish.made_at or self.journal.at,
            created_by=self.journal.actor.name,
            message=prepared.wish.message,
            base=base,
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


def _require_unmoved(found: Skill, wish: SaveSkill) -> None:
    if wish.must_be_new:
        raise SlugTakenError(found.slug)
    if wish.base not in (None, found.current):
        raise stale(found, base=str(wish.base))
    if wish.expected not in (None, found.revision):
        raise stale(found, base=f"revision {wish.expected}")


def stale(found: Skill, *, base: str) -> StaleWriteError:
    """Give the error for a change that was made to something older than `found`."""
    return StaleWriteError(
        found.reference,
        base=base,
        version=str(found.current),
        by=found.updated_by,
        at=found.updated_at.isoformat(timespec="seconds"),
        revision=found.revision,
    )


def find_stated_facts(digest: TreeDigest, *, transaction: Transaction) -> SkillFacts | None:
    """Give the facts that a stored package states, or None where it states none."""
    found = ((path, transaction.packages.get_file(digest, path)) for path in _STATING)
    package = Package.from_checked((path, file) for path, file in found if file)
    manifest = check_package(package).manifest
    return state_facts(manifest) if manifest else None


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
            *list_adjustments(prepared.manifest),
            *_version_note(version, prepared.manifest),
        ),
    )


def _version_note(version: SkillVersion, manifest: Manifest) -> tuple[str, ...]:
    stated = _stated_version(manifest)
    if stated is None or stated == version.version:
        return ()
    return (f"the package says version {stated}, and is saved as {version.version}",)


def _first_confidence(kind: SourceKind, manifest: Manifest) -> Confidence:
    # A package's own claim may lower what its door gives it, and never raise it.
    given = Confidence.LOW if kind in _UNPROVEN else Confidence.MEDIUM
    claimed = manifest.sidecar.confidence if manifest.sidecar else None
    return min(given, claimed or given, key=_RANK.__getitem__)


def _author(wish: SaveSkill, manifest: Manifest) -> Author:
    if wish.kind is SourceKind.IMPORTED:
        return Author("imported", source=wish.location or None)
    return (manifest.sidecar.author if manifest.sidecar else None) or SYSTEM


def _wanted_version(wish: SaveSkill) -> Version | None:
    # Read again: a program can make a version that is none.
    return Version.parse(str(wish.version)).without_build() if wish.version else None


def _stated_version(manifest: Manifest) -> Version | None:
    version = find_version(manifest.version) if manifest.version else None
    return version.without_build() if version else None


def _next_free(current: Version, taken: set[Version]) -> Version:
    number = current.next_patch()
    while number in taken:
        number = number.next_patch()
    return number
