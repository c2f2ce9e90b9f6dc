"""Find skills in a git repository, at any revision, without checking anything out."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from skillyard.adapters.git.blobs import Blobs
from skillyard.adapters.git.process import GaveUpError, Git, TooLongAnswerError
from skillyard.adapters.git.tree import MOST_LEVELS, MOST_ROWS, Row, group_rows, list_rows
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.errors import InvalidInputError, MissingPathError, UnsafePathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package
from skillyard.domain.paths import show_path
from skillyard.skillmd import rules
from skillyard.skillmd.intake import Entry, EntryKind, IntakeRefusedError, TakenIn, take_in

_MOST_REVISION: Final = 1024
_REVISIONS: Final = "Give a branch, a tag or the id of a commit"
_FILE_MODES: Final = frozenset({b"100644", b"100664", b"100755"})
_EXECUTABLE_MODE: Final = b"100755"
_LINK_MODE: Final = b"120000"


@dataclass(frozen=True, slots=True)
class GitTreeSource:
    """The packages in a repository's tree, or below `path` in it.

    `repository` is the top of a work tree, or a bare repository. `patience` is how many seconds
    git may take for one answer.
    """

    repository: Path
    revision: str = "HEAD"
    path: str = ""
    limits: Limits = STANDARD
    patience: float = 30.0

    def iter_packages(self) -> Iterator[FoundPackage]:
        """See `SkillSource.iter_packages`.

        Raises:
            InvalidInputError: The revision or the path is no such thing.
            GitUnavailableError: Git is not installed, or does not answer in time.
        """
        path = _parse_path(self.path)
        git = Git(self.repository, self.patience)
        packages = self._group(git, self._find_tree(git, _parse_revision(self.revision), path))
        if not packages:
            raise MissingPathError(
                self._locate(path),
                reason="holds no skill",
                hint="A skill is a directory with a SKILL.md in it",
            )
        with Blobs(git) as blobs:
            for directory, rows in packages.items():
                full = "/".join(filter(None, (path, os.fsdecode(directory))))
                taken = self._take(directory, rows, blobs)
                yield FoundPackage(
                    location=self._locate(full),
                    directory=_printable(full.rpartition("/")[2]) or None,
                    taken=taken,
                    container=True,
                )

    def _find_tree(self, git: Git, revision: str, path: str) -> str:
        place = _printable(str(self.repository))
        if not os.path.isdir(self.repository):  # noqa: PTH112 - does not raise
            raise MissingPathError(place)
        tree = _find_object(git, f"{revision}^{{tree}}")
        if tree is None and git.find_line("rev-parse", "--git-dir") is None:
            raise MissingPathError(place, reason="is not a git repository")
        if tree is None:
            raise MissingPathError(place, reason=f"has no revision `{show_path(revision)}`")
        return self._find_below(git, tree, path) if path else tree

    def _find_below(self, git: Git, tree: str, path: str) -> str:
        found = _find_object(git, f"{tree}:{path}")
        if found is None:
            raise MissingPathError(self._locate(path))
        below = _find_object(git, f"{found}^{{tree}}")
        if below is None:
            raise MissingPathError(self._locate(path), reason="is not a directory")
        return below

    def _group(self, git: Git, tree: str) -> dict[bytes, list[Row]]:
        try:
            return group_rows(list_rows(git, tree))
        except TooLongAnswerError as error:
            raise MissingPathError(
                self._locate(self.path),
                reason=f"holds more than {MOST_ROWS:,} files, or very long paths",
                hint="Name a directory that is nearer to the skills",
            ) from error

    def _take(self, directory: bytes, rows: list[Row], blobs: Blobs) -> TakenIn:
        if directory.count(b"/") >= MOST_LEVELS:
            return _too_deep()
        start = len(directory) + 1 if directory else 0
        return take_in(_iter_entries(rows, start, blobs), limits=self.limits)

    def _locate(self, path: str) -> str:
        return _printable(f"git:{self.repository}@{self.revision}:{path}")


def _find_object(git: Git, name: str) -> str | None:
    return git.find_line("rev-parse", "--verify", "--quiet", "--end-of-options", name)


def _iter_entries(rows: list[Row], start: int, blobs: Blobs) -> Iterator[Entry]:
    # SKILL.md first, so that a package which is too large still says what it is.
    for row in sorted(rows, key=lambda row: row.path[start:] != b"SKILL.md"):
        path = os.fsdecode(row.path[start:])
        read = partial(_read_blob, blobs, row.blob, path)
        yield Entry(path, _kind_of(row), read, row.mode == _EXECUTABLE_MODE)


def _kind_of(row: Row) -> EntryKind:
    if row.mode in _FILE_MODES:
        return EntryKind.FILE
    # What is left is a submodule, or a mode that git itself never writes.
    return EntryKind.LINK if row.mode == _LINK_MODE else EntryKind.SPECIAL


def _read_blob(blobs: Blobs, blob: bytes, path: str, most: int) -> bytes:
    try:
        content = blobs.find(blob, most)
    except GaveUpError as error:
        raise IntakeRefusedError(
            rules.UNREADABLE.finding(
                f"git cannot unpack the content of `{show_path(path)}`",
                path=show_path(path),
                hint="It is damaged, or takes too much memory; `git fsck` may say more",
            )
        ) from error
    if content is None:
        raise IntakeRefusedError(
            rules.UNREADABLE.finding(
                f"the repository does not hold the content of `{show_path(path)}`",
                path=show_path(path),
                hint="Fetch it first: the repository was cloned without all of its contents",
            )
        )
    return content


def _too_deep() -> TakenIn:
    finding = rules.PATH_UNSAFE.finding(
        f"the directory is more than {MOST_LEVELS} levels down, and was not looked into", path=""
    )
    return TakenIn(Package.of({}), (finding,))


def _parse_revision(text: str) -> str:
    if not text or text.startswith("-") or len(text) > _MOST_REVISION or not text.isprintable():
        raise _no_revision(text)
    if text.startswith("^"):
        # To git this is everything that cannot be reached from there.
        raise MissingPathError(show_path(text), reason="is not a revision", hint=_REVISIONS)
    return text


def _no_revision(text: str) -> InvalidInputError:
    return InvalidInputError(
        f"`{show_path(text)}` is not a revision",
        hints=[_REVISIONS],
    )


def _parse_path(text: str) -> str:
    if not text.isprintable():
        raise UnsafePathError(show_path(text), reason="it holds a character that cannot be seen")
    parts = [part for part in text.split("/") if part not in {"", "."}]
    if ".." in parts:
        raise UnsafePathError(show_path(text), reason="it leads out of the repository")
    return "/".join(parts)


def _printable(text: str) -> str:
    return os.fsencode(text).decode(errors="backslashreplace")
