"""Start a client before a terminal, and look at what it shows a person."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

MOST_SECONDS: Final = 60
_SECONDS_TO_END: Final = 10
# Only who owns a terminal is told that it was closed.
_TAKE_TERMINAL: Final = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""

_CONTROL: Final = re.compile(
    rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][AB0]|\x1b[=>78]"
)
# What programs ask a terminal: where the cursor is, what it can, which colour is behind.
_ANSWERS: Final[Mapping[bytes, bytes]] = {
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b]11;?": b"\x1b]11;rgb:0000/0000/0000\x1b\\",
}


def watch(
    command: Sequence[str], *, cwd: Path, environment: Mapping[str, str], until: Collection[str]
) -> str:
    """Run a program before a terminal until it shows one of `until`, and give all that it showed.

    Blanks count for nothing: programs draw a line in any number of pieces. Afterwards the terminal
    is closed, which ends the program, or else it is ended.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    with subprocess.Popen(
        [sys.executable, "-c", _TAKE_TERMINAL, *command],
        cwd=cwd,
        env={**environment, "TERM": "xterm-256color"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        try:
            return _read_until(ours, {one.replace(" ", "") for one in until})
        finally:
            os.close(ours)
            _end(process)


def _read_until(terminal: int, until: Collection[str]) -> str:
    shown, text = b"", ""
    # Reading fails when the other end is closed.
    with contextlib.suppress(OSError):
        while not any(one in text for one in until) and _is_ready(terminal):
            piece = os.read(terminal, 65536)
            for question, answer in _ANSWERS.items():
                if question in piece:
                    os.write(terminal, answer)
            shown += piece
            text = "".join(_CONTROL.sub(b"", shown).decode(errors="replace").split())
    return text


def _is_ready(terminal: int) -> bool:
    return bool(select.select([terminal], [], [], MOST_SECONDS)[0])


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_END)
    # Its leader may be gone, and others of the group not.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
