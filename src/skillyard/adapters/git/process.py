"""Git as a child process that reads objects and can do nothing else.

- No configuration but the repository's own is read, and of that nothing that names a program or
  a place elsewhere takes effect: no hooks, no file monitor, no transport, no replaced objects.
- Answers are read in bounded pieces and against a deadline, and git's own memory is bounded: a few
  kilobytes of a hostile pack can mean gigabytes.
- A child never outlives the block that started it.
"""

import os
import selectors
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NoReturn

from skillyard.domain.errors import GitUnavailableError

PIECE_BYTES: Final = 64 * 1024

_ENVIRONMENT: Final = {
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
# The shell sets the limits and then becomes git: a function to run between fork and exec could hang
# in a program with threads. A limit that the system does not know, or that is stricter already, is
# passed over. DATA is what git may allocate, AS is that and the packs it maps; CPU seconds only end
# a git that outlived us.
_LIMITED: Final = """
ulimit -d 262144 2>/dev/null
ulimit -v 1048576 2>/dev/null
ulimit -t 600 2>/dev/null
exec "$0" "$@"
"""
_SHELL: Final = "/bin/sh"
_NOT_STARTED: Final = frozenset({126, 127})
_DIED: Final = 128

# Above this size git hands a blob on piece by piece instead of unpacking it in memory.
_SETTINGS: Final = (
    "core.bigFileThreshold=1m",
    "core.deltaBaseCacheLimit=16m",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.packedGitLimit=256m",
    "core.packedGitWindowSize=16m",
    "core.quotePath=false",
    "protocol.allow=never",
)


@dataclass(frozen=True, slots=True)
class Git:
    """Git, asked about one repository; `patience` is how many seconds one answer may take."""

    repository: Path
    patience: float

    @contextmanager
    def ask(self, *arguments: str) -> Iterator["Answer"]:
        """Start git and give its answer as it comes; git is gone when the block is left.

        Raises:
            GitUnavailableError: Git is not installed, or cannot be started.
        """
        try:
            child = subprocess.Popen(  # noqa: S603 - no shell, checked values
                [_SHELL, "-c", _LIMITED, *self._command(), *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._environment(),
                bufsize=0,
            )
        except OSError as error:
            raise GitUnavailableError(error.strerror or str(error)) from error
        with child, closing(Answer(child, self.patience)) as answer:
            try:
                yield answer
            finally:
                child.kill()

    def find_line(self, *arguments: str) -> str | None:
        """Give the one line that git answers with, or None where it says no.

        Raises:
            GitUnavailableError: Git does not answer.
        """
        with self.ask(*arguments) as answer:
            line = answer.read(PIECE_BYTES)
            return os.fsdecode(line).rstrip("\n") if answer.is_yes() and line else None

    def _command(self) -> list[str]:
        program = shutil.which("git")
        if program is None:
            raise GitUnavailableError(reason="it is not installed")
        place = os.path.realpath(self.repository)
        settings = (*_SETTINGS, f"safe.directory={place}")
        options = [word for setting in settings for word in ("-c", setting)]
        return [program, "-C", place, *options]

    def _environment(self) -> dict[str, str]:
        # Anything else in our environment could lead git to another place or program.
        above = Path(os.path.realpath(self.repository)).parent
        return {
            **_ENVIRONMENT,
            "GIT_CEILING_DIRECTORIES": str(above),
            "PATH": os.environ.get("PATH", os.defpath),
        }


class GaveUpError(Exception):
    """Git ended in the middle, as it does about what it cannot read or has no room for."""


class TooLongAnswerError(Exception):
    """Git has more to say than anybody would listen to: a dozen objects can mean 10^10 files."""


class Answer:
    """What git says, in pieces; the clock runs from the start, or from the last request."""

    def __init__(self, child: "subprocess.Popen[bytes]", patience: float) -> None:
        self._child = child
        self._patience = patience
        self._deadline = time.monotonic() + patience
        self._selector = selectors.DefaultSelector()
        self._output = _descriptor(child.stdout)
        self._selector.register(self._output, selectors.EVENT_READ)

    def close(self) -> None:
        """Stop listening."""
        self._selector.close()

    def request(self, line: bytes) -> None:
        """Ask for more, and start the clock anew."""
        self._deadline = time.monotonic() + self._patience
        # Git's end is noticed when its answer is read.
        with suppress(BrokenPipeError):
            os.write(_descriptor(self._child.stdin), line)

    def read(self, most: int) -> bytes:
        """Give the next bytes, at most `most`; none at the end."""
        if not self._selector.select(max(0.0, self._deadline - time.monotonic())):
            raise self._late()
        return os.read(self._output, most)

    def iter_pieces(self, *, most: int) -> Iterator[bytes]:
        """Yield the rest of the answer.

        Raises:
            TooLongAnswerError: It has more than `most` bytes.
        """
        while piece := self.read(PIECE_BYTES):
            most -= len(piece)
            if most < 0:
                raise TooLongAnswerError
            yield piece

    def is_yes(self) -> bool:
        """Wait for git to end, and tell whether it succeeded."""
        status = self._wait()
        if status in _NOT_STARTED:
            raise GitUnavailableError(reason="it cannot be started")
        return status == 0

    def require_more(self) -> NoReturn:
        """Say why the answer ended too early.

        Raises:
            GaveUpError: Git said that it cannot go on, or was ended by a limit.
            GitUnavailableError: It ended for no reason that has to do with the repository.
        """
        status = self._wait()
        if status == _DIED or status < 0:
            raise GaveUpError
        raise GitUnavailableError(reason="it ended too early")

    def _wait(self) -> int:
        try:
            return self._child.wait(max(0.0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise self._late() from error

    def _late(self) -> GitUnavailableError:
        return GitUnavailableError(f"it took longer than {self._patience:g} seconds")


def _descriptor(pipe: IO[bytes] | None) -> int:
    if pipe is None:
        message = "the child was started without this pipe"
        raise TypeError(message)
    return pipe.fileno()
