"""The blocks of a tar archive: ustar headers, and the records that extend them.

Numbers that a package has no use for (owner, time, device) must still be numbers: some programs
stop reading, without a word, at a header where they are not.
"""

import re
from dataclasses import dataclass
from typing import Final

from skillyard.skillmd.bundles.bounds import (
    refuse_ambiguous,
    refuse_corrupt,
    refuse_unsupported,
    show_name,
)

BLOCK_BYTES: Final = 512
ZERO_BLOCK: Final = bytes(BLOCK_BYTES)

GZIP_MAGIC: Final = b"\x1f\x8b"
USTAR_MAGIC: Final = b"ustar\0"
GNU_MAGIC: Final = b"ustar  \0"

FILE_TYPES: Final = frozenset({b"0", b"\0", b"7"})
DIRECTORY_TYPE: Final = b"5"
LINK_TYPES: Final = frozenset({b"1", b"2"})
SPECIAL_TYPES: Final = frozenset({b"3", b"4", b"6"})
GNU_LONG_NAME: Final = b"L"
GNU_LONG_LINK: Final = b"K"
PAX_NEXT: Final = b"x"
PAX_GLOBAL: Final = b"g"
EXTENSION_TYPES: Final = frozenset({GNU_LONG_NAME, GNU_LONG_LINK, PAX_NEXT, PAX_GLOBAL})

NAME: Final = slice(0, 100)
MODE: Final = slice(100, 108)
SIZE: Final = slice(124, 136)
CHECKSUM: Final = slice(148, 156)
UNUSED_NUMBERS: Final = (
    slice(108, 116),
    slice(116, 124),
    slice(136, 148),
    slice(329, 337),
    slice(337, 345),
)
TYPE: Final = slice(156, 157)
MAGIC: Final = slice(257, 265)
PREFIX: Final = slice(345, 500)

_OCTAL: Final = re.compile(rb"[ ]*([0-7]*)[ \0]*", re.ASCII)
# A number too large for octal digits starts with the first of these bytes,
# a negative one with the second.
_BINARY: Final = 0x80
_NEGATIVE: Final = 0xFF
_RECORD_LENGTH: Final = re.compile(rb"([1-9][0-9]{0,8}) ", re.ASCII)


@dataclass(frozen=True, slots=True)
class Header:
    """One header, as far as a package needs it; the size is never negative."""

    raw_name: bytes
    type: bytes
    mode: int
    size: int

    @property
    def shown(self) -> str:
        """The name as it may stand in a message."""
        return show_name(self.raw_name)


def parse_header(block: bytes) -> Header:
    """Read one header block.

    Raises:
        IntakeRefusedError: It is damaged, or has two meanings.
    """
    if _find_number(block[CHECKSUM]) != compute_checksum(block):
        refuse_corrupt("the file is no tar archive, or a header in it is damaged")
    for place in UNUSED_NUMBERS:
        if block[place][0] != _NEGATIVE:
            _parse_number(block[place])
    return Header(
        raw_name=_parse_name(block),
        type=block[TYPE],
        mode=_parse_number(block[MODE]),
        size=_parse_size(block[SIZE]),
    )


def is_header(block: bytes) -> bool:
    """Tell whether some program takes the first bytes of a file for a tar archive."""
    if block[MAGIC].startswith(USTAR_MAGIC[:-1]):
        return True
    if len(block) < BLOCK_BYTES:
        return False
    checksum = compute_checksum(block)
    # Old programs added up signed bytes.
    high = sum(one >= _BINARY for one in block[: CHECKSUM.start] + block[CHECKSUM.stop :])
    return _find_number(block[CHECKSUM]) in {checksum, checksum - 256 * high}


def compute_checksum(block: bytes) -> int:
    """Add up a header's bytes, those of the checksum itself counting as blanks."""
    own = block[CHECKSUM]
    return sum(block) - sum(own) + ord(" ") * len(own)


def cut_at_zero(field: bytes) -> bytes:
    """Give what stands before the first zero byte."""
    return field.split(b"\0", 1)[0]


def _parse_name(block: bytes) -> bytes:
    name, prefix = cut_at_zero(block[NAME]), cut_at_zero(block[PREFIX])
    magic = block[MAGIC]
    if magic.startswith(USTAR_MAGIC):
        return prefix + b"/" + name if prefix else name
    if magic != GNU_MAGIC:
        refuse_unsupported("the archive is in a form of tar older than ustar")
    if prefix:
        # GNU keeps times there; some programs take them for a part of the name.
        refuse_ambiguous(f"`{show_name(name)}` has a name that only some programs complete")
    return name


def _parse_number(field: bytes) -> int:
    number = _find_number(field)
    if number is None:
        refuse_corrupt("a number in a header of the archive is negative or damaged")
    return number


def _parse_size(field: bytes) -> int:
    if b" " in field and not field.strip(b" \0"):
        # Some programs take blanks for 0, others pass over the entry.
        refuse_corrupt("an entry of the archive has no size")
    return _parse_number(field)


def _find_number(field: bytes) -> int | None:
    if field[0] == _BINARY:
        return int.from_bytes(field[1:], "big")
    match = _OCTAL.fullmatch(field)
    return int(match[1] or b"0", 8) if match else None


def parse_records(body: bytes) -> dict[bytes, bytes]:
    """Read the records of a PAX header: a length, a blank, `key=value` and a line end each.

    Raises:
        IntakeRefusedError: They are damaged, or a key stands twice.
    """
    found: dict[bytes, bytes] = {}
    at = 0
    while at < len(body):
        key, value, at = _parse_record(body, at)
        if key in found:
            refuse_ambiguous(f"`{show_name(key)}` stands twice in one extended header")
        found[key] = value
    return found


def _parse_record(body: bytes, at: int) -> tuple[bytes, bytes, int]:
    length = _RECORD_LENGTH.match(body, at)
    end = at + int(length[1]) if length else 0
    record = body[length.end() : end] if length else b""
    key, equals, value = record[:-1].partition(b"=")
    if end > len(body) or record[-1:] != b"\n" or not key or not equals:
        refuse_corrupt("an extended header in the archive is damaged")
    return key, value, end
