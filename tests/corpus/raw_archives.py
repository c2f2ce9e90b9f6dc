"""Builders of archives, byte by byte, that can lie in every field.

Nothing here uses the code under test, and nothing is fetched.
"""

import gzip
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

STORED, DEFLATED = 0, 8
DESCRIPTOR_FLAG, UTF8_FLAG = 0x0008, 0x0800
DOS, UNIX, MACOS = 0, 3, 19
SKILL_MD = b"---\nname: pdf\ndescription: Fill in forms.\n---\nFill in the form.\n"

_LOCAL_FIELDS = ("needed", "flags", "method", "time", "date", "crc", "packed", "size")
_CENTRAL_FIELDS = ("made_by", *_LOCAL_FIELDS)


def deflate(content: bytes) -> bytes:
    return zlib.compress(content, 9, -15)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipMember:
    """One entry; `local` and `central` replace the fields that they name by lies."""

    name: str | bytes
    content: bytes = b"x"
    method: int = DEFLATED
    flags: int = 0
    system: int = UNIX
    mode: int = 0o100644
    dos: int = 0
    packed: bytes | None = None
    descriptor: bytes | None = None
    extra: bytes = b""
    central_extra: bytes = b""
    comment: bytes = b""
    local_name: bytes | None = None
    hidden_after: bytes = b""
    local: Mapping[str, int] = field(default_factory=dict)
    central: Mapping[str, int] = field(default_factory=dict)

    @property
    def raw_name(self) -> bytes:
        return self.name.encode() if isinstance(self.name, str) else self.name

    @property
    def data(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflate(self.content) if self.method == DEFLATED else self.content

    @property
    def sums(self) -> tuple[int, int, int]:
        return zlib.crc32(self.content), len(self.data), len(self.content)

    def fields(self) -> dict[str, int]:
        utf8 = 0 if self.raw_name.isascii() else UTF8_FLAG
        crc, packed, size = self.sums
        return {
            "made_by": self.system << 8 | 20,
            "needed": 20,
            "flags": self.flags if isinstance(self.name, bytes) else self.flags | utf8,
            "method": self.method,
            "time": 0,
            "date": 0x21,
            "crc": crc,
            "packed": packed,
            "size": size,
        }

    def to_local(self) -> bytes:
        unknown = {"crc": 0, "packed": 0, "size": 0} if self.descriptor is not None else {}
        fields = self.fields() | unknown | dict(self.local)
        name = self.raw_name if self.local_name is None else self.local_name
        head = struct.pack(
            "<4s5H3L2H",
            b"PK\x03\x04",
            *(fields[key] for key in _LOCAL_FIELDS),
            len(name),
            len(self.extra),
        )
        return head + name + self.extra + self.data + (self.descriptor or b"") + self.hidden_after

    def to_central(self, offset: int) -> bytes:
        fields = {"disk": 0, "external": self.mode << 16 | self.dos, "offset": offset}
        fields |= self.fields() | dict(self.central)
        head = struct.pack(
            "<4s6H3L5H2L",
            b"PK\x01\x02",
            *(fields[key] for key in _CENTRAL_FIELDS),
            *(len(self.raw_name), len(self.central_extra), len(self.comment)),
            *(fields["disk"], 0, fields["external"], fields["offset"]),
        )
        return head + self.raw_name + self.central_extra + self.comment


def streamed(name: str, content: bytes, *, signature: bool = True, **more: int) -> ZipMember:
    """Make a member as a program writes it that cannot go back in its output."""
    method = more.pop("method", DEFLATED)
    plain = ZipMember(name=name, content=content, method=method)
    descriptor = (b"PK\x07\x08" if signature else b"") + struct.pack("<3L", *plain.sums)
    return ZipMember(
        name=name,
        content=content,
        method=method,
        flags=DESCRIPTOR_FLAG,
        descriptor=descriptor,
        **more,  # type: ignore[arg-type]
    )


SKILL = ZipMember(name="SKILL.md", content=SKILL_MD)


def zip_of(
    *members: ZipMember,
    prefix: bytes = b"",
    before_directory: bytes = b"",
    before_end: bytes = b"",
    comment: bytes = b"",
    suffix: bytes = b"",
    end: Mapping[str, int] | None = None,
    unlisted: Iterable[ZipMember] = (),
) -> bytes:
    """Make an archive; `unlisted` members have no entry in the central directory."""
    body = bytearray(prefix)
    directory = bytearray()
    for member in members:
        directory += member.to_central(len(body))
        body += member.to_local()
    for member in unlisted:
        body += member.to_local()
    body += before_directory
    fields = {
        "disk": 0,
        "directory_disk": 0,
        "here": len(members),
        "entries": len(members),
        "size": len(directory),
        "offset": len(body),
        "comment": len(comment),
    } | dict(end or {})
    record = struct.pack("<4s4H2LH", b"PK\x05\x06", *fields.values())
    return bytes(body + directory) + before_end + record + comment + suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class TarMember:
    """One entry; what is given as bytes stands in the header as it is."""

    name: str | bytes
    content: bytes = b""
    type: bytes = b"0"
    mode: int = 0o644
    size: int | bytes | None = None
    magic: bytes = b"ustar\x0000"
    prefix: bytes = b""
    link: bytes = b""
    owner: bytes = b"0001750\0"
    time: bytes = b"14641350000\0"
    device: bytes = b"0000000\0"
    checksum: bytes | None = None

    def to_blocks(self) -> bytes:
        name = self.name.encode() if isinstance(self.name, str) else self.name
        if len(name) > 100 or b"\0" in name:
            extended = pax(path=name).to_blocks()
            return extended + self.render_as(b"short")
        return self.render_as(name)

    def render_as(self, name: bytes) -> bytes:
        size = len(self.content) if self.size is None else self.size
        head = struct.pack(
            "100s8s8s8s12s12s8sc100s8s32s32s8s8s155s12x",
            *(name, b"%07o\0" % self.mode, self.owner, b"0001750\0"),
            *(size if isinstance(size, bytes) else b"%011o\0" % size, self.time),
            *(b" " * 8, self.type, self.link, self.magic, b"user", b"group"),
            *(b"0000000\0", self.device, self.prefix),
        )
        checksum = b"%06o\0 " % sum(head) if self.checksum is None else self.checksum
        return head[:148] + checksum + head[156:] + _pad(self.content)


def _pad(content: bytes) -> bytes:
    return content + bytes(-len(content) % 512)


def pax_record(key: bytes, value: bytes) -> bytes:
    length = len(key) + len(value) + 3
    while len(b"%d %s=%s\n" % (length, key, value)) != length:
        length += 1
    return b"%d %s=%s\n" % (length, key, value)


def pax(records: bytes = b"", *, type: bytes = b"x", **named: bytes) -> TarMember:  # noqa: A002
    """Make an extended header."""
    content = records + b"".join(pax_record(key.encode(), one) for key, one in named.items())
    return TarMember(name="PaxHeaders/x", type=type, content=content)


def gnu_long(name: bytes, *, type: bytes = b"L") -> TarMember:  # noqa: A002
    return TarMember(name="././@LongLink", type=type, content=name, magic=b"ustar  \0")


TAR_SKILL = TarMember(name="SKILL.md", content=SKILL_MD)
TAR_END = bytes(1024)


def tar_of(*members: TarMember, end: bytes = TAR_END) -> bytes:
    return b"".join(member.to_blocks() for member in members) + end


def gz(tape: bytes) -> bytes:
    return gzip.compress(tape, mtime=0)


def tgz_of(*members: TarMember, end: bytes = TAR_END) -> bytes:
    return gz(tar_of(*members, end=end))
