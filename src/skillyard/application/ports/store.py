"""The system of record: skills, versions, contents, assignments and everything that happened.

Every write belongs to a transaction. Leaving it without `commit()` undoes it whole. What several
callers do at the same moment is settled here, by the database, and promised below: a use case never
looks first and acts afterwards. A call that raises a `ConflictError` or a `CorruptedContentError`
has changed nothing, and the transaction may go on; after any other error it cannot be committed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.audit import AuditEntry, AuditFilter, OutboxEvent
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.digest import TreeDigest
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.records import AnyRecord, Record
from skillyard.domain.resolution import Candidate
from skillyard.domain.run import Run, RunFilter
from skillyard.domain.skill import PEOPLE, PackageListing, Skill, SkillVersion, Tombstone
from skillyard.domain.version import Version


class SkillsFingerprint(NamedTuple):
    """How many skills there are, the sum of their revisions, how many are gone, the last change.

    `latest` is in milliseconds.
    """

    skills: int = 0
    revisions: int = 0
    removed: int = 0
    latest: int = 0


class Skills(Protocol):
    """The named entries."""

    def add_if_absent(self, skill: Skill) -> Skill:
        """Keep `skill` unless its owner has one of that slug; give the one that is kept.

        Of several callers at the same moment exactly one wins, and all of them get its skill.
        """
        ...

    def find(self, slug: str, *, owner: str = PEOPLE) -> Skill | None:
        """Give the skill, or None."""
        ...

    def find_by_id(self, skill_id: str) -> Skill | None:
        """Give the skill, or None."""
        ...

    def list_by_slug(self, slug: str) -> Sequence[Skill]:
        """Give the skills of that slug, of every owner, in the order of owners."""
        ...

    def replace(self, skill: Skill) -> bool:
        """Keep `skill` in place of its predecessor, whose revision is one less.

        False means that someone else has replaced the predecessor, or removed it: nothing was done.
        Of several callers with the same predecessor exactly one gets True.
        """
        ...

    def remove(self, skill: Skill, tombstone: Tombstone) -> bool:
        """Remove `skill` with its versions and assignments, and keep `tombstone`.

        False means that the skill is no longer at this revision: nothing was done. Its packages
        stay: a record of a run may name them.
        """
        ...

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """Give skills in the order of slug and owner, by their characters' code points.

        `after` is the `place` of the entry to go on behind; `most` limits their number.
        """
        ...

    def count(self, wanted: SkillFilter) -> int:
        """Give how many skills there are."""
        ...

    def iter_ids(self) -> Iterator[str]:
        """Yield the id of every skill, in the order of ids."""
        ...

    def iter_revisions(self) -> Iterator[tuple[str, int]]:
        """Yield the id of every skill and the revision that it is at, in the order of ids."""
        ...

    def fingerprint(self) -> SkillsFingerprint:
        """Give a value that changes with every change to any skill, and with nothing else.

        What it costs is one statement, whatever has changed.
        """
        ...

    def list_changed(self, since: SkillsFingerprint) -> Sequence[tuple[str, int]]:
        """Give the skills that were changed since, each with its revision, or 0 where it is gone.

        Others may be among them. One that was saved by a clock that is late may be missing: who
        asks counts whether these changes explain the fingerprint of now. What it costs grows with
        the changes only.
        """
        ...

    def list_tombstones(self) -> Sequence[Tombstone]:
        """Give what was removed, in the order of removal."""
        ...


class Versions(Protocol):
    """The versions of the skills."""

    def add_if_absent(self, version: SkillVersion) -> SkillVersion:
        """Keep `version` unless its skill has one of that number; give the one that is kept.

        Its skill and its package are in the store already. Of several callers at the same moment
        exactly one wins, and all of them get its version. Build metadata is not kept.
        """
        ...

    def find(self, skill_id: str, version: Version) -> SkillVersion | None:
        """Give the version, or None."""
        ...

    def find_highest(self, skill_id: str, line: Version) -> Version | None:
        """Give the highest release with the major and minor number of `line`, or None."""
        ...

    def list(self, skill_id: str) -> Sequence[SkillVersion]:
        """Give every version of a skill in the order of saving."""
        ...


@dataclass(frozen=True, slots=True)
class RemovedPackages:
    """How many packages were removed, and how many bytes of contents with them."""

    packages: int
    bytes: int


class Packages(Protocol):
    """The contents, each kept once."""

    def add(self, packages: Iterable[Package]) -> None:
        """Keep packages; what is there already is left as it is."""
        ...

    def find(self, digest: TreeDigest) -> PackageListing | None:
        """Give the files of a package without their contents, or None."""
        ...

    def get(self, digest: TreeDigest) -> Package:
        """Give a package.

        Raises:
            CorruptedContentError: It is not there, or its bytes are not the ones that were kept.
        """
        ...

    def get_file(self, digest: TreeDigest, path: str) -> PackageFile | None:
        """Give one file of a package, or None.

        Raises:
            CorruptedContentError: Its bytes are not the ones that were kept.
        """
        ...

    def iter_digests(self) -> Iterator[TreeDigest]:
        """Yield the digest of every package, in their order."""
        ...

    def remove_unused(self) -> RemovedPackages:
        """Remove the packages that no version and no run names, and the contents of none.

        Raises:
            ConcurrentChangeError: Someone is about to name one of them.
        """
        ...


class Assignments(Protocol):
    """Which skills are meant for whom."""

    def lock(self, subject: Subject) -> None:
        """Let nobody else lock the subject until this transaction ends; wait for one who has.

        Who reads a subject's assignments to change them locks it first. One that is not there
        cannot be locked, and that is no error.
        """
        ...

    def put(self, assignment: Assignment) -> None:
        """Keep `assignment` in place of the one for the same skill and subject, if there is one.

        The id of the one that is there stays.

        Raises:
            ConcurrentChangeError: The skill or the subject is not there, or no longer.
        """
        ...

    def find(self, skill_id: str, subject: Subject) -> Assignment | None:
        """Give the assignment, or None."""
        ...

    def next_position(self, subject: Subject) -> int:
        """Give the position behind the subject's last assignment; 0 where it has none."""
        ...

    def list(
        self, *, skill_id: str | None = None, subjects: Collection[Subject] | None = None
    ) -> Sequence[Assignment]:
        """Give assignments; None does not restrict.

        The order is: priority from high to low, the more specific subject, position, slug, owner,
        the subject's name.
        """
        ...

    def remove(self, skill_id: str, subject: Subject) -> bool:
        """Remove an assignment; False means that there was none."""
        ...


class Candidates(Protocol):
    """Skills with what decides whether someone has them.

    Each comes with its assignments to the given subjects, from the least specific to the most and
    then by name, and with every version, in the order of saving, where one of these has a range.
    One of high confidence comes with the workspaces that its enabled assignments lie in, and
    `NOWHERE` for those that lie in none. It is for everyone where it has no assignments, or an
    enabled one to everyone. Whether commands are missing is not known here. What it costs does not
    grow with the skills that nobody asked for.
    """

    def list_for(
        self, subjects: Collection[Subject], *, agent: str | None, widened: bool
    ) -> Sequence[Candidate]:
        """Give the skills that are assigned to a subject or name `agent`, in the order of ids.

        With `widened` also those of high confidence that are for everyone, or used in a workspace
        that is one of the subjects; where none is, but someone else than everyone is, those that
        are used outside of every workspace.
        """
        ...

    def list_named(
        self, slugs: Collection[str], *, subjects: Collection[Subject]
    ) -> Sequence[Candidate]:
        """Give the skills of these names, whoever they are assigned to, in the order of ids."""
        ...


class Records(Protocol):
    """Workspaces, teams, agents, nodes and sandboxes."""

    def add_if_absent(self, record: AnyRecord) -> AnyRecord:
        """Keep `record` unless there is one of its kind and name; give the one that is kept.

        That is `record` itself only where it was added: an equal one that was there is another
        object.

        Raises:
            ConcurrentChangeError: A record that it names is not there, or no longer.
        """
        ...

    def find(self, kind: type[AnyRecord], name: str) -> AnyRecord | None:
        """Give the record, or None."""
        ...

    def list(self, kind: type[AnyRecord]) -> Sequence[AnyRecord]:
        """Give every record of a kind in the order of names, by their characters' code points."""
        ...

    def replace(self, record: Record) -> bool:
        """Keep `record` in place of its predecessor, whose revision is one less.

        False means that someone else has replaced the predecessor, or removed it: nothing was done.

        Raises:
            ConcurrentChangeError: A record that it names is not there, or no longer.
        """
        ...

    def remove(self, kind: type[Record], name: str) -> bool:
        """Remove a record with its assignments; False means that there was none.

        Raises:
            ConcurrentChangeError: Another record names it.
        """
        ...

    def list_users(self, kind: type[Record], name: str) -> Sequence[Record]:
        """Give the records that name this one, in the order of kinds and names."""
        ...


class Runs(Protocol):
    """What is remembered of runs.

    Only the process that looks after a run, or the sweep that found it dead, writes its record.
    """

    def put(self, run: Run) -> None:
        """Keep `run` in place of what was known of it; the packages that it names are kept already.

        They stay as long as its record does, whatever becomes of the skills.

        Raises:
            ConcurrentChangeError: A package that it names is not there.
        """
        ...

    def find(self, run_id: str) -> Run | None:
        """Give the run, or None."""
        ...

    def list(
        self, wanted: RunFilter, *, before: str | None = None, most: int | None = None
    ) -> Sequence[Run]:
        """Give runs from the newest to the oldest, by their ids; `before` is one to go on below."""
        ...

    def remove(self, run_ids: Collection[str]) -> int:
        """Forget runs, and give how many there were."""
        ...


class AuditLog(Protocol):
    """What happened; entries are only ever added."""

    def append(self, entry: AuditEntry) -> None:
        """Keep an entry; its number is given here."""
        ...

    def list(
        self, wanted: AuditFilter, *, before: int | None = None, most: int | None = None
    ) -> Sequence[AuditEntry]:
        """Give entries from the newest to the oldest; `before` is the number to go on below."""
        ...


class Outbox(Protocol):
    """What has to be done because of changes."""

    def append(self, event: OutboxEvent) -> None:
        """Keep an event until it is done; its number is given here."""
        ...

    def list_pending(self, *, most: int = 100) -> Sequence[OutboxEvent]:
        """Give events that are not done, in the order of their numbers.

        One with a smaller number may appear later, when its transaction ends: a reader takes what
        is pending, and never remembers a number to go on from.
        """
        ...

    def mark_done(self, numbers: Collection[int]) -> None:
        """Take events off the list; those that are not on it do not matter."""
        ...


class Transaction(Protocol):
    """A unit of work: all of it happens, or nothing."""

    @property
    def skills(self) -> Skills:
        """The named entries."""
        ...

    @property
    def versions(self) -> Versions:
        """The versions of the skills."""
        ...

    @property
    def packages(self) -> Packages:
        """The contents."""
        ...

    @property
    def assignments(self) -> Assignments:
        """The assignments."""
        ...

    @property
    def candidates(self) -> Candidates:
        """The skills, with what decides whether someone has them."""
        ...

    @property
    def records(self) -> Records:
        """The workspaces, teams, agents, nodes and sandboxes."""
        ...

    @property
    def runs(self) -> Runs:
        """The runs."""
        ...

    @property
    def audit(self) -> AuditLog:
        """The log of changes."""
        ...

    @property
    def outbox(self) -> Outbox:
        """The events that wait to be acted upon."""
        ...

    def commit(self) -> None:
        """Make everything that was written in this transaction last; at most once.

        When it returns, a crash of the process or the machine no longer undoes it.
        """
        ...


@dataclass(frozen=True, slots=True)
class StoreDescription:
    """Which store it is: the engine with its version, where it is (no password), its schema."""

    engine: str
    place: str
    schema: str


class Store(Protocol):
    """The system of record."""

    def begin(self) -> AbstractContextManager[Transaction]:
        """Begin a transaction that may write.

        Another one that writes the same things waits for it to end.

        Raises:
            StoreUnavailableError: The database cannot be reached, or stayed busy.
        """
        ...

    def view(self) -> AbstractContextManager[Transaction]:
        """Begin a transaction that only reads: what it sees does not change while it is open.

        It does not wait for one that writes, nor keep one from writing.
        """
        ...

    def describe(self) -> StoreDescription:
        """Say which store it is."""
        ...

    def iter_faults(self) -> Iterator[str]:
        """Yield what the database itself finds wrong with its files and references."""
        ...

    def rest(self) -> None:
        """Let go of connections that others may need: nothing is asked for a while."""
        ...

    def close(self) -> None:
        """Let go of everything; the store is not used again."""
        ...
