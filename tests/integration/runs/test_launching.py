"""A program is started in its run, gets what is sent to us, and its status is ours."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from skillyard.application.ports.ground import RunGround
from skillyard.domain.errors import CommandNotStartedError, StorageUnavailableError
from tests.integration.runs.making import our_environment, python

SUPERVISE = [sys.executable, str(Path(__file__).with_name("supervise.py"))]
ON_TERMINAL = [sys.executable, str(Path(__file__).with_name("on_terminal.py"))]

# Counts what reaches it, says so, and ends with 7 when it is told to go on.
COUNTING = """
import signal, sys, time
seen = []
for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(one, lambda number, frame: seen.append(number))
print("ready", flush=True)
while not seen:
    time.sleep(0.01)  # one that came before `pause` would be missed by it
deadline = time.monotonic() + 0.2  # a second one would come now
while time.monotonic() < deadline:
    time.sleep(0.01)
print("seen", *seen, flush=True)
sys.exit(7)
"""


@contextmanager
def supervised(
    runs: Path,
    script: str,
    *arguments: str,
    **options: Any,  # noqa: ANN401
) -> Iterator[subprocess.Popen[str]]:
    command = [*SUPERVISE, str(runs), *python(script, *arguments)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True, **options
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def read_until(process: subprocess.Popen[str], word: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith(word):
            return line.removeprefix(word).strip()
    pytest.fail(f"it never said {word}")


# Status


@pytest.mark.requirement("DEL-15")
@pytest.mark.parametrize(
    ("script", "status"),
    [
        ("", 0),
        ("import sys; sys.exit(3)", 3),
        ("import sys; sys.exit(255)", 255),
        ("import os; os.kill(os.getpid(), 15)", 143),
        ("import os; os.kill(os.getpid(), 9)", 137),
    ],
)
def test_the_status_is_the_programs_own(ground: RunGround, script: str, status: int) -> None:
    assert ground.launch(python(script), our_environment()) == status


def test_it_starts_in_its_directory_with_its_environment_and_nothing_else(
    ground: RunGround, tmp_path: Path
) -> None:
    (tmp_path / "project").mkdir()
    ground.start_in(str(tmp_path / "project"), str(tmp_path / "project"))
    script = "import json, os; print(json.dumps([os.getcwd(), dict(os.environ)]))"

    ground.launch(python(script), {"WORD": "größe", "LC_ALL": "C.UTF-8"}, log="said")

    said = json.loads((Path(ground.places.logs) / "said").read_text())
    assert said == [str(tmp_path / "project"), {"WORD": "größe", "LC_ALL": "C.UTF-8"}]


def test_it_inherits_the_lock_and_no_other_file(ground: RunGround) -> None:
    script = "import os; print(*sorted(os.readlink(f'/dev/fd/{one}') for one in os.listdir('/dev/fd') if os.path.exists(f'/dev/fd/{one}')))"  # noqa: E501

    with (Path(ground.places.root) / "open").open("w") as other:
        os.set_inheritable(other.fileno(), True)  # noqa: FBT003
        ground.launch(python(script), our_environment(), log="said")

    said = (Path(ground.places.logs) / "said").read_text()
    assert f"{Path(ground.places.root).name}.lock" in said
    assert other.name not in said


# Starting


def make_program(directory: Path, text: str = "#!/bin/sh\nexit 5\n", mode: int = 0o755) -> Path:
    directory.mkdir(exist_ok=True)
    program = directory / "client"
    program.write_text(text)
    program.chmod(mode)
    return program


@pytest.mark.requirement("DEL-15")
def test_a_program_is_looked_for_in_the_path_of_the_run(ground: RunGround, tmp_path: Path) -> None:
    make_program(tmp_path / "bin")

    assert ground.launch(["client"], {"PATH": f"/nowhere:{tmp_path}/bin"}) == 5
    with pytest.raises(CommandNotStartedError) as caught:
        ground.launch(["client"], {"PATH": "/nowhere"})
    assert caught.value.missing
    assert caught.value.message == "`client` cannot be started: there is no such program"


def test_a_program_is_found_relative_to_where_it_starts(ground: RunGround) -> None:
    make_program(Path(ground.places.workspace) / "bin")

    assert ground.launch(["bin/client"], {}) == 5
    with pytest.raises(CommandNotStartedError) as caught:
        ground.launch(["bin/other"], {})
    assert caught.value.missing


@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        ("#!/bin/sh\n", 0o644, "Permission denied"),
        ("#!/nowhere/sh\n", 0o755, "the interpreter that it names is not there"),
        ("", 0o755, "Exec format error"),
    ],
)
@pytest.mark.parametrize("name", ["client", "./bin/client"])
def test_a_program_that_cannot_be_started_is_told_from_a_missing_one(
    ground: RunGround, text: str, mode: int, reason: str, name: str
) -> None:
    program = make_program(Path(ground.places.workspace) / "bin", text, mode)

    with pytest.raises(CommandNotStartedError) as caught:
        ground.launch([name], {"PATH": str(program.parent)})

    assert not caught.value.missing
    assert caught.value.message == f"`{name}` cannot be started: {reason}"


def test_what_no_program_can_be_given_is_refused(ground: RunGround) -> None:
    for command, environment in (
        (["sh\0"], {}),
        (["/bin/sh", "a\0"], {}),
        (["/bin/sh"], {"a=b": ""}),
        ([], {}),
        (["/bin/sh", "x" * 2**22], {}),
    ):
        with pytest.raises(CommandNotStartedError) as caught:
            ground.launch(command, environment)
        assert not caught.value.missing


def test_a_directory_that_is_gone_is_told_from_a_missing_program(ground: RunGround) -> None:
    Path(ground.places.workspace).rmdir()

    with pytest.raises(CommandNotStartedError) as caught:
        ground.launch(python(""), {})

    assert not caught.value.missing
    assert "cannot be entered" in caught.value.message


# Logs


def test_what_is_logged_is_appended_and_nothing_is_asked(ground: RunGround) -> None:
    script = "import sys; print('out', sys.stdin.read() == '', flush=True); print('err', file=sys.stderr)"  # noqa: E501

    for _ in range(2):
        ground.launch(python(script), our_environment(), log="init.log")

    log = Path(ground.places.logs) / "init.log"
    assert log.read_text() == "out True\nerr\n" * 2
    assert log.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["link", "pipe", "directory"])
def test_a_log_is_never_written_through_something_else(
    ground: RunGround, tmp_path: Path, kind: str
) -> None:
    log = Path(ground.places.logs) / "init.log"
    match kind:
        case "link":
            log.symlink_to(tmp_path / "outside")
        case "pipe":
            os.mkfifo(log)
        case _:
            log.mkdir()

    with pytest.raises(StorageUnavailableError):
        ground.launch(python(""), our_environment(), log="init.log")
    assert not (tmp_path / "outside").exists()


# Signals


@pytest.mark.requirement("DEL-15")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_to_us_alone_reaches_the_program_once_and_we_clean_up(
    runs: Path, number: signal.Signals
) -> None:
    with supervised(runs, COUNTING) as process:
        root = Path(read_until(process, "root"))
        read_until(process, "ready")
        process.send_signal(number)

        assert read_until(process, "seen") == str(int(number))
        assert read_until(process, "ended") == "7"
        assert process.wait(10) == 0
    assert not root.exists()
    assert [path.name for path in (runs / "locks").iterdir()] == []


@pytest.mark.requirement("DEL-15")
def test_a_program_that_a_signal_ends_gives_its_number(runs: Path) -> None:
    with supervised(runs, "print('ready', flush=True); input()", stdin=subprocess.PIPE) as process:
        read_until(process, "ready")
        process.terminate()

        assert read_until(process, "ended") == "143"


@pytest.mark.requirement("DEL-15")
@pytest.mark.parametrize(
    ("keys", "number"), [("03", signal.SIGINT), ("1c", signal.SIGQUIT)], ids=["ctrl-c", "ctrl-4"]
)
def test_what_is_typed_on_a_terminal_reaches_the_program_once_and_we_clean_up(
    runs: Path, keys: str, number: signal.Signals
) -> None:
    done = subprocess.run(
        [*ON_TERMINAL, keys, *SUPERVISE, str(runs), *python(COUNTING)],
        check=False,
        capture_output=True,
        text=True,
        timeout=30,
    )

    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.strip() for line in done.stdout.splitlines()]
    # What was typed may be shown before it.
    assert [line for line in lines if line.endswith(f"seen {int(number)}")]
    assert lines[-1] == "ended 7"
    assert [path.name for path in runs.iterdir()] == ["locks"]


# Says what reaches it, and does nothing about it for a while.
DEAF = """
import select, signal, sys
ours = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
signal.pthread_sigmask(signal.SIG_BLOCK, ours)
print("ready", flush=True)
print("seen", int(signal.sigwait(ours)), flush=True)
select.select([], [], [], float(sys.argv[1]))
sys.exit(7)
"""


@pytest.mark.requirement("DEL-15")
@pytest.mark.parametrize(
    ("number", "seconds", "status"),
    [
        (signal.SIGTERM, "50", "137"),
        (signal.SIGHUP, "50", "137"),
        (signal.SIGINT, "0.5", "7"),
    ],
)
def test_a_program_that_does_not_end_when_told_is_killed_but_not_when_interrupted(
    runs: Path, number: signal.Signals, seconds: str, status: str
) -> None:
    environment = our_environment() | {"TOLD_SECONDS": "0.1"}
    with supervised(runs, DEAF, seconds, env=environment) as process:
        read_until(process, "ready")
        process.send_signal(number)

        assert read_until(process, "seen") == str(int(number))
        assert read_until(process, "ended") == status


SHOW_SIGNALS = """
import signal
names = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP")
print("has", *(signal.getsignal(getattr(signal, one)) == signal.SIG_IGN for one in names))
"""


@pytest.mark.parametrize("is_ignored", [False, True])
def test_a_program_ignores_only_what_we_were_started_to_ignore(
    runs: Path, *, is_ignored: bool
) -> None:
    trap = "trap '' INT QUIT HUP; " if is_ignored else ""
    done = subprocess.run(
        ["/bin/sh", "-c", f'{trap}exec "$@"', "sh", *SUPERVISE, str(runs), *python(SHOW_SIGNALS)],
        check=True,
        capture_output=True,
        text=True,
    )

    told = " ".join(map(str, (is_ignored, is_ignored, False, is_ignored)))
    assert f"has {told}" in done.stdout


def test_a_signal_that_comes_before_the_program_is_there_reaches_it(
    ground: RunGround, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert threading.current_thread() is threading.main_thread()
    start = subprocess.Popen

    def kill_and_start(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
        os.kill(os.getpid(), signal.SIGTERM)
        return start(*arguments, **keywords)

    monkeypatch.setattr(subprocess, "Popen", kill_and_start)

    assert ground.launch(python("input()"), our_environment()) == 143


def test_signals_are_ours_again_afterwards(ground: RunGround) -> None:
    ours = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(one) for one in ours]

    ground.launch(python(""), our_environment())
    with pytest.raises(CommandNotStartedError):
        ground.launch(["/nowhere/client"], {})

    assert [signal.getsignal(one) for one in ours] == before


def test_a_program_may_be_started_from_any_thread(ground: RunGround) -> None:
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(ground.launch, python("raise SystemExit(4)"), our_environment())

        assert answer.result(20) == 4
