"""The records of a zip archive, as APPNOTE.TXT 6.3.10 lays them out.

Names of fields are ours where the note's are long. Only what is read or written here is named.
"""

import struct
from typing import Final, NamedTuple

LOCAL_SIGNATURE: Final = b"PK\x03\x04"
CENTRAL_SIGNATURE: Final = b"PK\x01\x02"
END_SIGNATURE: Final = b"PK\x05\x06"
DESCRIPTOR_SIGNATURE: Final = b"PK\x07\x08"
ZIP64_LOCATOR_SIGNATURE: Final = b"PK\x06\x07"
ZIP64_LOCATOR_BYTES: Final = 20

LOCAL: Final = struct.Struct("<4s5H3L2H")
CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
END: Final = struct.Struct("<4s4H2LH")
DESCRIPTOR: Final = struct.Struct("<3L")
EXTRA: Final = struct.Struct("<2H")

STORED: Final = 0
DEFLATED: Final = 8
RAW_DEFLATE: Final = -15

FLAG_ENCRYPTED: Final = 0x0001
FLAG_LEVEL: Final = 0x0006
FLAG_DESCRIPTOR: Final = 0x0008
FLAG_UTF8: Final = 0x0800

MADE_ON_UNIX: Final = 3
MADE_ON_MACOS: Final = 19

EXTRA_ZIP64: Final = 0x0001
EXTRA_UNICODE_PATH: Final = 0x7075


class LocalHeader(NamedTuple):
    """What stands before an entry's data."""

    signature: bytes
    needed: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    packed: int
    size: int
    name_length: int
    extra_length: int


class CentralHeader(NamedTuple):
    """What the central directory says of an entry."""

    signature: bytes
    made_by: int
    needed: int
    flags: int
    method: int
    time: int
    date: int
    crc: int
    packed: int
    size: int
    name_length: int
    extra_length: int
    comment_length: int
    disk: int
    internal: int
    external: int
    offset: int

    @property
    def has_descriptor(self) -> bool:
        """Whether sizes and checksum follow the data, too."""
        return bool(self.flags & FLAG_DESCRIPTOR)

    @property
    def mode(self) -> int:
        """The Unix mode, or 0 where the archive gives none."""
        return self.external >> 16


class EndRecord(NamedTuple):
    """What the archive ends with, apart from its comment."""

    signature: bytes
    disk: int
    directory_disk: int
    entries_here: int
    entries: int
    size: int
    offset: int
    comment_length: int
