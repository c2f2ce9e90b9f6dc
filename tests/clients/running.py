"""Run a real client as a person does, with a limit on how long it may take."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from skillyard.domain.package import Package
from skillyard.domain.receipt import parse_receipt
from skillyard.domain.run import Run, RunSkill
from skillyard.providers.clients import CLIENTS
from tests.clients.asking import QUESTIONS, Listed, Question
from tests.clients.trees import read_package
from tests.clients.worlds import AGENT, World

MOST_SECONDS: Final = 120
"""How long a client may take: one that waits for a person never ends."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a program printed, and how it ended."""

    status: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Ran:
    """A run that has ended: what its program printed, what is known, and what was laid out.

    `laid_out` holds the parts `home` and `private` as far as skills stand in them, as they were
    when the program had ended: of the run itself nothing is left.
    """

    spoken: Spoken
    run: Run
    laid_out: Path

    def directory_of(self, skill: RunSkill) -> Path:
        """Give where a skill stood in the run."""
        return Path(self.run.root) / skill.part.value / skill.path

    def read(self, skill: RunSkill) -> Package:
        """Give what stood there at the end."""
        return read_package(self.laid_out / skill.part.value / skill.path)


def run_in(
    world: World,
    client: str,
    command: Sequence[str],
    *,
    mode: str,
    scratch: Path,
    question: Question | None = None,
    environment: Mapping[str, str] | None = None,
    agent: str = AGENT,
) -> Ran:
    """Run a command as the agent; the program tells the provider where it can.

    The variables of `environment` are the user's, too, and passed on.
    """
    receipt, laid_out = scratch / "receipt.json", scratch / "laid-out"
    arguments = ["run", "--agent", agent, "--workspace", mode, "--receipt", str(receipt)]
    arguments += ["--hook", f"post_run={_copying(client, laid_out)}"]
    if command[0] == "sh":
        arguments += ["--provider", client]
    for name in environment or {}:
        arguments += ["--pass", name]
    spoken = converse(
        [sys.executable, "-m", "skillyard", *arguments, "--", *command],
        cwd=world.project,
        environment={**world.environment, **(environment or {})},
        says=question.says if question else (),
        answered=question.answered if question else "",
    )
    assert spoken.status == 0, spoken
    run = parse_receipt(receipt.read_bytes(), name=receipt.name)
    assert not Path(run.root).exists()
    return Ran(spoken, run, laid_out)


def _copying(client: str, target: Path) -> str:
    """Give the command of a hook that copies what was laid out."""
    skills = PurePosixPath("home", CLIENTS[client].delivery.skills)
    kept = shlex.quote(str(target))
    return (
        f'mkdir -p {kept}/{skills} && cp -a "$SKILLYARD_RUN_ROOT"/{skills}/. {kept}/{skills}'
        f' && cp -a "$SKILLYARD_RUN_ROOT"/private {kept}'
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What a client listed in a run."""

    listed: tuple[Listed, ...]
    ran: Ran

    @property
    def own(self) -> tuple[Listed, ...]:
        """What it listed besides the skills that are part of it."""
        return tuple(one for one in self.listed if not one.built_in)


def ask(world: World, client: str, mode: str, scratch: Path) -> Asked:
    """Let a client list its skills in a run."""
    question = QUESTIONS[client]
    answer = scratch / "answer.json"
    command = [*question.command, *([str(answer)] if question.into_file else [])]
    ran = run_in(world, client, command, mode=mode, scratch=scratch, question=question)
    printed = answer.read_text(encoding="utf-8") if question.into_file else ran.spoken.out
    return Asked(tuple(question.reads(printed)), ran)


def converse(
    command: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str],
    says: Sequence[str] = (),
    answered: str = "",
) -> Spoken:
    """Run a program, tell it something, and let it go when it has answered.

    One that takes too long is ended, and then its status says so.
    """
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as err,
        subprocess.Popen(
            command,
            cwd=cwd,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        ) as process,
        _bounded(process),
    ):
        out = "".join(_iter_answer(process, says, answered))
        status = process.wait()
        err.seek(0)
        return Spoken(status, out, err.read())


def _iter_answer(
    process: "subprocess.Popen[str]", says: Sequence[str], answered: str
) -> Iterator[str]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write("".join(f"{line}\n" for line in says))
        process.stdin.flush()
        for line in process.stdout if answered else ():
            yield line
            if answered in line:
                break
        process.stdin.close()
    except BrokenPipeError:
        pass  # it has ended already, and its status says why
    yield process.stdout.read()


@contextmanager
def _bounded(process: "subprocess.Popen[str]") -> Iterator[None]:
    """End a program that takes too long; what it started, too, if it does not listen."""
    timers = [
        threading.Timer(MOST_SECONDS, process.terminate),
        threading.Timer(MOST_SECONDS + 10, _kill, [process]),
    ]
    for timer in timers:
        timer.start()
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()


def _kill(process: "subprocess.Popen[str]") -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


def end_processes_of(top: Path) -> None:
    """End what still runs in a world: a client may leave servers of its own behind."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            home = f"HOME={top}/".encode()
            if any(one.startswith(home) for one in (entry / "environ").read_bytes().split(b"\0")):
                os.kill(int(entry.name), signal.SIGKILL)
