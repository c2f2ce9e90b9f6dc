"""Past runs: find them, lay out again what they were given, and see whether it is still so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from skillyard.application.ports.laid import LaidOut
from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.delivery import NoteKind
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import (
    AmbiguousRunError,
    CorruptedContentError,
    MissingPathError,
    RunDriftError,
    RunNotFoundError,
    UnsafePathError,
)
from skillyard.domain.facts import is_storable
from skillyard.domain.package import Package
from skillyard.domain.receipt import find_place, have_clash, render_receipt
from skillyard.domain.resolution import hash_manifest
from skillyard.domain.run import Run, RunFilter, RunSkill, RunStatus, SeenChange
from skillyard.domain.skill import InstallStrategy

LAST: Final = "last"
"""What a person types for the newest run."""
RECEIPT: Final = "receipt.json"
_MOST_NAMED: Final = 6
_GIVEN: Final = (
    "agent",
    "subjects",
    "provider",
    "mode",
    "manifest_hash",
    "skills",
    "command",
    "workspace",
    "project",
    "host",
    "files",
    "environment",
    "created_at",
)
"""What is known of a run before its program is started, and does not change afterwards."""
_ENDED: Final = ("status", "exit_status", "failure", "changes", "started_at", "ended_at")
"""What is known of it at its end."""
_LEFT_OUT: Final = frozenset({NoteKind.LEFT_OUT, NoteKind.EXCLUDED})


def find_run(text: str, *, store: Store) -> Run:
    """Give the run of that id, of an id that starts like that, or the last one.

    Raises:
        RunNotFoundError: There is none.
        AmbiguousRunError: There are several.
    """
    with store.view() as view:
        if text == LAST:
            found = view.runs.list(RunFilter(), most=1)
        elif not text or not is_storable(text):
            found = ()
        else:
            found = view.runs.list(RunFilter(id_prefix=text.lower()), most=_MOST_NAMED)
    if not found:
        raise RunNotFoundError(text)
    if len(found) > 1:
        raise AmbiguousRunError(text, ids=[one.id for one in found])
    return found[0]


def list_runs(
    wanted: RunFilter, *, store: Store, before: str | None = None, most: int | None = None
) -> Sequence[Run]:
    """List runs from the newest to the oldest."""
    with store.view() as view:
        return view.runs.list(wanted, before=before, most=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedRun:
    """How much of what a run was given is still as it was.

    `root` is the directory that was compared; empty where there is none. `lost` names the skills
    that the store does not have any more. `edited` says what of a receipt does not fit the rest of
    it, or the record that the store has of the same run.
    """

    run: Run
    root: str
    lost: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    changes: tuple[SeenChange, ...] = ()

    @property
    def is_intact(self) -> bool:
        """Tell whether nothing is gone or different."""
        return not (self.lost or self.edited or self.changes)

    def require_intact(self) -> None:
        """Make sure that nothing is gone or different.

        Raises:
            RunDriftError: Something is; all of it is named.
        """
        if not self.is_intact:
            changed = [f"{one.slug}: {one.path} is {one.kind}" for one in self.changes]
            raise RunDriftError(self.run.id, lost=self.lost, changed=[*self.edited, *changed])


def verify_run(run: Run, *, store: Store, laid: LaidOut, root: str | None = None) -> VerifiedRun:
    """Compare what a run was given with the store, and with what stands below `root`.

    Without a root it is the run's own, if that was kept.

    Raises:
        MissingPathError: `root` is no directory.
    """
    if root is not None and not laid.is_there(root):
        raise MissingPathError(root, reason="is no directory")
    place = root if root is not None else run.root
    is_compared = root is not None or (bool(place) and laid.is_there(place))
    lost: list[str] = []
    changes: list[SeenChange] = []
    with store.view() as view:
        record = view.runs.find(run.id) if is_storable(run.id) else None
        for skill in run.skills:
            package = _find(skill.delivered, view)
            if package is None:
                lost.append(_say_gone(skill, skill.delivered))
            elif skill.digest != skill.delivered and _find(skill.digest, view) is None:
                lost.append(_say_gone(skill, skill.digest))
            elif is_compared and (skill.path or root is not None):
                changes += _iter_changes(skill, package, place, laid)
    return VerifiedRun(
        run=run,
        root=place if is_compared else "",
        lost=tuple(lost),
        edited=tuple(_iter_edited(run, record)),
        changes=tuple(sorted(changes)),
    )


def _iter_edited(run: Run, record: Run | None) -> Iterator[str]:
    """Yield what of a run is not as it was written down."""
    if record is None:
        if not _fits_its_hash(run):
            yield "manifest_hash does not fit its skills"
        return
    # A receipt that was written at the start knows nothing of the end.
    names = _GIVEN if run.status is RunStatus.RUNNING else (*_GIVEN, *_ENDED)
    for name in names:
        if getattr(run, name) != getattr(record, name):
            yield f"{name} is not what the store has of it"


def _fits_its_hash(run: Run) -> bool:
    """Tell whether the hash is that of the skills; it cannot be told where one was left out."""
    is_unknown = run.status is RunStatus.NOT_STARTED and not run.skills
    if is_unknown or any(one.kind in _LEFT_OUT for one in run.notes):
        return True
    rows = ((one.slug, one.version, one.digest, one.disposition) for one in run.skills)
    return hash_manifest(rows) == run.manifest_hash


def _iter_changes(
    skill: RunSkill, package: Package, root: str, laid: LaidOut
) -> Iterator[SeenChange]:
    path = f"{root}/{find_place(skill)}"
    is_link = skill.strategy is InstallStrategy.LINK
    if not skill.path and not laid.is_there(path):
        return  # only a replay lays such a skill out
    for name, kind in laid.find_changes(package, path, is_link=is_link).items():
        yield SeenChange(skill.slug, name, kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedRun:
    """A run whose skills were laid out again, and the directory of each, relative to `target`."""

    run: Run
    target: PurePath
    directories: tuple[str, ...]


def replay_run(
    run: Run, target: PurePath, *, store: Store, shelf: Shelf, dry_run: bool = False
) -> ReplayedRun:
    """Lay the skills of a run out again below the new directory `target`, byte for byte.

    They stand where they stood below the run's root; one that was prompt text only stands in
    `prompt/`. What has become of the skills in the store does not matter. Where something is gone,
    nothing is written.

    Raises:
        RunDriftError: Something is gone; all of it is named.
        TargetExistsError: There is something at `target`.
        UnsafePathError: Several skills stand in the same place.
    """
    if have_clash(run.skills):
        raise UnsafePathError(str(target), reason="several skills would stand in the same place")
    packages = _get_packages(run, store)
    shelf.require_free(target, directory=True)
    if not dry_run:
        for skill, package in packages:
            shelf.put_package(package, target / find_place(skill))
        shelf.put_file(render_receipt(run).encode(), target / RECEIPT, private=True)
    directories = tuple(find_place(skill) for skill, _ in packages)
    return ReplayedRun(run=run, target=target, directories=directories)


def _get_packages(run: Run, store: Store) -> list[tuple[RunSkill, Package]]:
    with store.view() as view:
        found = [(skill, _find(skill.delivered, view)) for skill in run.skills]
    lost = [_say_gone(skill, skill.delivered) for skill, package in found if package is None]
    if lost:
        raise RunDriftError(run.id, lost=lost)
    return [(skill, package) for skill, package in found if package is not None]


def _say_gone(skill: RunSkill, digest: TreeDigest) -> str:
    return f"{skill.slug} {skill.version} ({digest}) is gone"


def _find(digest: TreeDigest, view: Transaction) -> Package | None:
    try:
        return view.packages.get(digest)
    except CorruptedContentError:
        return None
