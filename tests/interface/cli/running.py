"""Run the command as a user does, without the cost of a process for each run.

Each working directory has a home of its own, outside of it, with an empty store in place. The
environment holds nothing else of Skillyard's; `ada` is at work.
"""

import contextlib
import io
import os
import pty
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from skillyard.application.save import SaveSkill
from skillyard.cli.main import SECTIONS, main
from skillyard.domain.skill import Actor, Door, SourceKind
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard

_NOTHING: Mapping[str, str] = MappingProxyType({})
_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:\+00:00|Z)?")
_ID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def steady(self) -> "Ran":
        """The same with TIME and ID in the place of every time and id."""
        return Ran(self.status, steady(self.out), steady(self.err))


def steady(text: str) -> str:
    """Give `text` with TIME and ID in the place of what differs from run to run."""
    return _ID.sub("ID", _TIME.sub("TIME", text))


class _Input(io.TextIOWrapper):
    """What a user types, or a program sends."""

    def __init__(self, content: str | bytes, *, terminal: bool) -> None:
        raw = content if isinstance(content, bytes) else content.encode()
        super().__init__(io.BytesIO(raw), encoding="utf-8")
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


def skillyard(
    *arguments: str | Path,
    cwd: Path,
    home: Path | None = None,
    stdin: str | bytes = "",
    terminal: bool = False,
    env: Mapping[str, str] = _NOTHING,
) -> Ran:
    """Run `skillyard` with `arguments` in the directory `cwd`.

    A `home` that is given is used as it is, also if it does not exist. With `terminal`, a person
    types what is in `stdin`. `env` is added to the environment.
    """
    if home is None:
        home = home_of(cwd) if _needs_store(arguments) else _home_path(cwd)
    out, err = _Output(), _Output()
    before = sys.argv, sys.stdin, dict(os.environ)
    sys.argv = ["skillyard", *map(str, arguments)]
    sys.stdin = _Input(stdin, terminal=terminal)
    _set_environment(home, env)
    try:
        redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
        with contextlib.chdir(cwd), redirected[0], redirected[1]:
            status = _status_of_main()
    finally:
        sys.argv, sys.stdin = before[:2]
        os.environ.clear()
        os.environ.update(before[2])
    return Ran(status, out.text(), err.text())


class _Output(io.TextIOWrapper):
    """What a command prints, as bytes underneath, as standard output is."""

    def __init__(self) -> None:
        self._bytes = io.BytesIO()
        super().__init__(self._bytes, encoding="utf-8", newline="\n")

    def text(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode()


def on_terminal(*arguments: str, cwd: Path) -> tuple[int, bytes]:
    """Run `skillyard` in a process of its own, before a terminal; give its status and output."""
    ours, theirs = pty.openpty()
    environment = {name: one for name, one in os.environ.items() if name != "NO_COLOR"}
    child = subprocess.Popen(
        [sys.executable, "-m", "skillyard", *arguments],
        cwd=cwd,
        env=environment | {"TERM": "xterm", "SKILLYARD_HOME": str(home_of(cwd))},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    out = b""
    # Reading fails when the other end is closed.
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 4096):
            out += piece
    os.close(ours)
    return child.wait(timeout=30), out


def _needs_store(arguments: tuple[str | Path, ...]) -> bool:
    return bool(arguments) and str(arguments[0]) not in SECTIONS["Files"]


def home_of(cwd: Path) -> Path:
    """Give the home of the commands that run in `cwd`, with a store in place."""
    home = _home_path(cwd)
    if not home.exists():
        # Imported late: most commands need no database.
        from tests.databases import fresh_sqlite_url  # noqa: PLC0415

        home.mkdir(parents=True)
        made = Path(fresh_sqlite_url(home).removeprefix("sqlite:///"))
        made.rename(home / "skillyard.db")
    return home


def _home_path(cwd: Path) -> Path:
    name = sha256(str(cwd.resolve()).encode()).hexdigest()[:16]
    return Path(os.environ["SKILLYARD_TEST_RUN"]) / "homes" / name


def _set_environment(home: Path, env: Mapping[str, str]) -> None:
    for name in [name for name in os.environ if name.startswith("SKILLYARD_")]:
        del os.environ[name]
    ours = {"COLUMNS": "100", "NO_COLOR": "1", "SKILLYARD_ACTOR": "ada"}
    os.environ.update({**ours, "SKILLYARD_HOME": str(home), **env})


def _status_of_main() -> int:
    try:
        main()
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 1
    raise AssertionError


def keep_plugins_skill(cwd: Path) -> None:
    """Keep the skill `acme/pdf`, which the plugin `acme` owns."""
    with Skillyard.open(home=home_of(cwd)) as yard:
        yard.actor = Actor("acme", Door.PLUGIN)
        kind = SourceKind.PLUGIN
        package = make_package("pdf", description="Fills in forms. Use when asked.")
        yard.save(SaveSkill(package=package, owner="acme", plugin_id="acme", kind=kind))


def write_skill(directory: Path, text: str | None = None) -> Path:
    """Write a SKILL.md into `directory`, by default one without any problem."""
    directory.mkdir(parents=True, exist_ok=True)
    good = (
        f"---\nname: {directory.name}\ndescription: Sorts things. Use when asked.\n---\n\nSort.\n"
    )
    (directory / "SKILL.md").write_text(good if text is None else text, encoding="utf-8")
    return directory
