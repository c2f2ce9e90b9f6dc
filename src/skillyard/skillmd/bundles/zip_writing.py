"""Write zip archives that are the same bytes for the same package.

- Files stand in the order of their paths' bytes, dated 1980-01-01, with mode 0644 or 0755.
- The bytes depend on the files, the wrapper and the build of zlib: another build may deflate
  to other bytes, which unpack to the same files.
"""

import stat
import zlib
from typing import Final

from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import zip_records as records
from skillyard.skillmd.bundles.zip_records import CentralHeader

_VERSION: Final = 20
_MADE_BY: Final = records.MADE_ON_UNIX << 8 | _VERSION
_FIRST_DAY: Final = 1 << 5 | 1
# Half of what the reader takes for a bomb, so that nobody takes ours for one.
_MOST_RATIO: Final = STANDARD.archive_ratio // 2


def render_zip(package: Package, *, wrapper: str | None = None) -> bytes:
    """Give `package` as a zip archive; with `wrapper`, all files stand in that directory."""
    entries, directory = bytearray(), bytearray()
    for path, file in package.files.items():
        name = (f"{wrapper}/{path}" if wrapper else path).encode()
        method, packed = _pack(file.content)
        header = _describe(name, file, method, packed)._replace(offset=len(entries))
        entries += _render_local(header) + name + packed
        directory += records.CENTRAL.pack(*header) + name
    return bytes(entries + directory + _render_end(len(package.files), entries, directory))


def _pack(content: bytes) -> tuple[int, bytes]:
    packed = zlib.compress(content, 9, records.RAW_DEFLATE)
    if len(packed) < len(content) <= len(packed) * _MOST_RATIO:
        return records.DEFLATED, packed
    return records.STORED, content


def _describe(name: bytes, file: PackageFile, method: int, packed: bytes) -> CentralHeader:
    mode = stat.S_IFREG | (0o755 if file.executable else 0o644)
    return CentralHeader(
        signature=records.CENTRAL_SIGNATURE,
        made_by=_MADE_BY,
        needed=_VERSION,
        flags=0 if name.isascii() else records.FLAG_UTF8,
        method=method,
        time=0,
        date=_FIRST_DAY,
        crc=zlib.crc32(file.content),
        packed=len(packed),
        size=len(file.content),
        name_length=len(name),
        extra_length=0,
        comment_length=0,
        disk=0,
        internal=0,
        external=mode << 16,
        offset=0,
    )


def _render_local(header: CentralHeader) -> bytes:
    # The two headers share their middle part, from the version to the length of extra fields.
    return records.LOCAL.pack(records.LOCAL_SIGNATURE, *header[2:12])


def _render_end(count: int, entries: bytearray, directory: bytearray) -> bytes:
    return records.END.pack(
        records.END_SIGNATURE, 0, 0, count, count, len(directory), len(entries), 0
    )
