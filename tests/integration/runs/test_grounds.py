"""Each run has a root of its own; what a dead one leaves is found, and nothing else."""

import errno
import fcntl
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.application.ports.ground import Leftover, RunGround, path_in
from skillyard.domain.delivery import Part
from skillyard.domain.errors import StorageUnavailableError
from tests.integration.runs.making import RUN_ID, lay_out, plan, plan_skill
from tests.integration.runs.test_launching import read_until, supervised

REPOSITORY = Path(__file__).parents[3]


def list_all(runs: Path) -> list[str]:
    return sorted(path.relative_to(runs).as_posix() for path in runs.rglob("*"))


def abandon(grounds: DiskGrounds, run_id: str = RUN_ID) -> Path:
    """Make a run whose process has ended without removing it."""
    with grounds.make(run_id) as ground:
        lay_out(ground, plan(plan_skill()))
    return Path(ground.places.root)


def ids_of(leftovers: list[Leftover]) -> list[str]:
    return [one.run_id for one in leftovers]


# The root


@pytest.mark.requirement("DEL-4")
def test_a_root_has_its_parts_and_belongs_to_its_user_alone(ground: RunGround, runs: Path) -> None:
    root = Path(ground.places.root)

    assert re.fullmatch(rf"run-{RUN_ID}-[0-9a-f]{{8}}", root.name)
    assert root.parent == runs
    assert sorted(path.name for path in root.iterdir()) == ["home", "logs", "private", "workspace"]
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    assert ground.places.directory == ground.places.workspace == f"{root}/workspace"
    assert path_in(ground.places, Part.HOME, "a/b") == f"{root}/home/a/b"
    assert path_in(ground.places, Part.LOGS, "") == f"{root}/logs"


def test_the_paths_have_no_links_in_them(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")

    with DiskGrounds(tmp_path / "link" / "runs").make("one") as ground:
        assert ground.places.root.startswith(f"{tmp_path}/real/runs/run-one-")
        ground.remove()


@pytest.mark.parametrize("run_id", ["", "../x", "a/b", "-a", "a b", "ü", "x" * 101])
def test_an_id_that_is_no_name_is_an_error_of_ours(grounds: DiskGrounds, run_id: str) -> None:
    with pytest.raises(ValueError, match="cannot be part of a name"), grounds.make(run_id):
        pass


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    grounds = DiskGrounds(tmp_path / "file")

    with pytest.raises(StorageUnavailableError), grounds.make("one"):
        pass
    with pytest.raises(StorageUnavailableError):
        list(grounds.iter_leftovers())
    assert list(grounds.list_kept()) == []


@pytest.mark.parametrize("step", ["mkdir", "open"])
def test_a_root_that_cannot_be_made_leaves_nothing_that_is_not_swept(
    grounds: DiskGrounds, runs: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    abandon(grounds)
    list(grounds.iter_leftovers())
    call = getattr(os, step)
    failed = 0
    for at in range(1, 12):
        calls = [0]

        def fail_or_call(
            *arguments: Any,  # noqa: ANN401
            _at: int = at,
            _calls: list[int] = calls,
            **keywords: Any,  # noqa: ANN401
        ) -> Any:  # noqa: ANN401
            _calls[0] += 1
            if _calls[0] == _at:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return call(*arguments, **keywords)

        with monkeypatch.context() as patch:
            patch.setattr(os, step, fail_or_call)
            try:
                with grounds.make("one") as ground:
                    ground.remove()
            except StorageUnavailableError:
                failed += 1
        list(grounds.iter_leftovers())  # what could not even be removed
        assert list_all(runs) == ["locks"]
    assert failed >= 4


def test_the_error_of_whoever_uses_it_is_their_own(grounds: DiskGrounds) -> None:
    with pytest.raises(FileNotFoundError), grounds.make("one"):
        Path("/nowhere/file").read_bytes()


@pytest.mark.requirement("DEL-4")
def test_a_file_of_the_root_is_replaced_whole_or_not_at_all(
    ground: RunGround, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipt = Path(ground.places.root) / "receipt.json"
    ground.write("receipt.json", b"first")
    seen: list[bytes] = []
    rename = os.rename

    def look_and_rename(*arguments: Any, **keywords: Any) -> None:  # noqa: ANN401
        seen.append(receipt.read_bytes())
        rename(*arguments, **keywords)

    monkeypatch.setattr(os, "rename", look_and_rename)
    ground.write("receipt.json", b"second")

    assert (seen, receipt.read_bytes()) == ([b"first"], b"second")
    assert stat.S_IMODE(receipt.stat().st_mode) == 0o600
    with pytest.raises(ValueError, match="relative"):
        ground.write("../receipt.json", b"")


# The end


@pytest.mark.requirement("DEL-13")
def test_a_run_that_is_removed_leaves_nothing(grounds: DiskGrounds, runs: Path) -> None:
    with grounds.make(RUN_ID) as ground:
        lay_out(ground, plan(plan_skill()))
        assert list_all(runs / "locks") == [f"{Path(ground.places.root).name}.lock"]
        ground.remove()
        ground.remove()

    assert list_all(runs) == ["locks"]


@pytest.mark.requirement("DEL-13")
def test_what_a_dead_run_leaves_is_given_and_then_removed(grounds: DiskGrounds, runs: Path) -> None:
    roots = [abandon(grounds, run_id) for run_id in ("two", "one")]

    for leftover in grounds.iter_leftovers():
        assert (Path(leftover.path) / "home/.claude/skills/pdf/SKILL.md").exists()
        assert Path(leftover.path) in roots

    assert list_all(runs) == ["locks"]


@pytest.mark.requirement("DEL-13")
def test_a_run_that_lasts_is_no_leftover(grounds: DiskGrounds) -> None:
    dead = abandon(grounds, "dead")
    with grounds.make("alive") as ground:
        assert ids_of(list(grounds.iter_leftovers())) == ["dead"]
        assert Path(ground.places.home).is_dir()
        ground.remove()
    assert not dead.exists()


@pytest.mark.requirement("DEL-13")
def test_a_leftover_whose_treatment_fails_stays_for_the_next_sweep(grounds: DiskGrounds) -> None:
    root = abandon(grounds)

    def treat() -> None:
        for _ in grounds.iter_leftovers():
            raise KeyError

    with pytest.raises(KeyError):
        treat()

    assert root.is_dir()
    assert ids_of(list(grounds.iter_leftovers())) == [RUN_ID]
    assert not root.exists()


@pytest.mark.requirement("DEL-13")
def test_two_sweeps_are_never_given_the_same(grounds: DiskGrounds) -> None:
    for run_id in ("one", "two"):
        abandon(grounds, run_id)
    given: list[str] = []

    for leftover in grounds.iter_leftovers():
        given.append(leftover.run_id)
        given += ids_of(list(grounds.iter_leftovers()))

    assert sorted(given) == ["one", "two"]


@pytest.mark.requirement("DEL-13")
def test_what_is_kept_is_listed_and_stays(grounds: DiskGrounds, runs: Path) -> None:
    roots = []
    for run_id in ("two", "one"):
        with grounds.make(run_id) as ground:
            ground.keep()
            ground.keep()
        roots.append(ground.places.root)
    abandon(grounds, "dead")

    assert ids_of(list(grounds.iter_leftovers())) == ["dead"]
    kept = [Leftover("one", roots[1]), Leftover("two", roots[0])]
    assert list(grounds.list_kept()) == kept
    for root in roots:
        subprocess.run(["rm", "-r", root], check=True)
    assert list(grounds.iter_leftovers()) == []
    assert list_all(runs) == ["locks"]


@pytest.mark.requirement("DEL-13")
def test_leftovers_are_listed_without_being_removed(grounds: DiskGrounds) -> None:
    roots = {run_id: str(abandon(grounds, run_id)) for run_id in ("two", "one")}
    with grounds.make("kept") as ground:
        ground.keep()
    with grounds.make("alive") as ground:
        listed = list(grounds.list_leftovers())
        ground.remove()

    assert listed == [Leftover(run_id, roots[run_id]) for run_id in ("one", "two")]
    assert list(grounds.list_leftovers()) == listed


@pytest.mark.requirement("DEL-13")
def test_a_leftover_can_be_kept_instead_of_being_removed(grounds: DiskGrounds) -> None:
    root = abandon(grounds)

    for leftover in grounds.iter_leftovers():
        grounds.keep(leftover)

    assert root.is_dir()
    assert list(grounds.iter_leftovers()) == []
    assert ids_of(list(grounds.list_kept())) == [RUN_ID]


@pytest.mark.requirement("DEL-13")
def test_what_was_kept_is_removed_when_it_is_asked_for(grounds: DiskGrounds, runs: Path) -> None:
    for run_id in ("one", "two"):
        with grounds.make(run_id) as ground:
            ground.keep()
    with grounds.make("alive") as ground:
        ground.keep()
        assert ids_of(list(grounds.list_kept())) == ["alive", "one", "two"]
        for leftover in grounds.iter_kept():
            if leftover.run_id == "two":
                grounds.keep(leftover)
        ground.remove()

    assert ids_of(list(grounds.list_kept())) == ["two"]
    assert ids_of(list(grounds.iter_kept())) == ["two"]
    assert list_all(runs) == ["locks"]


def test_a_root_without_a_lock_is_a_leftover(grounds: DiskGrounds, runs: Path) -> None:
    abandon(grounds)
    for path in (runs / "locks").iterdir():
        path.unlink()
    (runs / "locks").rmdir()

    assert ids_of(list(grounds.iter_leftovers())) == [RUN_ID]
    assert list_all(runs) == ["locks"]


def test_what_is_not_ours_stays(grounds: DiskGrounds, runs: Path) -> None:
    abandon(grounds)
    (runs / "run-of-mine").mkdir()
    (runs / "notes").touch()
    (runs / "locks/notes.lock").touch()

    list(grounds.iter_leftovers())

    assert list_all(runs) == ["locks", "locks/notes.lock", "notes", "run-of-mine"]


def test_without_any_run_there_is_nothing(grounds: DiskGrounds, runs: Path) -> None:
    assert list(grounds.iter_leftovers()) == []
    assert list(grounds.list_kept()) == []
    assert not runs.exists()


# Races


def act_before(
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    name: str,
    act: Callable[[], object],
) -> None:
    """Let something happen just before the first call of a function."""
    call = getattr(module, name)
    acts = [act]

    def act_and_call(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
        while acts:
            acts.pop()()
        return call(*arguments, **keywords)

    monkeypatch.setattr(module, name, act_and_call)


def test_a_sweep_between_the_making_and_the_taking_of_a_lock_harms_nobody(
    grounds: DiskGrounds, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act_before(monkeypatch, fcntl, "flock", lambda: list(grounds.iter_leftovers()))

    with grounds.make("one") as ground:
        name = Path(ground.places.root).name
        assert list_all(runs / "locks") == [f"{name}.lock"]
        assert list(grounds.iter_leftovers()) == []
        assert Path(ground.places.home).is_dir()


def test_a_run_that_ends_while_a_sweep_takes_its_lock_is_no_leftover(
    grounds: DiskGrounds, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = grounds.make("one")
    ground = context.__enter__()

    def end() -> None:
        ground.remove()
        context.__exit__(None, None, None)

    act_before(monkeypatch, fcntl, "flock", end)

    assert list(grounds.iter_leftovers()) == []
    assert list_all(runs) == ["locks"]


@pytest.mark.requirement("DEL-14")
def test_many_runs_at_once_share_nothing(grounds: DiskGrounds, runs: Path) -> None:
    def run(number: int) -> str:
        skill = plan_skill()
        with grounds.make("same") as ground:
            lay_out(ground, plan(skill))
            mine = Path(ground.places.workspace) / "mine"
            mine.write_text(str(number))
            assert [one.name for one in mine.parent.iterdir()] == ["mine"]
            assert ground.find_changes([skill]) == ()
            assert mine.read_text() == str(number)
            ground.remove()
            return ground.places.root

    with ThreadPoolExecutor(8) as pool:
        roots = list(pool.map(run, range(40)))

    assert len(set(roots)) == 40
    assert list_all(runs) == ["locks"]


# Deaths

WAITING = "import sys; print('ready', flush=True); sys.stdin.read()"


def wait_for_lock(root: Path) -> None:
    """Return when the lock is free, which the kernel tells."""
    lock = os.open(root.parent / "locks" / f"{root.name}.lock", os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.close(lock)


@pytest.mark.requirement("DEL-13")
def test_a_run_is_no_leftover_while_its_program_lives(grounds: DiskGrounds, runs: Path) -> None:
    reading, writing = os.pipe()
    with supervised(runs, WAITING, stdin=reading) as process:
        os.close(reading)
        root = Path(read_until(process, "root"))
        read_until(process, "ready")
        process.kill()
        process.wait(10)

        assert list(grounds.iter_leftovers()) == []
        assert root.is_dir()
        os.close(writing)
        wait_for_lock(root)
        assert ids_of(list(grounds.iter_leftovers())) == ["supervised"]
    assert list_all(runs) == ["locks"]


# Leaves a process behind that has forked twice, and has a session of its own.
LEAVING = """
import os, signal, sys
child = os.fork()
if child == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    print("ready", flush=True)
    sys.stdin.read()
    os._exit(0)
os.waitpid(child, 0)
os.kill(os.getppid(), signal.SIGKILL)
"""


@pytest.mark.requirement("DEL-13")
def test_a_run_is_no_leftover_while_something_in_the_background_lives(
    grounds: DiskGrounds, runs: Path
) -> None:
    reading, writing = os.pipe()
    with supervised(runs, LEAVING, stdin=reading) as process:
        os.close(reading)
        root = Path(read_until(process, "root"))
        assert process.wait(10) == -9
        read_until(process, "ready")

        assert list(grounds.iter_leftovers()) == []
        os.close(writing)
        wait_for_lock(root)
        assert ids_of(list(grounds.iter_leftovers())) == ["supervised"]
    assert list_all(runs) == ["locks"]


@pytest.mark.requirement("DEL-13")
def test_a_death_before_any_step_leaves_only_what_a_sweep_finds(runs: Path) -> None:
    script = Path(__file__).with_name("kill_making.py")

    done = subprocess.run(
        [sys.executable, str(script), str(runs)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])},
        timeout=55,
    )

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["remains"] == []
    for deaths in (said["making"], said["sweeping"]):
        assert set(deaths) == {0, 1}
        assert sum(deaths) > 20
