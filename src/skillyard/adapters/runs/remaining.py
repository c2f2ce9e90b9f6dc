"""What of a run is still alive when its program has ended, and how it is ended.

Every program of a run inherits one end of a pipe, and whatever it starts inherits it, too: at the
other end we see when the last of them is gone, and nobody has to be looked for. Only if somebody is
left are the processes of the run looked for, by a variable that each of them was started with.
"""

import fcntl
import os
import select
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

RUN_ID: Final = b"SKILLYARD_RUN_ID="
_PROCESSES: Final = Path("/proc")
_PIECE_BYTES: Final = 4096
# Node.js keeps what it inherits from its own children, but gives up looking at the first gap.
_HIGH: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How many seconds programs have: to end when told so, and those that are left at the end."""

    told: float = 10.0
    left: float = 3.0


class Tether:
    """What the programs of a run hold on to, as long as they live: its lock, and a pipe."""

    def __init__(self, lock: int) -> None:
        self._lock = _lifted(lock)
        self._ends: tuple[int, int] | None = None

    def inherited(self) -> tuple[int, int]:
        """Give the descriptors that a program inherits."""
        if self._ends is None:
            reading, writing = os.pipe()
            self._ends = reading, _lifted(writing)
            os.close(writing)
        return self._lock, self._ends[1]

    def end_all(self, run_id: str, seconds: float) -> bool:
        """End whoever holds on to the pipe; tell whether nobody is left.

        They are asked first, and killed if they are still there after so many seconds.
        """
        if self._ends is None:
            return True
        reading, writing = self._ends
        self._ends = None
        os.close(writing)
        try:
            return _is_over(reading, 0) or any(
                _are_ended(reading, run_id, number, seconds)
                for number in (signal.SIGTERM, signal.SIGKILL)
            )
        finally:
            os.close(reading)

    def close(self) -> None:
        """Let go of everything."""
        for descriptor in (self._lock, *(self._ends or ())):
            os.close(descriptor)
        self._ends = None


def find_processes(run_id: str) -> list[int]:
    """Give the processes that were started in a run, in order; none where it cannot be told."""
    mark = RUN_ID + os.fsencode(run_id)
    found = [int(entry.name) for entry in _PROCESSES.glob("[0-9]*") if _bears(entry, mark)]
    return sorted(one for one in found if one != os.getpid())


def _bears(entry: Path, mark: bytes) -> bool:
    with suppress(OSError):
        return mark in (entry / "environ").read_bytes().split(b"\0")
    return False


def _are_ended(reading: int, run_id: str, number: signal.Signals, seconds: float) -> bool:
    for process in find_processes(run_id):
        with suppress(OSError):
            os.kill(process, number)
    return _is_over(reading, seconds)


def _is_over(reading: int, seconds: float) -> bool:
    """Tell whether the pipe comes to its end within so many seconds; what is written is ignored."""
    deadline = time.monotonic() + seconds
    poller = select.poll()
    poller.register(reading, select.POLLIN)
    while poller.poll(max(0.0, deadline - time.monotonic()) * 1000):
        if not os.read(reading, _PIECE_BYTES):
            return True
    return False


def _lifted(descriptor: int) -> int:
    """Give the same file under a high number."""
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH)
    except OSError:
        return os.dup(descriptor)
