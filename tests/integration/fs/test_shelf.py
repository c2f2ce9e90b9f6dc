"""Packages and files appear on the disk whole or not at all, whatever happens meanwhile."""

import errno
import fcntl
import json
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

import pytest

from skillyard.adapters.fs.exchange import exchange
from skillyard.adapters.fs.shelf import DiskShelf
from skillyard.adapters.fs.source import DirectorySource
from skillyard.application.fix import FixedFile, apply_fix, plan_fixes
from skillyard.domain.errors import (
    CorruptedContentError,
    DriftError,
    NotFixableError,
    StorageUnavailableError,
    TargetExistsError,
    UnsafePathError,
)
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.check import Judgement

PACKAGE = Package.of(
    {
        "SKILL.md": "---\nname: pdf\ndescription: Fill in forms.\n---\n",
        "assets/logo.bin": b"\x00\xff" * 5000,
        "scripts/deep/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
    }
)
FIXABLE = b"---\r\nname: PDF\r\ndescription: Fill in forms.\r\n---\r\nFill in forms.\r\n"
# What a process does to the disk; each call of each is made to fail, and to be the last.
STEPS = ["open", "write", "fsync", "rename", "mkdir", "fchmod"]
LOOKS = ["scandir", "listdir", "fstat", "read", "close"]


def holds_package(directory: Path) -> bool:
    (found,) = DirectorySource(directory).iter_packages()
    return found.taken.diagnostics == () and found.taken.package == PACKAGE


def listing(directory: Path) -> list[str]:
    return sorted(path.relative_to(directory).as_posix() for path in directory.rglob("*"))


class Hooks:
    """Runs something around the calls of an `os` function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch

    def before(self, name: str, act: Callable[..., object]) -> None:
        """Call `act` with the same arguments first, the first time only."""
        call = getattr(os, name)
        acts = [act]

        def act_and_call(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            while acts:
                acts.pop()(*arguments, **keywords)
            return call(*arguments, **keywords)

        self._monkeypatch.setattr(os, name, act_and_call)

    @contextmanager
    def failing(self, name: str, at: int, number: int) -> Iterator[list[int]]:
        """Fail the call number `at` of a function; gives the numbers of its calls."""
        call = getattr(os, name)
        calls: list[int] = []

        def fail_or_call(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            calls.append(len(calls) + 1)
            if len(calls) == at:
                raise OSError(number, os.strerror(number))
            return call(*arguments, **keywords)

        with self._monkeypatch.context() as patch:
            patch.setattr(os, name, fail_or_call)
            yield calls


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch) -> Hooks:
    return Hooks(monkeypatch)


@pytest.fixture
def shelf() -> DiskShelf:
    return DiskShelf()


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


# Packages


def test_a_package_is_laid_out_and_reads_back_as_it_was(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["pdf"]


@pytest.mark.usefixtures("umask")
def test_the_modes_are_the_same_under_every_umask(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_package(PACKAGE, tmp_path / "pdf")

    modes = {
        path.relative_to(tmp_path).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in tmp_path.rglob("*")
    }
    assert modes == {
        "pdf": 0o755,
        "pdf/SKILL.md": 0o644,
        "pdf/assets": 0o755,
        "pdf/assets/logo.bin": 0o644,
        "pdf/scripts": 0o755,
        "pdf/scripts/deep": 0o755,
        "pdf/scripts/deep/run.sh": 0o755,
    }


def test_files_that_are_only_to_be_read_are_writable_by_nobody(
    tmp_path: Path, shelf: DiskShelf
) -> None:
    shelf.put_package(PACKAGE, tmp_path / "pdf", read_only=True)

    files = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o444, 0o555}
    assert holds_package(tmp_path / "pdf")


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_package_takes_the_place_of_a_directory(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch, *, can_exchange: bool
) -> None:
    (tmp_path / "pdf" / "old").mkdir(parents=True)
    (tmp_path / "pdf" / "old" / "file").write_text("x")
    if not can_exchange:
        monkeypatch.setattr("skillyard.adapters.fs.shelf.exchange", lambda *_: False)

    shelf.replace_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["pdf"]


def test_what_cannot_be_replaced_stays_as_it_was(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pdf").mkdir()
    (tmp_path / "pdf" / "file").write_text("x")
    monkeypatch.setattr("skillyard.adapters.fs.shelf.exchange", lambda *_: False)

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "failed")

    monkeypatch.setattr("skillyard.adapters.fs.shelf._rename", fail)

    with pytest.raises(StorageUnavailableError):
        shelf.replace_package(PACKAGE, tmp_path / "pdf")

    assert (tmp_path / "pdf" / "file").read_text() == "x"
    assert [path.name for path in tmp_path.iterdir()] == ["pdf"]


def test_a_directory_is_removed_with_all_that_is_in_it(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_package(PACKAGE, tmp_path / "pdf")

    shelf.remove_directory(tmp_path / "pdf")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["nothing", "file", "link"])
def test_only_directories_are_replaced_and_removed(
    tmp_path: Path, shelf: DiskShelf, kind: str
) -> None:
    (tmp_path / "elsewhere").mkdir()
    if kind == "file":
        (tmp_path / "pdf").write_text("x")
    if kind == "link":
        (tmp_path / "pdf").symlink_to("elsewhere")
    before = sorted(path.name for path in tmp_path.iterdir())

    with pytest.raises(StorageUnavailableError):
        shelf.replace_package(PACKAGE, tmp_path / "pdf")
    with pytest.raises(StorageUnavailableError):
        shelf.remove_directory(tmp_path / "pdf")

    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_missing_parents_are_made(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_package(PACKAGE, tmp_path / "some" / "where" / "pdf")

    assert holds_package(tmp_path / "some" / "where" / "pdf")


def test_an_empty_directory_is_filled(tmp_path: Path, shelf: DiskShelf) -> None:
    (tmp_path / "pdf").mkdir()

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")


def test_the_working_directory_can_be_filled_by_its_dot(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pdf").mkdir()
    monkeypatch.chdir(tmp_path / "pdf")

    shelf.put_package(PACKAGE, PurePath())

    assert holds_package(tmp_path / "pdf")


def make_full_directory(target: Path) -> None:
    target.mkdir()
    (target / "mine.txt").write_text("mine")


def make_file(target: Path) -> None:
    target.write_text("mine")


def make_link_to_an_empty_directory(target: Path) -> None:
    target.with_name("elsewhere").mkdir()
    target.symlink_to(target.with_name("elsewhere"), target_is_directory=True)


def make_link_to_null(target: Path) -> None:
    target.symlink_to(os.devnull)


def make_dangling_link(target: Path) -> None:
    target.symlink_to(target.with_name("nowhere"))


@pytest.mark.parametrize(
    "occupy", [make_full_directory, make_file, make_link_to_an_empty_directory, make_dangling_link]
)
def test_what_is_already_there_stays_as_it_is(
    tmp_path: Path, shelf: DiskShelf, occupy: Callable[[Path], None]
) -> None:
    occupy(tmp_path / "pdf")
    before = listing(tmp_path)

    with pytest.raises(TargetExistsError) as caught:
        shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert caught.value.code == "target-exists"
    assert caught.value.hints == ("Choose another place, or remove what is there",)
    assert listing(tmp_path) == before


def test_the_root_of_the_disk_is_not_replaced(shelf: DiskShelf) -> None:
    with pytest.raises(TargetExistsError):
        shelf.put_package(PACKAGE, PurePath("/"))


def test_a_parent_that_is_a_file_is_reported(tmp_path: Path, shelf: DiskShelf) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StorageUnavailableError) as caught:
        shelf.put_package(PACKAGE, tmp_path / "file" / "pdf")

    assert caught.value.message == f"`{tmp_path}/file/pdf` cannot be used: Not a directory"


def test_a_path_that_is_a_file_and_a_directory_is_refused(tmp_path: Path, shelf: DiskShelf) -> None:
    with pytest.raises(UnsafePathError):
        shelf.put_package(Package.of({"a": "", "a/b": ""}), tmp_path / "pdf")

    assert listing(tmp_path) == []


def test_nobody_else_can_look_into_a_package_before_it_is_complete(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    modes: list[int] = []
    hooks.before(
        "write",
        lambda *_: modes.extend(stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()),
    )

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert modes == [0o700]


def test_content_that_arrives_altered_is_never_given_its_name(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def alter_and_write(descriptor: int, content: memoryview) -> int:
        return write(descriptor, content.tobytes().replace(b"forms", b"farms"))

    monkeypatch.setattr(os, "write", alter_and_write)

    with pytest.raises(CorruptedContentError) as caught:
        shelf.put_package(PACKAGE, tmp_path / "new" / "pdf")

    assert f"Expected {PACKAGE.digest()}, found sha256:" in caught.value.hints[0]
    assert listing(tmp_path) == []


def test_a_file_that_somebody_adds_to_the_stage_is_noticed(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    def add(*_: object) -> None:
        (stage,) = tmp_path.iterdir()
        (stage / "evil.sh").touch()

    hooks.before("listdir", add)

    with pytest.raises(CorruptedContentError):
        shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert listing(tmp_path) == []


def test_a_write_that_takes_few_bytes_at_a_time_still_writes_them_all(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, rest: write(descriptor, rest[:999]))

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")


def test_a_parent_swapped_for_a_link_meanwhile_is_not_followed(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    (tmp_path / "skills").mkdir()
    (tmp_path / "secret").mkdir()

    def swap(*_: object, **__: object) -> None:
        (tmp_path / "skills").rename(tmp_path / "moved")
        (tmp_path / "skills").symlink_to(tmp_path / "secret", target_is_directory=True)

    hooks.before("write", swap)

    shelf.put_package(PACKAGE, tmp_path / "skills" / "pdf")

    assert listing(tmp_path / "secret") == []
    assert holds_package(tmp_path / "moved" / "pdf")


# The disk fails


def find_error(act: Callable[[], None]) -> StorageUnavailableError | None:
    try:
        act()
    except StorageUnavailableError as error:
        return error
    return None


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize("name", STEPS + LOOKS)
def test_a_package_is_absent_or_whole_whichever_call_fails(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks, name: str, number: int
) -> None:
    at = 0
    reached = True
    while reached:
        at += 1
        place = tmp_path / f"{name}-{at}"
        place.mkdir()
        with hooks.failing(name, at, number) as calls:
            error = find_error(lambda: shelf.put_package(PACKAGE, place / "new" / "pdf"))  # noqa: B023
        reached = len(calls) >= at
        if error is None:
            assert [path.name for path in (place / "new").iterdir()] == ["pdf"]
            assert holds_package(place / "new" / "pdf")
        else:
            assert os.strerror(number) in error.message
            assert listing(place) == []
    assert at > 1


def test_a_package_whose_name_could_not_be_synced_is_taken_back(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    with hooks.failing("fsync", 0, errno.EIO) as calls:
        shelf.put_package(PACKAGE, tmp_path / "first")
    last = calls[-1]

    with (
        hooks.failing("fsync", last, errno.EIO),
        pytest.raises(StorageUnavailableError) as caught,
    ):
        shelf.put_package(PACKAGE, tmp_path / "second")

    assert "run the command again" in caught.value.hints[0]
    assert [path.name for path in tmp_path.iterdir()] == ["first"]


def test_a_disk_that_cannot_sync_directories_still_takes_packages(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def sync_files(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", sync_files)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, shelf: DiskShelf, hooks: Hooks) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    hooks.before("fsync", interrupt)

    with pytest.raises(KeyboardInterrupt):
        shelf.put_package(PACKAGE, tmp_path / "new" / "pdf")

    assert listing(tmp_path) == []


# The process is killed

KILLED_AT_EVERY_STEP = """
import json, os, pickle, signal, sys
from pathlib import Path
from skillyard.adapters.fs.shelf import DiskShelf

base, action, names = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
content = pickle.loads(sys.stdin.buffer.read())


def put(place):
    if action == "package":
        DiskShelf().put_package(content, place / "new")
    elif action == "file":
        DiskShelf().put_file(content, place / "new")
    else:
        DiskShelf().replace_file(place / "new", expected=b"old", content=content)


def die_at(name, at):
    call, calls = getattr(os, name), []

    def count_and_call(*arguments, **keywords):
        calls.append(name)
        if len(calls) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*arguments, **keywords)

    setattr(os, name, count_and_call)


def is_killed(name, at, place):
    child = os.fork()
    if child == 0:
        die_at(name, at)
        put(place)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


killed = []
for name in names:
    for at in range(1, 1000):
        place = base / f"{name}-{at}"
        place.mkdir()
        if action == "replace":
            (place / "new").write_bytes(b"old")
        if not is_killed(name, at, place):
            break
        killed.append(place.name)
print(json.dumps(killed))
"""


def kill_at_every_step(base: Path, action: str, content: bytes, names: list[str]) -> list[Path]:
    """Give the directories in which a process was killed, one for each call of each function."""
    answer = subprocess.run(
        [sys.executable, "-c", KILLED_AT_EVERY_STEP, str(base), action, *names],
        input=content,
        stdout=subprocess.PIPE,
        check=True,
    )
    return [base / name for name in json.loads(answer.stdout)]


def test_a_killed_process_leaves_a_package_absent_or_whole_and_the_next_one_sweeps(
    tmp_path: Path,
) -> None:
    places = kill_at_every_step(tmp_path, "package", pickle.dumps(PACKAGE), STEPS)

    assert len(places) > 20
    left_stages = 0
    for place in places:
        if (place / "new").exists():
            assert holds_package(place / "new")
        left_stages += len(list(place.glob(".skillyard-stage-*")))
        DiskShelf().put_package(PACKAGE, place / "next")
        assert {path.name for path in place.iterdir()} <= {"new", "next"}
    assert left_stages > 20


def test_a_killed_process_leaves_a_new_file_absent_or_whole_and_the_next_one_sweeps(
    tmp_path: Path,
) -> None:
    places = kill_at_every_step(
        tmp_path, "file", pickle.dumps(b"content"), ["open", "write", "fsync", "link", "unlink"]
    )

    assert len(places) > 5
    for place in places:
        if (place / "new").exists():
            assert (place / "new").read_bytes() == b"content"
        DiskShelf().put_file(b"", place / "next")
        assert {path.name for path in place.iterdir()} <= {"new", "next"}
        assert all(path.stat().st_nlink == 1 for path in place.iterdir())


def test_a_killed_process_leaves_a_replaced_file_old_or_new(tmp_path: Path) -> None:
    places = kill_at_every_step(
        tmp_path, "replace", pickle.dumps(b"content"), ["open", "write", "fsync", "fstat", "unlink"]
    )

    assert len(places) > 5
    assert {(place / "new").read_bytes() for place in places} == {b"old", b"content"}


# Stages that others left


def dead_process() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        return child.pid


def stage_of(pid: int, parent: Path, token: str = "0123456789abcdef") -> Path:  # noqa: S107
    stage = parent / f".skillyard-stage-{pid}-{token}"
    (stage / "scripts").mkdir(parents=True)
    (stage / "scripts" / "run.sh").touch()
    return stage


def test_a_dead_process_stage_is_swept(tmp_path: Path, shelf: DiskShelf) -> None:
    stage = stage_of(dead_process(), tmp_path)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert not stage.exists()


def test_a_living_process_stage_is_left_alone(tmp_path: Path, shelf: DiskShelf) -> None:
    stage = stage_of(os.getpid(), tmp_path)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert stage.exists()


def test_an_old_stage_is_swept_though_its_number_was_given_to_another_process(
    tmp_path: Path, shelf: DiskShelf
) -> None:
    stage = stage_of(os.getpid(), tmp_path)
    os.utime(stage, (0, 0))

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert not stage.exists()


def test_a_locked_stage_is_left_alone_though_its_number_means_nothing_here(
    tmp_path: Path, shelf: DiskShelf
) -> None:
    stage = stage_of(dead_process(), tmp_path)
    os.utime(stage, (0, 0))
    held = os.open(stage, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)

        shelf.put_package(PACKAGE, tmp_path / "pdf")
    finally:
        os.close(held)

    assert stage.exists()


def test_a_stage_is_locked_as_long_as_it_is_written(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    refused: list[bool] = []

    def try_to_lock(*_: object) -> None:
        (stage,) = tmp_path.iterdir()
        descriptor = os.open(stage, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refused.append(True)
        os.close(descriptor)

    hooks.before("write", try_to_lock)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert refused == [True]


@pytest.mark.parametrize(
    "name",
    [
        ".skillyard-stage-{pid}",
        ".skillyard-stage-{pid}-notes",
        "skillyard-stage-{pid}-0123456789abcdef",
        ".skillyard-stage-{pid}-0123456789abcdef.bak",
        ".skillyard-stage-0-0123456789abcdef",
        ".skillyard-stage-99999999999999999999-0123456789abcdef",
    ],
)
def test_only_what_bears_our_marker_is_swept(tmp_path: Path, shelf: DiskShelf, name: str) -> None:
    other = tmp_path / name.format(pid=dead_process())
    other.mkdir()

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert other.exists()


def test_another_users_stage_is_left_alone(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = stage_of(dead_process(), tmp_path)
    # Only root can give a directory away; being someone else than its owner is the same.
    somebody_else = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody_else)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert stage.exists()


def test_a_link_that_bears_our_marker_is_not_followed(tmp_path: Path, shelf: DiskShelf) -> None:
    make_full_directory(tmp_path / "mine")
    link = tmp_path / f".skillyard-stage-{dead_process()}-0123456789abcdef"
    link.symlink_to(tmp_path / "mine", target_is_directory=True)

    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert (tmp_path / "mine" / "mine.txt").exists()


@pytest.fixture
def deep_stage(tmp_path: Path) -> Iterator[Path]:
    stage = stage_of(dead_process(), tmp_path)
    deep = os.open(stage, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("x", dir_fd=deep)
        inner = os.open("x", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.close(deep)
    yield stage
    # Pytest removes old directories by recursion too, and would fail over this one.
    subprocess.run(["rm", "-rf", str(stage)], check=True)


@pytest.mark.usefixtures("deep_stage")
def test_a_stage_too_deep_to_be_swept_stops_nobody(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert holds_package(tmp_path / "pdf")


def test_a_row_of_packages_sweeps_once(tmp_path: Path, shelf: DiskShelf, hooks: Hooks) -> None:
    with hooks.failing("scandir", 0, errno.EIO) as calls:
        shelf.put_package(PACKAGE, tmp_path / "a")
        once = len(calls)
        shelf.put_package(PACKAGE, tmp_path / "b")

    assert len(calls) == 2 * once - 1


# Two processes at once

RACER = """
import os, pickle, sys
from pathlib import Path
from skillyard.adapters.fs.shelf import DiskShelf
from skillyard.domain.errors import TargetExistsError

package = pickle.loads(bytes.fromhex(sys.argv[2]))
name = sys.argv[3]
call = getattr(os, name)


def wait_and_call(*arguments, **keywords):
    print("ready", flush=True)
    sys.stdin.readline()
    return call(*arguments, **keywords)


setattr(os, name, wait_and_call)
try:
    if isinstance(package, bytes):
        DiskShelf().put_file(package, Path(sys.argv[1]))
    else:
        DiskShelf().put_package(package, Path(sys.argv[1]))
except TargetExistsError:
    sys.exit(4)
"""


def race(target: Path, value: object, step: str) -> list[int]:
    """Let two processes come as far as `step` before either may take it; give their exit codes."""
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(target), pickle.dumps(value).hex(), step],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.communicate("go\n")
    return sorted(racer.returncode for racer in racers)


def test_of_two_processes_that_put_one_package_exactly_one_wins(tmp_path: Path) -> None:
    assert race(tmp_path / "pdf", PACKAGE, "rename") == [0, 4]
    assert holds_package(tmp_path / "pdf")
    assert [path.name for path in tmp_path.iterdir()] == ["pdf"]


def test_of_two_processes_that_put_one_file_exactly_one_wins(tmp_path: Path) -> None:
    assert race(tmp_path / "pdf.zip", b"content", "link") == [0, 4]
    assert (tmp_path / "pdf.zip").read_bytes() == b"content"
    assert [path.name for path in tmp_path.iterdir()] == ["pdf.zip"]


# Files


@pytest.mark.usefixtures("umask")
def test_a_new_file_is_written_with_its_parents(tmp_path: Path, shelf: DiskShelf) -> None:
    shelf.put_file(b"content", tmp_path / "out" / "pdf.zip")

    target = tmp_path / "out" / "pdf.zip"
    assert target.read_bytes() == b"content"
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    assert target.stat().st_nlink == 1
    assert listing(tmp_path) == ["out", "out/pdf.zip"]


@pytest.mark.parametrize("occupy", [make_full_directory, make_file, make_dangling_link])
def test_a_new_file_never_takes_the_place_of_anything(
    tmp_path: Path, shelf: DiskShelf, occupy: Callable[[Path], None]
) -> None:
    occupy(tmp_path / "pdf.zip")
    before = listing(tmp_path)

    with pytest.raises(TargetExistsError):
        shelf.put_file(b"content", tmp_path / "pdf.zip")

    assert listing(tmp_path) == before


def test_a_file_that_appears_at_the_last_moment_is_not_overwritten(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    hooks.before("link", lambda *_, **__: make_file(tmp_path / "pdf.zip"))

    with pytest.raises(TargetExistsError):
        shelf.put_file(b"content", tmp_path / "pdf.zip")

    assert (tmp_path / "pdf.zip").read_text() == "mine"
    assert listing(tmp_path) == ["pdf.zip"]


def test_a_file_is_replaced_when_asked(tmp_path: Path, shelf: DiskShelf) -> None:
    make_file(tmp_path / "pdf.zip")

    shelf.put_file(b"content", tmp_path / "pdf.zip", replace=True)

    assert (tmp_path / "pdf.zip").read_bytes() == b"content"
    assert listing(tmp_path) == ["pdf.zip"]


@pytest.mark.parametrize("occupy", [os.mkfifo, make_dangling_link, make_link_to_null])
def test_what_is_no_file_is_not_replaced(
    tmp_path: Path, shelf: DiskShelf, occupy: Callable[[Path], None]
) -> None:
    occupy(tmp_path / "pdf.zip")
    before = (tmp_path / "pdf.zip").lstat()

    with pytest.raises(TargetExistsError) as caught:
        shelf.put_file(b"content", tmp_path / "pdf.zip", replace=True)

    assert "only files are replaced" in caught.value.hints[0]
    assert (tmp_path / "pdf.zip").lstat() == before
    assert listing(tmp_path) == ["pdf.zip"]


def test_a_pipe_that_appears_while_the_content_is_written_is_not_replaced(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    hooks.before("fsync", lambda *_: os.mkfifo(tmp_path / "pdf.zip"))

    with pytest.raises(TargetExistsError):
        shelf.put_file(b"content", tmp_path / "pdf.zip", replace=True)

    assert stat.S_ISFIFO((tmp_path / "pdf.zip").lstat().st_mode)


def test_a_directory_is_not_replaced_by_a_file(tmp_path: Path, shelf: DiskShelf) -> None:
    (tmp_path / "pdf.zip").mkdir()

    with pytest.raises(TargetExistsError):
        shelf.put_file(b"content", tmp_path / "pdf.zip", replace=True)

    assert listing(tmp_path) == ["pdf.zip"]


@pytest.mark.parametrize("name", ["open", "write", "fsync", "link", "fchmod", "mkdir"])
def test_a_new_file_is_absent_or_whole_whichever_call_fails(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks, name: str
) -> None:
    for at in range(1, 8):
        place = tmp_path / f"{name}-{at}"
        place.mkdir()
        with hooks.failing(name, at, errno.ENOSPC):
            error = find_error(lambda: shelf.put_file(b"content", place / "new" / "x.zip"))  # noqa: B023
        if error is None:
            assert listing(place) == ["new", "new/x.zip"]
            assert (place / "new" / "x.zip").read_bytes() == b"content"
        else:
            assert listing(place) == []


def test_a_disk_without_hard_links_still_takes_new_files(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    with hooks.failing("link", 1, errno.EPERM):
        shelf.put_file(b"content", tmp_path / "pdf.zip")

    assert (tmp_path / "pdf.zip").read_bytes() == b"content"
    assert listing(tmp_path) == ["pdf.zip"]


def test_a_disk_without_hard_links_overwrites_nothing_either(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    make_file(tmp_path / "pdf.zip")

    with hooks.failing("link", 1, errno.EPERM), pytest.raises(TargetExistsError):
        shelf.put_file(b"content", tmp_path / "pdf.zip")

    assert (tmp_path / "pdf.zip").read_text() == "mine"


def test_a_disk_without_hard_links_keeps_no_empty_file_when_it_fails(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    with (
        hooks.failing("link", 1, errno.EPERM),
        hooks.failing("rename", 1, errno.EIO),
        pytest.raises(StorageUnavailableError),
    ):
        shelf.put_file(b"content", tmp_path / "pdf.zip")

    assert listing(tmp_path) == []


# Replacing what was read


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755])
def test_a_replaced_file_keeps_its_mode(tmp_path: Path, shelf: DiskShelf, mode: int) -> None:
    target = tmp_path / "SKILL.md"
    target.write_bytes(b"old")
    target.chmod(mode)

    shelf.replace_file(target, expected=b"old", content=b"new")

    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert listing(tmp_path) == ["SKILL.md"]


def test_a_replaced_file_keeps_its_owner(tmp_path: Path, shelf: DiskShelf) -> None:
    target = tmp_path / "SKILL.md"
    target.write_bytes(b"old")
    # Only root gives files away; for anyone else the file stays their own.
    owner = (12345, 54321) if os.geteuid() == 0 else (os.geteuid(), target.stat().st_gid)
    os.chown(target, *owner)

    shelf.replace_file(target, expected=b"old", content=b"new")

    assert (target.stat().st_uid, target.stat().st_gid) == owner


@pytest.mark.parametrize("there", [b"", b"ol", b"older", b"OLD"])
def test_a_file_that_holds_something_else_is_not_replaced(
    tmp_path: Path, shelf: DiskShelf, there: bytes
) -> None:
    target = tmp_path / "SKILL.md"
    target.write_bytes(there)

    with pytest.raises(DriftError) as caught:
        shelf.replace_file(target, expected=b"old", content=b"new")

    assert caught.value.code == "drift"
    assert target.read_bytes() == there
    assert listing(tmp_path) == ["SKILL.md"]


def test_a_file_that_is_gone_is_not_made_again(tmp_path: Path, shelf: DiskShelf) -> None:
    with pytest.raises(DriftError):
        shelf.replace_file(tmp_path / "SKILL.md", expected=b"old", content=b"new")

    assert listing(tmp_path) == []


def test_an_edit_made_while_the_new_content_is_written_is_kept(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    target = tmp_path / "SKILL.md"
    target.write_bytes(b"old")
    hooks.before("fsync", lambda *_: target.write_bytes(b"edited"))

    with pytest.raises(DriftError):
        shelf.replace_file(target, expected=b"old", content=b"new")

    assert target.read_bytes() == b"edited"
    assert listing(tmp_path) == ["SKILL.md"]


def edit_in_place(target: Path) -> None:
    target.write_bytes(b"edited")


def edit_by_renaming(target: Path) -> None:
    target.with_name("new").write_bytes(b"edited")
    target.with_name("new").rename(target)


@pytest.mark.parametrize("edit", [edit_in_place, edit_by_renaming])
def test_an_edit_made_after_the_last_look_is_kept(
    tmp_path: Path,
    shelf: DiskShelf,
    monkeypatch: pytest.MonkeyPatch,
    edit: Callable[[Path], object],
) -> None:
    target = tmp_path / "SKILL.md"
    target.write_bytes(b"old")
    edits = [edit]

    def edit_and_exchange(one: str, other: str, parent: int) -> bool:
        while edits:
            edits.pop()(target)
        return exchange(one, other, parent)

    monkeypatch.setattr("skillyard.adapters.fs.shelf.exchange", edit_and_exchange)

    with pytest.raises(DriftError):
        shelf.replace_file(target, expected=b"old", content=b"new")

    assert target.read_bytes() == b"edited"
    assert listing(tmp_path) == ["SKILL.md"]


def test_a_disk_that_cannot_exchange_names_still_replaces_files(
    tmp_path: Path, shelf: DiskShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("skillyard.adapters.fs.shelf.exchange", lambda *_: False)
    (tmp_path / "SKILL.md").write_bytes(b"old")

    shelf.replace_file(tmp_path / "SKILL.md", expected=b"old", content=b"new")

    assert (tmp_path / "SKILL.md").read_bytes() == b"new"
    assert listing(tmp_path) == ["SKILL.md"]


def plan(root: Path) -> FixedFile:
    (fixed,) = plan_fixes(DirectorySource(root), judgement=Judgement())
    assert fixed.is_changed
    return fixed


def make_fixable(directory: Path) -> Path:
    directory.mkdir(parents=True)
    (directory / "SKILL.md").write_bytes(FIXABLE)
    return directory


@pytest.mark.parametrize("level", ["skills", "skills/pdf"])
def test_a_repair_is_not_written_through_a_directory_swapped_for_a_link(
    tmp_path: Path, shelf: DiskShelf, level: str
) -> None:
    make_fixable(tmp_path / "skills" / "pdf")
    victim = make_fixable(tmp_path / "victim" / "pdf")
    fixed = plan(tmp_path / "skills")
    (tmp_path / level).rename(tmp_path / "moved")
    (tmp_path / level).symlink_to(victim.parent if level == "skills" else victim)

    with pytest.raises(DriftError):
        apply_fix(fixed, shelf=shelf)

    assert (victim / "SKILL.md").read_bytes() == FIXABLE
    assert listing(victim) == ["SKILL.md"]


def test_a_repair_is_written_through_a_link_that_the_user_named(
    tmp_path: Path, shelf: DiskShelf
) -> None:
    make_fixable(tmp_path / "real")
    (tmp_path / "pdf").symlink_to(tmp_path / "real")
    fixed = plan(tmp_path / "pdf")

    apply_fix(fixed, shelf=shelf)

    assert (tmp_path / "real" / "SKILL.md").read_bytes() == fixed.after.content


@pytest.mark.parametrize("above", ["", "skills"])
def test_a_directory_whose_name_is_not_utf_8_is_repaired(
    tmp_path: Path, shelf: DiskShelf, above: str
) -> None:
    directory = make_fixable(tmp_path / above / os.fsdecode(b"caf\xe9"))
    fixed = plan(tmp_path / above if above else directory)

    apply_fix(fixed, shelf=shelf)

    assert (directory / "SKILL.md").read_bytes() == fixed.after.content
    assert fixed.found.location.endswith("caf\\xe9")


def test_what_is_in_no_directory_is_not_repaired(tmp_path: Path, shelf: DiskShelf) -> None:
    fixed = plan(make_fixable(tmp_path / "pdf"))
    elsewhere = replace(fixed, found=replace(fixed.found, path=None))

    with pytest.raises(NotFixableError):
        apply_fix(elsewhere, shelf=shelf)


def test_a_link_is_not_replaced_through(tmp_path: Path, shelf: DiskShelf) -> None:
    (tmp_path / "mine").write_bytes(b"old")
    (tmp_path / "SKILL.md").symlink_to(tmp_path / "mine")

    with pytest.raises(UnsafePathError) as caught:
        shelf.replace_file(tmp_path / "SKILL.md", expected=b"old", content=b"new")

    assert caught.value.message == f"the path `{tmp_path}/SKILL.md` is refused: it is a link"
    assert (tmp_path / "mine").read_bytes() == b"old"


def test_a_pipe_is_not_replaced_and_does_not_block(tmp_path: Path, shelf: DiskShelf) -> None:
    os.mkfifo(tmp_path / "SKILL.md")

    with pytest.raises(UnsafePathError):
        shelf.replace_file(tmp_path / "SKILL.md", expected=b"", content=b"new")


def test_a_directory_that_may_not_be_written_is_reported_with_the_reason(
    tmp_path: Path, shelf: DiskShelf, hooks: Hooks
) -> None:
    with (
        hooks.failing("mkdir", 1, errno.EACCES),
        pytest.raises(StorageUnavailableError) as caught,
    ):
        shelf.put_package(PACKAGE, tmp_path / "pdf")

    assert caught.value.message == f"`{tmp_path}/pdf` cannot be used: Permission denied"
