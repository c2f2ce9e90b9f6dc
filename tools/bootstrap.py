"""Make `.venv` ready: the locked packages, and this project on top of them, editable.

- Nothing is done twice: the stamp `.venv/.ready` says what the environment was made from.
- The stamp is written last, so that an interrupted set-up is made again by the next run.
- A second run at the same time waits for the first one and takes its result.

Standard library only: this runs before anything is installed.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / ".ready"
LOCK = ROOT / "requirements" / "dev.txt"
PROJECT = ROOT / "pyproject.toml"


class SetupError(Exception):
    """The environment cannot be made."""


class NoPipError(SetupError):
    """Nothing can install packages."""

    def __init__(self) -> None:
        super().__init__(
            "this Python has neither ensurepip nor pip\n"
            "hint: on Debian and Ubuntu, install the package python3-venv"
        )


class CommandFailedError(SetupError):
    """A command failed, and has said why."""

    def __init__(self, command: list[str]) -> None:
        super().__init__(f"this command failed: {shlex.join(command)}")


def main() -> int:
    """Make the environment ready, and give the exit status."""
    try:
        with only_one_at_a_time():
            make_ready()
    except SetupError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


@contextmanager
def only_one_at_a_time() -> Iterator[None]:
    # The kernel lets go of the lock when the last holder dies, however it dies. Commands inherit
    # it: a pip that outlives a killed set-up still writes, and must be waited for.
    with Path(__file__).open("rb") as file:
        os.set_inheritable(file.fileno(), True)  # noqa: FBT003 - positional only
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is running; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def make_ready() -> None:
    started = time.monotonic()
    home, packages, project = str(ROOT), fingerprint_of_packages(), fingerprint_of_project()
    if stamped()[:2] != [home, packages]:
        make_environment()
        install_packages()
        install_project()
        say(f"Ready in {time.monotonic() - started:.0f} s")
    elif stamped()[2:] != [project]:
        install_project()
    write_stamp([home, packages, project])


def stamped() -> list[str]:
    return STAMP.read_text(encoding="utf-8").splitlines() if STAMP.is_file() else []


def write_stamp(lines: list[str]) -> None:
    draft = STAMP.with_name(".ready.draft")
    draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    draft.replace(STAMP)


def fingerprint_of_packages() -> str:
    """Name everything that the installed packages depend on."""
    return hashlib.sha256(sys.version.encode() + LOCK.read_bytes()).hexdigest()


def fingerprint_of_project() -> str:
    """Name what the editable install was built from; the settings of tools do not count."""
    tables = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    built_from = [tables["build-system"], tables["project"], tables["tool"]["hatch"]]
    return hashlib.sha256(json.dumps(built_from, sort_keys=True).encode()).hexdigest()


def make_environment() -> None:
    say(f"Making .venv with Python {sys.version.split()[0]}")
    if VENV.exists():
        shutil.rmtree(VENV)
    # Debian packs ensurepip apart from Python.
    without_pip = [] if has_module("ensurepip") else ["--without-pip"]
    run([sys.executable, "-m", "venv", *without_pip, str(VENV)])


def install_packages() -> None:
    say("Installing the locked packages: this takes a minute, and is done once")
    command = [*pip(), "install", "-qq", "--require-hashes", "-r", str(LOCK)]
    try:
        run(command)
    except CommandFailedError:
        say("That failed; trying once more")
        run(command)


def install_project() -> None:
    options = ["-qq", "--no-deps", "--no-build-isolation", "--editable"]
    run([*pip(), "install", *options, str(ROOT)])


def pip() -> list[str]:
    """Give the command of a pip that installs into the environment."""
    if subprocess.run([PYTHON, "-c", "import pip"], check=False, capture_output=True).returncode:
        if not has_module("pip"):
            raise NoPipError
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    return [str(PYTHON), "-m", "pip"]


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def run(command: list[str]) -> None:
    # PIP_USER would send packages away from the environment; the rest silences advice.
    settings = {"PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment = os.environ | settings
    if subprocess.run(command, check=False, close_fds=False, env=environment).returncode:
        raise CommandFailedError(command)


def say(sentence: str) -> None:
    print(f"set-up: {sentence}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
