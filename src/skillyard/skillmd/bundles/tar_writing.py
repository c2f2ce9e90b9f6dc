"""Write gzipped tar archives that are the same bytes for the same package.

- Files stand in the order of their paths' bytes, dated 1970-01-01, owned by nobody, with mode
  0644 or 0755. A PAX header is written only for a name that a ustar header cannot hold.
- The bytes depend on the files, the wrapper and the build of zlib: another build may deflate
  to other bytes, which unpack to the same files.
"""

import struct
import zlib
from typing import Final

from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package
from skillyard.skillmd.bundles import tar_records as records
from skillyard.skillmd.bundles.tar_records import BLOCK_BYTES

_FILE: Final = b"0"
_HEADER: Final = struct.Struct("100s8s8s8s12s12s8sc100s6s2s32s32s8s8s155s12x")
_NOBODY: Final = b"0000000\0"
_NAME_BYTES: Final = 100
_PREFIX_BYTES: Final = 155
_RAW_DEFLATE: Final = -15
# No flags, no time, no system; made with the greatest effort.
_GZIP_HEADER: Final = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
# Half of what the reader takes for a bomb, so that nobody takes ours for one.
_MOST_RATIO: Final = STANDARD.archive_ratio // 2


def render_tar_gz(package: Package, *, wrapper: str | None = None) -> bytes:
    """Give `package` as a tar.gz archive; with `wrapper`, all files stand in that directory."""
    tape = bytearray()
    for path, file in package.files.items():
        name = (f"{wrapper}/{path}" if wrapper else path).encode()
        tape += _render_headers(name, len(file.content), executable=file.executable)
        tape += _pad(file.content)
    tape += records.ZERO_BLOCK * 2
    return _gzip(bytes(tape))


def _render_headers(name: bytes, size: int, *, executable: bool) -> bytes:
    mode = 0o755 if executable else 0o644
    halves = _split(name)
    if halves is not None:
        return _render_header(*halves, mode=mode, size=size, kind=_FILE)
    record = _render_record(b"path", name)
    # For programs that know no PAX.
    short = name.decode().encode("ascii", "replace")[:_NAME_BYTES].rstrip(b"/")
    extended = _render_header(
        b"", b"PaxHeaders", mode=0o644, size=len(record), kind=records.PAX_NEXT
    )
    return extended + _pad(record) + _render_header(b"", short, mode=mode, size=size, kind=_FILE)


def _split(name: bytes) -> tuple[bytes, bytes] | None:
    if not name.isascii():
        return None
    if len(name) <= _NAME_BYTES:
        return b"", name
    # The longest prefix that fits; what remains must fit as well.
    cut = name.rfind(b"/", 0, _PREFIX_BYTES + 1)
    prefix, rest = name[: max(cut, 0)], name[cut + 1 :]
    return (prefix, rest) if prefix and len(rest) <= _NAME_BYTES else None


def _render_header(prefix: bytes, name: bytes, *, mode: int, size: int, kind: bytes) -> bytes:
    fields = [
        *(name, b"%07o\0" % mode, _NOBODY, _NOBODY, b"%011o\0" % size, b"%011o\0" % 0),
        *(b" " * 8, kind, b"", records.USTAR_MAGIC, b"00", b"", b"", _NOBODY, _NOBODY, prefix),
    ]
    checksum = records.compute_checksum(_HEADER.pack(*fields))
    fields[6] = b"%06o\0 " % checksum
    return _HEADER.pack(*fields)


def _render_record(key: bytes, value: bytes) -> bytes:
    # The length counts its own digits.
    length = len(key) + len(value) + 3
    digits = len(str(length + len(str(length))))
    return b"%d %s=%s\n" % (length + digits, key, value)


def _pad(content: bytes) -> bytes:
    return content + bytes(-len(content) % BLOCK_BYTES)


def _gzip(tape: bytes) -> bytes:
    packed = zlib.compress(tape, 9, _RAW_DEFLATE)
    if len(tape) > len(packed) * _MOST_RATIO:
        packed = zlib.compress(tape, 0, _RAW_DEFLATE)
    return _GZIP_HEADER + packed + struct.pack("<2L", zlib.crc32(tape), len(tape))
