"""The root of a run is removed, whatever the run made of it, and nothing outside it."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.application.ports.ground import RunGround

NEST = """
import os, sys
os.chdir(sys.argv[1])
for _ in range(int(sys.argv[2])):
    os.mkdir("d" * 200)
    os.chdir("d" * 200)
    open("file", "w").close()
"""


@pytest.mark.requirement("DEL-13")
def test_a_tree_deeper_than_any_path_is_removed(ground: RunGround) -> None:
    for part in (ground.places.home, ground.places.workspace):
        subprocess.run([sys.executable, "-c", NEST, part, "100"], check=True)

    ground.remove()

    assert not Path(ground.places.root).exists()


@pytest.mark.requirement("DEL-13")
def test_links_are_removed_and_what_they_lead_to_stays(ground: RunGround, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    (outside / "inner/file").write_text("mine")
    home = Path(ground.places.home)
    (home / "up").symlink_to("../../..")
    (home / "directory").symlink_to(outside)
    (home / "file").symlink_to(outside / "inner/file")
    (home / "nowhere").symlink_to("/nowhere")
    os.link(outside / "inner/file", home / "hard")
    os.mkfifo(home / "pipe")

    ground.remove()

    assert not Path(ground.places.root).exists()
    assert (outside / "inner/file").read_text() == "mine"


def test_a_directory_that_is_swapped_for_a_link_is_not_followed(
    ground: RunGround, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    swapped = Path(ground.places.home) / "swapped"
    swapped.mkdir()
    opening = os.open

    def swap_and_open(name: Any, *arguments: Any, **keywords: Any) -> int:  # noqa: ANN401
        if name == "swapped" and not swapped.is_symlink():
            swapped.rmdir()
            swapped.symlink_to(outside)
        return opening(name, *arguments, **keywords)

    monkeypatch.setattr(os, "open", swap_and_open)
    ground.remove()

    assert (outside / "file").exists()
    assert not Path(ground.places.root).exists()


def test_files_that_appear_meanwhile_are_removed_too(
    ground: RunGround, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(ground.places.home)
    (home / "first").touch()
    unlink, more = os.unlink, [f"more-{number}" for number in range(5)]

    def make_and_unlink(*arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
        if more:
            (home / more.pop()).touch()
        unlink(*arguments, **keywords)

    monkeypatch.setattr(os, "unlink", make_and_unlink)
    ground.remove()

    assert not Path(ground.places.root).exists()


def test_one_who_writes_for_ever_does_not_hold_us_up(
    grounds: DiskGrounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    with grounds.make("one") as ground:
        home = Path(ground.places.home)
        (home / "first").touch()
        rmdir, made = os.rmdir, [0]

        def make_and_rmdir(*arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
            made[0] += 1
            if home.exists():
                (home / f"more-{made[0]}").touch()
            rmdir(*arguments, **keywords)

        with monkeypatch.context() as patch:
            patch.setattr(os, "rmdir", make_and_rmdir)
            ground.remove()
        assert home.exists()

    assert [one.run_id for one in grounds.iter_leftovers()] == ["one"]
    assert not home.exists()


@pytest.mark.requirement("DEL-13")
def test_what_cannot_be_removed_now_is_left_for_the_next_sweep(
    grounds: DiskGrounds, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink = os.unlink

    def refuse(name: Any, *arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
        if name == "immutable":
            raise PermissionError
        unlink(name, *arguments, **keywords)

    with grounds.make("one") as ground:
        (Path(ground.places.home) / "immutable").touch()
        (Path(ground.places.home) / "other").touch()
        with monkeypatch.context() as patch:
            patch.setattr(os, "unlink", refuse)
            ground.remove()
        assert [path.name for path in Path(ground.places.home).iterdir()] == ["immutable"]

    assert [one.run_id for one in grounds.iter_leftovers()] == ["one"]
    assert [path.name for path in runs.iterdir()] == ["locks"]


REMOVE_AS_USER = """
import os, sys
from pathlib import Path
from skillyard.adapters.runs.grounds import DiskGrounds

os.chdir(sys.argv[1])
if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.chown(".", 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
with DiskGrounds(Path("runs")).make("one") as ground:
    os.chdir(ground.places.home)
    for mode in (0o000, 0o111, 0o444, 0o500, 0o555):
        tree = Path(f"{mode:o}") / "inner" / "inner"
        tree.mkdir(parents=True)
        (tree / "file").touch()
        (tree / "file").chmod(0)
        for path in (tree, tree.parent, tree.parent.parent):
            path.chmod(mode)
    for level in range(40):
        os.mkdir("deep")
        os.chdir("deep")
    while os.path.basename(os.getcwd()) == "deep":
        os.chmod(".", 0o555)
        os.chdir("..")
    os.chdir("../..")
    os.chmod(ground.places.home, 0o000)
    os.chmod(ground.places.root, 0o500)
    ground.remove()
assert os.listdir(".") == ["locks"] and os.listdir("locks") == [], os.listdir(".")
"""


@pytest.mark.requirement("DEL-13")
def test_a_user_removes_directories_that_nobody_may_write_to_or_enter() -> None:
    # Not below the directory of the test: only its owner may go there.
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [sys.executable, "-c", REMOVE_AS_USER, place],
            check=False,
            capture_output=True,
            text=True,
        )

    assert (done.returncode, done.stderr) == (0, "")


def test_another_file_system_is_not_entered(
    ground: RunGround, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only root mounts; what tells file systems apart is the number of the device.
    mounted = Path(ground.places.home) / "mounted"
    mounted.mkdir()
    (mounted / "file").touch()
    number, fstat = mounted.stat().st_ino, os.fstat

    def look(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        if found.st_ino != number:
            return found
        values = list(found)
        values[stat_device] = found.st_dev + 1
        return os.stat_result(values)

    stat_device = 2
    monkeypatch.setattr(os, "fstat", look)
    ground.remove()

    assert (mounted / "file").exists()
