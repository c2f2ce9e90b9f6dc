"""Joins ports and adapters; the only module that knows both."""

import hashlib
import os
import re
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from skillyard.application.discover import Discovered, add_digest, read_candidate
from skillyard.application.ports.catalogue import Catalogue
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.commands import Commands
from skillyard.application.ports.discovery import Directories, Packages, Root
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.laid import LaidOut
from skillyard.application.ports.scanner import Scanner
from skillyard.application.ports.search import SearchIndex
from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.source import SkillSource
from skillyard.application.ports.store import Store
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.errors import MissingPathError, SchemaOutdatedError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Candidate
from skillyard.settings import Settings

if TYPE_CHECKING:
    from skillyard.application.run_wish import Outside

_GIT: Final = "git:"
_REMOTE: Final = re.compile(r"[a-z+]+://")


def open_source(text: str, *, limits: Limits = STANDARD) -> SkillSource:
    """Give the source that a user names by `text`.

    It is a skill's directory, a directory of skills, a SKILL.md, a bundle, or a tree in a git
    repository written as `git:REPO[@REVISION][:PATH]`.

    Raises:
        MissingPathError: There is no such path.
    """
    if not text:
        raise MissingPathError(text, reason="is no path", hint="Name a directory or a file")
    if text.startswith(_GIT):
        return _open_git(text.removeprefix(_GIT), limits)
    path = Path(text)
    try:
        path.stat()
    except OSError as error:
        raise MissingPathError(text, reason=_why(error)) from error
    except ValueError as error:
        raise MissingPathError(text, reason="is no path") from error
    if path.is_dir() or path.name.casefold() == "skill.md":
        from skillyard.adapters.fs.source import DirectorySource

        return DirectorySource(path, limits)
    from skillyard.adapters.fs.bundle import BundleSource

    return BundleSource(path, limits)


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    return f"cannot be looked at: {error.strerror}"


def _open_git(text: str, limits: Limits) -> SkillSource:
    from skillyard.adapters.git.source import GitTreeSource

    if _REMOTE.match(text):
        raise MissingPathError(
            f"{_GIT}{text}",
            reason="is not a repository on this machine",
            hint="Clone it, and name the clone",
        )
    place, _, path = text.partition(":")
    repository, _, revision = place.rpartition("@") if "@" in place else (place, "", "")
    inside = path.strip("/").removesuffix(SKILL_MD).rstrip("/")
    return GitTreeSource(Path(repository or "."), revision or "HEAD", inside, limits)


def open_shelf() -> Shelf:
    """Give the local disk."""
    from skillyard.adapters.fs.shelf import DiskShelf

    return DiskShelf()


def open_store(settings: Settings, *, dry_run: bool = False) -> Store:
    """Give the system of record that the settings name; the schema is brought up to date.

    Where there is none yet, it is made; the home is too, and no other directory. A dry run neither
    makes nor upgrades one: where there is none, what it does happens in memory.

    Raises:
        StoreUnavailableError: It cannot be reached.
        SchemaOutdatedError: It is older, and is not to be upgraded by itself.
    """
    from skillyard.adapters.db.opening import open_store as open_database
    from skillyard.adapters.db.revisions import NOTHING

    try:
        return open_database(
            settings.database_url,
            upgrade=settings.database_upgrade and not dry_run,
            create=not dry_run,
            make_directories=settings.is_in_home,
        )
    except SchemaOutdatedError as error:
        if not dry_run or error.found != NOTHING:
            raise
    from skillyard.testing.memory import MemoryStore

    return MemoryStore()


def open_catalogue(settings: Settings) -> Catalogue:
    """Give the list of skills alone: much sooner than a whole store, where that can be done."""
    from skillyard.adapters.db.quick import find_quick_catalogue

    return find_quick_catalogue(settings.database_url) or StoreCatalogue(open_store(settings))


@dataclass(frozen=True, slots=True)
class StoreCatalogue:
    """See `Catalogue`: the list of skills of a whole store."""

    store: Store

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """See `Catalogue.list_entries`."""
        with self.store.view() as view:
            return view.skills.list_entries(wanted, after=after, most=most)

    def close(self) -> None:
        """See `Catalogue.close`."""
        self.store.close()


def open_clock() -> Clock:
    """Give the clock of this machine."""
    from skillyard.adapters.system.clock import SystemClock

    return SystemClock()


def open_ids() -> IdSource:
    """Give the source of identities of this machine."""
    from skillyard.adapters.system.ids import TimeOrderedIds

    return TimeOrderedIds()


def open_scanner() -> Scanner:
    """Give the scanner of what comes from outside."""
    from skillyard.adapters.scanner.unscanned import NoScanner

    return NoScanner()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The directories of skills on this machine, and the commands that can be started on it."""

    directories: Directories
    packages: Packages
    commands: Commands

    def discover(self, roots: Sequence[Root]) -> Discovered:
        """Look into the roots; which commands are missing is not asked."""
        return Discovered(listed=tuple(map(self.directories.list_root, roots)))

    def seal(self, candidate: Candidate, roots: Sequence[Root]) -> Candidate:
        """Give the digest of what stands in a directory now; see `add_digest`."""
        return add_digest(candidate, roots=roots, packages=self.packages)

    def read(self, candidate: Candidate, roots: Sequence[Root]) -> Package:
        """Read the package of a directory.

        Raises:
            MissingPathError: It is not there any more.
            InvalidPackageError: Something in it is refused.
        """
        found = read_candidate(candidate, roots=roots, packages=self.packages)
        return found.taken.require(found.location)


def open_surroundings(*, index: Path | None, limits: Limits = STANDARD) -> Surroundings:
    """Give what is on this machine; what is found in directories is remembered in `index`."""
    from skillyard.adapters.fs.packages import DiskPackages
    from skillyard.adapters.index.commands import PathCommands
    from skillyard.adapters.index.directories import IndexedDirectories

    cache = str(index) if index is not None else None
    return Surroundings(
        directories=IndexedDirectories(cache, program=_find_version(), limits=limits),
        packages=DiskPackages(limits=limits),
        commands=PathCommands(os.environ.get("PATH", os.defpath)),
    )


def _find_version() -> str:
    # The package itself stands above this module, and only its version is wanted.
    return str(import_module("skillyard").__version__)


def find_roots(
    *,
    project: Path | None,
    include_user: bool = True,
    further: Sequence[Path] = (),
    project_further: Sequence[str] = (),
) -> tuple[Root, ...]:
    """Give the directories that skills are looked for in; see `list_roots`.

    Without the user, `further` are left out as well.
    """
    from skillyard.adapters.index.roots import list_roots

    return list_roots(
        home=_find_user() if include_user else None,
        project=project,
        further=further if include_user else (),
        project_further=project_further,
    )


def _find_user() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:  # whoever runs this has no home
        return None


def open_search_index(
    directory: Path | None,
    store: Store,
    *,
    counting: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> SearchIndex:
    """Give the index of what the skills of `store` are about; it is kept in `directory`.

    With None, nothing is kept. `counting` passes on the ids of the skills that are read for it, and
    may say how far it has come.
    """
    from skillyard.adapters.search.index import LocalIndex
    from skillyard.adapters.search.meanings import open_meanings
    from skillyard.adapters.search.patterns import open_fitting

    about = store.describe()
    name = hashlib.sha256(f"{about.engine.split()[0]} {about.place}".encode()).hexdigest()[:32]
    return LocalIndex(
        None if directory is None else directory / f"{name}.db",
        program=_find_version(),
        counting=counting,
        meanings=open_meanings(),
        fitting=open_fitting(),
    )


def open_outside(
    home: Path, store: Store, *, clock: Clock, ids: IdSource, limits: Limits = STANDARD
) -> "Outside":
    """Give what runs need: a cache and a ground for them below `home`, and work trees."""
    from skillyard.adapters.cache.disk import DiskCache
    from skillyard.adapters.runs.grounds import DiskGrounds
    from skillyard.adapters.workspace.workspaces import GitWorkspaces
    from skillyard.application.run_wish import Outside

    return Outside(
        store=store,
        cache=DiskCache(home / "cache" / "packages", clock=clock),
        grounds=DiskGrounds(home / "runs"),
        workspaces=GitWorkspaces(apart=(home,)),
        shelf=open_shelf(),
        clock=clock,
        ids=ids,
        limits=limits,
    )


def open_laid_out() -> LaidOut:
    """Give the directories that packages were laid out as."""
    from skillyard.adapters.runs.laid import DiskLaidOut

    return DiskLaidOut()


def copy_store(settings: Settings, url: str, *, dry_run: bool = False) -> Generator[str]:
    """Copy the store that the settings name into the empty database at `url`.

    Yields the name of a table for each row. Nothing is kept unless all of it is. A dry run makes
    nothing: it reads the rows, and looks whether the database at `url` is empty.

    Raises:
        TargetExistsError: The database at `url` holds something.
        InvalidSettingError: `url` names no database.
    """
    from skillyard.adapters.db.opening import open_store as open_database

    upgrade = settings.database_upgrade and not dry_run
    source = open_database(settings.database_url, upgrade=upgrade, create=False)
    with closing(source):
        if dry_run:
            _require_room(url)
            yield from source.iter_rows()
        else:
            with closing(open_database(url)) as target:
                yield from source.copy_to(target)


def _require_room(url: str) -> None:
    from skillyard.adapters.db.opening import open_store as open_database
    from skillyard.adapters.db.revisions import NOTHING

    try:
        target = open_database(url, upgrade=False, create=False)
    except SchemaOutdatedError as error:
        if error.found != NOTHING:
            raise
        return
    with closing(target):
        target.require_empty()


def open_copy(url: str) -> Store:
    """Give the store that `copy_store` has made at `url`."""
    from skillyard.adapters.db.opening import open_store as open_database

    return open_database(url, upgrade=False, create=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradedStore:
    """A database whose schema was, or would be, brought up to date."""

    place: str
    before: str
    after: str


def upgrade_store(settings: Settings, *, dry_run: bool = False) -> UpgradedStore:
    """Bring the schema of the database that the settings name up to date."""
    from skillyard.adapters.db.opening import open_store as open_database
    from skillyard.adapters.db.revisions import HEAD

    try:
        store = open_database(settings.database_url, upgrade=False, create=False)
        before = HEAD
    except SchemaOutdatedError as error:
        before = error.found
        if dry_run:
            return UpgradedStore(place=error.place, before=before, after=HEAD)
        store = open_database(settings.database_url, make_directories=settings.is_in_home)
    about = store.describe()
    store.close()
    return UpgradedStore(place=about.place, before=before, after=about.schema)
