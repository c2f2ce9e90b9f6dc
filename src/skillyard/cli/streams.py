"""The three streams of the command, made so that nothing goes wrong where nobody is at their end.

- A stream that was closed before the start leads nowhere, so that no file which is opened later is
  taken for it, by us or by a program that we start.
- What is said on standard error is talk: where it cannot be written, it is not said.
"""

import io
import os
import sys
from typing import TYPE_CHECKING, Final, TextIO

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

_INPUT: Final = 0
_OUTPUT: Final = 1
_TALK: Final = 2
# What the terminal's encoding cannot show is shown as an escape.
_ESCAPED: Final = "backslashreplace"


def prepare_streams() -> None:
    """Let all three streams be there, and show what their encoding cannot."""
    for number in (_INPUT, _OUTPUT, _TALK):
        _occupy(number)
    if sys.stdin is None:
        sys.stdin = open(_INPUT, closefd=False)  # noqa: SIM115 (as long as the process)
    if sys.stdout is None:
        sys.stdout = _open_text(io.FileIO(_OUTPUT, "w", closefd=False))
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=_ESCAPED)
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        sys.stderr = _open_text(_Talk(_TALK, "w", closefd=False))
    elif isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors=_ESCAPED)


class _Talk(io.FileIO):
    """A file that takes what nobody will read."""

    def write(self, content: "ReadableBuffer", /) -> int:
        """Write as much as can be written; the rest is lost."""
        try:
            written = super().write(content)
        except OSError:
            written = None
        return memoryview(content).nbytes if written is None else written


def _occupy(number: int) -> None:
    try:
        os.fstat(number)
    except OSError:
        # The lowest free number is given: those below are taken by now.
        os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # noqa: FBT003


def _open_text(raw: io.FileIO) -> TextIO:
    encoding = getattr(sys.__stderr__, "encoding", None)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=encoding, errors=_ESCAPED, line_buffering=True
    )
