"""Start supervisors of runs a few at a time, and kill each of them at some moment of its run.

Run as a program of its own, with one thread, so that forking is safe: a directory, the URL of a
store, and the number of kills. A tenth of the supervisors is killed by the very program that they
have started; the others at moments that are spread over the length of a run, in an order that is
always the same. From time to time somebody sweeps meanwhile. When all processes are gone, it prints
how many supervisors were killed, and how many ended before that.
"""

import ctypes
import json
import os
import select
import signal
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillyard.application.assign import AssignSkill
from skillyard.application.run_wish import RunAgent
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.run import WorkspaceMode
from skillyard.yard import Skillyard
from tests.integration.running.crowd import SLUGS, make_version

AT_ONCE: Final = 4
MODES: Final = (WorkspaceMode.EMPTY, WorkspaceMode.WORKTREE)
_BECOME_REAPER: Final = 36
_PROGRAM: Final = """#!/bin/sh
root=${HOME%/home}
seen="$REPORTS/${root##*/}"
(cd "$root" && find . -type f -exec sha256sum {} +) > "$seen.part" && mv "$seen.part" "$seen.seen"
[ -n "$KILLS" ] && kill -9 $PPID
echo done > done.txt
"""


@dataclass(frozen=True, slots=True)
class Killing:
    """Where everything stands; `url` names the store."""

    root: Path
    url: str

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def reports(self) -> Path:
        return self.root / "reports"

    @property
    def project(self) -> Path:
        return self.root / "project"

    def open(self) -> Skillyard:
        """Open the store as a new process does."""
        return Skillyard.open(home=self.home, database_url=self.url, actor="killing")

    def make(self) -> None:
        """Make the program, the skills, and a repository with a commit and a change."""
        for name in ("home", "reports", "bin", "project", "user"):
            (self.root / name).mkdir()
        (self.root / "bin" / "codex").write_text(_PROGRAM)
        (self.root / "bin" / "codex").chmod(0o755)
        self._make_repository()
        with self.open() as yard:
            for slug in SLUGS:
                yard.save(SaveSkill(package=make_version(slug, 0)))
                yard.assign(AssignSkill(reference=slug, subject=GLOBAL))

    def _make_repository(self) -> None:
        (self.project / "code.txt").write_text("code\n")
        who = ("-c", "user.name=x", "-c", "user.email=x@y.z")
        for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "x")):
            subprocess.run(["git", *words], cwd=self.project, check=True)
        (self.project / "code.txt").write_text("changed\n")

    def run(self, mode: WorkspaceMode, *, kills: bool) -> Callable[[Skillyard], object]:
        """Give what a supervisor does."""
        wish = RunAgent(
            command=("codex",),
            project=str(self.project),
            environment={
                "HOME": str(self.root / "user"),
                "PATH": f"{self.root / 'bin'}:{os.defpath}:/usr/bin:/bin",
                "REPORTS": str(self.reports),
                "KILLS": "yes" if kills else "",
            },
            workspace=mode,
        )
        return lambda yard: yard.run(wish, include_user=False, include_project=False)

    def fork(self, do: Callable[[Skillyard], object], started: int) -> int:
        """Do something in a process of its own, which says when it begins; give its id."""
        child = os.fork()
        if child:
            return child
        status = 1
        try:
            with self.open() as yard:
                os.write(started, b"s")
                do(yard)
            status = 0
        except BaseException:  # noqa: BLE001 (it must not go on as its parent would)
            traceback.print_exc()
        finally:
            os._exit(status)


def begin(killing: Killing, doing: Sequence[Callable[[Skillyard], object]]) -> list[int]:
    """Fork, and wait until each of them has begun."""
    reading, writing = os.pipe()
    children = [killing.fork(one, writing) for one in doing]
    os.close(writing)
    begun = 0
    while begun < len(children):
        if not select.select([reading], [], [], 60)[0]:
            sys.exit("a supervisor does not begin")
        begun += len(os.read(reading, 64))
    os.close(reading)
    return children


def measure(killing: Killing, mode: WorkspaceMode) -> float:
    """Give how long a run takes when some others run too."""
    times = []
    for _ in range(2):
        children = begin(killing, [killing.run(mode, kills=False)] * AT_ONCE)
        start = time.monotonic()
        for _ in children:
            _, status = os.wait()
            times.append(time.monotonic() - start)
            if status:
                sys.exit("a run that was not killed failed")
    return statistics.median(times)


def kill_some(killing: Killing, delays: Sequence[float | None], mode: WorkspaceMode) -> int:
    """Kill some supervisors, each after its time; give how many died of it.

    One without a time is killed by its own program.
    """
    doing = [killing.run(mode, kills=one is None) for one in delays]
    children = begin(killing, doing)
    start = time.monotonic()
    for child, delay in sorted(zip(children, delays, strict=True), key=lambda one: one[1] or 0.0):
        if delay is not None:
            time.sleep(max(0.0, start + delay - time.monotonic()))
            os.kill(child, signal.SIGKILL)
    return sum(has_died(one) for one in children)


def has_died(child: int) -> bool:
    """Wait for the end of a process; tell whether it was killed."""
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and status:
        sys.exit("a supervisor failed")
    return os.WIFSIGNALED(status)


def become_reaper() -> None:
    """Be the parent of whatever loses its own, so that all of it can be waited for."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_BECOME_REAPER, 1, 0, 0, 0)


def wait_for_all() -> None:
    """Wait until no process is left that any of ours has started."""
    while True:
        try:
            os.wait()
        except ChildProcessError:
            return


def main(killing: Killing, kills: int) -> None:
    """Kill so many; print what happened."""
    become_reaper()
    killing.make()
    duration = {mode: measure(killing, mode) for mode in MODES}
    died = dict.fromkeys(MODES, 0)
    for turn in range(kills // AT_ONCE):
        mode = MODES[turn % len(MODES)]
        numbers = range(turn * AT_ONCE, (turn + 1) * AT_ONCE)
        delays = [
            None if one % 10 == turn % 10 else duration[mode] * 1.25 * (one * 37 % kills) / kills
            for one in numbers
        ]
        if turn % 5 == 0:
            begin(killing, [lambda yard: yard.collect()])
        died[mode] += kill_some(killing, delays, mode)
    wait_for_all()
    print(json.dumps({"died": died, "seconds": duration}))  # noqa: T201


if __name__ == "__main__":
    main(Killing(Path(sys.argv[1]), sys.argv[2]), int(sys.argv[3]))
