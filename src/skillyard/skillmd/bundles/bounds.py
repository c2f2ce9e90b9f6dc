"""What the readers of archives share: clear refusals, and bounds on everything they produce.

- An archive is refused before it is unpacked if it is too large, or says that it will become so.
- What is produced is counted as well, because archives lie.
- Nothing that is unpacked is held beyond the size that one file may have.
"""

import zlib
from collections.abc import Iterator
from typing import Final, NoReturn

from skillyard.domain.limits import Limits
from skillyard.domain.paths import show_path
from skillyard.skillmd import rules
from skillyard.skillmd.intake import Entry, EntryKind, IntakeRefusedError

PIECE_BYTES: Final = 64 * 1024
# Directories and what systems leave behind have entries too, but are no files of the package.
_ENTRIES_FOR_EACH_FILE: Final = 8


def refuse_corrupt(message: str) -> NoReturn:
    """Refuse an archive that is damaged."""
    raise IntakeRefusedError(
        rules.ARCHIVE_CORRUPT.finding(
            message, path="", hint="Make the archive again, or fetch it again"
        )
    )


def refuse_ambiguous(message: str) -> NoReturn:
    """Refuse an archive that other programs would read in another way."""
    raise IntakeRefusedError(
        rules.ARCHIVE_AMBIGUOUS.finding(
            message, path="", hint="Unpack it where it is trusted, and make a new archive"
        )
    )


def refuse_unsupported(message: str) -> NoReturn:
    """Refuse an archive that uses what is not accepted."""
    raise IntakeRefusedError(
        rules.ARCHIVE_FEATURE.finding(
            message, path="", hint="Make a plain archive, such as `zip -r` or `tar czf` make"
        )
    )


def check_archive_size(data: bytes, limits: Limits) -> None:
    """Refuse more bytes than an archive may have.

    Raises:
        IntakeRefusedError: There are more.
    """
    if len(data) > limits.archive_bytes:
        raise IntakeRefusedError(
            rules.ARCHIVE_TOO_LARGE.finding(
                f"there are {len(data):,} bytes, at most {limits.archive_bytes:,} are allowed",
                path="",
            )
        )


def check_entry_count(count: int, limits: Limits) -> None:
    """Refuse more entries than an archive of the largest package could need.

    Raises:
        IntakeRefusedError: There are more.
    """
    most = limits.package_files * _ENTRIES_FOR_EACH_FILE
    if count > most:
        raise IntakeRefusedError(
            rules.TOO_MANY_FILES.finding(f"the archive has more than {most:,} entries", path="")
        )


class Expansion:
    """How far an archive of `packed` bytes grows; it may not grow beyond the limits."""

    def __init__(self, packed: int, limits: Limits) -> None:
        self._limits = limits
        # Little archives of little files may have any ratio.
        by_ratio = max(packed * limits.archive_ratio, limits.archive_ratio_from_bytes - 1)
        self._most = min(by_ratio, limits.unpacked_bytes)
        self._bytes = 0

    def add(self, count: int) -> None:
        """Count what was produced, or what the archive says it will produce.

        Raises:
            IntakeRefusedError: It is too much.
        """
        self._bytes += count
        if self._bytes > self._most:
            refuse_expansion(self._limits)


def refuse_expansion(limits: Limits) -> NoReturn:
    """Refuse an archive that becomes too large."""
    raise IntakeRefusedError(
        rules.ARCHIVE_EXPANDS.finding(
            f"the archive expands to more than {limits.unpacked_bytes:,} bytes, "
            f"or to more than {limits.archive_ratio} times its size",
            path="",
            hint="Leave out what the skill does not need",
        )
    )


class Inflation:
    """The stream of compressed bytes that `data` starts with, inflated piece by piece.

    `used` is the number of bytes that the stream itself has; it is right once all is produced.
    """

    def __init__(self, data: memoryview, *, window: int) -> None:
        self._data = data
        self._window = window
        self.used = 0

    def __iter__(self) -> Iterator[bytes]:
        stream = zlib.decompressobj(self._window)
        produced = b""
        while not stream.eof:
            pending: bytes | memoryview = stream.unconsumed_tail
            # A full piece may have left output behind, although all input is consumed.
            if not pending and len(produced) < PIECE_BYTES:
                pending = self._feed()
            try:
                produced = stream.decompress(pending, PIECE_BYTES)
            except zlib.error:
                refuse_corrupt("compressed data in the archive is damaged")
            yield produced
        self.used -= len(stream.unused_data)

    def _feed(self) -> memoryview:
        pending = self._data[self.used : self.used + PIECE_BYTES]
        if not pending:
            refuse_corrupt("compressed data in the archive is cut short")
        self.used += len(pending)
        return pending


def most_kept(limits: Limits) -> int:
    """Give how many bytes of one file are worth keeping: one more than any file may have."""
    return max(limits.file_bytes, limits.skill_md_bytes) + 1


def find_place(name: str, kind: EntryKind) -> str | None:
    """Give the path that an entry's name stands for, or None for the archive's own root.

    Archives of `.` write `./a` for `a`; they write `a/` for the directory `a`.
    """
    path = name.removeprefix("./")
    if kind is not EntryKind.DIRECTORY:
        return path
    return None if name in {".", "./"} else path.removesuffix("/") or path


def make_entry(path: str, kind: EntryKind, content: bytes, *, executable: bool) -> Entry:
    """Make the entry of something whose content has been unpacked already."""
    return Entry(path, kind, lambda most: content[:most], executable, archived=True)


def check_name(name: bytes) -> None:
    """Refuse a name that is longer here than where a zero byte ends it.

    Raises:
        IntakeRefusedError: It holds a zero byte.
    """
    if b"\0" in name:
        shown = show_name(name)
        raise IntakeRefusedError(
            rules.PATH_UNSAFE.finding(
                f"the path `{shown}` is refused: it holds a zero byte", path=shown
            )
        )


def show_name(name: bytes) -> str:
    """Give an entry's name as it may stand in a message."""
    return show_path(name.decode("utf-8", "backslashreplace"))
