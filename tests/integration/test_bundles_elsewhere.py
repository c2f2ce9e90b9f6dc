"""Other programs read the archives that are written, and their archives are read."""

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import BundleFacts, Form, read_bundle, render_bundle

LONG = "references/" + "long/" * 5 + "n" * 180 + ".md"
PACKAGE = Package.of(
    {
        "SKILL.md": b"---\nname: pdf\n---\nFill in the form.\n" * 20,
        "scripts/run.sh": PackageFile(b"#!/bin/sh\necho done\n", executable=True),
        "references/résumé.md": "é\n",
        "assets/empty": b"",
        "assets/blank.bin": bytes(100_000),
        LONG: b"x",
    }
)
ABOUT = BundleFacts(slug="pdf", display_name="PDF")


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program}")


def lay_out(package: Package, root: Path) -> Path:
    for path, file in package.files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(0o755 if file.executable else 0o644)
    return root


def pick_up(root: Path) -> Package:
    return Package.of(
        {
            path.relative_to(root).as_posix(): PackageFile(
                path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR)
            )
            for path in root.rglob("*")
            if path.is_file()
        }
    )


def run(*command: str, cwd: Path) -> bytes:
    environment = {"PATH": "/usr/bin:/bin:/usr/local/bin", "LC_ALL": "C.UTF-8", "HOME": str(cwd)}
    done = subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)
    return done.stdout


def read(data: bytes, form: Form) -> tuple[Package, str | None]:
    taken = read_bundle(data, form, limits=STANDARD)
    assert taken.diagnostics == ()
    return taken.package, taken.directory


@needs("unzip")
def test_unzip_unpacks_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(render_bundle(PACKAGE, Form.ZIP, about=ABOUT))

    run("unzip", "-q", "a.zip", "-d", "out", cwd=tmp_path)

    assert pick_up(tmp_path / "out") == PACKAGE


@needs("tar")
def test_tar_unpacks_what_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.tar.gz").write_bytes(render_bundle(PACKAGE, Form.TAR_GZ, about=ABOUT))
    (tmp_path / "out").mkdir()

    run("tar", "xzf", "../a.tar.gz", cwd=tmp_path / "out")

    assert pick_up(tmp_path / "out") == PACKAGE


@needs("zip")
@pytest.mark.parametrize("option", ["-9", "-0", "-fd"])
def test_what_zip_writes_is_read(tmp_path: Path, option: str) -> None:
    lay_out(PACKAGE, tmp_path / "pdf")
    # Blank as it is, it would be taken for a bomb.
    (tmp_path / "pdf/assets/blank.bin").unlink()
    wanted = pick_up(tmp_path / "pdf")

    run("zip", "-q", option, "-r", "a.zip", "pdf", cwd=tmp_path)

    assert read((tmp_path / "a.zip").read_bytes(), Form.ZIP) == (wanted, "pdf")


@needs("zip")
def test_what_zip_writes_into_a_pipe_is_read(tmp_path: Path) -> None:
    lay_out(PACKAGE, tmp_path / "pdf")
    (tmp_path / "pdf/assets/blank.bin").unlink()

    data = run("zip", "-q", "-r", "-", ".", cwd=tmp_path / "pdf")

    assert read(data, Form.ZIP) == (pick_up(tmp_path / "pdf"), None)


@needs("tar")
@pytest.mark.parametrize("form", ["gnu", "pax", "posix"])
@pytest.mark.parametrize("whole", [True, False])
def test_what_tar_writes_is_read(tmp_path: Path, form: str, *, whole: bool) -> None:
    lay_out(PACKAGE, tmp_path / "pdf")
    (tmp_path / "pdf/assets/blank.bin").unlink()
    wanted = pick_up(tmp_path / "pdf")

    place = ("-C", str(tmp_path), "pdf") if whole else ("-C", str(tmp_path / "pdf"), ".")
    data = run("tar", f"--format={form}", "-czf", "-", *place, cwd=tmp_path)

    assert read(data, Form.TAR_GZ) == (wanted, "pdf" if whole else None)


@needs("tar")
def test_links_that_tar_packed_are_refused(tmp_path: Path) -> None:
    lay_out(PACKAGE, tmp_path / "pdf")
    (tmp_path / "pdf/link").symlink_to("/etc/passwd")
    (tmp_path / "pdf/same").hardlink_to(tmp_path / "pdf/SKILL.md")

    taken = read_bundle(run("tar", "cf", "-", "pdf", cwd=tmp_path), Form.TAR_GZ, limits=STANDARD)

    assert [one.code for one in taken.diagnostics] == ["SY303", "SY303"]


@needs("tar")
def test_sparse_files_that_tar_packed_are_refused(tmp_path: Path) -> None:
    lay_out(PACKAGE, tmp_path / "pdf")
    with (tmp_path / "pdf/sparse").open("wb") as file:
        file.truncate(200_000)
    for form in ("gnu", "pax"):
        data = run("tar", "-S", f"--format={form}", "-cf", "-", "pdf", cwd=tmp_path)

        taken = read_bundle(data, Form.TAR_GZ, limits=STANDARD)

        assert [one.code for one in taken.diagnostics] == ["SY405"]


@needs("git")
@pytest.mark.parametrize("form", [Form.ZIP, Form.TAR_GZ])
def test_what_git_archive_writes_is_read(tmp_path: Path, form: Form) -> None:
    lay_out(PACKAGE, tmp_path)
    (tmp_path / "assets/blank.bin").unlink()
    wanted = pick_up(tmp_path)
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    for command in (("init", "-q"), ("add", "-A"), (*who, "commit", "-qm", "a")):
        run("git", *command, cwd=tmp_path)

    data = run("git", "archive", f"--format={form}", "--prefix=pdf-1.0/", "HEAD", cwd=tmp_path)

    assert read(data, form) == (wanted, "pdf-1.0")
