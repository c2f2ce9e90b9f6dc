"""Git as a child process that changes work trees, and runs nobody's code on the way.

- The user's own configuration counts, because it says what is ignored, whose repositories are
  trusted and who commits. What names a program takes no effect: hooks, file monitors, filters.
- No network, no questions, no locks that are not needed, no objects fetched.
- Answers are bounded in length and time. A child leads a group of its own, so that what interrupts
  us does not stop it halfway.
"""

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import IO, Final

from skillyard.domain.errors import GitUnavailableError

PATIENCE_SECONDS: Final = 600.0
ANSWER_BYTES: Final = 256 * 1024 * 1024

_PIECE_BYTES: Final = 64 * 1024
_COMPLAINT_BYTES: Final = 4096
_PASSED: Final = (
    "EMAIL",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "HOME",
    "PATH",
    "TMPDIR",
    "XDG_CONFIG_HOME",
)
_FIXED: Final = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SETTINGS: Final = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.splitIndex": "false",
    "core.untrackedCache": "false",
    "gc.auto": "0",
    "protocol.allow": "never",
    "submodule.recurse": "false",
    # Relative links would make git write an extension into the user's repository.
    "worktree.useRelativePaths": "false",
}
_FILTER_KEYS: Final = {"clean": "", "process": "", "required": "false", "smudge": ""}


class GitRefusedError(Exception):
    """Git says no; the message is the first line of what it says."""

    @property
    def is_about_ownership(self) -> bool:
        """Tell whether the repository belongs to somebody whom the user does not trust."""
        return "dubious ownership" in str(self)


class TooLongAnswerError(GitRefusedError):
    """Git has more to say than anybody would listen to."""

    def __init__(self) -> None:
        super().__init__("there are too many files to name")


@dataclass(frozen=True, slots=True)
class Git:
    """Git, asked in one directory, with the variables and settings that were added to it.

    The descriptors that it inherits are open as long as it is at work.
    """

    environment: Mapping[str, str]
    directory: str
    variables: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    patience: float = PATIENCE_SECONDS
    inherited: tuple[int, ...] = ()

    def at(self, directory: str) -> "Git":
        """Give the same git, asked in another directory."""
        return replace(self, directory=directory)

    def given(self, **variables: str) -> "Git":
        """Give the same git with more variables."""
        return replace(self, variables={**self.variables, **variables})

    def set(self, settings: Mapping[str, str]) -> "Git":
        """Give the same git with more settings; they count more than those in any file."""
        return replace(self, settings={**self.settings, **settings})

    def without_filters(self) -> "Git":
        """Give the same git, for which no filter that is configured now has a program."""
        listed = self.find("config", "--null", "--name-only", "--get-regexp", r"^filter\.")
        names = {key.split(".", 1)[1].rpartition(".")[0] for key in split(listed or "")}
        settings = {
            f"filter.{name}.{key}": value
            for name in sorted(names)
            for key, value in _FILTER_KEYS.items()
        }
        return self.set(settings)

    def filters(self) -> tuple[str, ...]:
        """Give the names of the filters that were taken from it."""
        ends = ".clean"
        return tuple(
            key.removeprefix("filter.").removesuffix(ends)
            for key in self.settings
            if key.startswith("filter.") and key.endswith(ends)
        )

    def find(self, *arguments: str, given: str | None = None) -> str | None:
        """Give what git answers, or None where it says no.

        Raises:
            GitUnavailableError: Git is not installed, or takes too long.
        """
        try:
            return self.get(*arguments, given=given)
        except GitRefusedError:
            return None

    def get(self, *arguments: str, given: str | None = None) -> str:
        """Give what git answers; `given` is what it reads.

        Raises:
            GitRefusedError: Git says no.
            GitUnavailableError: Git is not installed, or takes too long.
        """
        with tempfile.TemporaryFile() as stdin:
            stdin.write(os.fsencode(given or ""))
            stdin.seek(0)
            return self.get_from(stdin, *arguments)

    def get_from(self, stdin: IO[bytes], *arguments: str) -> str:
        """Give what git answers when it reads a file; see `get`."""
        with tempfile.TemporaryFile() as stderr, self._start(stdin, stderr, arguments) as child:
            try:
                output = _read(child, time.monotonic() + self.patience)
            finally:
                _end(child)
            if child.returncode:
                raise GitRefusedError(_complaint(stderr))
        return os.fsdecode(output)

    def _start(
        self, stdin: IO[bytes], stderr: IO[bytes], arguments: tuple[str, ...]
    ) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(  # noqa: S603 - no shell, a program of the user's own path
                [self._program(), *arguments],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=self.directory,
                env=self._all_variables(),
                start_new_session=True,
                pass_fds=self.inherited,
            )
        except OSError as error:
            raise GitUnavailableError(error.strerror or str(error)) from error

    def _program(self) -> str:
        program = shutil.which("git", path=self.environment.get("PATH", os.defpath))
        if program is None:
            raise GitUnavailableError(reason="it is not installed")
        return program

    def _all_variables(self) -> dict[str, str]:
        passed = {name: self.environment[name] for name in _PASSED if name in self.environment}
        settings = {**_SETTINGS, **self.settings}
        numbered = {
            f"GIT_CONFIG_{kind}_{number}": text
            for number, pair in enumerate(settings.items())
            for kind, text in zip(("KEY", "VALUE"), pair, strict=True)
        }
        count = {"GIT_CONFIG_COUNT": str(len(settings))}
        return {**passed, **_FIXED, **count, **numbered, **self.variables}


def split(answer: str) -> list[str]:
    """Give the parts of an answer that ends each of them with a zero byte."""
    return answer.split("\0")[:-1]


def joined(paths: list[str]) -> str:
    """Give what `split` takes apart."""
    return "".join(f"{path}\0" for path in paths)


def _read(child: "subprocess.Popen[bytes]", deadline: float) -> bytes:
    """Read to the end of the answer, and wait for the child."""
    if child.stdout is None:
        message = "the child was started without this pipe"
        raise TypeError(message)
    output = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while piece := _next_piece(selector, child.stdout.fileno(), deadline):
            output += piece
            if len(output) > ANSWER_BYTES:
                raise TooLongAnswerError
    _wait(child, deadline)
    return bytes(output)


def _next_piece(selector: selectors.BaseSelector, pipe: int, deadline: float) -> bytes:
    if not selector.select(max(0.0, deadline - time.monotonic())):
        raise GitUnavailableError(reason="it took too long")
    return os.read(pipe, _PIECE_BYTES)


def _wait(child: "subprocess.Popen[bytes]", deadline: float) -> None:
    try:
        child.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired as error:
        raise GitUnavailableError(reason="it took too long") from error


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End a child that was given up, and what it started."""
    if child.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def _complaint(stderr: IO[bytes]) -> str:
    stderr.seek(0)
    lines = os.fsdecode(stderr.read(_COMPLAINT_BYTES)).splitlines()
    worst = [line for line in lines if line.startswith(("fatal: ", "error: "))]
    first = (worst or lines or ["git gave no reason"])[0]
    return first.removeprefix("fatal: ").removeprefix("error: ")
