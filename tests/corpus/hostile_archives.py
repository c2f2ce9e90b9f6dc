"""Archives and bundles that must be refused, each with the one code that says why.

They follow the attack catalogue: traversal, collisions, links, devices, bombs, lies, and
everything that two programs would read in two ways.
"""

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from skillyard.skillmd.bundles import Form
from tests.corpus.raw_archives import (
    DESCRIPTOR_FLAG,
    DOS,
    SKILL,
    SKILL_MD,
    STORED,
    TAR_SKILL,
    UTF8_FLAG,
    TarMember,
    ZipMember,
    deflate,
    gnu_long,
    gz,
    pax,
    pax_record,
    streamed,
    tar_of,
    tgz_of,
    zip_of,
)

UNSAFE, COLLISION, LINK, SPECIAL = "SY301", "SY302", "SY303", "SY304"
FILE_LARGE, PACKAGE_LARGE, TOO_MANY = "SY305", "SY306", "SY307"
TOO_LARGE, CORRUPT, AMBIGUOUS, EXPANDS, FEATURE = "SY401", "SY402", "SY403", "SY404", "SY405"
NOT_JSON, SHAPE = "SY406", "SY407"

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class HostileArchive:
    """One case; `build` makes its bytes, `code` is the only error that may be reported."""

    name: str
    form: Form
    code: str
    build: Callable[[], bytes]


def list_hostile_archives() -> list[HostileArchive]:
    """List every case once, in a fixed order."""
    return [*_iter_paths(), *_iter_collisions(), *_iter_zips(), *_iter_tars(), *_iter_bundles()]


def portable(*files: object, **changes: object) -> dict[str, object]:
    skill: dict[str, object] = {
        "name": "PDF",
        "slug": "pdf",
        "content": SKILL_MD.decode(),
        "files": list(files),
    }
    return {"formatVersion": 2, "skill": skill} | changes


def skill_with(**changes: object) -> dict[str, object]:
    return portable(skill={"content": SKILL_MD.decode()} | changes)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


# Paths that no package may hold, whichever way they come.
_PATHS = {
    "slip": "../evil",
    "slip-inside": "a/../../evil",
    "slip-deep": "a/b/c/../../../../evil",
    "slip-sibling": "../destx/f",
    "slip-of-the-skill-itself": "../SKILL.md.txt",
    "slip-backslash": "..\\evil",
    "slip-mixed": "a/..\\..\\evil",
    "slip-into-left-out": "../node_modules/evil",
    "slip-through-left-out": "__MACOSX/../../evil",
    "left-out-backslash": "..\\..\\evil/__pycache__",
    "left-out-zero": "SKILL.md\0/__pycache__/x",
    "left-out-drive": "C:/node_modules/x",
    "left-out-device": "aux/node_modules/x",
    "left-out-escape": "node_modules/a\x1b[31m.js",
    "left-out-very-long": "node_modules/" + "a/" * 600 + "b",
    "absolute": "/etc/passwd",
    "absolute-double": "//server/share/f",
    "drive": "C:/evil",
    "drive-relative": "C:evil",
    "drive-backslash": "C:\\evil",
    "unc": "\\\\server\\share\\f",
    "verbatim": "\\\\?\\C:\\evil",
    "stream": "SKILL.md:hidden",
    "stream-default": "scripts/a.sh::$DATA",
    "trailing-dot": "SKILL.md.",
    "trailing-blank": "SKILL.md ",
    "leading-blank": "a/ b",
    "dot": "a/./b",
    "dots": "a/.../b",
    "empty": "",
    "empty-part": "a//b",
    "twice-here": "././a",
    "device": "aux.md",
    "device-upper": "references/CON",
    "device-superscript": "COM¹.txt",
    "device-blank": "nul .txt",
    "git": ".git/config",
    "git-upper": ".GIT/hooks/post-checkout",
    "git-short": "git~1/config",
    "git-zero-width": ".g\u200cit/config",
    "bidi": "invoice\u202efdp.exe",
    "zero-width": "re\u200badme.md",
    "tag": "a\U000e0073b",
    "escape": "a\x1b[31m.md",
    "line": "a\nb",
    "delete": "a\x7fb",
    "c1": "a\x9bb",
    "zero": "SKILL.md\0.txt",
    "private": "a\ue000b",
    "separator-line": "a\u2028b",
    "decomposed": "re\u0301sume\u0301.md",
    "wide-dots": "\uff0e\uff0e/evil",
    "wide-slash": "..\uff0fevil",
    "wide-backslash": "..\uff3cevil",
    "one-dot-leaders": "\u2024\u2024/evil",
    "long": "a/" * 4 + "b" * 249,
    "long-part": "é" * 128,
    "deep": "1/2/3/4/5/6/7/8/f",
}  # fmt: skip


def _iter_paths() -> Iterator[HostileArchive]:
    for name, path in _PATHS.items():
        yield from _in_all_forms(f"path-{name}", UNSAFE, path)
    yield HostileArchive(
        "zip-path-wrapper-slip", Form.ZIP, UNSAFE,
        lambda: zip_of(ZipMember(name="../SKILL.md", content=SKILL_MD)),
    )  # fmt: skip
    yield HostileArchive(
        "tar-path-wrapper-drive", Form.TAR_GZ, UNSAFE,
        lambda: tgz_of(TarMember(name="C:/SKILL.md", content=SKILL_MD)),
    )  # fmt: skip
    yield HostileArchive(
        "zip-path-wrapper-git", Form.ZIP, UNSAFE,
        lambda: zip_of(ZipMember(name=".git/SKILL.md", content=SKILL_MD)),
    )  # fmt: skip
    for path in ("../evil/", "/", "/etc/", "a/../", "aux/", "a\\b/"):
        yield HostileArchive(
            f"zip-path-directory-{path}", Form.ZIP, UNSAFE,
            _zip(ZipMember(name=path, content=b"", method=STORED, mode=0o40755)),
        )  # fmt: skip
        yield HostileArchive(
            f"tar-path-directory-{path}", Form.TAR_GZ, UNSAFE,
            _tar(TarMember(name=path, type=b"5")),
        )  # fmt: skip
    yield HostileArchive(
        "zip-path-directories-and-file", Form.ZIP, UNSAFE,
        lambda: zip_of(
            SKILL,
            *(ZipMember(name=one, content=b"", method=STORED) for one in ("../", "../a/")),
            ZipMember(name="../a/evil"),
        ),
    )  # fmt: skip
    yield HostileArchive(
        "tar-path-prefix-slip", Form.TAR_GZ, UNSAFE,
        lambda: tgz_of(TAR_SKILL, TarMember(name="evil", prefix=b"a/../..", content=b"x")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-path-gnu-long-slip", Form.TAR_GZ, UNSAFE,
        lambda: tgz_of(TAR_SKILL, gnu_long(b"../" * 40 + b"evil\0"), TarMember(name="short")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-path-pax-slip", Form.TAR_GZ, UNSAFE,
        lambda: tgz_of(TAR_SKILL, pax(path=b"../evil"), TarMember(name="harmless")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-path-pax-empty", Form.TAR_GZ, UNSAFE,
        lambda: tgz_of(TAR_SKILL, pax(path=b""), TarMember(name="harmless")),
    )  # fmt: skip


def _in_all_forms(name: str, code: str, *paths: str) -> Iterator[HostileArchive]:
    yield HostileArchive(
        f"zip-{name}", Form.ZIP, code,
        lambda: zip_of(SKILL, *(ZipMember(name=path) for path in paths)),
    )  # fmt: skip
    yield HostileArchive(
        f"tar-{name}", Form.TAR_GZ, code,
        lambda: tgz_of(TAR_SKILL, *(TarMember(name=path, content=b"x") for path in paths)),
    )  # fmt: skip
    yield HostileArchive(
        f"json-{name}", Form.JSON, code,
        lambda: _json(portable(*({"path": path, "content": "x"} for path in paths))),
    )  # fmt: skip


def _iter_collisions() -> Iterator[HostileArchive]:
    pairs = {
        "case": ("README.md", "readme.md"),
        "case-of-directory": ("Docs/a", "docs/b"),
        "sharp-s": ("straße.md", "STRASSE.md"),
        "ligature": ("ﬁle.md", "file.md"),
        "kelvin": ("\u212a.md", "k.md"),
        "long-s": ("\u017f.md", "s.md"),
        "file-and-directory": ("a", "a/b"),
        "directory-and-file": ("a/b", "a"),
    }
    for name, paths in pairs.items():
        # Kelvin is not NFC by itself: its normal form is the letter.
        code = UNSAFE if name == "kelvin" else COLLISION
        yield from _in_all_forms(f"collision-{name}", code, *paths)
    yield from _in_all_forms("collision-skill-md", COLLISION, "skill.md")
    yield from _in_all_forms("duplicate", AMBIGUOUS, "a.md", "a.md")
    yield HostileArchive(
        "zip-duplicate-skill-md", Form.ZIP, AMBIGUOUS,
        _zip(ZipMember(name="SKILL.md", content=b"other")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-duplicate-spelling", Form.TAR_GZ, AMBIGUOUS,
        lambda: tgz_of(TAR_SKILL, TarMember(name="./SKILL.md", content=b"other")),
    )  # fmt: skip
    yield HostileArchive(
        "zip-duplicate-spelling", Form.ZIP, AMBIGUOUS,
        _zip(ZipMember(name="./SKILL.md", content=b"other")),
    )  # fmt: skip
    yield HostileArchive(
        "zip-collision-directory-entry", Form.ZIP, COLLISION,
        _zip(ZipMember(name="a"), ZipMember(name="a/", content=b"")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-collision-file-and-wrapper", Form.TAR_GZ, COLLISION,
        lambda: tgz_of(TarMember(name="pdf/SKILL.md", content=SKILL_MD), TarMember(name="pdf")),
    )  # fmt: skip
    yield HostileArchive(
        "tar-collision-directory-entry", Form.TAR_GZ, COLLISION,
        lambda: tgz_of(TAR_SKILL, TarMember(name="A"), TarMember(name="a/b/", type=b"5")),
    )  # fmt: skip


def _zip(*members: ZipMember) -> Callable[[], bytes]:
    return lambda: zip_of(SKILL, *members)


def _iter_zips() -> Iterator[HostileArchive]:
    for cases in (_ZIP_KINDS, _ZIP_BOMBS, _ZIP_SHAPES, _ZIP_HEADERS, _ZIP_FEATURES, _ZIP_NAMES):
        for name, (code, build) in cases.items():
            yield HostileArchive(f"zip-{name}", Form.ZIP, code, build)


_Cases = dict[str, tuple[str, Callable[[], bytes]]]


def _zip_kind(mode: int, **more: int) -> Callable[[], bytes]:
    member = ZipMember(name="evil", content=b"/etc/passwd", mode=mode, **more)  # type: ignore[arg-type]
    return lambda: zip_of(SKILL, member)


_ZIP_KINDS: _Cases = {
    "symlink": (LINK, _zip_kind(0o120777)),
    "symlink-from-dos": (LINK, _zip_kind(0o120777, system=DOS)),
    "symlink-then-file-below": (
        LINK,
        lambda: zip_of(
            SKILL,
            ZipMember(name="out", content=b"/tmp", mode=0o120777),
            ZipMember(name="out/evil"),
        ),
    ),
    "fifo": (SPECIAL, _zip_kind(0o010644)),
    "socket": (SPECIAL, _zip_kind(0o140644)),
    "character-device": (SPECIAL, _zip_kind(0o020644)),
    "block-device": (SPECIAL, _zip_kind(0o060644)),
    "directory-mode": (AMBIGUOUS, _zip_kind(0o040755)),
    "directory-bit": (AMBIGUOUS, _zip_kind(0, system=DOS, dos=0x10)),
    "directory-with-data": (
        AMBIGUOUS, _zip(ZipMember(name="a/", content=b"data"))
    ),
    "left-out-symlink": (
        LINK, _zip(ZipMember(name="node_modules", content=b"/etc", mode=0o120777))
    ),
    "left-out-symlink-inside": (
        LINK, _zip(ZipMember(name="node_modules/.bin/a", content=b"/etc", mode=0o120777))
    ),
    "left-out-fifo": (SPECIAL, _zip(ZipMember(name="a/__pycache__", content=b"", mode=0o010644))),
    "left-out-directory-zero": (
        UNSAFE,
        _zip(ZipMember(name="SKILL.md\0/__pycache__/", content=b"", method=STORED, mode=0o40755)),
    ),
    "symlink-zero": (
        UNSAFE, _zip(ZipMember(name="SKILL.md\0a", content=b"/etc", mode=0o120777))
    ),
}  # fmt: skip


def _overlapping() -> bytes:
    # One kernel of data, quoted by many entries that share it.
    kernel = ZipMember(name="k", content=bytes(15_000))
    body = kernel.to_local()
    names = [b"%04d" % number for number in range(200)]
    directory = b"".join(
        ZipMember(name=name, content=kernel.content).to_central(0) for name in names
    )
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 200, 200, len(directory), len(body), 0)
    return body + directory + end


def _overlapping_two() -> bytes:
    inner = ZipMember(name="inner", content=b"payload", method=STORED)
    outer = ZipMember(name="outer", content=inner.to_local(), method=STORED)
    body = outer.to_local()
    offset = body.index(inner.to_local())
    directory = outer.to_central(0) + inner.to_central(offset)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 2, 2, len(directory), len(body), 0)
    return body + directory + end


def _liar(size: int, packed: bytes) -> bytes:
    lie = {"size": size}
    return zip_of(SKILL, ZipMember(name="bomb", packed=packed, local=lie, central=lie))


_ZIP_BOMBS: _Cases = {
    "bomb-ratio": (EXPANDS, lambda: zip_of(SKILL, ZipMember(name="b", content=bytes(10 * MIB)))),
    "bomb-total": (
        EXPANDS,
        lambda: zip_of(SKILL, *(
            ZipMember(name=f"b{number}", content=bytes(MIB)) for number in range(17)
        )),
    ),
    "bomb-declared": (EXPANDS, lambda: _liar(0xFFFFFFFE, deflate(b"x"))),
    "bomb-lying-header": (CORRUPT, lambda: _liar(10, deflate(bytes(50 * MIB)))),
    "bomb-lying-header-by-one": (CORRUPT, lambda: _liar(99, deflate(b"x" * 100))),
    "bomb-lying-header-too-much": (CORRUPT, lambda: _liar(101, deflate(b"x" * 100))),
    "bomb-overlap": (EXPANDS, _overlapping),
    "bomb-overlap-small": (AMBIGUOUS, _overlapping_two),
    "bomb-many-files": (
        TOO_MANY, lambda: zip_of(SKILL, *(ZipMember(name=f"f{one}") for one in range(512)))
    ),
    "bomb-many-entries": (
        TOO_MANY,
        lambda: zip_of(SKILL, *(
            ZipMember(name=f"__MACOSX/{number}", content=b"") for number in range(5_000)
        )),
    ),
    "bomb-says-many-entries": (
        TOO_MANY, lambda: zip_of(SKILL, end={"here": 65_000, "entries": 65_000})
    ),
    "bomb-left-out": (
        EXPANDS,
        lambda: zip_of(SKILL, ZipMember(name="__MACOSX/b", content=bytes(20 * MIB))),
    ),
    "large-file": (
        FILE_LARGE,
        lambda: zip_of(SKILL, ZipMember(name="f", content=bytes(262_145), method=STORED)),
    ),
    "large-package": (
        PACKAGE_LARGE,
        lambda: zip_of(SKILL, *(
            ZipMember(name=f"f{one}", content=bytes(250_000), method=STORED) for one in range(5)
        )),
    ),
    "large-archive": (
        TOO_LARGE,
        lambda: zip_of(SKILL, ZipMember(name="f", content=bytes(9 * MIB), method=STORED)),
    ),
}  # fmt: skip


def _tar_start(start: bytes, **header: bytes) -> bytes:
    # A tar header; the name in it starts with what another form starts with.
    return TarMember(name=start, **header).render_as(start)  # type: ignore[arg-type]


def _zip_and_tar(**header: bytes) -> bytes:
    # The tar header hides in the extra field of the first entry, its files in the second.
    empty = ZipMember(name="SKILL.md", content=b"", method=STORED, extra=bytes(474))
    start = empty.to_local()[:38] + struct.pack("<2H", 0x4141, 470)
    first = replace(empty, extra=_tar_start(start, **header)[38:])
    second = ZipMember(name="a.tar", content=tar_of(TAR_SKILL), method=STORED)
    return zip_of(first, second)


def _gzip_and_tar() -> bytes:
    # The tar header hides in the gzip's extra field, which the name of the tar's file starts.
    start = b"\x1f\x8b\x08\x04" + bytes(6) + struct.pack("<H", 500)
    return _tar_start(start) + tgz_of(TAR_SKILL)[10:]


_FAKE_END = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0, 0, 0, 0, 0)
_EVIL = ZipMember(name="evil.sh", content=b"rm -rf ~")

_ZIP_SHAPES: _Cases = {
    "and-tar": (AMBIGUOUS, _zip_and_tar),
    "and-tar-without-checksum": (AMBIGUOUS, lambda: _zip_and_tar(checksum=b"0000000\0")),
    "and-tar-older-than-ustar": (AMBIGUOUS, lambda: _zip_and_tar(magic=bytes(8))),
    "empty-file": (CORRUPT, lambda: b""),
    "no-zip": (CORRUPT, lambda: b"# A Markdown file\n" * 50),
    "only-signature": (CORRUPT, lambda: b"PK\3\4"),
    "cut-in-end": (CORRUPT, lambda: zip_of(SKILL)[:-5]),
    "cut-in-directory": (CORRUPT, lambda: zip_of(SKILL)[:-30]),
    "cut-at-start": (CORRUPT, lambda: zip_of(SKILL)[7:]),
    "comment-cut": (CORRUPT, lambda: zip_of(SKILL, comment=b"a comment")[:-3]),
    "trailing-bytes": (AMBIGUOUS, lambda: zip_of(SKILL, suffix=b"\0")),
    "trailing-line": (AMBIGUOUS, lambda: zip_of(SKILL, suffix=b"\n")),
    "two-archives": (AMBIGUOUS, lambda: zip_of(SKILL, _EVIL) + zip_of(SKILL)),
    "comment-is-archive": (AMBIGUOUS, lambda: zip_of(SKILL, comment=zip_of(_EVIL))),
    "comment-has-end": (AMBIGUOUS, lambda: zip_of(SKILL, comment=_FAKE_END + b"more")),
    "two-ends": (AMBIGUOUS, lambda: zip_of(SKILL, comment=_FAKE_END)),
    "two-ends-first-counts": (
        AMBIGUOUS, lambda: zip_of(SKILL, before_end=_FAKE_END[:-2] + b"\x16\0")
    ),
    "prefix-script": (AMBIGUOUS, lambda: b"#!/bin/sh\nexit 0\n" + zip_of(SKILL)),
    "prefix-program": (AMBIGUOUS, lambda: b"MZ" + bytes(510) + zip_of(SKILL)),
    "prefix-adjusted": (AMBIGUOUS, lambda: zip_of(SKILL, prefix=b"%PDF-1.7\n")),
    "prefix-tar": (AMBIGUOUS, lambda: tgz_of(TAR_SKILL) + zip_of(SKILL)),
    "prefix-hidden-entry": (AMBIGUOUS, lambda: zip_of(SKILL, prefix=_EVIL.to_local())),
    "gap-hidden-entry": (
        AMBIGUOUS,
        lambda: zip_of(
            ZipMember(name="SKILL.md", content=SKILL_MD, hidden_after=_EVIL.to_local()),
            ZipMember(name="a"),
        ),
    ),
    "gap-hidden-last-entry": (AMBIGUOUS, lambda: zip_of(SKILL, unlisted=[_EVIL])),
    "gap-before-directory": (AMBIGUOUS, lambda: zip_of(SKILL, before_directory=b"hidden")),
    "gap-before-end": (AMBIGUOUS, lambda: zip_of(SKILL, before_end=b"hidden")),
    "gap-after-stream": (
        AMBIGUOUS,
        _zip(ZipMember(name="a", packed=deflate(b"x") + _EVIL.to_local())),
    ),
    "gap-after-streamed-data": (
        AMBIGUOUS,
        lambda: zip_of(
            ZipMember(
                name="SKILL.md", content=b"x", packed=deflate(b"x") + _EVIL.to_local(),
                flags=DESCRIPTOR_FLAG, local={"packed": 0},
                descriptor=struct.pack(
                    "<3L", zlib.crc32(b"x"), len(deflate(b"x") + _EVIL.to_local()), 1
                ),
            )
        ),
    ),
    "directory-lists-more": (
        AMBIGUOUS, lambda: zip_of(SKILL, _EVIL, end={"here": 1, "entries": 1})
    ),
    "directory-lists-less": (AMBIGUOUS, lambda: zip_of(SKILL, end={"here": 2, "entries": 2})),
    "directory-damaged": (CORRUPT, lambda: zip_of(SKILL).replace(b"PK\1\2", b"PK\1\3")),
    "directory-ends-in-an-entry": (
        CORRUPT,
        lambda: zip_of(
            SKILL,
            before_end=b"PK\1\2" + bytes(10),
            end={"here": 2, "entries": 2, "size": len(SKILL.to_central(0)) + 14},
        ),
    ),
    "directory-offset-wrong": (CORRUPT, lambda: zip_of(SKILL, end={"offset": 4_000_000})),
    "directory-size-wrong": (AMBIGUOUS, lambda: zip_of(SKILL, end={"size": 3})),
    "directory-overlong-name": (
        CORRUPT, lambda: zip_of(SKILL).replace(b"\x08\0\0\0\0\0\0\0", b"\xff\xff\0\0\0\0\0\0")
    ),
    "offset-twice": (
        AMBIGUOUS,
        _zip(ZipMember(name="SKILL.md", content=SKILL_MD, central={"offset": 0})),
    ),
    "offset-outside": (
        AMBIGUOUS, _zip(ZipMember(name="a", central={"offset": 900_000}))
    ),
    "offset-into-data": (
        AMBIGUOUS, _zip(ZipMember(name="a", central={"offset": 5}))
    ),
}  # fmt: skip


def _differing(**local: int) -> Callable[[], bytes]:
    return _zip(ZipMember(name="a", content=b"content", local=local))


def _described(descriptor: tuple[int, ...], *, layout: str = "<3L") -> Callable[[], bytes]:
    crc, packed, size = ZipMember(name="a", content=b"content").sums
    sums = [real + lie for real, lie in zip((crc, packed, size), descriptor, strict=True)]
    member = ZipMember(
        name="a",
        content=b"content",
        flags=DESCRIPTOR_FLAG,
        descriptor=b"PK\x07\x08" + struct.pack(layout, *sums),
    )
    return lambda: zip_of(SKILL, member)


_ZIP_HEADERS: _Cases = {
    "local-name": (
        AMBIGUOUS, _zip(ZipMember(name="good.md", local_name=b"evil.sh"))
    ),
    "local-name-longer": (
        AMBIGUOUS, _zip(ZipMember(name="a", local_name=b"a" * 5_000))
    ),
    "local-method": (AMBIGUOUS, _differing(method=STORED)),
    "local-crc": (AMBIGUOUS, _differing(crc=1)),
    "local-packed": (AMBIGUOUS, _differing(packed=1)),
    "local-size": (AMBIGUOUS, _differing(size=1)),
    "local-sizes-unknown": (AMBIGUOUS, _differing(packed=0, size=0, crc=0)),
    "local-encrypted": (AMBIGUOUS, _differing(flags=1)),
    "local-descriptor": (AMBIGUOUS, _differing(flags=DESCRIPTOR_FLAG)),
    "local-utf8": (AMBIGUOUS, _differing(flags=UTF8_FLAG)),
    "local-missing": (
        CORRUPT, lambda: zip_of(SKILL, ZipMember(name="a")).replace(b"PK\3\4", b"PK\3\5")
    ),
    "crc": (
        CORRUPT,
        _zip(ZipMember(name="a", local={"crc": 7}, central={"crc": 7})),
    ),
    "crc-zero": (
        CORRUPT,
        _zip(ZipMember(name="a", local={"crc": 0}, central={"crc": 0})),
    ),
    "crc-of-left-out": (
        CORRUPT,
        _zip(ZipMember(name=".DS_Store", local={"crc": 7}, central={"crc": 7})),
    ),
    "stored-two-sizes": (
        CORRUPT,
        lambda: zip_of(SKILL, ZipMember(
            name="a", content=b"content", method=STORED, local={"size": 3}, central={"size": 3}
        )),
    ),
    "stream-cut": (
        CORRUPT, _zip(ZipMember(name="a", content=SKILL_MD, packed=deflate(SKILL_MD)[:-3]))
    ),
    "stream-empty": (CORRUPT, _zip(ZipMember(name="a", packed=b""))),
    "stream-damaged": (CORRUPT, _zip(ZipMember(name="a", packed=b"\xff" * 20))),
    "stream-with-header": (
        CORRUPT, _zip(ZipMember(name="a", packed=zlib.compress(b"x")))
    ),
    "descriptor-crc": (AMBIGUOUS, _described((1, 0, 0))),
    "descriptor-packed": (AMBIGUOUS, _described((0, 1, 0))),
    "descriptor-size": (AMBIGUOUS, _described((0, 0, 1))),
    "descriptor-zip64": (AMBIGUOUS, _described((0, 0, 0), layout="<LQQ")),
    "descriptor-without-signature-size": (
        AMBIGUOUS,
        lambda: zip_of(SKILL, ZipMember(
            name="a", flags=DESCRIPTOR_FLAG, descriptor=struct.pack("<3L", zlib.crc32(b"x"), 3, 2)
        )),
    ),
    "descriptor-missing": (
        AMBIGUOUS, _zip(ZipMember(name="a", flags=DESCRIPTOR_FLAG, descriptor=b""))
    ),
    "descriptor-local-differs": (
        AMBIGUOUS,
        lambda: zip_of(SKILL, ZipMember(
            name="a", flags=DESCRIPTOR_FLAG, local={"size": 9},
            descriptor=struct.pack("<3L", *ZipMember(name="a").sums),
        )),
    ),
    "descriptor-inside-stored": (
        AMBIGUOUS,
        lambda: zip_of(SKILL, streamed("a", b"x" + b"PK\7\10" + bytes(12), method=STORED)),
    ),
}  # fmt: skip


def _featured(**central: int) -> Callable[[], bytes]:
    return _zip(ZipMember(name="a", local=central, central=central))


_ZIP64_END = (
    struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, 56, 200)
    + struct.pack("<4sLQL", b"PK\6\7", 0, 300, 1)
)  # fmt: skip
_ZIP64_EXTRA = struct.pack("<2H2Q", 1, 16, 1, 3)

_ZIP_FEATURES: _Cases = {
    "encrypted": (FEATURE, _featured(flags=0x0001)),
    "encrypted-strong": (FEATURE, _featured(flags=0x0041)),
    "encrypted-directory": (FEATURE, _featured(flags=0x2001)),
    "patched": (FEATURE, _featured(flags=0x0020)),
    "method-shrunk": (FEATURE, _featured(method=1)),
    "method-deflate64": (FEATURE, _featured(method=9)),
    "method-bzip2": (FEATURE, _featured(method=12)),
    "method-lzma": (FEATURE, _featured(method=14)),
    "method-zstandard": (FEATURE, _featured(method=93)),
    "method-xz": (FEATURE, _featured(method=95)),
    "method-aes": (FEATURE, _featured(method=99)),
    "part-of-several": (FEATURE, lambda: zip_of(SKILL, end={"disk": 1})),
    "part-of-several-directory": (FEATURE, lambda: zip_of(SKILL, end={"directory_disk": 1})),
    "part-of-several-entries": (FEATURE, lambda: zip_of(SKILL, end={"here": 0})),
    "part-of-several-entry": (FEATURE, _zip(ZipMember(name="a", central={"disk": 1}))),
    "zip64-end": (FEATURE, lambda: zip_of(SKILL, before_end=_ZIP64_END)),
    "zip64-entries": (FEATURE, lambda: zip_of(SKILL, end={"here": 0xFFFF, "entries": 0xFFFF})),
    "zip64-offset": (FEATURE, lambda: zip_of(SKILL, end={"offset": 0xFFFFFFFF})),
    "zip64-size": (FEATURE, lambda: zip_of(SKILL, end={"size": 0xFFFFFFFF})),
    "zip64-sizes": (FEATURE, _featured(packed=0xFFFFFFFF, size=0xFFFFFFFF)),
    "zip64-entry-offset": (FEATURE, _zip(ZipMember(name="a", central={"offset": 0xFFFFFFFF}))),
    "zip64-extra": (FEATURE, _zip(ZipMember(name="a", central_extra=_ZIP64_EXTRA))),
    "zip64-extra-local": (FEATURE, _zip(ZipMember(name="a", extra=_ZIP64_EXTRA))),
}  # fmt: skip


def _unicode_path(name: bytes, original: bytes) -> bytes:
    return struct.pack("<2HBL", 0x7075, 5 + len(name), 1, zlib.crc32(original)) + name


_ZIP_NAMES: _Cases = {
    "name-not-utf8": (CORRUPT, _zip(ZipMember(name=b"\xff.md", flags=UTF8_FLAG))),
    "name-surrogate": (CORRUPT, _zip(ZipMember(name=b"\xed\xa0\x80", flags=UTF8_FLAG))),
    "name-overlong": (CORRUPT, _zip(ZipMember(name=b"\xc0\xae\xc0\xae/evil", flags=UTF8_FLAG))),
    "name-codepage": (AMBIGUOUS, _zip(ZipMember(name=b"r\x82sum\x82.md"))),
    "name-second": (
        AMBIGUOUS,
        _zip(ZipMember(name="a", central_extra=_unicode_path(b"evil", b"a"))),
    ),
    "name-second-stale": (
        AMBIGUOUS,
        _zip(ZipMember(name="a", central_extra=_unicode_path(b"evil", b"b"))),
    ),
    "name-second-local": (
        AMBIGUOUS, _zip(ZipMember(name="a", extra=_unicode_path(b"evil", b"a")))
    ),
    "name-third": (
        AMBIGUOUS,
        lambda: zip_of(SKILL, ZipMember(
            name="a", central_extra=_unicode_path(b"a", b"a") + _unicode_path(b"evil", b"a")
        )),
    ),
    "name-second-short": (
        AMBIGUOUS, _zip(ZipMember(name="a", central_extra=b"\x75\x70\1\0\1"))
    ),
    "extra-short": (CORRUPT, _zip(ZipMember(name="a", central_extra=b"UT\x09\0\1"))),
    "extra-short-local": (CORRUPT, _zip(ZipMember(name="a", extra=b"UT\x09\0\1"))),
}  # fmt: skip


def _iter_tars() -> Iterator[HostileArchive]:
    for cases in (_TAR_KINDS, _TAR_BOMBS, _TAR_EXTENSIONS, _TAR_SHAPES):
        for name, (code, build) in cases.items():
            yield HostileArchive(f"tar-{name}", Form.TAR_GZ, code, build)


def _tar(*members: TarMember, **end: bytes) -> Callable[[], bytes]:
    return lambda: tgz_of(TAR_SKILL, *members, **end)


_A = TarMember(name="a", content=b"content")

_TAR_KINDS: _Cases = {
    "symlink": (LINK, _tar(TarMember(name="a", type=b"2", link=b"/etc/passwd"))),
    "symlink-inside": (LINK, _tar(TarMember(name="a", type=b"2", link=b"SKILL.md"))),
    "symlink-then-file-below": (
        LINK,
        _tar(TarMember(name="a", type=b"2", link=b"/tmp"), TarMember(name="a/evil", content=b"x")),
    ),
    "symlink-chain-too-long-to-resolve": (
        LINK,
        _tar(
            TarMember(name="d" * 90 + "/", type=b"5"),
            TarMember(name="d" * 90 + "/l", type=b"2", link=b"../" * 30),
            TarMember(name="d" * 90 + "/l/evil", content=b"x"),
        ),
    ),
    "symlink-long-target": (
        LINK, _tar(gnu_long(b"../" * 100 + b"\0", type=b"K"), TarMember(name="a", type=b"2"))
    ),
    "symlink-pax-target": (LINK, _tar(pax(linkpath=b"/etc"), TarMember(name="a", type=b"2"))),
    "symlink-for-skill": (
        LINK, lambda: tgz_of(TarMember(name="SKILL.md", type=b"2", link=b"/etc/passwd"))
    ),
    "left-out-symlink": (LINK, _tar(TarMember(name="node_modules", type=b"2", link=b"/etc"))),
    "left-out-hard-link": (
        LINK, _tar(TarMember(name="a/._b", type=b"1", link=b"/etc/passwd"))
    ),
    "left-out-fifo": (SPECIAL, _tar(TarMember(name="__pycache__", type=b"6"))),
    "symlink-zero": (UNSAFE, _tar(pax(path=b"SKILL.md\0a"), TarMember(name="a", type=b"2"))),
    "hard-link": (LINK, _tar(TarMember(name="a", type=b"1", link=b"/etc/passwd"))),
    "hard-link-inside": (LINK, _tar(TarMember(name="a", type=b"1", link=b"SKILL.md"))),
    "character-device": (SPECIAL, _tar(TarMember(name="a", type=b"3"))),
    "block-device": (SPECIAL, _tar(TarMember(name="a", type=b"4"))),
    "fifo": (SPECIAL, _tar(TarMember(name="a", type=b"6"))),
    "type-sparse": (FEATURE, _tar(TarMember(name="a", type=b"S", magic=b"ustar  \0"))),
    "type-volume": (FEATURE, _tar(TarMember(name="a", type=b"V"))),
    "type-continued": (FEATURE, _tar(TarMember(name="a", type=b"M"))),
    "type-dump": (FEATURE, _tar(TarMember(name="a", type=b"D"))),
    "type-solaris": (
        FEATURE, _tar(TarMember(name="a", type=b"X", content=pax_record(b"path", b"b")))
    ),
    "type-unknown": (FEATURE, _tar(TarMember(name="a", type=b"Z"))),
    "type-unprintable": (FEATURE, _tar(TarMember(name="a", type=b"\x1b"))),
    "directory-with-data": (AMBIGUOUS, _tar(TarMember(name="a/", type=b"5", content=b"x" * 512))),
    "link-with-data": (
        AMBIGUOUS, _tar(TarMember(name="a", type=b"1", link=b"SKILL.md", content=_A.to_blocks()))
    ),
    "file-like-directory": (AMBIGUOUS, _tar(TarMember(name="a/", content=b"x"))),
}  # fmt: skip

_TAR_BOMBS: _Cases = {
    "bomb-ratio": (EXPANDS, lambda: tgz_of(TAR_SKILL, TarMember(name="b", content=bytes(8 * MIB)))),
    "bomb-total": (
        EXPANDS, lambda: tgz_of(TAR_SKILL, TarMember(name="b", content=bytes(40 * MIB)))
    ),
    "bomb-tail": (EXPANDS, lambda: tgz_of(TAR_SKILL, end=bytes(40 * MIB))),
    "bomb-all-zeros": (EXPANDS, lambda: gz(bytes(40 * MIB))),
    "bomb-declared": (EXPANDS, _tar(TarMember(name="b", size=b"77777777777\0"))),
    "bomb-declared-binary": (EXPANDS, _tar(TarMember(name="b", size=b"\x80" + b"\xff" * 11))),
    "bomb-many-files": (TOO_MANY, _tar(*(TarMember(name=f"f{one}") for one in range(512)))),
    "bomb-many-entries": (
        TOO_MANY, lambda: tar_of(TAR_SKILL, *(TarMember(name="d/", type=b"5"),) * 5_000)
    ),
    "bomb-pax-header": (
        EXPANDS, _tar(TarMember(name="x", type=b"x", size=b"\x80" + (4 << 30).to_bytes(11, "big")))
    ),
    "bomb-pax-header-present": (
        EXPANDS, lambda: tgz_of(TAR_SKILL, pax(comment=b"x" * MIB), _A)
    ),
    "bomb-global-header": (EXPANDS, _tar(TarMember(name="x", type=b"g", size=b"77777777777\0"))),
    "bomb-long-name": (
        EXPANDS, _tar(TarMember(name="x", type=b"L", size=b"\x80" + (4 << 30).to_bytes(11, "big")))
    ),
    "bomb-long-name-present": (
        EXPANDS, lambda: tgz_of(TAR_SKILL, gnu_long(b"a" * MIB + b"\0"), _A)
    ),
    "large-file": (
        FILE_LARGE, lambda: tar_of(TAR_SKILL, TarMember(name="f", content=bytes(262_145)))
    ),
    "large-skill-md": (
        FILE_LARGE, lambda: tar_of(TarMember(name="w/SKILL.md", content=bytes(65_537)))
    ),
    "large-package": (
        PACKAGE_LARGE,
        lambda: tar_of(
            TAR_SKILL, *(TarMember(name=f"f{one}", content=bytes(250_000)) for one in range(5))
        ),
    ),
    "large-archive": (
        TOO_LARGE, lambda: tar_of(TAR_SKILL, TarMember(name="f", content=bytes(9 * MIB)))
    ),
}  # fmt: skip

_TAR_EXTENSIONS: _Cases = {
    "size-desync-hides": (
        AMBIGUOUS,
        _tar(
            pax(size=b"1024"),
            TarMember(name="a", size=0),
            TarMember(name="hidden", content=b"evil"),
        ),
    ),
    "size-desync-reveals": (
        AMBIGUOUS, _tar(pax(size=b"0"), TarMember(name="a", content=_A.to_blocks()))
    ),
    "size-not-a-number": (AMBIGUOUS, _tar(pax(size=b"7x"), _A)),
    "size-negative-pax": (AMBIGUOUS, _tar(pax(size=b"-7"), _A)),
    "size-negative": (CORRUPT, _tar(TarMember(name="a", size=b"\xff" * 12))),
    "size-negative-by-one-block": (
        CORRUPT, _tar(TarMember(name="a", size=(-512).to_bytes(12, "big", signed=True)))
    ),
    "size-not-octal": (CORRUPT, _tar(TarMember(name="a", size=b"00000000008\0"))),
    "size-signed-text": (CORRUPT, _tar(TarMember(name="a", size=b"-0000000512\0"))),
    "size-blank": (CORRUPT, _tar(TarMember(name="a", size=b" " * 12))),
    "size-blank-and-zero": (CORRUPT, _tar(TarMember(name="a", size=b" " * 11 + b"\0"))),
    "size-after-zero": (CORRUPT, _tar(TarMember(name="a", size=b"0\x0000000000\0"))),
    "pax-twice": (AMBIGUOUS, _tar(pax(path=b"a"), pax(path=b"b"), _A)),
    "pax-and-long-name": (AMBIGUOUS, _tar(pax(path=b"a"), gnu_long(b"b\0"), _A)),
    "long-name-and-pax": (AMBIGUOUS, _tar(gnu_long(b"b\0"), pax(path=b"a"), _A)),
    "long-name-twice": (AMBIGUOUS, _tar(gnu_long(b"a\0"), gnu_long(b"b\0"), _A)),
    "long-name-goes-on": (AMBIGUOUS, _tar(gnu_long(b"a.md\0/../evil"), _A)),
    "pax-key-twice": (
        AMBIGUOUS, _tar(pax(pax_record(b"path", b"a") + pax_record(b"path", b"b")), _A)
    ),
    "pax-length-too-long": (CORRUPT, _tar(pax(b"99 path=a\n"), _A)),
    "pax-length-too-short": (CORRUPT, _tar(pax(b"5 path=a\n"), _A)),
    "pax-length-zero": (CORRUPT, _tar(pax(b"0 path=a\n"), _A)),
    "pax-length-missing": (CORRUPT, _tar(pax(b"path=a\n"), _A)),
    "pax-length-huge": (CORRUPT, _tar(pax(b"9" * 5_000 + b" path=a\n"), _A)),
    "pax-length-negative": (CORRUPT, _tar(pax(b"-9 path=a\n"), _A)),
    "pax-no-line-end": (CORRUPT, _tar(pax(b"9 path=abc"), _A)),
    "pax-no-equals": (CORRUPT, _tar(pax(b"8 patha\n"), _A)),
    "pax-no-key": (CORRUPT, _tar(pax(b"5 =a\n"), _A)),
    "pax-zeros": (CORRUPT, _tar(pax(bytes(20)), _A)),
    "pax-not-utf8": (AMBIGUOUS, _tar(pax(path=b"\xff"), _A)),
    "pax-sparse-0": (FEATURE, _tar(pax(pax_record(b"GNU.sparse.map", b"0,4096")), _A)),
    "pax-sparse-1": (FEATURE, _tar(pax(pax_record(b"GNU.sparse.major", b"1")), _A)),
    "pax-sparse-name": (FEATURE, _tar(pax(pax_record(b"GNU.sparse.name", b"../evil")), _A)),
    "pax-sparse-star": (FEATURE, _tar(pax(pax_record(b"SCHILY.realsize", b"9999999")), _A)),
    "pax-charset": (FEATURE, _tar(pax(hdrcharset=b"BINARY", path=b"\xff"), _A)),
    "global-path": (AMBIGUOUS, _tar(pax(type=b"g", path=b"evil"), _A)),
    "global-size": (AMBIGUOUS, _tar(pax(type=b"g", size=b"0"), _A)),
    "global-link": (AMBIGUOUS, _tar(pax(type=b"g", linkpath=b"/etc"), _A)),
    "global-sparse": (FEATURE, _tar(pax(pax_record(b"GNU.sparse.size", b"1"), type=b"g"), _A)),
    "pax-alone": (CORRUPT, _tar(pax(path=b"a"))),
    "long-name-alone": (CORRUPT, _tar(gnu_long(b"a\0"))),
    "gnu-prefix": (
        AMBIGUOUS, _tar(TarMember(name="a", magic=b"ustar  \0", prefix=b"other", content=b"x"))
    ),
    "name-not-utf8": (AMBIGUOUS, _tar(TarMember(name=b"r\xe9sum\xe9.md"))),
}  # fmt: skip


def _flip_last(data: bytes, back: int) -> bytes:
    return data[:-back] + bytes([data[-back] ^ 0xFF]) + data[len(data) - back + 1 :]


_TAR_SHAPES: _Cases = {
    "empty-file": (CORRUPT, lambda: b""),
    "no-tar": (CORRUPT, lambda: b"# A Markdown file\n" * 50),
    "gzip-of-text": (CORRUPT, lambda: gz(b"# A Markdown file\n" * 50)),
    "gzip-of-nothing": (CORRUPT, lambda: gz(b"")),
    "gzip-only-magic": (CORRUPT, lambda: b"\x1f\x8b"),
    "gzip-cut": (CORRUPT, lambda: tgz_of(TAR_SKILL)[:-9]),
    "gzip-cut-trailer": (CORRUPT, lambda: tgz_of(TAR_SKILL)[:-2]),
    "gzip-and-tar": (AMBIGUOUS, _gzip_and_tar),
    "and-zip": (AMBIGUOUS, _zip_and_tar),
    "gzip-checksum": (CORRUPT, lambda: _flip_last(tgz_of(TAR_SKILL), 8)),
    "gzip-length": (CORRUPT, lambda: _flip_last(tgz_of(TAR_SKILL), 1)),
    "gzip-damaged": (CORRUPT, lambda: tgz_of(TAR_SKILL)[:10] + b"\xff" * 40),
    "gzip-second-member": (AMBIGUOUS, lambda: tgz_of(TAR_SKILL) + tgz_of(_A)),
    "gzip-second-half": (
        AMBIGUOUS, lambda: gz(tar_of(TAR_SKILL, end=b"")) + gz(tar_of(_A))
    ),
    "gzip-trailing-bytes": (AMBIGUOUS, lambda: tgz_of(TAR_SKILL) + b"evil"),
    "gzip-trailing-archive": (AMBIGUOUS, lambda: tgz_of(TAR_SKILL) + bytes(512) + zip_of(SKILL)),
    "checksum": (CORRUPT, _tar(TarMember(name="a", checksum=b"000001\0 "))),
    "checksum-empty": (CORRUPT, _tar(TarMember(name="a", checksum=b" " * 8))),
    "checksum-text": (CORRUPT, _tar(TarMember(name="a", checksum=b"evil\0\0\0 "))),
    "owner-not-a-number": (CORRUPT, _tar(TarMember(name="a", owner=b"nobody!\0"))),
    "time-not-a-number": (CORRUPT, _tar(TarMember(name="a", time=b"\x90" + bytes(11)))),
    "device-not-a-number": (CORRUPT, _tar(TarMember(name="a", device=b"0x000000"))),
    "older-than-ustar": (FEATURE, _tar(TarMember(name="a", magic=bytes(8)))),
    "cut-in-header": (CORRUPT, lambda: gz(tar_of(TAR_SKILL)[:300])),
    "cut-in-content": (
        CORRUPT, lambda: gz(tar_of(TarMember(name="a", content=b"x" * 2000))[:1500])
    ),
    "cut-before-end": (CORRUPT, _tar(end=b"")),
    "cut-in-end": (CORRUPT, _tar(end=bytes(512))),
    "size-beyond-end": (CORRUPT, _tar(TarMember(name="a", size=100_000))),
    "entries-after-zero-block": (AMBIGUOUS, _tar(end=bytes(512) + tar_of(_A))),
    "entries-after-end": (AMBIGUOUS, _tar(end=bytes(1024) + tar_of(_A))),
    "bytes-after-end": (AMBIGUOUS, _tar(end=bytes(10_240) + b"x")),
    "bytes-after-plain-end": (AMBIGUOUS, lambda: tar_of(TAR_SKILL) + b"\n"),
}  # fmt: skip


def _iter_bundles() -> Iterator[HostileArchive]:
    for name, (code, build) in (_JSON_TEXTS | _JSON_SHAPES).items():
        yield HostileArchive(f"json-{name}", Form.JSON, code, build)


def _nested(depth: int) -> dict[str, object]:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return portable() | {"extra": value}


_TEXT = SKILL_MD.decode().replace("\n", "\\n")
_HEAD = b'{"formatVersion": 2, "skill": {"content": "' + _TEXT.encode() + b'"}, "extra": '

_JSON_TEXTS: _Cases = {
    "empty": (NOT_JSON, lambda: b""),
    "text": (NOT_JSON, lambda: SKILL_MD),
    "trailing": (NOT_JSON, lambda: _json(portable()) + b"{}"),
    "cut": (NOT_JSON, lambda: _json(portable())[:-3]),
    "not-utf8": (NOT_JSON, lambda: _HEAD + b'"\xff"}'),
    "utf16": (NOT_JSON, lambda: json.dumps(portable()).encode("utf-16")),
    "utf8-surrogate": (NOT_JSON, lambda: _HEAD + b'"\xed\xa0\x80"}'),
    "half-character": (NOT_JSON, lambda: _HEAD + rb'"\ud800"}'),
    "half-character-low": (NOT_JSON, lambda: _HEAD + rb'"\udc00\ud800"}'),
    "half-character-key": (NOT_JSON, lambda: _HEAD + rb'{"\udfff": 1}}'),
    "half-character-content": (
        NOT_JSON, lambda: rb'{"formatVersion": 2, "skill": {"content": "\ud83d"}}'
    ),
    "not-a-number": (NOT_JSON, lambda: _HEAD + b"NaN}"),
    "infinity": (NOT_JSON, lambda: _HEAD + b"Infinity}"),
    "minus-infinity": (NOT_JSON, lambda: _HEAD + b"-Infinity}"),
    "long-number": (NOT_JSON, lambda: _HEAD + b"9" * 5_000 + b"}"),
    "control-character": (NOT_JSON, lambda: _HEAD + b'"a\nb"}'),
    "duplicate-key": (NOT_JSON, lambda: _HEAD + b'1, "formatVersion": 2}'),
    "duplicate-key-inside": (NOT_JSON, lambda: _HEAD + b'{"a": 1, "a": 2}}'),
    "duplicate-content": (
        NOT_JSON, lambda: b'{"formatVersion": 2, "skill": {"content": "a", "content": "b"}}'
    ),
    "duplicate-escaped-key": (NOT_JSON, lambda: _HEAD + rb'{"a": 1, "\u0061": 2}}'),
    "depth-33": (NOT_JSON, lambda: _json(_nested(32))),
    "deep-lists": (NOT_JSON, lambda: b"[" * MIB),
    "deep-objects": (NOT_JSON, lambda: b'{"a":' * MIB),
    "deep-closed": (NOT_JSON, lambda: b"[" * 100_000 + b"]" * 100_000),
    "many-values": (NOT_JSON, lambda: b"[" + b"[]," * (2 * MIB) + b"[]]"),
    "many-numbers": (NOT_JSON, lambda: b"[" + b"1," * (3 * MIB) + b"1]"),
    "many-texts": (NOT_JSON, lambda: b"[" + b'"",' * (2 * MIB) + b'""]'),
    "open-text": (NOT_JSON, lambda: b'{"a": "' + rb"\"" * (3 * MIB)),
    "open-text-escape": (NOT_JSON, lambda: b'{"a": "' + rb"\"" * (3 * MIB) + b"\\"),
    "large": (TOO_LARGE, lambda: b'"' + b"x" * (9 * MIB) + b'"'),
    "large-file": (
        FILE_LARGE, lambda: _json(portable({"path": "a", "content": "x" * 262_145}))
    ),
    "large-skill-md": (FILE_LARGE, lambda: _json(skill_with(content="x" * 65_537))),
    "large-package": (
        PACKAGE_LARGE,
        lambda: _json(
            portable(*({"path": f"{one}", "content": "x" * 250_000} for one in range(5)))
        ),
    ),
    "many-files": (
        TOO_MANY,
        lambda: _json(portable(*({"path": f"{one}", "content": ""} for one in range(600)))),
    ),
}  # fmt: skip


def _shape(value: object) -> tuple[str, Callable[[], bytes]]:
    return SHAPE, lambda: _json(value)


def _file(**members: object) -> tuple[str, Callable[[], bytes]]:
    return _shape(portable({"path": "a.md", "content": "x"} | members))


_JSON_SHAPES: _Cases = {
    "null": _shape(None),
    "list": _shape([portable()]),
    "number": _shape(2),
    "version-missing": _shape({"skill": {}}),
    "version-1": _shape(portable(formatVersion=1)),
    "version-3": _shape(portable(formatVersion=3)),
    "version-text": _shape(portable(formatVersion="2")),
    "version-fraction": _shape(portable(formatVersion=2.0)),
    "version-true": _shape(portable(formatVersion=True)),
    "skill-missing": _shape({"formatVersion": 2}),
    "skill-null": _shape(portable(skill=None)),
    "skill-list": _shape(portable(skill=[])),
    "content-missing": _shape(portable(skill={"files": []})),
    "content-null": _shape(skill_with(content=None)),
    "content-number": _shape(skill_with(content=7)),
    "content-encoding": _shape(skill_with(encoding="gzip")),
    "content-not-base64": _shape(skill_with(encoding="base64", content="***")),
    "files-object": _shape(skill_with(files={})),
    "file-null": _shape(portable(None)),
    "file-text": _shape(portable("a.md")),
    "file-path-missing": _shape(portable({"content": "x"})),
    "file-path-number": _file(path=7),
    "file-path-skill-md": _file(path="SKILL.md"),
    "file-content-missing": _shape(portable({"path": "a.md"})),
    "file-content-list": _file(content=["x"]),
    "file-encoding": _file(encoding="utf-16"),
    "file-encoding-number": _file(encoding=64),
    "file-not-base64": _file(encoding="base64", content="eA="),
    "file-not-base64-line": _file(encoding="base64", content="eA==\n"),
    "file-not-base64-letters": _file(encoding="base64", content="é"),
    "file-executable": _file(executable="yes"),
    "file-content-type": _file(contentType=7),
    "name-number": _shape(skill_with(name=7)),
    "tags-text": _shape(skill_with(tags="pdf")),
    "tags-numbers": _shape(skill_with(tags=["pdf", 1, 2])),
    "tools-object": _shape(skill_with(requiresTools={})),
    "metadata-list": _shape(portable(metadata=[])),
    "metadata-author": _shape(portable(metadata={"author": {}})),
}  # fmt: skip
