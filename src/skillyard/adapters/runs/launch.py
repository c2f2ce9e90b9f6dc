"""Runs a program to its end, as a shell would: what interrupts us is for the program.

A terminal sends its interrupts to every process in the foreground, so that the program has got them
already. Those that somebody sends to us alone are passed on. A program that is told to end has some
time to do so; one that is interrupted decides for itself.
"""

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Final, NoReturn, Self

from skillyard.domain.errors import CommandNotStartedError

_FROM_TERMINALS: Final = frozenset({signal.SIGINT, signal.SIGQUIT})
_ENDING: Final = frozenset({signal.SIGTERM, signal.SIGHUP})
_PASSED_ON: Final = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)
_SIGNALLED: Final = 128


def launch(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    directory: str,
    inherited: tuple[int, ...],
    output: int | None,
    patience: float,
) -> int:
    """Run a program; it inherits descriptors, and gives what it says to `output`, if that is one.

    It is killed if it has not ended so many seconds after it was told to. With an `output` it is
    only a step of ours: what interrupts it interrupts us as well, once it has ended.

    Raises:
        CommandNotStartedError: There is no such program, or it cannot be started.
        KeyboardInterrupt: We were interrupted in a step.
        SystemExit: We were told to end in a step.
    """
    with _Relay(patience) as relay:
        process = _start(command, environment, directory, inherited, output)
        relay.pass_to(process)
        status = process.wait()
    if output is not None and relay.received:
        _interrupt(relay.received[0])
    return status if status >= 0 else _SIGNALLED - status


def _interrupt(number: int) -> NoReturn:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(_SIGNALLED + number)


def _start(
    command: Sequence[str],
    environment: Mapping[str, str],
    directory: str,
    inherited: tuple[int, ...],
    output: int | None,
) -> subprocess.Popen[bytes]:
    program = command[0] if command else ""
    try:
        return subprocess.Popen(  # noqa: S603 - it is what the user wants to run
            command,
            cwd=directory,
            env=dict(environment),
            stdin=None if output is None else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=inherited,
        )
    except (OSError, ValueError, IndexError) as error:
        raise _explain(program, error, environment, directory) from error


def _explain(
    program: str,
    error: OSError | ValueError | IndexError,
    environment: Mapping[str, str],
    directory: str,
) -> CommandNotStartedError:
    if not isinstance(error, OSError):
        reason = "its arguments or its environment cannot be passed to a program"
        return CommandNotStartedError(program, reason=reason, missing=False)
    if error.filename == directory:
        reason = f"`{directory}` cannot be entered: {error.strerror}"
        return CommandNotStartedError(program, reason=reason, missing=False)
    if not isinstance(error, FileNotFoundError):
        reason = error.strerror or str(error)
        return CommandNotStartedError(program, reason=reason, missing=False)
    if _is_there(program, environment, directory):
        reason = "the interpreter that it names is not there"
        return CommandNotStartedError(program, reason=reason, missing=False)
    return CommandNotStartedError(program, reason="there is no such program", missing=True)


def _is_there(program: str, environment: Mapping[str, str], directory: str) -> bool:
    if "/" in program:
        return os.path.exists(os.path.join(directory, program))  # noqa: PTH110, PTH118
    path = environment.get("PATH", os.defpath)
    return shutil.which(program, path=path) is not None


class _Relay:
    """Lets signals reach a program instead of us, until it is left.

    What is ignored stays ignored, by the program too. Only the main thread gets signals; elsewhere
    nothing is changed.
    """

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._timer: threading.Timer | None = None
        self._before: dict[signal.Signals, object] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._early: list[int] = []
        self.received: list[int] = []

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for one in _PASSED_ON:
                before = signal.getsignal(one)
                if before not in {signal.SIG_IGN, None}:
                    # A handler, not SIG_IGN: the program would inherit that.
                    self._before[one] = signal.signal(one, self._handle)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for one, before in self._before.items():
            signal.signal(one, before)  # type: ignore[arg-type]  # what it gave a moment ago

    def pass_to(self, process: subprocess.Popen[bytes]) -> None:
        """Send signals to this process from now on, and those that came before it was there."""
        self._process = process
        for number in self._early:
            self._forward(number, process)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        del frame
        self.received.append(number)
        if self._process is None:
            self._early.append(number)
        elif number not in _FROM_TERMINALS or not _are_in_foreground():
            self._forward(number, self._process)

    def _forward(self, number: int, process: subprocess.Popen[bytes]) -> None:
        process.send_signal(number)
        if number in _ENDING and self._timer is None:
            self._timer = threading.Timer(self._patience, process.kill)
            self._timer.daemon = True
            self._timer.start()


def _are_in_foreground() -> bool:
    """Tell whether a terminal's interrupts go to our group of processes."""
    with suppress(OSError):
        terminal = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC)
        try:
            return os.tcgetpgrp(terminal) == os.getpgrp()
        finally:
            os.close(terminal)
    return False
