"""Reading one package from a real file."""

import errno
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from skillyard.adapters.fs.bundle import BundleSource
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.errors import MissingPathError, UnknownFormError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package

TEXT = b"---\nname: pdf\ndescription: Fill in forms.\n---\nFill in forms.\n"


def zipped(*names: str) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        for name in names:
            writer.writestr(name, TEXT)
    return archive.getvalue()


def tarred(*names: str) -> bytes:
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as writer:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(TEXT)
            writer.addfile(member, io.BytesIO(TEXT))
    return archive.getvalue()


def read_one(path: Path, limits: Limits = STANDARD) -> FoundPackage:
    (found,) = BundleSource(path, limits).iter_packages()
    return found


def codes(found: FoundPackage) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in found.taken.diagnostics]


@pytest.mark.parametrize(
    ("name", "content"),
    [("pdf.zip", zipped("SKILL.md")), ("pdf.skill", zipped("SKILL.md"))],
)
def test_a_bare_archive_gives_its_package_no_name(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)

    found = read_one(tmp_path / name)

    assert (found.location, found.directory) == (str(tmp_path / name), None)
    assert found.taken.package == Package.of({"SKILL.md": TEXT})
    assert found.taken.diagnostics == ()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("some.zip", zipped("pdf/SKILL.md", "pdf/notes.md")),
        ("some.tar.gz", tarred("pdf/SKILL.md", "pdf/notes.md")),
        ("without-ending", zipped("pdf/SKILL.md", "pdf/notes.md")),
    ],
)
def test_a_directory_around_the_files_is_taken_off_and_names_nothing(
    tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)

    found = read_one(tmp_path / name)

    assert found.directory is None
    assert found.taken.package == Package.of({"SKILL.md": TEXT, "notes.md": TEXT})


def test_a_link_that_the_user_names_is_followed(tmp_path: Path) -> None:
    (tmp_path / "pdf-1.2.zip").write_bytes(zipped("SKILL.md"))
    (tmp_path / "pdf.zip").symlink_to(tmp_path / "pdf-1.2.zip")

    assert codes(read_one(tmp_path / "pdf.zip")) == []


def test_a_damaged_archive_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "pdf.zip").write_bytes(zipped("SKILL.md")[:-10])

    found = read_one(tmp_path / "pdf.zip")

    assert [code[:3] for code, _ in codes(found)] == ["SY4"]
    assert found.taken.package == Package.of({})


def test_an_archive_above_the_limit_is_refused_without_being_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / "huge.zip").open("wb") as huge:
        huge.truncate(1 << 40)
    opened: list[object] = []
    monkeypatch.setattr(os, "open", lambda *arguments, **_: opened.append(arguments))

    assert codes(read_one(tmp_path / "huge.zip")) == [("SY401", "")]
    assert opened == []


def test_an_archive_at_the_limit_is_read(tmp_path: Path) -> None:
    content = zipped("SKILL.md")
    (tmp_path / "pdf.zip").write_bytes(content)

    assert codes(read_one(tmp_path / "pdf.zip", Limits(archive_bytes=len(content)))) == []
    assert codes(read_one(tmp_path / "pdf.zip", Limits(archive_bytes=len(content) - 1))) == [
        ("SY401", "")
    ]


@pytest.mark.parametrize("size_then", [0, 50, 1 << 40])
def test_an_archive_that_changes_its_size_meanwhile_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size_then: int
) -> None:
    target = tmp_path / "pdf.zip"
    target.write_bytes(zipped("SKILL.md"))
    look = os.fstat

    def look_and_resize(descriptor: int) -> os.stat_result:
        status = look(descriptor)
        os.truncate(target, size_then)
        return status

    monkeypatch.setattr(os, "fstat", look_and_resize)

    found = read_one(target)

    assert [one.message for one in found.taken.diagnostics] == [
        "the archive was changed while it was being read"
    ]


def test_an_archive_that_grows_between_two_looks_is_still_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "pdf.zip"
    target.write_bytes(zipped("SKILL.md"))
    look = os.fstat

    def resize_and_look(descriptor: int) -> os.stat_result:
        os.truncate(target, 1 << 40)
        return look(descriptor)

    monkeypatch.setattr(os, "fstat", resize_and_look)

    assert codes(read_one(target)) == [("SY401", "")]


def test_a_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pdf.zip")

    assert codes(read_one(tmp_path / "pdf.zip")) == [("SY304", "")]


def test_a_pipe_that_takes_the_archives_place_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "pdf.zip"
    target.write_bytes(zipped("SKILL.md"))
    open_ = os.open

    def swap_and_open(path: str, flags: int) -> int:
        target.unlink()
        os.mkfifo(target)
        return open_(path, flags)

    monkeypatch.setattr(os, "open", swap_and_open)

    assert codes(read_one(target)) == [("SY304", "")]


def test_a_directory_is_no_bundle(tmp_path: Path) -> None:
    assert codes(read_one(tmp_path)) == [("SY304", "")]


def test_a_bundle_that_may_not_be_read_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pdf.zip").write_bytes(zipped("SKILL.md"))

    def refuse(path: str, flags: int) -> int:
        raise OSError(errno.EACCES, os.strerror(errno.EACCES), path, flags)

    monkeypatch.setattr(os, "open", refuse)

    found = read_one(tmp_path / "pdf.zip")

    assert [one.message for one in found.taken.diagnostics] == [
        "the package cannot be read: Permission denied"
    ]


def test_a_bundle_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MissingPathError):
        read_one(tmp_path / "nowhere.zip")


def test_a_file_in_no_known_form_is_an_error_that_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "pdf.docx").write_bytes(b"something else")

    with pytest.raises(UnknownFormError) as caught:
        read_one(tmp_path / "pdf.docx")

    assert caught.value.hints == ("Known forms: a directory, zip, tar.gz, json",)
