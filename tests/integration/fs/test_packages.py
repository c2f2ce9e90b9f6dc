"""Reading the whole package of a skill that was found."""

import os
import time
from pathlib import Path

import pytest

from skillyard.adapters.fs.packages import DiskPackages
from skillyard.adapters.index.directories import IndexedDirectories
from skillyard.application.discover import add_digest, discover_skills, read_candidate
from skillyard.application.ports.discovery import Root
from skillyard.domain.errors import InvalidPackageError, MissingPathError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.resolution import Candidate, Layer
from skillyard.testing.packages import make_skill_md
from tests.integration.index.looking import HereCommands


def later() -> int:
    return time.time_ns() + 10_000_000_000


def make_skill(directory: Path) -> Path:
    (directory / "scripts").mkdir(parents=True)
    (directory / "SKILL.md").write_text(make_skill_md(directory.name))
    (directory / "scripts/run.sh").write_text("true\n")
    (directory / "scripts/run.sh").chmod(0o755)
    return directory


def find(root: Root) -> tuple[Candidate, ...]:
    return discover_skills(
        [root], directories=IndexedDirectories(None), commands=HereCommands()
    ).candidates


@pytest.fixture
def root(tmp_path: Path) -> Root:
    make_skill(tmp_path / "skills/pdf")
    return Root(Layer.PROJECT, f"{tmp_path}/skills", within=str(tmp_path))


@pytest.fixture
def packages() -> DiskPackages:
    return DiskPackages(now=later)


def test_a_candidate_is_given_its_digest_and_files(root: Root, packages: DiskPackages) -> None:
    (candidate,) = find(root)

    known = add_digest(candidate, roots=[root], packages=packages)

    expected = Package.of(
        {
            "SKILL.md": make_skill_md("pdf"),
            "scripts/run.sh": PackageFile(b"true\n", executable=True),
        }
    )
    assert candidate.offered.digest is None
    assert known.offered.digest == expected.digest()
    assert known.files == ("SKILL.md", "scripts/run.sh")


@pytest.mark.requirement("SRC-1")
def test_the_package_at_the_root_goes_without_those_below_it(
    root: Root, packages: DiskPackages
) -> None:
    top = Path(root.path)
    (top / "SKILL.md").write_text(make_skill_md("skills"))
    (top / "references").mkdir()
    (top / "references/notes.md").write_text("Notes.\n")

    whole, pdf = find(root)

    found = read_candidate(whole, roots=[root], packages=packages)
    assert (whole.slug, pdf.slug) == ("skills", "pdf")
    assert list(found.taken.package) == ["SKILL.md", "references/notes.md"]
    assert found.taken.diagnostics == ()


def test_what_was_not_changed_comes_from_memory(root: Root, packages: DiskPackages) -> None:
    first = packages.read(root, "pdf")

    assert packages.read(root, "pdf") is first


def test_what_was_written_a_moment_ago_is_read_again(root: Root) -> None:
    packages = DiskPackages()

    assert packages.read(root, "pdf") is not packages.read(root, "pdf")


def test_any_change_of_any_file_is_seen(root: Root, packages: DiskPackages) -> None:
    script = Path(root.path) / "pdf/scripts/run.sh"
    seen = {packages.read(root, "pdf").taken.package.digest()}

    script.write_text("fail\n")
    seen.add(packages.read(root, "pdf").taken.package.digest())
    script.chmod(0o644)
    seen.add(packages.read(root, "pdf").taken.package.digest())
    (script.parent / "more.sh").write_text("")
    seen.add(packages.read(root, "pdf").taken.package.digest())
    (script.parent / "more.sh").rename(script.parent / "other.sh")
    seen.add(packages.read(root, "pdf").taken.package.digest())

    assert len(seen) == 5


def test_only_so_many_are_kept(tmp_path: Path, packages: DiskPackages) -> None:
    root = Root(Layer.PROJECT, str(tmp_path))
    for number in range(130):
        make_skill(tmp_path / f"skill-{number}")
    first = packages.read(root, "skill-0")

    for number in range(1, 130):
        packages.read(root, f"skill-{number}")

    assert packages.read(root, "skill-0") is not first


@pytest.mark.requirement("SRC-7")
def test_a_link_in_the_package_is_refused(root: Root, packages: DiskPackages) -> None:
    (candidate,) = find(root)
    (Path(root.path) / "pdf/secret").symlink_to("/etc/passwd")

    with pytest.raises(InvalidPackageError) as caught:
        add_digest(candidate, roots=[root], packages=packages)

    assert [one.code for one in caught.value.diagnostics] == ["SY303"]


@pytest.mark.requirement("SRC-7")
def test_a_skill_that_was_swapped_for_a_link_is_not_there(
    root: Root, packages: DiskPackages, tmp_path: Path
) -> None:
    (candidate,) = find(root)
    os.rename(f"{root.path}/pdf", tmp_path / "pdf")  # noqa: PTH104
    Path(root.path, "pdf").symlink_to(tmp_path / "pdf")

    with pytest.raises(MissingPathError):
        add_digest(candidate, roots=[root], packages=packages)


@pytest.mark.requirement("SRC-7")
def test_a_root_that_was_swapped_for_a_link_out_of_the_project_is_not_read(
    root: Root, packages: DiskPackages, tmp_path: Path
) -> None:
    project = Root(Layer.PROJECT, f"{tmp_path}/project/skills", within=f"{tmp_path}/project")
    (tmp_path / "project").mkdir()
    Path(project.path).symlink_to(root.path)

    with pytest.raises(MissingPathError, match="leads out of"):
        packages.read(project, "pdf")


def test_a_skill_that_is_gone_is_missing(root: Root, packages: DiskPackages) -> None:
    (candidate,) = find(root)
    (Path(root.path) / "pdf/SKILL.md").unlink()

    with pytest.raises(MissingPathError, match="holds no skill"):
        add_digest(candidate, roots=[root], packages=packages)
    with pytest.raises(MissingPathError, match="none of the directories"):
        read_candidate(candidate, roots=[], packages=packages)
    with pytest.raises(MissingPathError, match="cannot be looked into"):
        packages.read(root, "missing")


def test_a_package_with_too_many_files_to_tell_is_read_every_time(
    root: Root, packages: DiskPackages
) -> None:
    for number in range(1100):
        (Path(root.path) / f"pdf/scripts/{number}").touch()

    found = packages.read(root, "pdf")

    assert packages.read(root, "pdf") is not found
    assert "SY307" in [one.code for one in found.taken.diagnostics]
