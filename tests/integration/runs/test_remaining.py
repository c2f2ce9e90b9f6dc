"""What a program leaves running is ended with its run, and nothing else is."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.adapters.runs.remaining import Patience, find_processes
from skillyard.application.ports.ground import RunGround
from skillyard.domain.delivery import TEMPORARY, NoteKind
from tests.integration.runs.making import has_ended, our_environment, python

pytestmark = pytest.mark.requirement("DEL-15")

# Leaves a process behind that has a session of its own; that one says who it is, and stays.
LEAVING = """
import os, signal, sys
pid_file, word = sys.argv[1:]
ready, says = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        if word == "deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        with open(pid_file, "w") as file:
            file.write(str(os.getpid()))
        os.write(says, b"x")
        signal.pause()
    os._exit(0)
os.read(ready, 1)
"""
STAYING = "import signal; print('ready', flush=True); signal.pause()"


@pytest.fixture
def ground(runs: Path) -> Iterator[RunGround]:
    """Give a ground that no other test has, where those that are left have little time."""
    grounds = DiskGrounds(runs, patience=Patience(left=0.5))
    with grounds.make(secrets.token_hex(16)) as ground:
        yield ground


def id_of(ground: RunGround) -> str:
    return Path(ground.places.root).name.removeprefix("run-").rpartition("-")[0]


def environment_of(ground: RunGround) -> dict[str, str]:
    return our_environment() | {"SKILLYARD_RUN_ID": id_of(ground)}


def is_alive(process: int) -> bool:
    return not has_ended(process, seconds=0)


def leave(ground: RunGround, tmp_path: Path, word: str = "polite") -> int:
    """Let a program leave another one behind, and give that one."""
    told = tmp_path / "pid"
    assert ground.launch(python(LEAVING, str(told), word), environment_of(ground)) == 0
    return int(told.read_text())


@contextmanager
def bystander(environment: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        python(STAYING), env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("word", ["polite", "deaf"])
def test_a_process_that_is_left_is_asked_to_end_and_then_killed(
    ground: RunGround, tmp_path: Path, word: str
) -> None:
    process = leave(ground, tmp_path, word)
    assert is_alive(process)
    assert find_processes(id_of(ground)) == [process]

    assert ground.end_processes() == ()

    assert has_ended(process)
    assert ground.end_processes() == ()


def test_what_a_hook_left_lives_until_then(ground: RunGround, tmp_path: Path) -> None:
    process = leave(ground, tmp_path)

    assert ground.launch(python(""), environment_of(ground)) == 0
    assert is_alive(process)
    ground.end_processes()

    assert has_ended(process)


def test_processes_of_other_runs_and_of_none_are_left_alone(
    ground: RunGround, tmp_path: Path
) -> None:
    other = our_environment() | {"SKILLYARD_RUN_ID": f"{id_of(ground)}0"}
    with bystander(other) as one, bystander(our_environment()) as two:
        leave(ground, tmp_path)

        assert ground.end_processes() == ()

        assert one.poll() is None
        assert two.poll() is None


def test_where_nobody_is_left_nobody_is_looked_for(ground: RunGround) -> None:
    with bystander(environment_of(ground)) as process:
        assert ground.launch(python(""), environment_of(ground)) == 0

        assert ground.end_processes() == ()

        assert process.poll() is None


def test_what_cannot_be_ended_is_told(ground: RunGround, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    ground.launch(python(LEAVING, str(told), "polite"), our_environment())
    process = int(told.read_text())
    try:
        (note,) = ground.end_processes()
    finally:
        os.kill(process, 9)

    assert note.kind is NoteKind.PROCESS
    assert note.message == (
        "a process that the run started could not be ended, and goes on: it is not known which"
    )


def test_what_a_process_writes_to_what_it_holds_is_no_sign_of_its_end(
    ground: RunGround, tmp_path: Path
) -> None:
    noisy = LEAVING.replace(
        "signal.pause()",
        "[os.write(int(fd), b'x' * 9999) for fd in os.listdir('/dev/fd')"
        " if os.path.exists(f'/dev/fd/{fd}') and int(fd) > 100]; signal.pause()",
    )
    told = tmp_path / "pid"
    ground.launch(python(noisy, str(told), "deaf"), environment_of(ground))

    assert ground.end_processes() == ()

    assert has_ended(int(told.read_text()))


def test_a_program_that_keeps_what_it_has_from_its_children_does_not_hide_them(
    ground: RunGround, tmp_path: Path
) -> None:
    # As Node.js does: every descriptor, until it comes to the first that is not there.
    keeping = f"""
import os, subprocess, sys
for descriptor in range(16):
    try:
        os.set_inheritable(descriptor, False)
    except OSError:
        pass
script = {LEAVING!r}
subprocess.run([sys.executable, "-c", script, *sys.argv[1:]], close_fds=False)
"""
    told = tmp_path / "pid"
    ground.launch(python(keeping, str(told), "polite"), environment_of(ground))
    process = int(told.read_text())
    assert is_alive(process)

    ground.end_processes()

    assert has_ended(process)


def test_there_is_a_place_for_what_is_temporary(ground: RunGround) -> None:
    place = Path(ground.places.home, TEMPORARY)

    assert place.stat().st_mode & 0o777 == 0o700
