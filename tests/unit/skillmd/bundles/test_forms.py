"""Forms are told apart, and what goes out comes in again."""

import gzip
import io
import tarfile
import zipfile
import zlib

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from skillyard.domain.diagnostic import has_errors
from skillyard.domain.errors import InvalidPackageError, UnsafePathError
from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import BundleFacts, Form, find_form, read_bundle, render_bundle
from skillyard.skillmd.intake import TakenIn, find_left_out
from tests.corpus.everyday_archives import PDF, list_everyday_archives
from tests.unit.skillmd.bundles.strategies import FACTS, facts, packages

EVERYDAY = [(case.form, case.build()) for case in list_everyday_archives()]
ASCII_ZIPS = [data for form, data in EVERYDAY if form is Form.ZIP and "履歴".encode() not in data]
TAPES = [
    zlib.decompressobj(31).decompress(data)
    for form, data in EVERYDAY
    if form is Form.TAR_GZ and data.startswith(b"\x1f\x8b")
]


@pytest.mark.parametrize(
    ("name", "head", "form"),
    [
        ("a.zip", b"PK\x03\x04", Form.ZIP),
        ("a", b"PK\x05\x06", Form.ZIP),
        ("a.zip", b"\x1f\x8b\x08", Form.TAR_GZ),
        ("a.json", b"PK\x03\x04", Form.ZIP),
        ("a", b' \r\n\t{\n  "formatVersion": 2', Form.JSON),
        ("a", b"{}", Form.JSON),
        ("a", b"\xef\xbb\xbf{}", Form.JSON),
        ("a", b"n" * 257 + b"ustar\0", Form.TAR_GZ),
        ("a.ZIP", b"", Form.ZIP),
        ("a.skill", b"MZ", Form.ZIP),
        ("a.tgz", b"", Form.TAR_GZ),
        ("a.tar.gz", b"", Form.TAR_GZ),
        ("a.tar", b"", Form.TAR_GZ),
        ("a.json", b"", Form.JSON),
        ("SKILL.md", b"---\nname: a\n", None),
        ("a.tar.xz", b"\xfd7zXZ\0", None),
        ("a.7z", b"7z\xbc\xaf", None),
        ("a", b"", None),
        ("a", b"{{ template }}", None),
    ],
)
def test_a_form_is_told_by_the_first_bytes_and_then_by_the_name(
    name: str, head: bytes, form: Form | None
) -> None:
    assert find_form(name, head) is form


@given(package=packages, about=facts, form=st.sampled_from(Form))
def test_what_is_written_is_read_again(package: Package, about: BundleFacts, form: Form) -> None:
    assert read_bundle(render_bundle(package, form, about=about), form, limits=STANDARD) == TakenIn(
        package
    )


@given(package=packages, form=st.sampled_from([Form.ZIP, Form.TAR_GZ]))
def test_a_wrapper_is_taken_off_again(package: Package, form: Form) -> None:
    about = BundleFacts(slug="pdf", display_name="PDF", wrapper="pdf-1.0")

    taken = read_bundle(render_bundle(package, form, about=about), form, limits=STANDARD)

    assert taken == TakenIn(package, (), "pdf-1.0")


@given(package=packages, about=facts, form=st.sampled_from(Form))
def test_equal_packages_give_equal_bytes(package: Package, about: BundleFacts, form: Form) -> None:
    same = Package.of(dict(reversed(list(package.files.items()))))

    assert render_bundle(same, form, about=about) == render_bundle(package, form, about=about)


@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
@pytest.mark.parametrize("wrapper", ["", "..", "a/b", "/a", "C:", ".git", "a\x1b"])
def test_a_wrapper_is_the_name_of_one_directory(form: Form, wrapper: str) -> None:
    about = BundleFacts(slug="pdf", display_name="PDF", wrapper=wrapper)

    with pytest.raises(UnsafePathError):
        render_bundle(PDF, form, about=about)


def test_portable_json_without_skill_md_is_not_written() -> None:
    with pytest.raises(InvalidPackageError) as caught:
        render_bundle(Package.of({"a.md": "x"}), Form.JSON, about=FACTS)

    assert [one.code for one in caught.value.diagnostics] == ["SY101"]


@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_an_archive_may_hold_a_package_without_skill_md(form: Form) -> None:
    package = Package.of({"a.md": "x", "b.md": "y"})

    taken = read_bundle(render_bundle(package, form, about=FACTS), form, limits=STANDARD)

    assert taken == TakenIn(package)


def test_python_reads_the_zip_archives_that_are_written() -> None:
    package = Package.of(dict(PDF.files) | {"références/é.md": b"x", "assets/z": bytes(90_000)})

    with zipfile.ZipFile(io.BytesIO(render_bundle(package, Form.ZIP, about=FACTS))) as archive:
        assert archive.testzip() is None
        found = {
            info.filename: PackageFile(archive.read(info), bool(info.external_attr >> 16 & 0o100))
            for info in archive.infolist()
        }
        dates = {info.date_time for info in archive.infolist()}
        modes = {info.external_attr >> 16 for info in archive.infolist()}

    assert found == dict(package.files)
    assert list(found) == list(package.files)
    assert dates == {(1980, 1, 1, 0, 0, 0)}
    assert modes == {0o100644, 0o100755}


def test_python_reads_the_tar_archives_that_are_written() -> None:
    long = "references/" + "long/" * 5 + "n" * 200 + ".md"
    split = "a" * 99 + "/" + "b" * 99
    package = Package.of(dict(PDF.files) | {"références/é.md": b"x", long: b"y", split: b"z"})

    data = render_bundle(package, Form.TAR_GZ, about=FACTS)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        members = archive.getmembers()
        found = {
            one.name: PackageFile(_extract(archive, one), bool(one.mode & 0o100)) for one in members
        }

    assert found == dict(package.files)
    assert list(found) == list(package.files)
    assert {(one.mtime, one.uid, one.gid, one.uname, one.gname) for one in members} == {
        (0, 0, 0, "", "")
    }
    assert {one.mode for one in members} == {0o644, 0o755}


def _extract(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    assert stream is not None
    return stream.read()


def test_a_gzip_header_names_no_time_and_no_system() -> None:
    data = render_bundle(PDF, Form.TAR_GZ, about=FACTS)

    assert data[:10] == b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    assert len(gzip.decompress(data)) % 512 == 0


def _mutate(data: bytes, changes: list[tuple[str, float, bytes]]) -> bytes:
    for change, where, piece in changes:
        at = int(where * len(data))
        match change:
            case "flip":
                data = data[:at] + bytes(one ^ 0xFF for one in data[at : at + 1]) + data[at + 1 :]
            case "cut":
                data = data[:at] + data[at + len(piece) :]
            case "end":
                data = data[:at]
            case "insert":
                data = data[:at] + piece + data[at:]
            case "replace":
                data = data[:at] + piece + data[at + len(piece) :]
            case _:
                data = data[:at] + data[at // 2 :]
    return data


_changes = st.lists(
    st.tuples(
        st.sampled_from(["flip", "cut", "end", "insert", "replace", "splice"]),
        st.floats(0, 1),
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from([b"PK\5\6", b"PK\1\2", b"\xff" * 4, bytes(512), b'"', b"{", b"\\"]),
        ),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(archive=st.sampled_from(EVERYDAY), changes=_changes)
def test_a_damaged_bundle_never_raises(
    archive: tuple[Form, bytes], changes: list[tuple[str, float, bytes]]
) -> None:
    form, data = archive

    taken = read_bundle(_mutate(data, changes), form, limits=STANDARD)

    assert isinstance(taken, TakenIn)


@settings(max_examples=200)
@given(tape=st.sampled_from(TAPES), changes=_changes)
def test_a_damaged_tape_in_a_sound_stream_never_raises(
    tape: bytes, changes: list[tuple[str, float, bytes]]
) -> None:
    data = gzip.compress(_mutate(tape, changes))

    taken = read_bundle(data, Form.TAR_GZ, limits=STANDARD)

    assert isinstance(taken, TakenIn)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(archive=st.sampled_from(ASCII_ZIPS), changes=_changes)
def test_a_zip_archive_that_is_accepted_means_the_same_to_python(
    archive: bytes, changes: list[tuple[str, float, bytes]]
) -> None:
    data = _mutate(archive, changes)
    taken = read_bundle(data, Form.ZIP, limits=STANDARD)
    if has_errors(taken.diagnostics):
        return

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as found:
            theirs = {one.filename: found.read(one) for one in found.infolist() if not one.is_dir()}
    except (NotImplementedError, zipfile.BadZipFile):
        # Python may be stricter: it stops at versions that it does not know.
        return
    assert _wanted(theirs) == _contents(taken)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(tape=st.sampled_from(TAPES), changes=_changes)
def test_a_tar_archive_that_is_accepted_means_the_same_to_python(
    tape: bytes, changes: list[tuple[str, float, bytes]]
) -> None:
    data = _with_checksums(_mutate(tape, changes))
    taken = read_bundle(data, Form.TAR_GZ, limits=STANDARD)
    if has_errors(taken.diagnostics):
        return

    with tarfile.open(fileobj=io.BytesIO(data)) as found:
        files = [one for one in found.getmembers() if not one.isdir()]
        theirs = {one.name: _extract(found, one) for one in files}
    assert _wanted(theirs) == _contents(taken)


def _with_checksums(tape: bytes) -> bytes:
    blocks = [bytearray(tape[at : at + 512]) for at in range(0, len(tape), 512)]
    for block in blocks:
        if block[257:262] == b"ustar":
            block[148:156] = b" " * 8
            block[148:156] = b"%06o\0 " % sum(block)
    return b"".join(blocks)


def _wanted(files: dict[str, bytes]) -> dict[str, bytes]:
    plain = {name.removeprefix("./"): content for name, content in files.items()}
    return {name: content for name, content in plain.items() if find_left_out(name) is None}


def _contents(taken: TakenIn) -> dict[str, bytes]:
    start = f"{taken.directory}/" if taken.directory else ""
    return {f"{start}{path}": file.content for path, file in taken.package.files.items()}


@settings(max_examples=200)
@given(data=st.binary(max_size=2_000), form=st.sampled_from(Form))
@example(data=b"PK\5\6" + bytes(18), form=Form.ZIP)
@example(data=b"\x1f\x8b", form=Form.TAR_GZ)
@example(data=b"[" * 2_000, form=Form.JSON)
def test_random_bytes_never_raise(data: bytes, form: Form) -> None:
    taken = read_bundle(data, form, limits=STANDARD)

    assert has_errors(taken.diagnostics) or not taken.package.files
