"""Read zip archives that have one meaning only.

- The central directory says what is there. Every local header and data descriptor must agree.
- The entries cover the archive from its first byte to the central directory, which ends where
  the end record starts: nothing overlaps, nothing is hidden between, before or after.
- Data are stored or deflated. There is no encryption, no zip64, no second volume.
- Every entry is unpacked and compared with its size and checksum, also one that nobody wants.
- What a path or a link means for the package is for the intake to say.
"""

import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillyard.domain.limits import Limits
from skillyard.skillmd.bundles import zip_records as records
from skillyard.skillmd.bundles.bounds import (
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
    refuse_unsupported,
    show_name,
)
from skillyard.skillmd.bundles.zip_records import CentralHeader, EndRecord, LocalHeader
from skillyard.skillmd.intake import Entry, EntryKind

_COMMENT_BYTES: Final = 0xFFFF
# Numbers that say: look for the true one in the zip64 record.
_MOST_16: Final = 0xFFFF
_MOST_32: Final = 0xFFFFFFFF
_KNOWN_FLAGS: Final = records.FLAG_LEVEL | records.FLAG_DESCRIPTOR | records.FLAG_UTF8
_DOS_DIRECTORY: Final = 0x10
_EXECUTABLE: Final = stat.S_IXUSR


@dataclass(frozen=True, slots=True)
class _Member:
    """One entry of the central directory, checked as far as it goes alone."""

    header: CentralHeader
    raw_name: bytes
    name: str

    @property
    def shown(self) -> str:
        return show_name(self.raw_name)


def iter_zip_entries(data: bytes, *, limits: Limits) -> Iterator[Entry]:
    """Yield what is in the zip archive `data`, in the order in which it stands there.

    Raises:
        IntakeRefusedError: The archive is damaged, ambiguous, too large, or uses what is not
            accepted. What was yielded before must not be used then.
    """
    check_archive_size(data, limits)
    end = _find_end(data)
    check_entry_count(end.entries, limits)
    members = sorted(_iter_members(data, end), key=lambda one: one.header.offset)
    expansion = Expansion(len(data), limits)
    for member in members:
        expansion.add(member.header.size)
    starts = [*(member.header.offset for member in members), end.offset]
    if starts[0] != 0:
        refuse_ambiguous("the archive does not start with its first entry")
    for member, until in zip(members, starts[1:], strict=True):
        packed = _find_packed(data, member, until)
        content = _unpack(member, packed, most_kept(limits))
        yield from _iter_entry(member, content)


def _find_end(data: bytes) -> EndRecord:
    position = _find_end_position(data)
    end = EndRecord._make(records.END.unpack_from(data, position))
    if _is_zip64(data, position, end):
        refuse_unsupported("the archive is in the zip64 form")
    if end.disk or end.directory_disk or end.entries_here != end.entries:
        refuse_unsupported("the archive is one of several parts")
    if end.offset + end.size > position:
        refuse_corrupt("the central directory is cut short")
    if end.offset + end.size < position:
        refuse_ambiguous("there are bytes before the archive, or before its end record")
    return end


def _is_zip64(data: bytes, position: int, end: EndRecord) -> bool:
    locator = max(0, position - records.ZIP64_LOCATOR_BYTES)
    return (
        data.startswith(records.ZIP64_LOCATOR_SIGNATURE, locator)
        or _MOST_16 in {end.disk, end.directory_disk, end.entries_here, end.entries}
        or _MOST_32 in {end.size, end.offset}
    )


def _find_end_position(data: bytes) -> int:
    earliest = max(0, len(data) - records.END.size - _COMMENT_BYTES)
    positions = list(_iter_positions(data, records.END_SIGNATURE, earliest))
    lengths = {at: _end_length(data, at) for at in positions}
    ending = [at for at in positions if at + lengths[at] == len(data)]
    if not ending and any(at + lengths[at] < len(data) for at in positions):
        refuse_ambiguous("there are bytes after the end of the archive")
    if not ending:
        refuse_corrupt("the file is no zip archive, or its end is missing")
    # Programs disagree whether the first or the last one counts.
    if len(ending) > 1 or ending[0] != positions[-1]:
        refuse_ambiguous("the archive has more than one end record")
    return ending[0]


def _iter_positions(data: bytes, wanted: bytes, start: int) -> Iterator[int]:
    at = data.find(wanted, start)
    while at >= 0:
        yield at
        at = data.find(wanted, at + 1)


def _end_length(data: bytes, at: int) -> int:
    size = records.END.size
    return size + int.from_bytes(data[at + size - 2 : at + size], "little")


def _iter_members(data: bytes, end: EndRecord) -> Iterator[_Member]:
    at, stop = end.offset, end.offset + end.size
    for _ in range(end.entries):
        if at == stop:
            refuse_ambiguous("the central directory has fewer entries than its end record says")
        if at + records.CENTRAL.size > stop:
            refuse_corrupt("the central directory is cut short")
        header = CentralHeader._make(records.CENTRAL.unpack_from(data, at))
        if header.signature != records.CENTRAL_SIGNATURE:
            refuse_corrupt("the central directory is damaged")
        at += records.CENTRAL.size
        rest = data[at : at + header.name_length + header.extra_length]
        at += header.name_length + header.extra_length + header.comment_length
        if at > stop:
            refuse_corrupt("the central directory is cut short")
        yield _parse_member(header, rest)
    if at != stop:
        refuse_ambiguous("the central directory has more entries than its end record says")


def _parse_member(header: CentralHeader, rest: bytes) -> _Member:
    raw_name = rest[: header.name_length]
    shown = show_name(raw_name)
    _check_features(header, shown)
    check_name(raw_name)
    name = _parse_name(raw_name, is_utf8=bool(header.flags & records.FLAG_UTF8))
    _check_extra(rest[header.name_length :], name, shown)
    return _Member(header, raw_name, name)


def _check_features(header: CentralHeader, shown: str) -> None:
    if header.flags & records.FLAG_ENCRYPTED:
        refuse_unsupported(f"`{shown}` is encrypted")
    if header.flags & ~_KNOWN_FLAGS:
        refuse_unsupported(f"`{shown}` uses a feature that few programs know")
    if header.method not in {records.STORED, records.DEFLATED}:
        refuse_unsupported(f"`{shown}` is compressed by method {header.method}, not by deflate")
    if _MOST_32 in {header.packed, header.size, header.offset}:
        refuse_unsupported(f"`{shown}` is in the zip64 form")
    if header.disk:
        refuse_unsupported("the archive is one of several parts")
    if header.method == records.STORED and header.packed != header.size:
        refuse_corrupt(f"`{shown}` is stored, and has two sizes")


def _parse_name(raw_name: bytes, *, is_utf8: bool) -> str:
    try:
        return raw_name.decode()
    except UnicodeDecodeError:
        shown = show_name(raw_name)
        if is_utf8:
            refuse_corrupt(f"the name `{shown}` is not UTF-8, as the archive says it is")
        refuse_ambiguous(f"the name `{shown}` is in an encoding that nothing tells")


def _check_extra(extra: bytes, name: str, shown: str) -> None:
    at = 0
    # Up to three bytes are left where a program aligned what follows.
    while at + records.EXTRA.size <= len(extra):
        number, length = records.EXTRA.unpack_from(extra, at)
        at += records.EXTRA.size
        body = extra[at : at + length]
        at += length
        if at > len(extra):
            refuse_corrupt(f"the extra fields of `{shown}` are cut short")
        if number == records.EXTRA_ZIP64:
            refuse_unsupported(f"`{shown}` is in the zip64 form")
        # A version, a checksum of the name, and the name that some programs prefer.
        if number == records.EXTRA_UNICODE_PATH and body[5:] != name.encode():
            refuse_ambiguous(f"`{shown}` has a second name")


def _find_packed(data: bytes, member: _Member, until: int) -> memoryview:
    start = member.header.offset + records.LOCAL.size
    if start > until:
        refuse_ambiguous(f"`{member.shown}` overlaps with what follows it")
    local = LocalHeader._make(records.LOCAL.unpack_from(data, member.header.offset))
    if local.signature != records.LOCAL_SIGNATURE:
        refuse_corrupt(f"`{member.shown}` is not where the central directory says")
    _check_agreement(data, member, local)
    start += local.name_length + local.extra_length
    stop = start + member.header.packed
    if stop > until:
        refuse_ambiguous(f"`{member.shown}` overlaps with what follows it")
    if member.header.has_descriptor:
        _check_descriptor(data, member, slice(start, stop), until)
    elif stop < until:
        refuse_ambiguous(f"there are hidden bytes after `{member.shown}`")
    return memoryview(data)[start:stop]


def _check_agreement(data: bytes, member: _Member, local: LocalHeader) -> None:
    header = member.header
    at = header.offset + records.LOCAL.size
    name = data[at : at + local.name_length]
    extra = data[at + local.name_length : at + local.name_length + local.extra_length]
    # With a descriptor, what was not known when the header was written is 0 there.
    unknown = 0 if header.has_descriptor else None
    agrees = (
        name == member.raw_name
        and local.method == header.method
        and not (local.flags ^ header.flags) & ~records.FLAG_LEVEL
        and local.crc in {header.crc, unknown}
        and local.packed in {header.packed, unknown}
        and local.size in {header.size, unknown}
    )
    if not agrees:
        refuse_ambiguous(f"the two headers of `{member.shown}` differ")
    _check_extra(extra, member.name, member.shown)


def _check_descriptor(data: bytes, member: _Member, packed: slice, until: int) -> None:
    header = member.header
    sums = records.DESCRIPTOR.pack(header.crc, header.packed, header.size)
    # One byte more than the longer form has, so that a longer gap is not taken for it.
    found = data[packed.stop : min(until, packed.stop + len(sums) + 5)]
    if found not in {sums, records.DESCRIPTOR_SIGNATURE + sums}:
        refuse_ambiguous(f"the data descriptor of `{member.shown}` differs from its header")
    is_stored = header.method == records.STORED
    if is_stored and data.find(records.DESCRIPTOR_SIGNATURE, packed.start, packed.stop) >= 0:
        # Who reads the archive as a stream can only look for the signature.
        refuse_ambiguous(f"nothing tells a stream where `{member.shown}` ends")


def _unpack(member: _Member, packed: memoryview, most: int) -> bytes:
    kept, size, crc = bytearray(), 0, 0
    for piece in _iter_unpacked(member, packed):
        size += len(piece)
        crc = zlib.crc32(piece, crc)
        if size > member.header.size:
            break
        kept += piece[: max(0, most - len(kept))]
    if size != member.header.size:
        refuse_corrupt(f"`{member.shown}` does not have the size that its header says")
    if crc != member.header.crc:
        refuse_corrupt(f"`{member.shown}` does not match its checksum")
    return bytes(kept)


def _iter_unpacked(member: _Member, packed: memoryview) -> Iterator[bytes | memoryview]:
    if member.header.method == records.STORED:
        yield packed
        return
    inflation = Inflation(packed, window=records.RAW_DEFLATE)
    yield from inflation
    if inflation.used != len(packed):
        refuse_ambiguous(f"there are hidden bytes after the data of `{member.shown}`")


def _iter_entry(member: _Member, content: bytes) -> Iterator[Entry]:
    kind = _find_kind(member)
    if kind is EntryKind.DIRECTORY and member.header.size:
        refuse_ambiguous(f"the directory `{member.shown}` has data")
    path = find_place(member.name, kind)
    if path is None:
        return
    on_unix = member.header.made_by >> 8 in {records.MADE_ON_UNIX, records.MADE_ON_MACOS}
    executable = on_unix and bool(member.header.mode & _EXECUTABLE)
    yield make_entry(path, kind, content, executable=executable)


def _find_kind(member: _Member) -> EntryKind:
    # Some programs look at the mode whatever system the archive says it was made on.
    form = stat.S_IFMT(member.header.mode)
    if form == stat.S_IFLNK:
        return EntryKind.LINK
    if form not in {0, stat.S_IFREG, stat.S_IFDIR}:
        return EntryKind.SPECIAL
    if member.name.endswith("/"):
        return EntryKind.DIRECTORY
    if form == stat.S_IFDIR or member.header.external & _DOS_DIRECTORY:
        refuse_ambiguous(f"`{member.shown}` is a directory to some programs, a file to others")
    return EntryKind.FILE
