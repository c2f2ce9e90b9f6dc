"""The files of a git tree, as git lists them, and the packages among them."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from skillyard.adapters.git.process import Git, TooLongAnswerError
from skillyard.domain.errors import GitUnavailableError

MOST_ROWS: Final = 100_000
"""How many files a tree may hold."""

MOST_LEVELS: Final = 64
"""How far down packages are looked for."""

_MOST_BYTES: Final = 32 * 1024 * 1024
_SKIPPED: Final = frozenset({b".git", b"node_modules", b"__pycache__"})


class Row(NamedTuple):
    """One file of a tree: its path, its mode and the id of its content."""

    path: bytes
    mode: bytes
    blob: bytes


def list_rows(git: Git, tree: str) -> list[Row]:
    """List every file below `tree`; sizes are not asked for, as git would open each of them.

    Raises:
        TooLongAnswerError: There are more than `MOST_ROWS`, or their paths are too long.
        GitUnavailableError: Git could not list them.
    """
    rows: list[Row] = []
    with git.ask("ls-tree", "-r", "-z", "--full-tree", "--end-of-options", tree) as answer:
        for record in _iter_records(answer.iter_pieces(most=_MOST_BYTES)):
            rows.append(_to_row(record))
            if len(rows) > MOST_ROWS:
                raise TooLongAnswerError
        if not answer.is_yes():
            raise GitUnavailableError(reason="the tree is damaged or incomplete")
    return rows


def group_rows(rows: list[Row]) -> dict[bytes, list[Row]]:
    """Give the files of each package by its directory, in the order of the directories' bytes.

    A directory that is deeper than `MOST_LEVELS` gets no files.
    """
    packages: dict[bytes, list[Row]] = {}
    for directory in sorted({_parent(row.path) for row in rows if _is_skill_md(row.path)}):
        if not any(above in packages for above in _iter_above(directory)):
            packages[directory] = []
    for row in rows:
        owner = next((above for above in _iter_above(row.path) if above in packages), None)
        if owner is not None:
            packages[owner].append(row)
    return packages


def _iter_records(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *records, rest = (rest + piece).split(b"\0")
        yield from records


def _to_row(record: bytes) -> Row:
    # `100644 blob <id>`, a tab, and the path as it is.
    facts, _, path = record.partition(b"\t")
    mode, _, blob = facts.split(b" ")
    return Row(path, mode, blob)


def _is_skill_md(path: bytes) -> bool:
    *parents, name = path.split(b"/")
    return name.lower() == b"skill.md" and _SKIPPED.isdisjoint(parents)


def _parent(path: bytes) -> bytes:
    return path.rpartition(b"/")[0]


def _iter_above(path: bytes) -> Iterator[bytes]:
    """Yield the directories that `path` stands in, the outermost first, to a bounded depth."""
    yield b""
    end = path.find(b"/")
    for _ in range(MOST_LEVELS):
        if end < 0:
            return
        yield path[:end]
        end = path.find(b"/", end + 1)
