"""Archives as well-known programs write them, which must all be accepted.

Each is rebuilt byte by byte from what the program is known to write: Finder's data descriptors,
GitHub's comment, git's global header, GNU tar's long names, bsdtar's PAX records.
"""

import gzip
import io
import json
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import Form
from tests.corpus.raw_archives import (
    DESCRIPTOR_FLAG,
    DOS,
    MACOS,
    SKILL,
    SKILL_MD,
    STORED,
    TAR_SKILL,
    TarMember,
    ZipMember,
    gnu_long,
    gz,
    pax,
    pax_record,
    streamed,
    tar_of,
    tgz_of,
    zip_of,
)

SCRIPT = b"#!/bin/sh\necho done\n"
PDF = Package.of({"SKILL.md": SKILL_MD, "scripts/run.sh": PackageFile(SCRIPT, executable=True)})
PLAIN = Package.of({"SKILL.md": SKILL_MD, "scripts/run.sh": SCRIPT})
ALONE = Package.of({"SKILL.md": SKILL_MD})


@dataclass(frozen=True, slots=True)
class EverydayArchive:
    """One archive, the package that it holds, and the directory that it wraps it in."""

    name: str
    form: Form
    package: Package
    build: Callable[[], bytes]
    directory: str | None = None


def list_everyday_archives() -> list[EverydayArchive]:
    """List every archive once, in a fixed order."""
    return [*_iter_zips(), *_iter_tars(), *_iter_bundles()]


def _folder(name: str, **more: object) -> ZipMember:
    return ZipMember(name=name, content=b"", method=STORED, mode=0o40755, **more)  # type: ignore[arg-type]


def _script(name: str = "scripts/run.sh", **more: object) -> ZipMember:
    return ZipMember(name=name, content=SCRIPT, mode=0o100755, **more)  # type: ignore[arg-type]


def _finder() -> bytes:
    # Archive Utility: streamed, with its own extra field, and attributes in files of their own.
    local, central = b"UX" + b"\x0c\0" + bytes(12), b"UX" + b"\x08\0" + bytes(8)
    extras = {"extra": local, "central_extra": central}
    return zip_of(
        _folder("pdf/", **extras),
        streamed("pdf/.DS_Store", b"\0\0\0\1Bud1"),
        streamed("__MACOSX/pdf/._.DS_Store", b"\0\5\x16\7"),
        streamed("pdf/SKILL.md", SKILL_MD),
        streamed("__MACOSX/pdf/._SKILL.md", b"\0\5\x16\7" * 40),
        _folder("pdf/scripts/", **extras),
        streamed("pdf/scripts/run.sh", SCRIPT, mode=0o100755),
    )


def _github() -> bytes:
    time = b"UT\x05\0\x01\x80\x43\x6d\x38"
    extras = {"extra": time, "central_extra": time}
    return zip_of(
        _folder("pdf-main/", system=DOS, **extras),
        ZipMember(
            name="pdf-main/SKILL.md", content=SKILL_MD, system=DOS, mode=0,
            extra=time, central_extra=time,
        ),
        _folder("pdf-main/scripts/", system=DOS, **extras),
        _script("pdf-main/scripts/run.sh", **extras),
        comment=b"0123456789abcdef0123456789abcdef01234567",
    )  # fmt: skip


def _info_zip() -> bytes:
    times, owner = b"UT\x09\0\x03" + bytes(8), b"ux\x0b\0\x01\x04" + bytes(4) + b"\x04" + bytes(4)
    extras = {"extra": times + owner, "central_extra": b"UT\x05\0\x03" + bytes(4) + owner}
    return zip_of(
        _folder("pdf/", dos=0x10, **extras),
        ZipMember(
            name="pdf/SKILL.md", content=SKILL_MD,
            extra=extras["extra"], central_extra=extras["central_extra"],
        ),
        _folder("pdf/scripts/", dos=0x10, **extras),
        _script("pdf/scripts/run.sh", **extras),
    )  # fmt: skip


def _explorer() -> bytes:
    return zip_of(
        ZipMember(name="pdf/SKILL.md", content=SKILL_MD, system=DOS, mode=0, dos=0x20),
        ZipMember(name="pdf/scripts/run.sh", content=SCRIPT, system=DOS, mode=0, dos=0x20),
    )


class _Pipe(io.RawIOBase):
    """Takes bytes, and cannot go back."""

    def __init__(self) -> None:
        self.taken = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self.taken += data
        return len(data)


def _python_zip(compression: int, *, pipe: bool = False) -> bytes:
    output = _Pipe() if pipe else io.BytesIO()
    with zipfile.ZipFile(output, "w", compression) as archive:
        archive.writestr("SKILL.md", SKILL_MD)
        archive.writestr("scripts/", b"")
        archive.writestr("scripts/run.sh", SCRIPT)
    return bytes(output.taken) if isinstance(output, _Pipe) else output.getvalue()


def _reordered() -> bytes:
    first, second = SKILL, _script()
    body = first.to_local() + second.to_local()
    directory = second.to_central(len(first.to_local())) + first.to_central(0)
    return body + directory + struct.pack(
        "<4s4H2LH", b"PK\5\6", 0, 0, 2, 2, len(directory), len(body), 0
    )  # fmt: skip


def _half_known() -> bytes:
    # Info-ZIP writes the size where it knows it, although a descriptor follows.
    sums = SKILL.sums
    return zip_of(
        ZipMember(
            name="SKILL.md", content=SKILL_MD, flags=DESCRIPTOR_FLAG, local={"size": sums[2]},
            descriptor=b"PK\x07\x08" + struct.pack("<3L", *sums),
        )
    )  # fmt: skip


def _unicode_extra(name: str) -> bytes:
    raw = name.encode()
    return struct.pack("<2HBL", 0x7075, 5 + len(raw), 1, zlib.crc32(raw)) + raw


def _iter_zips() -> Iterator[EverydayArchive]:
    resume = Package.of({"SKILL.md": SKILL_MD, "references/résumé-履歴.md": b"x"})
    member = ZipMember(name="references/résumé-履歴.md")
    inner = zip_of(SKILL, _script())
    yield EverydayArchive("finder", Form.ZIP, PDF, _finder, "pdf")
    yield EverydayArchive("github", Form.ZIP, PDF, _github, "pdf-main")
    yield EverydayArchive("info-zip", Form.ZIP, PDF, _info_zip, "pdf")
    yield EverydayArchive("explorer", Form.ZIP, PLAIN, _explorer, "pdf")
    yield EverydayArchive("python-stored", Form.ZIP, PLAIN, lambda: _python_zip(zipfile.ZIP_STORED))
    yield EverydayArchive(
        "python-deflated", Form.ZIP, PLAIN, lambda: _python_zip(zipfile.ZIP_DEFLATED)
    )
    yield EverydayArchive(
        "python-streamed", Form.ZIP, PLAIN, lambda: _python_zip(zipfile.ZIP_DEFLATED, pipe=True)
    )
    yield EverydayArchive(
        "python-streamed-stored", Form.ZIP, PLAIN,
        lambda: _python_zip(zipfile.ZIP_STORED, pipe=True),
    )  # fmt: skip
    yield EverydayArchive(
        "executable-for-others", Form.ZIP, PLAIN,
        lambda: zip_of(SKILL, ZipMember(name="scripts/run.sh", content=SCRIPT, mode=0o100611)),
    )  # fmt: skip
    yield EverydayArchive(
        "left-out-deep", Form.ZIP, ALONE,
        lambda: zip_of(SKILL, ZipMember(name="node_modules/a/" * 20 + "b.js")),
    )  # fmt: skip
    yield EverydayArchive("utf8-flag", Form.ZIP, resume, lambda: zip_of(SKILL, member))
    yield EverydayArchive(
        "utf8-without-flag", Form.ZIP, resume,
        lambda: zip_of(SKILL, ZipMember(name=member.raw_name)),
    )  # fmt: skip
    yield EverydayArchive(
        "unicode-extra", Form.ZIP, resume,
        lambda: zip_of(
            SKILL,
            ZipMember(
                name=member.raw_name,
                extra=_unicode_extra("references/résumé-履歴.md"),
                central_extra=_unicode_extra("references/résumé-履歴.md"),
            ),
        ),
    )  # fmt: skip
    yield EverydayArchive(
        "descriptor-without-signature", Form.ZIP, ALONE,
        lambda: zip_of(streamed("SKILL.md", SKILL_MD, signature=False)),
    )  # fmt: skip
    yield EverydayArchive("descriptor-half-known", Form.ZIP, ALONE, _half_known)
    yield EverydayArchive(
        "empty-file", Form.ZIP, Package.of({"SKILL.md": SKILL_MD, "assets/.gitkeep": b""}),
        lambda: zip_of(SKILL, ZipMember(name="assets/.gitkeep", content=b"", method=STORED)),
    )  # fmt: skip
    yield EverydayArchive(
        "empty-directory", Form.ZIP, ALONE, lambda: zip_of(SKILL, _folder("assets/"))
    )
    yield EverydayArchive(
        "deflated-directory", Form.ZIP, ALONE, lambda: zip_of(SKILL, streamed("assets/", b""))
    )
    yield EverydayArchive(
        "odd-modes", Form.ZIP, PDF,
        lambda: zip_of(
            ZipMember(name="SKILL.md", content=SKILL_MD, mode=0o100000),
            ZipMember(name="scripts/run.sh", content=SCRIPT, mode=0o106711, system=MACOS),
        ),
    )  # fmt: skip
    yield EverydayArchive("reordered", Form.ZIP, PDF, _reordered)
    yield EverydayArchive(
        "aligned", Form.ZIP, ALONE,
        lambda: zip_of(ZipMember(name="SKILL.md", content=SKILL_MD, extra=bytes(3))),
    )  # fmt: skip
    yield EverydayArchive(
        "entry-comment", Form.ZIP, ALONE,
        lambda: zip_of(ZipMember(name="SKILL.md", content=SKILL_MD, comment=b"PK\1\2 said he")),
    )  # fmt: skip
    yield EverydayArchive(
        "here", Form.ZIP, PDF,
        lambda: zip_of(_folder("./"), ZipMember(name="./SKILL.md", content=SKILL_MD), _script()),
    )  # fmt: skip
    yield EverydayArchive(
        "zip-inside", Form.ZIP,
        Package.of({"SKILL.md": SKILL_MD, "assets/template.docx": inner}),
        lambda: zip_of(SKILL, ZipMember(name="assets/template.docx", content=inner, method=STORED)),
    )  # fmt: skip
    yield EverydayArchive("no-entries", Form.ZIP, Package.of({}), zip_of)
    yield EverydayArchive(
        "directory-of-65535-bytes", Form.ZIP, ALONE,
        lambda: zip_of(
            ZipMember(name="SKILL.md", content=SKILL_MD, comment=bytes(65_535 - 46 - 8))
        ),
    )  # fmt: skip


def _tar_folder(name: str, **more: object) -> TarMember:
    return TarMember(name=name, type=b"5", mode=0o755, **more)  # type: ignore[arg-type]


def _tar_script(name: str = "scripts/run.sh", **more: object) -> TarMember:
    return TarMember(name=name, content=SCRIPT, mode=0o755, **more)  # type: ignore[arg-type]


_LONG = "references/" + "long/" * 3 + "n" * 120 + ".md"
_LONG_PACKAGE = Package.of({"SKILL.md": SKILL_MD, _LONG: b"x"})


def _git_archive() -> bytes:
    commit = pax(type=b"g", comment=b"0123456789abcdef0123456789abcdef01234567")
    return tgz_of(
        commit,
        _tar_folder("pdf-1.0/"),
        TarMember(name="pdf-1.0/SKILL.md", content=SKILL_MD, mode=0o664),
        _tar_folder("pdf-1.0/scripts/"),
        _tar_script("pdf-1.0/scripts/run.sh"),
        end=bytes(10_240),
    )


def _bsdtar() -> bytes:
    attributes = pax(
        pax_record(b"mtime", b"1760000000.123456789")
        + pax_record(b"LIBARCHIVE.creationtime", b"1760000000")
        + pax_record(b"SCHILY.xattr.com.apple.provenance", b"\x01\x02\0\xff=\n\n")
    )
    return tgz_of(
        TarMember(name="pdf/._SKILL.md", content=b"\0\5\x16\7" * 30),
        attributes,
        TarMember(name="pdf/SKILL.md", content=SKILL_MD),
        attributes,
        _tar_script("pdf/scripts/run.sh"),
    )


def _gnu_tar() -> bytes:
    gnu = {"magic": b"ustar  \0"}
    return tgz_of(
        _tar_folder("./", **gnu),
        TarMember(name="./SKILL.md", content=SKILL_MD, magic=b"ustar  \0"),
        gnu_long(f"./{_LONG}".encode() + b"\0"),
        TarMember(name=f"./{_LONG}"[:100], content=b"x", magic=b"ustar  \0"),
        end=bytes(10_240),
    )


def _python_tar(form: int) -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w:gz", format=form) as archive:
        for name, content in (
            ("SKILL.md", SKILL_MD),
            ("references/résumé.md", b"x"),
            (_LONG, b"x"),
        ):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            info.mtime = 1_760_000_000
            archive.addfile(info, io.BytesIO(content))
    return output.getvalue()


def _iter_tars() -> Iterator[EverydayArchive]:
    python = Package.of({"SKILL.md": SKILL_MD, "references/résumé.md": b"x", _LONG: b"x"})
    yield EverydayArchive("git-archive", Form.TAR_GZ, PDF, _git_archive, "pdf-1.0")
    yield EverydayArchive("bsdtar", Form.TAR_GZ, PDF, _bsdtar, "pdf")
    yield EverydayArchive("gnu-tar", Form.TAR_GZ, _LONG_PACKAGE, _gnu_tar)
    yield EverydayArchive(
        "gnu-tar-wrapped", Form.TAR_GZ, PDF,
        lambda: tgz_of(
            _tar_folder("pdf/"),
            TarMember(name="pdf/SKILL.md", content=SKILL_MD),
            _tar_script("pdf/scripts/run.sh"),
        ),
        "pdf",
    )  # fmt: skip
    yield EverydayArchive(
        "python-pax", Form.TAR_GZ, python, lambda: _python_tar(tarfile.PAX_FORMAT)
    )
    yield EverydayArchive(
        "python-gnu", Form.TAR_GZ, python, lambda: _python_tar(tarfile.GNU_FORMAT)
    )
    yield EverydayArchive(
        "ustar-prefix", Form.TAR_GZ,
        Package.of({"SKILL.md": SKILL_MD, "references/a/b.md": b"x"}),
        lambda: tgz_of(TAR_SKILL, TarMember(name="b.md", prefix=b"references/a", content=b"x")),
    )  # fmt: skip
    yield EverydayArchive("plain", Form.TAR_GZ, PDF, lambda: tar_of(TAR_SKILL, _tar_script()))
    yield EverydayArchive(
        "gzip-with-name", Form.TAR_GZ, ALONE,
        lambda: _named_gzip(tar_of(TAR_SKILL)),
    )  # fmt: skip
    yield EverydayArchive("gzip-padded", Form.TAR_GZ, ALONE, lambda: tgz_of(TAR_SKILL) + bytes(512))
    yield EverydayArchive(
        "old-types", Form.TAR_GZ, PDF,
        lambda: tgz_of(
            TarMember(name="SKILL.md", content=SKILL_MD, type=b"\0"), _tar_script(type=b"7")
        ),
    )  # fmt: skip
    yield EverydayArchive(
        "odd-modes", Form.TAR_GZ, PDF,
        lambda: tgz_of(
            TarMember(name="SKILL.md", content=SKILL_MD, mode=0),
            TarMember(name="scripts/run.sh", content=SCRIPT, mode=0o6711),
        ),
    )  # fmt: skip
    yield EverydayArchive(
        "executable-for-others", Form.TAR_GZ, PLAIN,
        lambda: tgz_of(
            TAR_SKILL, TarMember(name="scripts/run.sh", content=SCRIPT, mode=0o611)
        ),
    )  # fmt: skip
    yield EverydayArchive(
        "left-out-deep", Form.TAR_GZ, ALONE,
        lambda: tgz_of(TAR_SKILL, TarMember(name="node_modules/a/" * 20 + "b.js", content=b"x")),
    )  # fmt: skip
    yield EverydayArchive(
        "size-zeros", Form.TAR_GZ, Package.of({"SKILL.md": SKILL_MD, "a": b""}),
        lambda: tgz_of(TAR_SKILL, TarMember(name="a", size=bytes(12))),
    )  # fmt: skip
    yield EverydayArchive(
        "sizes-agree", Form.TAR_GZ, ALONE,
        lambda: tgz_of(pax(size=b"%d" % len(SKILL_MD)), TAR_SKILL),
    )  # fmt: skip
    yield EverydayArchive(
        "binary-size", Form.TAR_GZ, ALONE,
        lambda: tgz_of(TarMember(
            name="SKILL.md", content=SKILL_MD, size=b"\x80" + len(SKILL_MD).to_bytes(11, "big")
        )),
    )  # fmt: skip
    yield EverydayArchive(
        "before-1970", Form.TAR_GZ, ALONE,
        lambda: tgz_of(TarMember(
            name="SKILL.md", content=SKILL_MD, time=b"\xff" * 12, owner=b"\x80" + b"\x7f" * 7,
            device=bytes(8),
        )),
    )  # fmt: skip
    yield EverydayArchive("no-entries", Form.TAR_GZ, Package.of({}), lambda: gz(bytes(10_240)))


def _named_gzip(tape: bytes) -> bytes:
    output = io.BytesIO()
    with gzip.GzipFile("pdf.tar", "wb", fileobj=output, mtime=1_760_000_000) as stream:
        stream.write(tape)
    return output.getvalue()


_SEED = """{
  "formatVersion": 2,
  "skill": {
    "name": "Jira Triage",
    "slug": "jira-triage",
    "description": "Triage incoming Jira tickets using priority and severity rules",
    "category": "ops",
    "tags": ["jira", "triage", "ops"],
    "version": "1.0.0",
    "requiresTools": ["bash"],
    "content": "---\\nname: jira-triage\\n---\\n\\n# Jira Triage\\n",
    "files": [
      {
        "path": "references/priority-matrix.md",
        "content": "# Priority Matrix\\n",
        "contentType": "text/markdown"
      },
      {
        "path": "scripts/triage-report.sh",
        "content": "#!/bin/bash\\n",
        "contentType": "application/x-sh"
      }
    ]
  },
  "metadata": {
    "exportedAt": "2026-02-20T12:00:00Z",
    "exportedFrom": "nitejar",
    "author": "operator@example.com"
  }
}
"""
SEED_PACKAGE = Package.of(
    {
        "SKILL.md": "---\nname: jira-triage\n---\n\n# Jira Triage\n",
        "references/priority-matrix.md": "# Priority Matrix\n",
        "scripts/triage-report.sh": "#!/bin/bash\n",
    }
)


def _iter_bundles() -> Iterator[EverydayArchive]:
    skill = {"content": SKILL_MD.decode()}
    least = json.dumps({"formatVersion": 2, "skill": skill}).encode()
    nulls = {"formatVersion": 2, "metadata": None, "skill": skill | {"files": None, "tags": None}}
    more = {"formatVersion": 2, "x": [1.5, {}], "skill": skill | {"x": None}}
    files = [{"path": "scripts/run.sh", "executable": True, "encoding": "base64"}]
    encoded = skill | {"files": [files[0] | {"content": "IyEvYmluL3NoCmVjaG8gZG9uZQo="}]}
    yield EverydayArchive("seed", Form.JSON, SEED_PACKAGE, _SEED.encode)
    yield EverydayArchive("least", Form.JSON, ALONE, lambda: least)
    yield EverydayArchive("byte-order-mark", Form.JSON, ALONE, lambda: b"\xef\xbb\xbf" + least)
    yield EverydayArchive("nulls", Form.JSON, ALONE, json.dumps(nulls).encode)
    yield EverydayArchive("unknown-members", Form.JSON, ALONE, json.dumps(more).encode)
    yield EverydayArchive(
        "base64", Form.JSON, PDF, json.dumps({"formatVersion": 2, "skill": encoded}).encode
    )
