"""Save versions of one skill in a child, kill it in the middle, and do that again and again.

Run as a program of its own, with one thread, so that forking is safe: URL, number of kills. Prints
what happened as JSON.
"""

import itertools
import json
import os
import select
import signal
import sys
import time

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.scanner.unscanned import NoScanner
from skillyard.adapters.system.clock import SystemClock
from skillyard.adapters.system.ids import TimeOrderedIds
from skillyard.application.save import SaveSkill
from skillyard.domain.skill import Actor
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard

STARTED, DONE = b"s", b"d"


def open_yard(url: str) -> Skillyard:
    """Open the store as a new process does."""
    return Skillyard(
        store=open_store(url),
        clock=SystemClock(),
        ids=TimeOrderedIds(),
        scanner=NoScanner(),
        actor=Actor("writer"),
    )


def save_one(yard: Skillyard, number: int) -> str:
    """Save content that was never saved before; give its version."""
    files = {f"references/{part}.md": f"{number} {part}\n" * 3000 for part in range(5)}
    package = make_package("pdf", body=f"Save {number}.\n", files=files)
    return str(yard.save(SaveSkill(package=package)).version.version)


def save_for_ever(url: str, pipe: int, first: int) -> None:
    """Say before and after each save that it begins, and that it is kept and as what."""
    yard = open_yard(url)
    for number in itertools.count(first):
        os.write(pipe, STARTED + b"\n")
        os.write(pipe, DONE + save_one(yard, number).encode() + b"\n")


def kill_one(url: str, first: int, delay: float) -> tuple[list[str], bool]:
    """Give the versions that a child had said were kept, and whether it died within a save."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        save_for_ever(url, writing, first)
        os._exit(1)
    os.close(writing)
    # Its first save has begun; the moment is counted from there.
    select.select([reading], [], [], 30)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as said:
        lines = said.read().split()
    kept = [line[1:].decode() for line in lines if line.startswith(DONE)]
    return kept, bool(lines) and lines[-1] == STARTED


def main(url: str, kills: int) -> None:
    """Kill that many children; print what they said and what the store holds."""
    yard = open_yard(url)
    save_one(yard, -1)
    begin = time.monotonic()
    save_one(yard, -2)
    duration = 1.5 * (time.monotonic() - begin)
    yard.close()
    acknowledged: list[str] = []
    within = 0
    for number in range(kills):
        # Spread evenly over the length of a save, in an order that is always the same.
        delay = duration * ((number * 37) % kills) / kills
        kept, is_within = kill_one(url, 1000 * number, delay)
        acknowledged += kept
        within += is_within
    yard = open_yard(url)
    versions = [str(one.version) for one in yard.history("pdf").versions]
    faults = [fault.message for one in yard.examine() for fault in one.faults]
    whole = [str(yard.package("pdf", version=one).digest()) for one in versions]
    print(  # noqa: T201 (the answer of a program)
        json.dumps(
            {
                "acknowledged": acknowledged,
                "within": within,
                "versions": versions,
                "faults": faults,
                "digests": whole,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
