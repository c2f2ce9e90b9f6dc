"""Fill a cache in a child, kill it in the middle, and do that again and again.

Run as a program of its own, with one thread, so that forking is safe: directory, number of kills.
Prints what happened as JSON.
"""

import itertools
import json
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from skillyard.adapters.cache.disk import DiskCache
from skillyard.adapters.system.clock import SystemClock
from skillyard.domain.package import Package
from skillyard.testing.packages import make_package

STARTED, DONE = b"s", b"d"


def make(number: int) -> Package:
    """Make a package that is like no other."""
    files = {f"references/{part}/text.md": f"{number} {part}\n" * 900 for part in range(9)}
    return make_package("pdf", body=f"Package {number}.\n", files=files)


def giving(package: Package) -> Callable[[], Package]:
    """Give what gives this package."""
    return lambda: package


def fill_for_ever(cache: DiskCache, pipe: int, first: int) -> None:
    """Say before and after each filling that it begins, and that it is done."""
    for number in itertools.count(first):
        package = make(number)
        digest = package.digest()
        os.write(pipe, STARTED + b"%d\n" % number)
        cache.get(digest, giving(package))
        os.write(pipe, DONE + b"%d\n" % number)


def kill_one(cache: DiskCache, first: int, delay: float) -> list[bytes]:
    """Give what a child said before it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        fill_for_ever(cache, writing, first)
        os._exit(1)
    os.close(writing)
    # Its first filling has begun; the moment is counted from there.
    select.select([reading], [], [], 30)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as said:
        return said.read().split()


def is_whole(cache: DiskCache, number: int) -> bool:
    """Tell whether a package is there; a damaged one would be asked for too."""
    asked: list[int] = []
    package = make(number)

    def fill() -> Package:
        asked.append(number)
        return package

    cache.get(package.digest(), fill)
    return not asked


def measure(cache: DiskCache) -> float:
    """Give the length of a filling."""
    begin = time.monotonic()
    package = make(-1)
    cache.get(package.digest(), lambda: package)
    return time.monotonic() - begin


def main(directory: Path, kills: int) -> None:
    """Kill that many children; print what they said and what the cache holds."""
    cache = DiskCache(directory, clock=SystemClock())
    duration = 1.5 * measure(cache)
    within, lost, leftovers = 0, 0, 0
    for kill in range(kills):
        # Spread evenly over the length of a filling, in an order that is always the same.
        lines = kill_one(cache, 1000 * kill, duration * ((kill * 37) % kills) / kills)
        done = [int(line[1:]) for line in lines if line.startswith(DONE)]
        within += lines[-1].startswith(STARTED)
        leftovers += len(list((directory / "staging").iterdir()))
        cache.sweep(unused_seconds=3600, in_use=frozenset())
        lost += sum(not is_whole(cache, number) for number in done)
    stages = sorted(path.name for path in (directory / "staging").iterdir())
    said = {"within": within, "lost": lost, "leftovers": leftovers, "stages": stages}
    print(json.dumps(said))  # noqa: T201 (the answer of a program)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
