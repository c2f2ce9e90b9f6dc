"""Make a run in a child that dies before one of its steps, for each of them in turn.

Then sweep what a run left in such a child. Run as a program of its own, with one thread, so that
forking is safe: directory of runs. Prints what was left as JSON: for each step the number of
leftovers, and what stood there after a sweep.
"""

import itertools
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.testing.packages import make_package
from tests.integration.runs.making import lay_out, plan, plan_file, plan_skill

SKILL = plan_skill("csv", make_package("csv", files={"references/a.md": "a"}))
STEPS = ("mkdir", "open", "write", "fchmod", "rename", "unlink", "rmdir", "stat", "close")


class Death:
    """Ends this process before one of its steps."""

    def __init__(self, at: int) -> None:
        self._left = at
        for name in STEPS:
            setattr(os, name, self._wrap(getattr(os, name)))

    def _wrap(self, call: Any) -> Any:  # noqa: ANN401
        def die_or_call(*arguments: Any, **keywords: Any) -> Any:  # noqa: ANN401
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **keywords)

        return die_or_call


def make_and_remove(grounds: DiskGrounds) -> None:
    """Do everything that a run's ground does, but start a program."""
    with grounds.make("killed") as ground:
        lay_out(ground, plan(SKILL, files=[plan_file(".claude/settings.json", b"{}")]))
        ground.write("receipt.json", b"{}")
        ground.find_changes([SKILL])
        ground.remove()


def sweep(grounds: DiskGrounds) -> None:
    """Remove what the parent left."""
    list(grounds.iter_leftovers())


def die_at(at: int, grounds: DiskGrounds, act: Callable[[DiskGrounds], None]) -> bool:
    """Tell whether a child died before that step of what it does; otherwise there is none."""
    child = os.fork()
    if child == 0:
        Death(at)
        act(grounds)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def die_making(grounds: DiskGrounds) -> Iterator[int]:
    """Yield how many leftovers there were after each death while a run was made and removed."""
    for at in itertools.count(1):
        if not die_at(at, grounds, make_and_remove):
            return
        yield len(list(grounds.iter_leftovers()))


def die_sweeping(grounds: DiskGrounds) -> Iterator[int]:
    """Yield how many leftovers there were after each death while one was removed."""
    for at in itertools.count(1):
        with grounds.make("abandoned") as ground:
            lay_out(ground, plan(SKILL))
        if not die_at(at, grounds, sweep):
            return
        yield len(list(grounds.iter_leftovers()))


def main(runs: Path) -> None:
    """Die at each step; print what was left."""
    grounds = DiskGrounds(runs)
    said: dict[str, list[int]] = {"making": [], "sweeping": []}
    remains: set[str] = set()
    for name, deaths in (("making", die_making), ("sweeping", die_sweeping)):
        for leftovers in deaths(grounds):
            said[name].append(leftovers)
            remains |= {str(path.relative_to(runs)) for path in runs.rglob("*")} - {"locks"}
    print(json.dumps({**said, "remains": sorted(remains)}))  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]))
