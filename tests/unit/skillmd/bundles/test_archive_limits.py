"""Each limit of an archive is tried just below, at, and just above it."""

import hashlib
from dataclasses import replace

import pytest

from skillyard.domain.limits import STANDARD, WIDE, Limits
from skillyard.domain.package import Package
from skillyard.skillmd.bundles import Form, read_bundle, render_bundle
from skillyard.skillmd.intake import TakenIn
from tests.corpus.raw_archives import (
    SKILL,
    SKILL_MD,
    STORED,
    TAR_SKILL,
    TarMember,
    ZipMember,
    gz,
    tar_of,
    tgz_of,
    zip_of,
)
from tests.unit.skillmd.bundles.strategies import FACTS


def codes(data: bytes, form: Form, limits: Limits) -> list[str]:
    return [one.code for one in read_bundle(data, form, limits=limits).diagnostics]


@pytest.mark.parametrize(("spare", "expected"), [(1, []), (0, []), (-1, ["SY401"])])
@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_an_archive_may_have_so_many_bytes(form: Form, spare: int, expected: list[str]) -> None:
    data = zip_of(SKILL) if form is Form.ZIP else tgz_of(TAR_SKILL)

    assert codes(data, form, replace(STANDARD, archive_bytes=len(data) + spare)) == expected


@pytest.mark.parametrize(("spare", "expected"), [(1, []), (0, []), (-1, ["SY404"])])
def test_a_zip_archive_may_unpack_to_so_many_bytes(spare: int, expected: list[str]) -> None:
    data = zip_of(SKILL, ZipMember(name="a", content=bytes(1_000)))
    limits = replace(STANDARD, unpacked_bytes=1_000 + len(SKILL_MD) + spare)

    assert codes(data, Form.ZIP, limits) == expected


@pytest.mark.parametrize(("spare", "expected"), [(1, []), (0, []), (-1, ["SY404"])])
def test_a_tar_archive_may_unpack_to_so_many_bytes(spare: int, expected: list[str]) -> None:
    tape = tar_of(TAR_SKILL)

    limits = replace(STANDARD, unpacked_bytes=len(tape) + spare)
    assert codes(gz(tape), Form.TAR_GZ, limits) == expected


@pytest.mark.parametrize(("spare", "expected"), [(1, []), (0, []), (-1, ["SY404"])])
def test_an_archive_may_have_such_a_ratio(spare: int, expected: list[str]) -> None:
    member = ZipMember(name="a", content=bytes(2_000))
    missing = 1_000 - len(zip_of(member))
    data = zip_of(member, comment=b"c" * (missing + spare))

    limits = replace(STANDARD, archive_ratio=2, archive_ratio_from_bytes=1)
    assert codes(data, Form.ZIP, limits) == expected


@pytest.mark.parametrize(("size", "expected"), [(65_535, []), (65_536, ["SY404"])])
def test_small_archives_may_have_any_ratio(size: int, expected: list[str]) -> None:
    data = zip_of(ZipMember(name="a", content=bytes(size)))

    assert codes(data, Form.ZIP, STANDARD) == expected


@pytest.mark.parametrize(("count", "expected"), [(511, []), (512, []), (513, ["SY307"])])
@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_an_archive_may_have_so_many_files(form: Form, count: int, expected: list[str]) -> None:
    names = [f"{number}" for number in range(count)]
    if form is Form.ZIP:
        data = zip_of(*(ZipMember(name=name) for name in names))
    else:
        data = tar_of(*(TarMember(name=name) for name in names))

    assert codes(data, form, STANDARD) == expected


@pytest.mark.parametrize(("count", "expected"), [(4_096, []), (4_097, ["SY307"])])
@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_an_archive_may_have_so_many_entries(form: Form, count: int, expected: list[str]) -> None:
    names = [f"d{number}/" for number in range(count)]
    if form is Form.ZIP:
        data = zip_of(*(ZipMember(name=name, content=b"", method=STORED) for name in names))
    else:
        data = tar_of(*(TarMember(name=name, type=b"5") for name in names))

    assert codes(data, form, STANDARD) == expected


@pytest.mark.parametrize(("size", "expected"), [(262_144, []), (262_145, ["SY305"])])
@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_a_file_in_an_archive_may_have_so_many_bytes(
    form: Form, size: int, expected: list[str]
) -> None:
    content = bytes(range(256)) * 1_025
    if form is Form.ZIP:
        data = zip_of(SKILL, ZipMember(name="a", content=content[:size], method=STORED))
    else:
        data = tar_of(TAR_SKILL, TarMember(name="a", content=content[:size]))

    assert codes(data, form, STANDARD) == expected


@pytest.mark.parametrize(("count", "expected"), [(99_988, []), (99_989, ["SY406"])])
def test_a_portable_bundle_may_hold_so_many_values(count: int, expected: list[str]) -> None:
    # The signs and texts of the bundle itself are thirteen, and a list of n has n - 1 commas.
    numbers = ",".join("1" * count)
    data = f'{{"formatVersion": 2, "skill": {{"content": ""}}, "x": [{numbers}]}}'.encode()

    assert codes(data, Form.JSON, STANDARD) == expected


@pytest.mark.parametrize(("depth", "expected"), [(30, []), (31, []), (32, ["SY406"])])
def test_a_portable_bundle_may_be_nested_so_deep(depth: int, expected: list[str]) -> None:
    nested = "[" * depth + "]" * depth
    data = f'{{"formatVersion": 2, "skill": {{"content": ""}}, "x": {nested}}}'.encode()

    assert codes(data, Form.JSON, STANDARD) == expected


def test_the_wide_limits_admit_larger_packages() -> None:
    content = bytes(range(256)) * 20_000
    data = zip_of(SKILL, ZipMember(name="a", content=content, method=STORED))

    assert codes(data, Form.ZIP, STANDARD) == ["SY305"]
    taken = read_bundle(data, Form.ZIP, limits=WIDE)
    assert taken.diagnostics == ()
    assert taken.package.size == len(content) + len(SKILL_MD)


# Longer than what deflate looks back at, so that nothing makes it smaller.
NOISE = hashlib.shake_256(b"noise").digest(65_536)
PIECES = {
    "noise": NOISE,
    "control-characters": b"\x01" * 256,
    "line-ends": b"\n" * 256,
    "quotes": b'"a' * 128,
    "quotes-past-half": b'""a' * 86,
}


@pytest.mark.parametrize("limits", [STANDARD, WIDE], ids=["standard", "wide"])
@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("form", list(Form))
def test_the_largest_package_is_read_again_from_every_form(
    form: Form, piece: bytes, limits: Limits
) -> None:
    package = make_largest(piece, limits)
    assert (package.size, len(package.files)) == (limits.package_bytes, limits.package_files)

    data = render_bundle(package, form, about=FACTS)

    assert len(data) < limits.archive_bytes
    assert read_bundle(data, form, limits=limits) == TakenIn(package)


def make_largest(piece: bytes, limits: Limits) -> Package:
    files = {"SKILL.md": SKILL_MD}
    left = limits.package_bytes - len(SKILL_MD)
    for number in range(1, limits.package_files):
        size = min(left, limits.file_bytes)
        # Long, and with letters that only a PAX header can hold.
        path = f"{number:03}/" + "/".join(["é" * 120] * 2)
        files[path] = (piece * (size // len(piece) + 1))[:size]
        left -= size
    return Package.of(files)
