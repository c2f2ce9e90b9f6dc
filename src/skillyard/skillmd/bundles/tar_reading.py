"""Read tar archives, gzipped or plain, that have one meaning only.

- ustar, with GNU's long names or PAX headers. No sparse files, no volumes, no unknown types.
- A size has one value: a PAX header that says another than the ustar header is refused.
- Only files have data. Two blocks of zeros end the archive, and only zeros follow them.
- One gzip stream, checked to its end. What it holds is never in memory as a whole.
- What a path or a link means for the package is for the intake to say.
"""

import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from skillyard.domain.limits import Limits
from skillyard.domain.paths import show_path
from skillyard.skillmd.bundles import tar_records as records
from skillyard.skillmd.bundles.bounds import (
    PIECE_BYTES,
    Expansion,
    Inflation,
    check_archive_size,
    check_entry_count,
    check_name,
    find_place,
    make_entry,
    most_kept,
    refuse_ambiguous,
    refuse_corrupt,
    refuse_expansion,
    refuse_unsupported,
    show_name,
)
from skillyard.skillmd.bundles.tar_records import BLOCK_BYTES, Header
from skillyard.skillmd.intake import Entry, EntryKind

_GZIP_WINDOW: Final = 31
_EXTENSION_BYTES: Final = 256 * 1024
_EXECUTABLE: Final = stat.S_IXUSR
_UTF8: Final = b"ISO-IR 10646 2000 UTF-8"
_SPARSE: Final = (b"GNU.sparse.", b"SCHILY.realsize")
_OF_ONE_ENTRY: Final = frozenset({b"path", b"linkpath", b"size"})
_KINDS: Final = {
    **dict.fromkeys(records.FILE_TYPES, EntryKind.FILE),
    **dict.fromkeys(records.LINK_TYPES, EntryKind.LINK),
    **dict.fromkeys(records.SPECIAL_TYPES, EntryKind.SPECIAL),
    records.DIRECTORY_TYPE: EntryKind.DIRECTORY,
}


def iter_tar_entries(data: bytes, *, limits: Limits) -> Iterator[Entry]:
    """Yield what is in the tar archive `data`, in the order in which it stands there.

    Raises:
        IntakeRefusedError: The archive is damaged, ambiguous, too large, or uses what is not
            accepted. What was yielded before must not be used then.
    """
    check_archive_size(data, limits)
    tape = _Tape(_iter_pieces(data), Expansion(len(data), limits))
    said, count = _Said(), 0
    while (block := tape.read(BLOCK_BYTES)) != records.ZERO_BLOCK:
        header = records.parse_header(block)
        if tape.position + header.size > limits.unpacked_bytes:
            refuse_expansion(limits)
        if header.type in records.EXTENSION_TYPES:
            said = _extend(said, header, _read_extension(tape, header, limits))
            continue
        count += 1
        check_entry_count(count, limits)
        name = _parse_name(said, header)
        kind = _find_kind(header, name)
        content = tape.read_padded(header.size, most_kept(limits))
        if (path := find_place(name, kind)) is not None:
            executable = bool(header.mode & _EXECUTABLE)
            yield make_entry(path, kind, content, executable=executable)
        said = _Said()
    if said.types:
        refuse_corrupt("an extended header in the archive is followed by no entry")
    tape.check_end()


def _iter_pieces(data: bytes) -> Iterator[bytes]:
    if not data.startswith(records.GZIP_MAGIC):
        for at in range(0, len(data), PIECE_BYTES):
            yield data[at : at + PIECE_BYTES]
        return
    inflation = Inflation(memoryview(data), window=_GZIP_WINDOW)
    yield from inflation
    if data.count(0, inflation.used) != len(data) - inflation.used:
        refuse_ambiguous("there are bytes after the end of the compressed data")


class _Tape:
    """Bytes that come piece by piece, and are read once."""

    def __init__(self, pieces: Iterable[bytes], expansion: Expansion) -> None:
        self._pieces = iter(pieces)
        self._expansion = expansion
        self._piece = b""
        self._at = 0
        self.position = 0

    def read(self, count: int) -> bytes:
        """Give exactly `count` bytes."""
        return self._read(count, count)

    def read_padded(self, count: int, most: int) -> bytes:
        """Pass over `count` bytes and what fills their last block; give the first `most`."""
        padded = -(-count // BLOCK_BYTES) * BLOCK_BYTES
        return self._read(padded, min(count, most))

    def check_end(self) -> None:
        """Check that there is a block of zeros, and nothing but zeros after it."""
        if self.read(BLOCK_BYTES) != records.ZERO_BLOCK:
            refuse_ambiguous("there are entries after a block that ends the archive")
        rest: bytes | None = self._piece[self._at :]
        while rest is not None:
            if rest.count(0) != len(rest):
                refuse_ambiguous("there are bytes after the end of the archive")
            rest = self._next_piece()

    def _read(self, count: int, most: int) -> bytes:
        kept = bytearray()
        left = count
        while left:
            if self._at == len(self._piece):
                self._advance()
            piece = self._piece[self._at : self._at + left]
            kept += piece[: most - len(kept)]
            self._at += len(piece)
            left -= len(piece)
        self.position += count
        return bytes(kept)

    def _advance(self) -> None:
        piece = self._next_piece()
        if piece is None:
            refuse_corrupt("the archive is cut short")
        self._piece, self._at = piece, 0

    def _next_piece(self) -> bytes | None:
        piece = next(self._pieces, None)
        self._expansion.add(len(piece or b""))
        return piece


def _read_extension(tape: _Tape, header: Header, limits: Limits) -> bytes:
    if header.size > _EXTENSION_BYTES:
        refuse_expansion(limits)
    return tape.read_padded(header.size, header.size)


@dataclass(frozen=True, slots=True)
class _Said:
    """What extended headers say of the entry that follows them."""

    types: frozenset[bytes] = frozenset()
    name: bytes | None = None
    size: bytes | None = None


def _extend(said: _Said, header: Header, body: bytes) -> _Said:
    if header.type == records.PAX_GLOBAL:
        _check_global(records.parse_records(body))
        return said
    types = said.types | {header.type}
    # Which of two wins is told by no specification.
    if header.type in said.types or (records.PAX_NEXT in types and len(types) > 1):
        refuse_ambiguous("one entry has several extended headers of one purpose")
    if header.type == records.GNU_LONG_LINK:
        return replace(said, types=types)
    if header.type == records.GNU_LONG_NAME:
        return replace(said, types=types, name=_parse_long_name(body))
    found = records.parse_records(body)
    _check_keys(found)
    return _Said(types, found.get(b"path"), found.get(b"size"))


def _check_global(found: dict[bytes, bytes]) -> None:
    _check_keys(found)
    if _OF_ONE_ENTRY.intersection(found):
        refuse_ambiguous("one name or size is given to all entries")


def _check_keys(found: dict[bytes, bytes]) -> None:
    if any(key.startswith(_SPARSE) for key in found):
        refuse_unsupported("the archive holds sparse files")
    if found.get(b"hdrcharset", _UTF8) != _UTF8:
        refuse_unsupported("names in the archive are not UTF-8")


def _parse_long_name(body: bytes) -> bytes:
    name = records.cut_at_zero(body)
    if name + bytes(len(body) - len(name)) != body:
        refuse_ambiguous(f"the name `{show_name(name)}` goes on after its end")
    return name


def _parse_name(said: _Said, header: Header) -> str:
    if said.size is not None and said.size != b"%d" % header.size:
        refuse_ambiguous(f"`{header.shown}` has two sizes")
    raw_name = header.raw_name if said.name is None else said.name
    check_name(raw_name)
    try:
        return raw_name.decode()
    except UnicodeDecodeError:
        shown = show_name(raw_name)
        refuse_ambiguous(f"the name `{shown}` is in an encoding that nothing tells")


def _find_kind(header: Header, name: str) -> EntryKind:
    kind = _KINDS.get(header.type)
    if kind is None:
        refuse_unsupported(f"`{show_path(name)}` is of the type {ascii(header.type)[1:]}")
    if kind is EntryKind.FILE and name.endswith("/"):
        refuse_ambiguous(f"`{show_path(name)}` is a directory to some programs, a file to others")
    if kind is not EntryKind.FILE and header.size:
        # Some programs take what follows for its data, others for the next header.
        refuse_ambiguous(f"`{show_path(name)}` is no file, and has data")
    return kind
