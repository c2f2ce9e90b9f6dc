"""Remove what nobody needs any more.

- The root of a run whose processes are all gone is removed, after its record says that it was lost
  and what was changed in its work tree is saved. No run that is alive is touched.
- A root whose work cannot be saved stays, and so does one that was to be kept; logins do not.
- Content stays as long as a version or the record of a run names it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from skillyard.application.journal import Journal
from skillyard.application.ports.cache import SweptCache
from skillyard.application.ports.ground import Leftover
from skillyard.application.ports.store import RemovedPackages, Store, Transaction
from skillyard.application.run_wish import Outside
from skillyard.application.settling import settle
from skillyard.domain.delivery import Note, NoteKind, Part
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import ConcurrentChangeError, SkillyardError
from skillyard.domain.run import Run, RunFilter, RunStatus, WorkspaceMode
from skillyard.domain.skill import Actor, InstallStrategy

_DIED: Final = "its processes ended without a word"
_PAGE: Final = 500
# A run that is being prepared is not recorded yet, and its links lead into the cache.
_PREPARING_SECONDS: Final = 3600.0
_NOTHING: Final = RemovedPackages(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectGarbage:
    """The wish to remove what nobody needs.

    `kept` is about roots that were kept on purpose. `purge_days` forgets the runs that began so
    many days ago or before, and removes the content that then nobody names; None forgets nothing.
    Nobody here knows what is left of runs on another machine than `host`.
    """

    cache_seconds: float
    host: str = ""
    kept: bool = False
    purge_days: int | None = None


@dataclass(frozen=True, slots=True)
class RemovedRoot:
    """The root of a run that was removed.

    `ref` says where the changes of its work tree are kept; with a `problem` it could not be
    removed.
    """

    run_id: str
    path: str
    ref: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What was removed, or would be: roots of runs, cached packages, records and contents."""

    leftovers: tuple[RemovedRoot, ...] = ()
    kept: tuple[RemovedRoot, ...] = ()
    cache: SweptCache | None = None
    runs: tuple[str, ...] = ()
    packages: RemovedPackages = _NOTHING


def collect_garbage(
    wish: CollectGarbage, *, outside: Outside, actor: Actor, dry_run: bool = False
) -> Collected:
    """Remove what nobody needs, and say what it was; a dry run leaves the cache out.

    A root whose changes cannot be saved stays, and is marked as kept.
    """
    grounds = outside.grounds
    if dry_run:
        leftovers = tuple(map(_to_removed, grounds.list_leftovers()))
        kept = tuple(map(_to_removed, grounds.list_kept())) if wish.kept else ()
    else:
        _settle_kept(outside)
        leftovers = tuple(_remove(grounds.iter_leftovers(), outside))
        kept = tuple(_remove(grounds.iter_kept(), outside)) if wish.kept else ()
    if not dry_run:
        _forget_missing(wish, outside)
    runs, packages = _purge(wish, outside, actor, dry_run=dry_run)
    swept = None if dry_run else _sweep(wish, outside)
    return Collected(leftovers=leftovers, kept=kept, cache=swept, runs=runs, packages=packages)


def _to_removed(leftover: Leftover) -> RemovedRoot:
    return RemovedRoot(leftover.run_id, leftover.path)


def _remove(found: Iterator[Leftover], outside: Outside) -> Iterator[RemovedRoot]:
    """Yield what is removed when the loop goes on, after everything about it is kept."""
    for leftover in found:
        place = f"{leftover.path}/{Part.WORKSPACE}"
        try:
            known = _had_work_tree(leftover, outside)
            saved = outside.workspaces.abandon(place, was_work_tree=known)
        except SkillyardError as error:
            outside.grounds.keep(leftover)
            _mark(leftover, outside, notes=_note_kept(leftover, error, outside), is_kept=True)
            yield RemovedRoot(leftover.run_id, leftover.path, problem=error.message)
            continue
        _mark(leftover, outside, notes=saved.notes, is_kept=False, ref=saved.ref)
        yield RemovedRoot(leftover.run_id, leftover.path, ref=saved.ref)


def _had_work_tree(leftover: Leftover, outside: Outside) -> bool:
    """Tell whether the run had a work tree that nobody has let go of yet, for all we know."""
    with outside.store.view() as view:
        run = view.runs.find(leftover.run_id)
    if run is None or run.started_at is None or run.workspace is not WorkspaceMode.WORKTREE:
        return False
    # The record of any other says that its work was saved: what is left is half removed.
    return run.is_kept or run.status is RunStatus.RUNNING


def _note_kept(leftover: Leftover, error: SkillyardError, outside: Outside) -> Iterator[Note]:
    message = f"what was changed is kept in `{leftover.path}`, not saved: {error.message}"
    yield Note(kind=NoteKind.WORKSPACE, message=message)
    yield from outside.grounds.drop_logins(leftover)


def _settle_kept(outside: Outside) -> None:
    """Let no login stay in a root that is kept, and no record say that a dead run is alive."""
    for leftover in outside.grounds.iter_kept():
        outside.grounds.keep(leftover)
        _mark(leftover, outside, notes=outside.grounds.drop_logins(leftover), is_kept=True)


def _mark(
    leftover: Leftover,
    outside: Outside,
    *,
    notes: Iterable[Note],
    is_kept: bool,
    ref: str = "",
) -> None:
    """Let the record of a run whose processes are all gone say what became of it."""
    noted = tuple(notes)
    with outside.store.begin() as transaction:
        run = transaction.runs.find(leftover.run_id)
        if run is None:
            return  # it died before it was recorded, and so before it was started
        known = replace(
            run,
            is_kept=is_kept,
            workspace_ref=ref or run.workspace_ref,
            notes=tuple(dict.fromkeys((*run.notes, *noted))),
        )
        if run.status is RunStatus.RUNNING:
            now = outside.clock.now()
            known = replace(known, status=RunStatus.LOST, failure=_DIED, ended_at=now)
        if known != run:
            transaction.runs.put(known)
            transaction.commit()


def _forget_missing(wish: CollectGarbage, outside: Outside) -> None:
    """Let no record say that a root is kept which somebody has removed."""
    with outside.store.view() as view:
        gone = [run for run in _iter_runs(view) if _is_missing(run, wish, outside)]
    if gone:
        with outside.store.begin() as transaction:
            for run in gone:
                transaction.runs.put(replace(run, is_kept=False))
            transaction.commit()


def _is_missing(run: Run, wish: CollectGarbage, outside: Outside) -> bool:
    is_over = run.is_kept and run.status is not RunStatus.RUNNING
    return is_over and run.host in {"", wish.host} and not outside.grounds.is_there(run.root)


def _sweep(wish: CollectGarbage, outside: Outside) -> SweptCache:
    kept = [one.run_id for one in outside.grounds.list_kept()]
    in_use = frozenset(_iter_linked(kept, outside.store))
    unused = max(wish.cache_seconds, _PREPARING_SECONDS)
    return outside.cache.sweep(unused_seconds=unused, in_use=in_use)


def _purge(
    wish: CollectGarbage, outside: Outside, actor: Actor, *, dry_run: bool
) -> tuple[tuple[str, ...], RemovedPackages]:
    if wish.purge_days is None:
        return (), _NOTHING
    until = outside.clock.now() - timedelta(days=wish.purge_days)

    def purge() -> tuple[tuple[str, ...], RemovedPackages] | None:
        try:
            return _try_to_purge(until, outside, actor, dry_run=dry_run)
        except ConcurrentChangeError:
            return None  # someone saved just what nobody needed

    return settle("packages", purge)


def _try_to_purge(
    until: datetime, outside: Outside, actor: Actor, *, dry_run: bool
) -> tuple[tuple[str, ...], RemovedPackages]:
    with outside.store.begin() as transaction:
        ids = tuple(one.id for one in _iter_runs(transaction) if _is_over(one, until))
        transaction.runs.remove(ids)
        removed = transaction.packages.remove_unused()
        if ids or removed.packages:
            details = {"runs": str(len(ids)), "packages": str(removed.packages)}
            journal = Journal(transaction, actor, outside.clock.now())
            journal.note("store.purged", "store", details=details)
        if not dry_run:
            transaction.commit()
    return ids, removed


def _is_over(run: Run, until: datetime) -> bool:
    # What stands in a root that was kept can be compared with its record.
    return run.created_at <= until and run.status is not RunStatus.RUNNING and not run.is_kept


def _iter_runs(transaction: Transaction, wanted: RunFilter | None = None) -> Iterator[Run]:
    before = None
    while page := _list_page(transaction, wanted or RunFilter(), before):
        yield from page
        before = page[-1].id


def _list_page(transaction: Transaction, wanted: RunFilter, before: str | None) -> Sequence[Run]:
    return transaction.runs.list(wanted, before=before, most=_PAGE)


def _iter_linked(kept: Sequence[str], store: Store) -> Iterator[TreeDigest]:
    """Yield the packages that the skills of a run, or of a kept root, may be links to."""
    with store.view() as view:
        alive = _iter_runs(view, RunFilter(status=RunStatus.RUNNING))
        standing = filter(None, map(view.runs.find, kept))
        for run in (*alive, *standing):
            for skill in run.skills:
                if skill.strategy is InstallStrategy.LINK:
                    yield skill.delivered
