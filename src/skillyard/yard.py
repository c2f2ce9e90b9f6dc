"""The store as one object: everything that can be done with skills, for programs.

    from skillyard import Skillyard

    with Skillyard.open() as yard:
        for saved in yard.add("skills/"):
            print(saved)
        print(yard.get("pdf").version)

A skill is named by its slug, by `OWNER/SLUG`, or by its id. Every method that changes something
takes `dry_run`: it then does everything but keep it. Methods raise `SkillyardError` and its kinds.
"""

import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, TypedDict, TypeVar

from skillyard.application import catalogue
from skillyard.application.assign import (
    AssignedSkill,
    AssignSkill,
    assign_skill,
    reorder_skills,
    unassign_skill,
)
from skillyard.application.catalogue import (
    ComparedVersions,
    SkillDetails,
    SkillHistory,
    SkillPage,
)
from skillyard.application.change import ChangedSkill, ChangeSkill, change_skill
from skillyard.application.delete import DeletedSkill, DeleteSkill, delete_skill
from skillyard.application.doctor import Examined, examine_store
from skillyard.application.duplicate import DuplicateSkill, duplicate_skill
from skillyard.application.editing import CreateSkill, EditSkill, create_skill, edit_skill
from skillyard.application.exported import forget_directory
from skillyard.application.exporting import (
    ExportedSkill,
    ExportSkill,
    export_skills,
    render_export,
)
from skillyard.application.importing import (
    ApplyImport,
    ImportedSkill,
    ImportPlan,
    OnConflict,
    PlanImport,
    apply_import,
    plan_import,
)
from skillyard.application.inventory import ListedSkills, list_every_skill
from skillyard.application.lock import Places as LockPlaces
from skillyard.application.lock import ReplayedSkill, find_place, replay_lock, to_resolved
from skillyard.application.opening import ReadPackage, add_files, measure_skill, open_skill
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.discovery import Root
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.scanner import Scanner
from skillyard.application.ports.search import RankSkills, SearchIndex
from skillyard.application.ports.source import FoundPackage
from skillyard.application.ports.store import Store, StoreDescription
from skillyard.application.records import (
    ChangedRecord,
    ChangeRecord,
    add_record,
    change_record,
    list_records,
    read_record,
    remove_record,
)
from skillyard.application.resolve import (
    USUAL_POLICY,
    ResolvedSkills,
    ResolveSkills,
    resolve_skills,
    to_request,
)
from skillyard.application.rollback import RollBackSkill, RolledBackSkill, roll_back_skill
from skillyard.application.save import RefusedSkill, SavedSkill, SaveSkill, save_skill, save_skills
from skillyard.application.search import (
    MOST,
    SHOWN,
    USABLE,
    SearchedSkills,
    match_skills,
    search_skills,
)
from skillyard.application.search_resolved import FittingSkills, search_resolved
from skillyard.application.seeing import find_skills_path
from skillyard.bootstrap import (
    Surroundings,
    find_roots,
    open_clock,
    open_ids,
    open_laid_out,
    open_outside,
    open_scanner,
    open_search_index,
    open_shelf,
    open_source,
    open_store,
    open_surroundings,
)
from skillyard.disclosure import Shape, SkillContext
from skillyard.disclosure.listing import limit_of
from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.audit import AuditEntry, AuditFilter
from skillyard.domain.catalogue import SkillFilter
from skillyard.domain.delivery import OnInvalid
from skillyard.domain.errors import InvalidInputError
from skillyard.domain.facts import FactChanges
from skillyard.domain.limits import INJECTED_CHARACTERS, STANDARD, Limits
from skillyard.domain.lock import Lock, lock_resolution
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.records import AnyRecord
from skillyard.domain.resolution import Policy
from skillyard.domain.skill import Actor, Door, SkillStatus
from skillyard.domain.version import Version
from skillyard.settings import read_settings
from skillyard.skillmd.bundles import Form
from skillyard.skillmd.check import STANDARD_JUDGEMENT, Judgement

if TYPE_CHECKING:
    from skillyard.application.choosing import SkillChoice
    from skillyard.application.collect import Collected
    from skillyard.application.deliver import Delivered, DeliverSkills
    from skillyard.application.replay import ReplayedRun, VerifiedRun
    from skillyard.application.run import PlannedRun
    from skillyard.application.run_course import Tell
    from skillyard.application.run_wish import Outside, RunAgent
    from skillyard.domain.run import Run, RunFilter
    from skillyard.domain.run_difference import RunDifference

_MANY = SkillFilter()
_NOBODY = AuditFilter()
_EVERYONE = ResolveSkills()
_HERE = "."
_INDEX = "index"
_DIRECTORIES = "directories"
_DAY_SECONDS = 24 * 3600
_SEARCH = "search"


_Wish = TypeVar("_Wish", SaveSkill, CreateSkill, EditSkill)


class _Doing(TypedDict):
    store: Store
    clock: Clock
    actor: Actor


class _Making(_Doing):
    ids: IdSource


class _Places(NamedTuple):
    include_project: bool
    include_user: bool


class _Opening(TypedDict):
    store: Store
    read_package: ReadPackage
    limits: Limits


class Skillyard:
    """A store of skills, as one person or program uses it.

    `index` is the directory in which it is remembered what stands in directories of skills; None
    remembers nothing. `home` is the directory in which runs and their cache stand. `on_invalid`,
    `passed` and `cache_days` are what the settings say about runs. `search_directory` is that of
    the index that `search` and `match` ask; with None it lasts as long as this object. `counting`,
    if it is set before they are asked, passes on the ids of the skills that are read for that
    index. `roots` are further directories of the user's skills, and `project_roots` further ones
    inside a project, relative to it. `policy` is that of wishes which have none of their own, and
    `injected` is how many characters the blocks take that are in every prompt.
    """

    index: Path | None = None
    search_directory: Path | None = None
    roots: tuple[Path, ...] = ()
    project_roots: tuple[str, ...] = ()
    home: Path | None = None
    on_invalid: OnInvalid = OnInvalid.LEAVE_OUT
    passed: tuple[str, ...] = ()
    cache_days: int = 30

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        ids: IdSource,
        scanner: Scanner,
        actor: Actor,
        limits: Limits = STANDARD,
    ) -> None:
        self.store = store
        self.clock = clock
        self.ids = ids
        self.scanner = scanner
        self.actor = actor
        self.limits = limits
        self.policy = USUAL_POLICY
        self.injected = INJECTED_CHARACTERS
        self.counting: Callable[[Iterable[str]], Iterable[str]] = iter

    @classmethod
    def open(
        cls,
        *,
        home: str | PathLike[str] | None = None,
        database_url: str | None = None,
        actor: str | None = None,
    ) -> Self:
        """Open the store that arguments, environment and settings name, as the command does."""
        given = {
            "home": fspath(home) if home is not None else None,
            "database-url": database_url,
            "actor": actor,
        }
        said = {name: value for name, value in given.items() if value is not None}
        return cls.from_settings(overrides=said, door=Door.API)

    @classmethod
    def in_memory(cls, *, actor: str = "test") -> Self:
        """Give a store that lasts as long as the object: for tests, and for trying things out.

        The clock stands still, and ids are the same in every run. Both can be had and set through
        `clock` and `ids`; the types are those of `skillyard.testing`.
        """
        # Only tests need them.
        from skillyard.testing.clock import FixedClock  # noqa: PLC0415
        from skillyard.testing.ids import CountingIds  # noqa: PLC0415
        from skillyard.testing.memory import MemoryStore  # noqa: PLC0415

        return cls(
            store=MemoryStore(),
            clock=FixedClock(),
            ids=CountingIds(),
            scanner=open_scanner(),
            actor=Actor(actor),
        )

    @classmethod
    def from_settings(
        cls, *, overrides: Mapping[str, str], door: Door = Door.CLI, dry_run: bool = False
    ) -> Self:
        """Open the store of the settings, with `overrides` before everything else.

        `door` is the one through which changes come. With `dry_run`, no store is made or upgraded;
        see `bootstrap.open_store`.
        """
        settings = read_settings(environment=os.environ, directory=Path.cwd(), overrides=overrides)
        yard = cls(
            store=open_store(settings, dry_run=dry_run),
            clock=open_clock(),
            ids=open_ids(),
            scanner=open_scanner(),
            actor=Actor(settings.actor, door),
            limits=settings.limits,
        )
        yard.index = None if dry_run else settings.home / _INDEX
        yard.home = settings.home
        yard.on_invalid, yard.passed = settings.on_invalid, settings.passed
        yard.cache_days = settings.cache_days
        yard.search_directory = None if dry_run else settings.home / _SEARCH
        yard.roots, yard.project_roots = settings.roots, settings.project_roots
        yard.policy = Policy(
            eager_limit=settings.eager_limit,
            listed_limit=settings.listed_limit,
            share=settings.window_share,
        )
        yard.injected = settings.injected_characters
        return yard

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database, and of the index."""
        if "search_index" in vars(self):
            self.search_index.close()
        self.store.close()

    @property
    def _doing(self) -> _Doing:
        return {"store": self.store, "clock": self.clock, "actor": self.actor}

    @property
    def _making(self) -> _Making:
        return {**self._doing, "ids": self.ids}

    @property
    def judgement(self) -> Judgement:
        """How packages are judged on their way in."""
        return Judgement(limits=self.limits)

    def _judged(self, wish: _Wish) -> _Wish:
        # A wish that says nothing about it is judged as everything else is here.
        if wish.judgement is not STANDARD_JUDGEMENT:
            return wish
        return replace(wish, judgement=self.judgement)

    def add(
        self, location: str | PathLike[str], *, dry_run: bool = False, message: str = ""
    ) -> tuple[SavedSkill | RefusedSkill, ...]:
        """Save every skill at `location`; a known slug gets a new version.

        A skill that is refused does not keep the others from being saved: its `RefusedSkill` has
        the error.
        """
        source = open_source(fspath(location), limits=self.limits)
        wishes = (replace(self.wish(one), message=message) for one in source.iter_packages())
        return tuple(self.save_all(wishes, dry_run=dry_run))

    def wish(self, found: FoundPackage) -> SaveSkill:
        """Give the wish to save a package that was found somewhere."""
        found = forget_directory(found, limits=self.limits)
        return SaveSkill(
            package=found.taken.package,
            earlier=found.taken.diagnostics,
            directory=found.directory,
            location=found.location,
            judgement=self.judgement,
        )

    def save(self, wish: SaveSkill, *, dry_run: bool = False) -> SavedSkill:
        """Save one package; see `save_skill`."""
        return save_skill(self._judged(wish), **self._making, dry_run=dry_run)

    def save_all(
        self, wishes: Iterator[SaveSkill], *, dry_run: bool = False
    ) -> Iterator[SavedSkill | RefusedSkill]:
        """Save many packages, each when its answer is asked for; see `save_skills`.

        Nothing is saved until the answers are gone through.
        """
        return save_skills(map(self._judged, wishes), **self._making, dry_run=dry_run)

    def plan_import(
        self, *locations: str | PathLike[str], wish: PlanImport | None = None
    ) -> ImportPlan:
        """Look at what importing the skills at `locations` would do; see `plan_import`."""
        wish = wish or PlanImport(judgement=self.judgement)
        limits = wish.judgement.limits
        sources = [open_source(fspath(one), limits=limits) for one in locations]
        found = (
            forget_directory(one, limits=limits)
            for source in sources
            for one in source.iter_packages()
        )
        return plan_import(wish, found, store=self.store, scanner=self.scanner)

    def apply_import(
        self,
        plan: ImportPlan,
        on_conflict: OnConflict | Mapping[str, OnConflict] | None = None,
        *,
        dry_run: bool = False,
    ) -> tuple[ImportedSkill, ...]:
        """Take in what a person has seen and confirmed; see `apply_import`.

        `on_conflict` is one answer for every slug that is taken, or one for each.
        """
        said = plan.decide_all(on_conflict) if isinstance(on_conflict, OnConflict) else on_conflict
        return apply_import(ApplyImport(plan, said or {}), **self._making, dry_run=dry_run)

    def export(
        self, wishes: Sequence[ExportSkill], *, dry_run: bool = False
    ) -> Iterator[ExportedSkill]:
        """Write skills as files or directories; see `export_skills`."""
        return export_skills(wishes, store=self.store, shelf=open_shelf(), dry_run=dry_run)

    def render(self, reference: str, form: Form, *, version: str | Version | None = None) -> bytes:
        """Give a skill as the bytes of one bundle; see `render_export`."""
        return render_export(reference, form, store=self.store, version=_find_version(version))

    def create(self, wish: CreateSkill, *, dry_run: bool = False) -> SavedSkill:
        """Make a skill from texts; see `create_skill`."""
        return create_skill(self._judged(wish), **self._making, dry_run=dry_run)

    def edit(self, wish: EditSkill, *, dry_run: bool = False) -> SavedSkill:
        """Save a new version with some files changed; see `edit_skill`."""
        return edit_skill(self._judged(wish), **self._making, dry_run=dry_run)

    def change(
        self,
        reference: str,
        changes: FactChanges,
        *,
        expected: int | None = None,
        dry_run: bool = False,
    ) -> ChangedSkill:
        """Change what is known about a skill; see `change_skill`."""
        wish = ChangeSkill(
            reference=reference, changes=changes, expected=expected, limits=self.limits
        )
        return change_skill(wish, **self._doing, dry_run=dry_run)

    def enable(self, reference: str, *, dry_run: bool = False) -> ChangedSkill:
        """Let a skill be used again."""
        return self.change(reference, FactChanges(enabled=True), dry_run=dry_run)

    def disable(self, reference: str, *, dry_run: bool = False) -> ChangedSkill:
        """Keep a skill from being used by anyone; its assignments stay."""
        return self.change(reference, FactChanges(enabled=False), dry_run=dry_run)

    def archive(self, reference: str, *, dry_run: bool = False) -> ChangedSkill:
        """Put a skill away: it is not used, and lists leave it out."""
        return self.change(reference, FactChanges(status=SkillStatus.ARCHIVED), dry_run=dry_run)

    def restore(self, reference: str, *, dry_run: bool = False) -> ChangedSkill:
        """Take a skill out of the archive, or out of being a draft."""
        return self.change(reference, FactChanges(status=SkillStatus.ACTIVE), dry_run=dry_run)

    def delete(
        self, reference: str, *, expected: int | None = None, dry_run: bool = False
    ) -> DeletedSkill:
        """Delete a skill; see `delete_skill`."""
        wish = DeleteSkill(reference=reference, expected=expected)
        return delete_skill(wish, **self._doing, dry_run=dry_run)

    def roll_back(
        self,
        reference: str,
        version: str | Version,
        *,
        expected: int | None = None,
        dry_run: bool = False,
    ) -> RolledBackSkill:
        """Make an older version current again; see `roll_back_skill`."""
        wish = RollBackSkill(reference=reference, version=_version(version), expected=expected)
        return roll_back_skill(wish, **self._doing, dry_run=dry_run)

    def duplicate(
        self,
        reference: str,
        slug: str,
        *,
        version: str | Version | None = None,
        dry_run: bool = False,
    ) -> SavedSkill:
        """Copy a skill under another name; see `duplicate_skill`."""
        wish = DuplicateSkill(
            reference=reference,
            slug=slug,
            version=_find_version(version),
            judgement=self.judgement,
        )
        return duplicate_skill(wish, **self._making, dry_run=dry_run)

    def list(
        self,
        wanted: SkillFilter = _MANY,
        *,
        after: tuple[str, str] | None = None,
        most: int | None = None,
    ) -> SkillPage:
        """List skills; see `list_skills`."""
        return catalogue.list_skills(wanted, store=self.store, after=after, most=most)

    def get(self, reference: str, *, version: str | Version | None = None) -> SkillDetails:
        """Give all there is to say about a skill; see `read_skill`."""
        return catalogue.read_skill(reference, store=self.store, version=_find_version(version))

    def package(self, reference: str, *, version: str | Version | None = None) -> Package:
        """Give the content of a skill, every byte verified."""
        wanted = _find_version(version)
        return catalogue.read_package_of(reference, store=self.store, version=wanted)[2]

    def read_file(
        self, reference: str, path: str, *, version: str | Version | None = None
    ) -> PackageFile:
        """Give one file of a skill, verified."""
        wanted = _find_version(version)
        return catalogue.read_file(reference, path, store=self.store, version=wanted)

    def history(self, reference: str) -> SkillHistory:
        """Give every version of a skill in the order of saving."""
        return catalogue.read_history(reference, store=self.store)

    def diff(
        self,
        reference: str,
        before: str | Version | None = None,
        after: str | Version | None = None,
    ) -> ComparedVersions:
        """Compare two versions of a skill; see `compare_versions`."""
        first, second = _find_version(before), _find_version(after)
        return catalogue.compare_versions(reference, first, second, store=self.store)

    def assignments(
        self, *, reference: str | None = None, subject: Subject | None = None
    ) -> Sequence[Assignment]:
        """List assignments, of one skill or to one subject, in the order of precedence."""
        return catalogue.list_assignments(store=self.store, reference=reference, subject=subject)

    def audit(
        self, wanted: AuditFilter = _NOBODY, *, before: int | None = None, most: int | None = None
    ) -> Sequence[AuditEntry]:
        """List what happened, the newest first."""
        return catalogue.read_audit(wanted, store=self.store, before=before, most=most)

    def audited_skill(self, reference: str) -> str:
        """Give the name under which the log knows a skill; see `find_audited_skill`."""
        return catalogue.find_audited_skill(reference, store=self.store)

    def assign(self, wish: AssignSkill, *, dry_run: bool = False) -> AssignedSkill:
        """Assign a skill, or change how it is assigned; see `assign_skill`."""
        return assign_skill(wish, **self._making, dry_run=dry_run)

    def unassign(self, reference: str, subject: Subject, *, dry_run: bool = False) -> Assignment:
        """Take a skill from a subject; see `unassign_skill`."""
        return unassign_skill(reference, subject, **self._doing, dry_run=dry_run)

    def reorder(
        self, subject: Subject, references: Sequence[str], *, dry_run: bool = False
    ) -> Sequence[Assignment]:
        """Put a subject's assignments into another order; see `reorder_skills`."""
        return reorder_skills(subject, references, **self._doing, dry_run=dry_run)

    def add_record(self, record: AnyRecord, *, dry_run: bool = False) -> AnyRecord:
        """Keep a new workspace, team, agent, node or sandbox; see `add_record`."""
        return add_record(record, **self._doing, dry_run=dry_run)

    def change_record(
        self,
        kind: type[AnyRecord],
        name: str,
        change: Callable[[AnyRecord], AnyRecord],
        *,
        dry_run: bool = False,
    ) -> ChangedRecord[AnyRecord]:
        """Change a record; see `change_record`."""
        wish = ChangeRecord(kind, name, change)
        return change_record(wish, **self._doing, dry_run=dry_run)

    def remove_record(
        self, kind: type[AnyRecord], name: str, *, dry_run: bool = False
    ) -> AnyRecord:
        """Remove a record with its assignments; see `remove_record`."""
        return remove_record(kind, name, **self._doing, dry_run=dry_run)

    def list_records(self, kind: type[AnyRecord]) -> Sequence[AnyRecord]:
        """List the records of a kind in the order of names."""
        return list_records(kind, store=self.store)

    def get_record(self, kind: type[AnyRecord], name: str) -> AnyRecord:
        """Give one record."""
        return read_record(kind, name, store=self.store)

    @cached_property
    def surroundings(self) -> Surroundings:
        """The directories of skills on this machine, and the commands that it has."""
        return open_surroundings(index=self.index, limits=self.limits)

    def resolve(
        self,
        wish: ResolveSkills = _EVERYONE,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> ResolvedSkills:
        """Say which skills someone has now, and why; see `resolve_skills`.

        Besides the store, skills are looked for in the directory `project`, in the user's own
        directories, and among those that come with this program. Where the wish does not say at
        which path the agent sees the skills of the store, its sandbox does: see `find_skills_path`.
        """
        roots = self._find_roots(project, include_user=include_user)
        found = self.surroundings.discover(roots)
        resolved = resolve_skills(
            replace(
                wish,
                policy=wish.policy or self.policy,
                skills_path=self.find_skills_path(wish),
            ),
            store=self.store,
            commands=self.surroundings.commands,
            directories=found.candidates,
            seal=lambda one: self.surroundings.seal(one, roots),
            measure=lambda one: measure_skill(one, **self._opening(roots)),
        )
        return replace(resolved, findings=found.findings)

    def find_skills_path(self, wish: ResolveSkills = _EVERYONE) -> str | None:
        """Give where an agent sees the skills of the store, or None; see `find_skills_path`."""
        return find_skills_path(wish, store=self.store)

    def with_files(self, resolved: ResolvedSkills) -> ResolvedSkills:
        """Give the answer with the paths of each skill's files; see `add_files`."""
        return replace(resolved, resolution=add_files(resolved.resolution, store=self.store))

    def context(
        self,
        wish: ResolveSkills = _EVERYONE,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
        shape: Shape | None = None,
    ) -> SkillContext:
        """Give what an agent is told of its skills, in three tiers."""
        resolved = self.resolve(wish, project=project, include_user=include_user)
        return self.disclose(resolved, project=project, include_user=include_user, shape=shape)

    def disclose(
        self,
        resolved: ResolvedSkills,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
        shape: Shape | None = None,
    ) -> SkillContext:
        """Give what an agent is told of the skills that were resolved for it here.

        Without a `shape`, the list is XML, and as long as the agent's record says, or the settings.
        """
        shape = shape or Shape(limit=limit_of(resolved.request))
        if shape.injected is None:
            shape = replace(shape, injected=self.injected)
        roots = self._find_roots(project, include_user=include_user)
        return SkillContext(
            resolved.resolution,
            lambda decision: open_skill(decision, **self._opening(roots)),
            shape=shape,
        )

    def _opening(self, roots: Sequence[Root]) -> _Opening:
        return {
            "store": self.store,
            "read_package": lambda one: self.surroundings.read(one, roots),
            "limits": self.limits,
        }

    def lock(
        self,
        wish: ResolveSkills = _EVERYONE,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> Lock:
        """Resolve, and give what has to be written down to have the same again.

        Raises:
            ResolutionError: Something that is required cannot be had.
        """
        resolved = self.resolve(wish, project=project, include_user=include_user)
        return self.lock_resolved(resolved, project=project, include_user=include_user)

    def lock_resolved(
        self,
        resolved: ResolvedSkills,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> Lock:
        """Give the lock of what was resolved here.

        Raises:
            ResolutionError: Something that is required cannot be had.
        """
        resolved.require_complete()
        roots = self._find_roots(project, include_user=include_user)
        return lock_resolution(
            resolved.resolution,
            resolved.request,
            find_place=lambda one: find_place(one, roots=roots),
        )

    def replay(
        self,
        lock: Lock,
        *,
        name: str = "lock",
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
        skills_path: str | None = None,
    ) -> tuple[ReplayedSkill, ...]:
        """Give the skills of a lock as they were; see `replay_lock`. `name` is for messages."""
        roots = self._find_roots(project, include_user=include_user)
        places = LockPlaces(
            discovered=self.surroundings.discover(roots),
            read_package=lambda one: self.surroundings.read(one, roots),
            skills_path=skills_path,
        )
        return replay_lock(lock, name=name, store=self.store, places=places)

    def resolve_lock(
        self,
        lock: Lock,
        *,
        name: str = "lock",
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
        skills_path: str | None = None,
    ) -> ResolvedSkills:
        """Give the answer that was locked; `skills_path` is where the agent sees the store's.

        Raises:
            LockDriftError: One of its skills is gone or different; every one is named.
        """
        replayed = self.replay(
            lock, name=name, project=project, include_user=include_user, skills_path=skills_path
        )
        return to_resolved(replayed)

    @cached_property
    def outside(self) -> "Outside":
        """What runs need: a cache, a ground, and work trees; they stand in `home`.

        Raises:
            InvalidInputError: There is no home.
        """
        if self.home is None:
            message = "a store in memory has no place for runs"
            raise InvalidInputError(message, hints=["Set `home` to a directory"])
        return open_outside(
            self.home, self.store, clock=self.clock, ids=self.ids, limits=self.limits
        )

    def run(
        self,
        wish: "RunAgent",
        *,
        include_project: bool = True,
        include_user: bool = True,
        lock: Lock | None = None,
        tell: "Tell | None" = None,
    ) -> "Run":
        """Run a program with someone's skills, to its end; see `run_agent`.

        With a `lock`, these are its skills. `tell` is told of the run when the program is started.
        Where the wish names no environment, it is that of this process.
        """
        from skillyard.application.run import run_agent  # noqa: PLC0415 - most programs run none

        places = _Places(include_project=include_project, include_user=include_user)
        choice = self._choose_for(wish.project, places, lock)
        whole = self._complete(wish)
        return run_agent(whole, choice=choice, outside=self.outside, tell=tell)

    def preview_run(
        self,
        wish: "RunAgent",
        *,
        include_project: bool = True,
        include_user: bool = True,
        lock: Lock | None = None,
    ) -> "PlannedRun":
        """Say what a run would be given, and make nothing; see `preview_run`."""
        from skillyard.application.run import preview_run  # noqa: PLC0415

        places = _Places(include_project=include_project, include_user=include_user)
        choice = self._choose_for(wish.project, places, lock)
        return preview_run(self._complete(wish), choice=choice, outside=self.outside)

    def deliver(
        self,
        wish: "DeliverSkills",
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
        dry_run: bool = False,
    ) -> "Delivered":
        """Lay someone's skills out in a directory, as a client reads them; see `deliver_skills`."""
        from skillyard.application.deliver import deliver_skills  # noqa: PLC0415

        place = None if project is None else fspath(project)
        places = _Places(include_project=project is not None, include_user=include_user)
        return deliver_skills(
            wish,
            choice=self._choose_for(place or _HERE, places, None),
            outside=self.outside,
            laid=open_laid_out(),
            dry_run=dry_run,
        )

    def skill_directories(
        self,
        agent: str | None = None,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> tuple[Path, ...]:
        """Give a directory for each skill that an agent has, in order; see `stand_skills`."""
        from skillyard.application.choosing import choose_skills  # noqa: PLC0415
        from skillyard.application.standing import stand_skills  # noqa: PLC0415

        place = _HERE if project is None else fspath(project)
        places = _Places(include_project=project is not None, include_user=include_user)
        chosen = choose_skills(
            ResolveSkills(agent=agent),
            on_invalid=self.on_invalid,
            choice=self._choose_for(place, places, None),
            shelves=self.outside.shelves,
        )
        home = (self.home or Path()).absolute() / _DIRECTORIES
        stood = stand_skills(chosen, home=home, shelf=open_shelf(), laid=open_laid_out())
        return tuple(map(Path, stood))

    def disabled_skills(
        self,
        agent: str | None = None,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> tuple[str, ...]:
        """Give the names of the skills that are known here and that an agent does not have."""
        from skillyard.application.standing import list_disabled  # noqa: PLC0415

        wish = ResolveSkills(agent=agent)
        resolved = self.resolve(wish, project=project, include_user=include_user)
        return list_disabled(resolved.resolution)

    def _complete(self, wish: "RunAgent") -> "RunAgent":
        return replace(
            wish,
            environment=wish.environment or dict(os.environ),
            passed=(*self.passed, *wish.passed),
            on_invalid=wish.on_invalid or self.on_invalid,
            host=wish.host or platform.node(),
        )

    def _choose_for(self, project: str, places: "_Places", lock: Lock | None) -> "SkillChoice":
        from skillyard.application.choosing import SkillChoice  # noqa: PLC0415

        place = project if places.include_project else None
        roots = self._find_roots(place, include_user=places.include_user)
        if lock is not None:
            return self._choose_locked(lock, place, include_user=places.include_user)
        return SkillChoice(
            lambda asked: self.resolve(asked, project=place, include_user=places.include_user),
            lambda one: self.surroundings.read(one, roots),
        )

    def _choose_locked(
        self, lock: Lock, project: str | None, *, include_user: bool
    ) -> "SkillChoice":
        from skillyard.application.choosing import SkillChoice  # noqa: PLC0415

        replayed = self.replay(lock, project=project, include_user=include_user)
        packages = {one.candidate.ref: one.package for one in replayed}

        def resolve(asked: ResolveSkills) -> ResolvedSkills:
            with self.store.view() as view:
                request = to_request(asked, transaction=view)
            return replace(to_resolved(replayed), request=request)

        return SkillChoice(resolve, lambda one: packages[one.ref])

    def list_runs(
        self,
        wanted: "RunFilter | None" = None,
        *,
        before: str | None = None,
        most: int | None = None,
    ) -> "Sequence[Run]":
        """List runs from the newest to the oldest; `before` is the id to go on below."""
        from skillyard.application.replay import list_runs  # noqa: PLC0415
        from skillyard.domain.run import RunFilter  # noqa: PLC0415

        return list_runs(wanted or RunFilter(), store=self.store, before=before, most=most)

    def get_run(self, text: str) -> "Run":
        """Give a run by its id, by the start of its id, or the `last` one; see `find_run`."""
        from skillyard.application.replay import find_run  # noqa: PLC0415

        return find_run(text, store=self.store)

    def verify_run(self, run: "Run", *, root: str | PathLike[str] | None = None) -> "VerifiedRun":
        """See whether what a run was given is still there, and as it was; see `verify_run`."""
        from skillyard.application.replay import verify_run  # noqa: PLC0415

        place = None if root is None else os.path.realpath(root)
        return verify_run(run, store=self.store, laid=open_laid_out(), root=place)

    def replay_run(
        self, run: "Run", target: str | PathLike[str], *, dry_run: bool = False
    ) -> "ReplayedRun":
        """Lay out again what a run was given, byte for byte; see `replay_run`."""
        from skillyard.application.replay import replay_run  # noqa: PLC0415

        return replay_run(run, Path(target), store=self.store, shelf=open_shelf(), dry_run=dry_run)

    def compare_runs(self, before: "Run", after: "Run") -> "RunDifference":
        """Say what one run was given that another was not; see `compare_runs`."""
        from skillyard.domain.run_difference import compare_runs  # noqa: PLC0415

        return compare_runs(before, after)

    def collect(
        self,
        *,
        kept: bool = False,
        purge_days: int | None = None,
        dry_run: bool = False,
    ) -> "Collected":
        """Remove what nobody needs any more; see `collect_garbage`."""
        from skillyard.application.collect import (  # noqa: PLC0415
            CollectGarbage,
            collect_garbage,
        )

        wish = CollectGarbage(
            cache_seconds=self.cache_days * _DAY_SECONDS,
            host=platform.node(),
            kept=kept,
            purge_days=purge_days,
        )
        return collect_garbage(wish, outside=self.outside, actor=self.actor, dry_run=dry_run)

    def list_everything(
        self, *, project: str | PathLike[str] | None = _HERE, include_user: bool = True
    ) -> ListedSkills:
        """List every skill of every source, whoever it is meant for; see `list_every_skill`."""
        found = self.surroundings.discover(self._find_roots(project, include_user=include_user))
        return list_every_skill(found, store=self.store, commands=self.surroundings.commands)

    def _find_roots(
        self, project: str | PathLike[str] | None, *, include_user: bool
    ) -> tuple[Root, ...]:
        return find_roots(
            project=None if project is None else Path(project),
            include_user=include_user,
            further=self.roots,
            project_further=self.project_roots,
        )

    @cached_property
    def search_index(self) -> SearchIndex:
        """The index of what the skills of the store are about."""
        return open_search_index(self.search_directory, self.store, counting=self.counting)

    def search(self, text: str, *, most: int = MOST, wanted: SkillFilter = SHOWN) -> SearchedSkills:
        """Find the skills of the store that fit some words; see `search_skills`."""
        index = self.search_index
        return search_skills(text, store=self.store, index=index, most=most, wanted=wanted)

    def match(self, task: str, *, most: int = MOST, wanted: SkillFilter = USABLE) -> SearchedSkills:
        """Find the skills of the store that fit a task; see `match_skills`."""
        index = self.search_index
        return match_skills(task, store=self.store, index=index, most=most, wanted=wanted)

    def match_for(
        self,
        task: str,
        wish: ResolveSkills = _EVERYONE,
        *,
        most: int = MOST,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> FittingSkills:
        """Find, among the skills that someone has now, those that fit a task.

        These are the skills of `resolve`, from the store and from directories.
        """
        resolved = self.resolve(wish, project=project, include_user=include_user)
        asked = RankSkills(text=task, most=most, triggered=True)
        return self.search_in(asked, resolved, project=project, include_user=include_user)

    def search_in(
        self,
        wish: RankSkills,
        resolved: ResolvedSkills,
        *,
        project: str | PathLike[str] | None = _HERE,
        include_user: bool = True,
    ) -> FittingSkills:
        """Find, among skills that were resolved here, those that fit; see `search_resolved`."""
        roots = self._find_roots(project, include_user=include_user)
        return search_resolved(
            wish,
            resolved.resolution,
            store=self.store,
            index=self.search_index,
            read_package=lambda one: self.surroundings.read(one, roots),
        )

    def examine(self) -> Iterator[Examined]:
        """Look for damage in the store; see `examine_store`."""
        return examine_store(store=self.store)

    def describe(self) -> StoreDescription:
        """Say which store it is."""
        return self.store.describe()


def _version(version: str | Version) -> Version:
    return version if isinstance(version, Version) else Version.parse(version)


def _find_version(version: str | Version | None) -> Version | None:
    return None if version is None else _version(version)
