"""The one way in: entries from anywhere become a package in memory, or one clear refusal.

- Readers of directories, archives, bundles and git trees yield entries; nothing but this module
  decides which of them a package may hold.
- Reading is bounded by the limits, not by what is offered: an entry is asked for at most one byte
  more than it may have, and nothing is asked once the package is full.
- Nothing is written anywhere.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from skillyard.domain.diagnostic import Diagnostic, has_errors
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package, PackageFile, to_file
from skillyard.domain.paths import (
    SKILL_MD,
    PackagePath,
    collision_key,
    find_path_problem,
    iter_collisions,
    list_parents,
    show_path,
)
from skillyard.skillmd import rules

LEFT_OUT_NAMES: Final = frozenset({"__pycache__", "node_modules", "__MACOSX", ".DS_Store"})
"""Names that tools and systems leave behind; what they name is no part of a package."""
# What macOS puts beside a file, in archives and on foreign disks, to keep its attributes.
_APPLE_DOUBLE: Final = "._"
_NOT_A_PLACE: Final = frozenset({"", ".", ".."})
# What tools leave behind may lie deep, but still has a path that means one place.
_LEFT_OUT_CHARACTERS: Final = 1024
_LEFT_OUT_LIMITS: Final = replace(
    STANDARD, path_characters=_LEFT_OUT_CHARACTERS, package_depth=_LEFT_OUT_CHARACTERS
)


class EntryKind(StrEnum):
    """What an entry is; only files are taken in.

    A directory needs no entry. One that has one is checked, and left behind: packages hold files.
    """

    FILE = "file"
    DIRECTORY = "directory"
    LINK = "link"
    SPECIAL = "special"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a reader found.

    `read(most)` gives at most `most` bytes of the content; a longer answer means a broken reader.
    A stream may only be read until the next entry is asked for. Other programs would unpack what
    is `archived`, also where it is left out here.
    """

    path: str
    kind: EntryKind
    read: Callable[[int], bytes]
    executable: bool = False
    archived: bool = False


class IntakeRefusedError(Exception):
    """A reader cannot go on: what it reads is damaged, ambiguous or too large."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came in: the files that were accepted, and everything that was not.

    `directory` is the name of the one directory that an archive wrapped its files in, or None.
    """

    package: Package
    diagnostics: tuple[Diagnostic, ...] = ()
    directory: str | None = None

    def require(self, location: str) -> Package:
        """Give the package if nothing was refused.

        Raises:
            InvalidPackageError: Something was; the error carries every diagnostic.
        """
        if has_errors(self.diagnostics):
            raise InvalidPackageError(location, self.diagnostics)
        return self.package


def take_in(
    entries: Iterable[Entry], *, limits: Limits = STANDARD, unwrap: bool = False
) -> TakenIn:
    """Read `entries` into a package.

    With `unwrap`, files that all stand in one directory, whose SKILL.md is directly in it, are
    taken without that directory, as most archives of a directory are made.
    """
    collector = _Collector(limits)
    try:
        for entry in entries:
            if not collector.accept(entry):
                break
    except IntakeRefusedError as refusal:
        return TakenIn(Package.of({}), (*collector.diagnostics, refusal.diagnostic))
    return _finish(collector, limits, unwrap=unwrap)


def take_in_files(
    files: Mapping[str, PackageFile | bytes | str], *, limits: Limits = STANDARD
) -> TakenIn:
    """Read files that are in memory into a package, by the same rules as any others."""
    return take_in((_to_entry(path, to_file(file)) for path, file in files.items()), limits=limits)


def _to_entry(path: str, file: PackageFile) -> Entry:
    return Entry(path, EntryKind.FILE, lambda most: file.content[:most], file.executable)


class _Collector:
    """Collects contents, and stops where the limits are reached."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.files: list[tuple[str, PackageFile]] = []
        self.directories: set[str] = set()
        self.diagnostics: list[Diagnostic] = []
        self._left_out: set[str] = set()
        self._seen = 0
        self._bytes = 0

    def accept(self, entry: Entry) -> bool:
        """Take one entry; False means that no further one is wanted."""
        left_out = find_left_out(entry.path)
        if left_out is not None and _may_leave_out(entry):
            self._note_left_out(left_out)
            return True
        if entry.kind is EntryKind.DIRECTORY:
            self.directories.add(entry.path)
            return True
        self._seen += 1
        if self._seen > self.limits.package_files:
            self._refuse_count()
            return False
        if entry.kind is not EntryKind.FILE:
            self._refuse_kind(entry)
            return True
        return self._take(entry)

    def _take(self, entry: Entry) -> bool:
        name = entry.path.rsplit("/", 1)[-1]
        most = self.limits.file_limit(name)
        content = entry.read(most + 1)
        if len(content) > most:
            self.diagnostics.append(
                rules.FILE_TOO_LARGE.finding(
                    f"`{show_path(entry.path)}` is larger than {most:,} bytes",
                    path=show_path(entry.path),
                    hint="Shorten it, split it, or choose the `wide` limits",
                )
            )
            return True
        self._bytes += len(content)
        if self._bytes > self.limits.package_bytes:
            self._refuse_size()
            return False
        self.files.append((entry.path, PackageFile(content, entry.executable)))
        return True

    def _note_left_out(self, name: str) -> None:
        if name not in self._left_out:
            self._left_out.add(name)
            self.diagnostics.append(
                rules.LEFT_OUT.finding(f"`{name}` is left out of the package", path=name)
            )

    def _refuse_count(self) -> None:
        self.diagnostics.append(
            rules.TOO_MANY_FILES.finding(
                f"there are more than {self.limits.package_files:,} files", path=""
            )
        )

    def _refuse_size(self) -> None:
        self.diagnostics.append(
            rules.PACKAGE_TOO_LARGE.finding(
                f"the files together are larger than {self.limits.package_bytes:,} bytes",
                path="",
                hint="Leave out what the skill does not need, or choose the `wide` limits",
            )
        )

    def _refuse_kind(self, entry: Entry) -> None:
        shown = show_path(entry.path)
        if entry.kind is EntryKind.LINK:
            finding = rules.LINK.finding(
                f"`{shown}` is a link", path=shown, hint="Put a copy of the file in its place"
            )
        else:
            finding = rules.SPECIAL_FILE.finding(
                f"`{shown}` is neither a file nor a directory", path=shown
            )
        self.diagnostics.append(finding)


def find_left_out(path: str) -> str | None:
    """Give the name for which what stands at `path` is left out of packages, or None.

    A path that leads out of the package is not left out: it is an attack, and will be refused.
    """
    if path == SKILL_MD:
        return None
    parts = path.split("/")
    if _NOT_A_PLACE.intersection(parts):
        return None
    names = (part for part in parts if part in LEFT_OUT_NAMES or part.startswith(_APPLE_DOUBLE))
    name = next(names, None)
    return f"{_APPLE_DOUBLE}*" if name and name.startswith(_APPLE_DOUBLE) else name


def _may_leave_out(entry: Entry) -> bool:
    if entry.kind in {EntryKind.FILE, EntryKind.DIRECTORY}:
        return find_path_problem(entry.path, limits=_LEFT_OUT_LIMITS) is None
    # What leads out of an archive, or is a device, does so under any name.
    return not entry.archived


def _finish(collector: _Collector, limits: Limits, *, unwrap: bool) -> TakenIn:
    files = collector.files
    if len(files) == 1 and files[0][0] == SKILL_MD and not collector.directories:
        # Most packages are this one file, whose path needs no look.
        lone = Package(MappingProxyType({SKILL_MD: files[0][1]}))
        return TakenIn(lone, tuple(collector.diagnostics))
    directory = _find_wrapper([path for path, _ in collector.files]) if unwrap else None
    tree = _Tree(limits, collector.diagnostics)
    for path, file in collector.files:
        tree.add_file(_strip(path, directory), file)
    tree.drop_collisions()
    # The longest first, so that of a chain of bad directories only the deepest is reported.
    for path in sorted(collector.directories, key=lambda one: (-len(one), one)):
        if path != directory:
            tree.check_directory(_strip(path, directory))
    return TakenIn(Package.from_checked(tree.accepted.items()), tuple(tree.diagnostics), directory)


class _Tree:
    """Checks paths against the rules and against each other; each cause is reported once."""

    def __init__(self, limits: Limits, diagnostics: list[Diagnostic]) -> None:
        self.limits = limits
        self.diagnostics = diagnostics
        self.accepted: dict[PackagePath, PackageFile] = {}
        self._refused: list[str] = []
        self._keys: dict[str, PackagePath] = {}

    def add_file(self, path: str, file: PackageFile) -> None:
        if not self._is_safe(path):
            return
        if path in self.accepted:
            self.diagnostics.append(
                rules.ARCHIVE_AMBIGUOUS.finding(f"`{path}` stands twice", path=path)
            )
        else:
            self.accepted[PackagePath(path)] = file

    def drop_collisions(self) -> None:
        for path, earlier in list(iter_collisions(self.accepted)):
            del self.accepted[PackagePath(path)]
            self.diagnostics.append(_collision(path, earlier))
            insort(self._refused, path)
        self._keys = {collision_key(path): path for path in self.accepted}

    def check_directory(self, path: str) -> None:
        if self._is_explained(path) or not self._is_safe(path):
            return
        places = map(collision_key, (*list_parents(path), path))
        files = (self._keys.get(place) for place in places)
        file = next(filter(None, files), None)
        if file is not None:
            self.diagnostics.append(_collision(path, file))
            insort(self._refused, path)

    def _is_explained(self, directory: str) -> bool:
        # Something below it was refused, and takes it along.
        first = bisect_left(self._refused, f"{directory}/")
        return any(one.startswith(f"{directory}/") for one in self._refused[first : first + 1])

    def _is_safe(self, path: str) -> bool:
        problem = find_path_problem(path, limits=self.limits)
        if problem is None:
            return True
        insort(self._refused, path)
        shown = show_path(path)
        self.diagnostics.append(
            rules.PATH_UNSAFE.finding(f"the path `{shown}` is refused: {problem}", path=shown)
        )
        return False


def _collision(path: str, earlier: str) -> Diagnostic:
    if path == earlier or path.startswith(f"{earlier}/"):
        message = f"`{earlier}` is a file and a directory"
    else:
        message = f"`{path}` and `{earlier}` are one file on some systems"
    return rules.PATH_COLLISION.finding(message, path=path)


def _strip(path: str, directory: str | None) -> str:
    return path.removeprefix(f"{directory}/") if directory else path


def _find_wrapper(paths: list[str]) -> str | None:
    top = paths[0].split("/", 1)[0] if paths else ""
    is_wrapper = f"{top}/SKILL.md" in paths and all(one.startswith(f"{top}/") for one in paths)
    # `../SKILL.md` stands in a directory too; taking that off would hide the attack.
    return top if is_wrapper and find_path_problem(top) is None else None
