"""Read one package directory.

- Every directory and file is opened without following links, and what was opened is looked at
  again: a name that means something else by now is refused, not read.
- `.git` is never a part of a package. What the intake leaves out is neither opened nor entered.
- What cannot be read, or has a name that is no text, becomes a finding and hides nothing else.
"""

import errno
import os
import stat
from collections.abc import Generator, Mapping
from functools import partial
from typing import Final, NamedTuple

from skillyard.adapters.fs.handle import (
    LINK_ERRORS,
    Descent,
    Handle,
    Kind,
    close,
    list_directory,
    open_file,
    read_at_most,
    to_printable,
)
from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD, show_path
from skillyard.skillmd import rules
from skillyard.skillmd.intake import (
    Entry,
    EntryKind,
    IntakeRefusedError,
    TakenIn,
    find_left_out,
    take_in,
)

MOST_NAMES: Final = 250_000
"""How many names one directory may hold; more is no place for skills."""

_LONE: Final = {str(SKILL_MD): Kind.FILE}
_READ_AGAIN: Final = "Let nobody else write there meanwhile, and run the command again"


class ReadTree(NamedTuple):
    """A package, and which file its SKILL.md was; None where it was not read."""

    taken: TakenIn
    identity: tuple[int, int] | None = None


def is_skill_md(name: str) -> bool:
    """Tell whether `name` is SKILL.md, in whatever case."""
    return len(name) == len(SKILL_MD) and name.isascii() and name.lower() == "skill.md"


def is_package(listing: Mapping[str, Kind]) -> bool:
    """Tell whether a directory with this listing is a package."""
    # The second half looks at every name, and is rarely needed.
    return listing.get(SKILL_MD, Kind.DIRECTORY) is not Kind.DIRECTORY or any(
        kind is not Kind.DIRECTORY and is_skill_md(name) for name, kind in listing.items()
    )


def read_tree(
    handle: Handle, listing: Mapping[str, Kind], *, limits: Limits, is_ours: bool = False
) -> ReadTree:
    """Take in the package whose open directory and its listing are given.

    What is ours was installed together with this program. Its files may have further names, in the
    cache of the installer.
    """
    reader = _TreeReader(limits, is_ours=is_ours)
    entries = reader.iter_entries(handle, listing)
    try:
        taken = take_in(entries, limits=limits)
    finally:
        entries.close()
    if reader.findings:
        findings = (*taken.diagnostics, *reader.findings)
        taken = TakenIn(taken.package, findings, taken.directory)
    return ReadTree(taken, reader.identity)


def refused(finding: Diagnostic) -> TakenIn:
    """Give what came in of a package that could not be read at all."""
    return TakenIn(Package.of({}), (finding,))


def unreadable(path: str, error: OSError) -> Diagnostic:
    """Make the finding that something could not be read; the empty path is the whole package."""
    hint = _READ_AGAIN
    if isinstance(error, PermissionError):
        hint = "Give yourself the right to read it, for example with `chmod -R u+rX`"
    subject = f"`{show_path(path)}`" if path else "the package"
    return rules.UNREADABLE.finding(
        f"{subject} cannot be read: {error.strerror or error}", path=show_path(path), hint=hint
    )


class _TreeReader:
    """Yields the entries of one package, and collects the findings that only a disk can cause.

    The intake bounds what it is given; what never reaches it is bounded by the same number.
    """

    def __init__(self, limits: Limits, *, is_ours: bool) -> None:
        self.findings: list[Diagnostic] = []
        self.identity: tuple[int, int] | None = None
        self._limits = limits
        self._is_ours = is_ours
        self._waiting: list[str] = []
        self._directories = 0

    def iter_entries(self, root: Handle, listing: Mapping[str, Kind]) -> Generator[Entry]:
        """Yield SKILL.md first, so that a package which is too large still says what it is."""
        if listing == _LONE:  # as most are, so that a walk spends its time here
            yield from self._iter_file(SKILL_MD, SKILL_MD, root)
            return
        yield from self._iter_listed("", root, listing)
        if self._waiting:
            yield from self._iter_below(root)

    def _iter_below(self, root: Handle) -> Generator[Entry]:
        with Descent(root) as descent:
            while self._waiting:
                path = self._waiting.pop()
                try:
                    handle = descent.open(path)
                except OSError as error:
                    self._refuse(unreadable(path, error))
                    continue
                try:
                    yield from self._iter_directory(path, handle)
                finally:
                    close(handle)

    def _iter_directory(self, path: str, handle: Handle) -> Generator[Entry]:
        try:
            listing = list_directory(handle, most=MOST_NAMES)
        except OSError as error:
            self._refuse(unreadable(path, error))
        else:
            yield from self._iter_listed(f"{path}/", handle, listing)

    def _iter_listed(
        self, prefix: str, handle: Handle, listing: Mapping[str, Kind]
    ) -> Generator[Entry]:
        directories: list[str] = []
        for name in sorted(listing, key=_reading_order):
            kind = listing[name]
            path = prefix + name
            if name == ".git":
                continue
            if not _is_text(name):
                self._refuse(_not_text(prefix + to_printable(name)))
            elif find_left_out(name) is not None:
                # The intake looks at the name before the kind, and says what it leaves out.
                yield Entry(path, EntryKind.SPECIAL, _nothing)
            elif kind is Kind.DIRECTORY:
                directories.append(path)
            elif kind is Kind.FILE:
                yield from self._iter_file(name, path, handle)
            else:
                yield Entry(path, EntryKind(kind.value), _nothing)
        if directories:
            self._enter_later(directories)

    def _iter_file(self, name: str, path: str, handle: Handle) -> Generator[Entry]:
        try:
            descriptor = open_file(name, within=handle)
        except OSError as error:
            yield from self._iter_unopened(path, error)
            return
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                yield Entry(path, EntryKind.SPECIAL, _nothing)
            elif status.st_nlink > 1 and not self._is_ours:
                self._refuse(_hard_link(path, status.st_nlink))
            else:
                if path == SKILL_MD:
                    self.identity = (status.st_dev, status.st_ino)
                read = partial(_read_whole, descriptor, status.st_size, path)
                yield Entry(path, EntryKind.FILE, read, bool(status.st_mode & stat.S_IXUSR))
        finally:
            os.close(descriptor)

    def _iter_unopened(self, path: str, error: OSError) -> Generator[Entry]:
        if error.errno in LINK_ERRORS:
            yield Entry(path, EntryKind.LINK, _nothing)
        elif error.errno == errno.ENXIO:
            yield Entry(path, EntryKind.SPECIAL, _nothing)
        else:
            self._refuse(unreadable(path, error))

    def _enter_later(self, paths: list[str]) -> None:
        self._directories += len(paths)
        if self._directories > self._limits.package_files:
            raise IntakeRefusedError(self._too_many("directories"))
        for path in reversed(paths):
            if path.count("/") < self._limits.package_depth:
                self._waiting.append(path)
            else:
                self._refuse(_too_deep(path, self._limits.package_depth))

    def _refuse(self, finding: Diagnostic) -> None:
        if len(self.findings) >= self._limits.package_files:
            raise IntakeRefusedError(self._too_many("files"))
        self.findings.append(finding)

    def _too_many(self, what: str) -> Diagnostic:
        return rules.TOO_MANY_FILES.finding(
            f"there are more than {self._limits.package_files:,} {what}", path=""
        )


def _reading_order(name: str) -> tuple[bool, str]:
    return name != SKILL_MD, name


def _is_text(name: str) -> bool:
    return name.isascii() or to_printable(name) == name


def _nothing(most: int) -> bytes:
    del most
    return b""


def _read_whole(descriptor: int, size: int, path: str, most: int) -> bytes:
    expected = min(size, most)
    try:
        # One byte more than the size tells a file that grows from one that is complete.
        content = read_at_most(descriptor, min(size + 1, most), expected)
    except OSError as error:
        raise IntakeRefusedError(unreadable(path, error)) from error
    if len(content) != expected:
        changed = OSError(errno.EAGAIN, "it was changed meanwhile")
        raise IntakeRefusedError(unreadable(path, changed))
    return content


def _hard_link(path: str, names: int) -> Diagnostic:
    return rules.LINK.finding(
        f"`{show_path(path)}` is a hard link: {names} names share its content",
        path=show_path(path),
        hint="Put a copy of the file in its place, for example with `cp` and `mv`",
    )


def _not_text(path: str) -> Diagnostic:
    return rules.PATH_UNSAFE.finding(
        f"the path `{show_path(path)}` is refused: it is not UTF-8",
        path=show_path(path),
        hint="Rename it; the names of files in a package are UTF-8 text",
    )


def _too_deep(path: str, most: int) -> Diagnostic:
    return rules.PATH_UNSAFE.finding(
        f"the path `{show_path(path)}` is refused: it is more than {most} levels deep",
        path=show_path(path),
    )
