"""What a run made of its skills is found out, whatever it was."""

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from skillyard.application.ports.ground import RunGround
from skillyard.domain.run import ChangeKind, SeenChange
from tests.integration.runs.making import CSV, PDF, lay_out, plan, plan_skill

CHANGED, ADDED, REMOVED = ChangeKind.CHANGED, ChangeKind.ADDED, ChangeKind.REMOVED
PATHS = [str(path) for path in PDF]
SKILL = plan_skill()

Found = list[tuple[str, ChangeKind]]


@pytest.fixture
def skill(ground: RunGround) -> Path:
    """Give the directory of a skill that was laid out."""
    lay_out(ground, plan(SKILL))
    return Path(ground.places.home) / ".claude/skills/pdf"


def look(ground: RunGround) -> Found:
    changes = ground.find_changes([SKILL])
    assert all(one.slug == "pdf" for one in changes)
    return [(one.path, one.kind) for one in changes]


def replace_by(file: Path, make: Callable[[Path], object]) -> None:
    file.unlink()
    make(file)


@pytest.mark.requirement("DEL-10")
@pytest.mark.usefixtures("skill")
def test_nothing_is_found_where_nothing_was_changed(ground: RunGround) -> None:
    assert look(ground) == []


@pytest.mark.requirement("DEL-10")
@pytest.mark.parametrize("path", PATHS)
def test_every_change_of_a_file_is_found(ground: RunGround, skill: Path, path: str) -> None:
    file = skill / path
    content, mode = file.read_bytes(), file.stat().st_mode

    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert look(ground) == [(path, CHANGED)]
    file.write_bytes(content + b"\n")
    assert look(ground) == [(path, CHANGED)]
    file.write_bytes(content)
    file.chmod(mode ^ stat.S_IXUSR)
    assert look(ground) == [(path, CHANGED)]
    file.chmod(mode & ~0o066)
    assert look(ground) == []
    file.unlink()
    assert look(ground) == [(path, REMOVED)]


@pytest.mark.requirement("DEL-10")
def test_added_files_are_found_and_so_are_those_in_new_directories(
    ground: RunGround, skill: Path
) -> None:
    (skill / "notes.md").touch()
    (skill / "scripts/__pycache__").mkdir()
    (skill / "scripts/__pycache__/run.pyc").touch()
    (skill / "empty").mkdir()
    (skill / "link").symlink_to("/")
    os.mkfifo(skill / "pipe")
    (skill / os.fsdecode(b"\xff.md")).touch()

    assert look(ground) == [
        ("\\xff.md", ADDED),
        ("link", ADDED),
        ("notes.md", ADDED),
        ("pipe", ADDED),
        ("scripts/__pycache__/run.pyc", ADDED),
    ]


def bind(file: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        before = Path.cwd()
        os.chdir(file.parent)  # the whole path may be too long for a socket
        try:
            listener.bind(file.name)
        finally:
            os.chdir(before)


@pytest.mark.parametrize(
    "make",
    [os.mkfifo, Path.mkdir, bind, lambda file: file.symlink_to("references/forms.md")],
    ids=["pipe", "directory", "socket", "link"],
)
def test_a_file_that_became_something_else_is_a_changed_one(
    ground: RunGround, skill: Path, make: Callable[[Path], object]
) -> None:
    replace_by(skill / "SKILL.md", make)

    assert look(ground) == [("SKILL.md", CHANGED)]


def test_a_directory_that_became_a_link_is_not_followed(
    ground: RunGround, skill: Path, tmp_path: Path
) -> None:
    (skill / "scripts").rename(tmp_path / "moved")
    (skill / "scripts").symlink_to(tmp_path / "moved")

    assert look(ground) == [
        ("scripts", ADDED),
        ("scripts/deep/logo.bin", REMOVED),
        ("scripts/run.sh", REMOVED),
    ]


@pytest.mark.parametrize("kind", ["nothing", "link", "file"])
def test_a_skill_that_is_gone_was_removed(
    ground: RunGround, skill: Path, tmp_path: Path, kind: str
) -> None:
    skill.rename(tmp_path / "moved")
    if kind == "link":
        skill.symlink_to(tmp_path / "moved")
    elif kind == "file":
        skill.touch()

    assert look(ground) == [(path, REMOVED) for path in sorted(PATHS)]


@pytest.mark.usefixtures("skill")
def test_skills_without_a_directory_have_no_changes(ground: RunGround) -> None:
    assert ground.find_changes([plan_skill("named", CSV, path="")]) == ()


def test_the_changes_of_all_skills_are_in_order(ground: RunGround) -> None:
    skills = [plan_skill(), plan_skill("csv", CSV)]
    lay_out(ground, plan(*skills))
    for slug in ("pdf", "csv"):
        (Path(ground.places.home) / f".claude/skills/{slug}/SKILL.md").unlink()

    assert ground.find_changes(skills) == (
        SeenChange("csv", "SKILL.md", REMOVED),
        SeenChange("pdf", "SKILL.md", REMOVED),
    )


def test_very_many_files_end_the_looking(ground: RunGround, skill: Path) -> None:
    (skill / "SKILL.md").write_text("changed")
    for number in range(1500):
        (skill / f"a{number:05}.md").touch()

    found = look(ground)

    assert len(found) == 1001
    assert ("SKILL.md", CHANGED) in found


def test_a_tree_deeper_than_a_path_is_named_where_it_gets_too_deep(
    ground: RunGround, skill: Path
) -> None:
    script = "import os, sys\nos.chdir(sys.argv[1])\n"
    script += "for _ in range(50): os.mkdir('d' * 200); os.chdir('d' * 200)\n"
    subprocess.run([sys.executable, "-c", script, str(skill)], check=True)

    assert look(ground) == [(f"{'d' * 200}/" * 32, ADDED)]
    ground.remove()
    assert not skill.exists()


LOOK_AS_USER = """
import os, sys
from pathlib import Path
from skillyard.adapters.runs.changes import find_changes
from skillyard.testing.packages import make_package

os.chdir(sys.argv[1])
if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.chown(".", 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
package = make_package("pdf", files={"a/b.md": "b", "c.md": "c"})
os.mkdir("a")
Path("a/b.md").write_text("b")
Path("c.md").write_text("c")
Path("SKILL.md").write_bytes(package.skill_md)
here = os.open(".", os.O_RDONLY)
assert find_changes(package, here) == {}
os.chmod("c.md", 0)
assert find_changes(package, here) == {"c.md": "changed"}
os.chmod("a", 0)
assert find_changes(package, here) == {"a/b.md": "changed", "c.md": "changed"}
os.chmod("a", 0o700)
"""


def test_what_cannot_be_read_counts_as_changed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOOK_AS_USER, str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")


# Links


@pytest.fixture
def target(ground: RunGround, tmp_path: Path) -> Path:
    """Give the directory that a skill was linked to."""
    target = tmp_path / "kept"
    for path, file in PDF.files.items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(file.content)
        (target / path).chmod(0o555 if file.executable else 0o444)
    lay_out(ground, plan(SKILL), links={"pdf": target})
    return target


def test_a_linked_skill_is_compared_where_it_stands(ground: RunGround, target: Path) -> None:
    assert look(ground) == []
    (target / "SKILL.md").chmod(0o644)
    (target / "SKILL.md").write_text("changed")

    assert look(ground) == [("SKILL.md", CHANGED)]


def test_a_link_that_leads_elsewhere_now_is_not_followed(ground: RunGround, target: Path) -> None:
    link = Path(ground.places.home) / ".claude/skills/pdf"
    link.unlink()
    link.symlink_to(target.parent)

    assert look(ground) == [(path, REMOVED) for path in sorted(PATHS)]


@pytest.mark.usefixtures("target")
def test_a_link_that_became_a_directory_is_compared_as_one(ground: RunGround) -> None:
    link = Path(ground.places.home) / ".claude/skills/pdf"
    link.unlink()
    link.mkdir()
    (link / "SKILL.md").write_bytes(PDF.skill_md or b"")

    assert look(ground) == [(path, REMOVED) for path in sorted(PATHS) if path != "SKILL.md"]
