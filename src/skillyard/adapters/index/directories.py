"""Look into directories of skills; what was not changed since the last look is not read again.

A root that did not change costs one look at its names, and for each skill one at its SKILL.md and
one at its manifest.json.
"""

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from skillyard.adapters.index.links import leads_out, refuse_link, resolve_link
from skillyard.adapters.index.memory import IndexFiles
from skillyard.adapters.index.reading import read_files
from skillyard.adapters.index.row import ROOT, Reading, Row, locate, sign, to_printable
from skillyard.adapters.index.table import Table
from skillyard.application.ports.discovery import ListedRoot, LocatedFinding, OutgoingLink, Root
from skillyard.domain.diagnostic import Severity
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.resolution import Layer
from skillyard.skillmd import rules

SKIPPED: Final = frozenset({".git", "node_modules", "__pycache__"})
MOST_NAMES: Final = 250_000
"""How many names a root may hold; more is no place for skills."""

_NOTHING: Final = Table.of([])
_ROOT: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_MISSING: Final = frozenset({errno.ENOENT, errno.ENOTDIR})
# Gone, or swapped for something else, since its name was read.
_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


class _Seen(NamedTuple):
    """The directories of a root that may be skills, and what was found out on the way."""

    real: str
    places: set[str]
    findings: list[LocatedFinding]
    links: list[OutgoingLink]


class IndexedDirectories:
    """See `Directories`. What is found is kept in files below `cache`, unless that is None.

    `program` is the version of this program: another one may understand a file differently.
    """

    def __init__(
        self,
        cache: str | None,
        *,
        program: str = "",
        limits: Limits = STANDARD,
        now: Callable[[], int] = time.time_ns,
    ) -> None:
        self._files = IndexFiles(cache)
        self._program = program
        self._limits = limits
        self._now = now
        self._known: dict[Root, Table] = {}

    def list_root(self, root: Root) -> ListedRoot:
        """See `Directories.list_root`."""
        try:
            if root.within is not None and leads_out(root.path, root.within):
                return ListedRoot(root, _NOTHING, (_leading_out(root),))
            with _opened(root.path) as handle:
                seen = _look(root.path, handle)
                skills = self._refresh(root, handle, seen)
        except ValueError:  # no path at all
            return ListedRoot(root, _NOTHING)
        except OSError as error:
            findings = () if error.errno in _MISSING else (_unreadable(root.path, error),)
            return ListedRoot(root, _NOTHING, findings)
        return ListedRoot(root, skills, tuple(seen.findings), tuple(seen.links), seen.real)

    def _refresh(self, root: Root, handle: int, seen: _Seen) -> Table:
        origin = self._describe_origin(root)
        known = self._known.get(root)
        if known is None:
            known = self._files.find(root.path, origin) or _NOTHING
        kept = _list_unchanged(known, seen.places, handle)
        places = seen.places.difference(map(known.places.__getitem__, kept))
        reader = _Reader(root, self._plan_reading(root, handle), seen.findings)
        read = [row for place in sorted(places) if (row := reader.read(place)) is not None]
        if read or len(kept) != len(known):
            rows = list(known)
            known = Table.of(sorted([*map(rows.__getitem__, kept), *read], key=_path_order))
            self._files.keep(root.path, origin, known)
        self._known[root] = known
        return known

    def _plan_reading(self, root: Root, handle: int) -> Reading:
        name = os.path.basename(os.path.realpath(root.path))  # noqa: PTH119
        is_ours = root.layer is Layer.BUNDLED
        return Reading(handle, name, self._limits, self._now(), is_ours)

    def _describe_origin(self, root: Root) -> str:
        # All that decides what is made of a file, besides the file.
        return f"{self._program} {root.path!a} {root.layer is Layer.BUNDLED} {self._limits}"


@contextmanager
def _opened(path: str) -> Iterator[int]:
    handle = os.open(path, _ROOT)
    try:
        yield handle
    finally:
        os.close(handle)


def _look(root: str, handle: int) -> _Seen:
    seen = _Seen(os.path.realpath(root), {ROOT}, [], [])
    links = []
    with os.scandir(handle) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                seen.places.add(entry.name)
            elif entry.is_symlink():
                links.append(entry.name)
            if len(seen.places) + len(links) > MOST_NAMES:
                raise OSError(errno.E2BIG, f"it holds more than {MOST_NAMES:,} directories")
    seen.places.difference_update(SKIPPED)
    _follow(root, links, seen)
    return seen


def _follow(root: str, links: list[str], seen: _Seen) -> None:
    for name in sorted(links):
        target = resolve_link(root, seen.real, name)
        if isinstance(target, LocatedFinding):
            seen.findings.append(target)
        elif isinstance(target, OutgoingLink):
            seen.links.append(target)
        elif target is not None and SKIPPED.isdisjoint(target.split("/")):
            seen.places.add(target)


def _list_unchanged(table: Table, places: set[str], handle: int) -> list[int]:
    """Give the numbers of the rows whose files are still the same.

    This is all that is done for most skills, most of the time, and so it is written out.
    """
    look, is_there, there = os.stat, os.access, os.F_OK
    kept = []
    numbers = table.numbers
    files = zip(table.places, numbers[9], *numbers[:4], numbers[7], strict=True)
    for index, (place, settled, written, changed, size, inode, sidecar) in enumerate(files):
        if not settled or place not in places:
            continue
        try:
            now = look(f"{place}/SKILL.md", dir_fd=handle, follow_symlinks=False)
            if (
                now.st_mtime_ns != written
                or now.st_ctime_ns != changed
                or now.st_size != size
                or now.st_ino != inode
            ):
                continue
            # To ask whether there is a file takes half as long as to ask what it is.
            if sidecar:
                now = look(f"{place}/manifest.json", dir_fd=handle, follow_symlinks=False)
                if sign(now) != table[index].sidecar:
                    continue
            elif is_there(f"{place}/manifest.json", there, dir_fd=handle):
                continue
        except OSError:
            continue
        kept.append(index)
    return kept


class _Reader:
    """Reads directories anew, and notes those that cannot be read."""

    def __init__(self, root: Root, reading: Reading, findings: list[LocatedFinding]) -> None:
        self._root = root
        self._reading = reading
        self._findings = findings

    def read(self, place: str) -> Row | None:
        try:
            return self._read(place)
        except OSError as error:
            if error.errno not in _GONE:
                self._findings.append(_unreadable(locate(self._root.path, place), error))
            return None

    def _read(self, place: str) -> Row | None:
        files = read_files(place, self._reading)
        if not files:
            return None
        from skillyard.adapters.index.making import make_row  # noqa: PLC0415 - see there

        return make_row(place, files, self._reading)


def _unreadable(path: str, error: OSError) -> LocatedFinding:
    hint = "Give yourself the right to read it, for example with `chmod -R u+rX`"
    finding = rules.UNREADABLE.finding(
        f"the directory cannot be read: {error.strerror or error}",
        severity=Severity.WARNING,
        path="",
        hint=hint if error.errno == errno.EACCES else "",
    )
    return LocatedFinding(to_printable(path), finding, skipped=True)


def _leading_out(root: Root) -> LocatedFinding:
    target = to_printable(os.path.realpath(root.path))
    finding = refuse_link(
        f"it is a link that leads out of the project, to `{target}`",
        "Put a copy in its place, or name the other directory by the setting `roots`",
    )
    return LocatedFinding(to_printable(root.path), finding, skipped=True)


def _path_order(row: Row) -> bytes:
    return b"" if row.place == ROOT else os.fsencode(row.place)
