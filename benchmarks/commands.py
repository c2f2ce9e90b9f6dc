"""Run whole commands, and take their time.

What a command prints goes into a file: some programs lose the end of what they write into a pipe.
A command that fails is no measurement, and stops the benchmark.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

SKILLYARD: Final = str(Path(sys.executable).with_name("skillyard"))
_PATIENCE: Final = 600


@dataclass(frozen=True, slots=True)
class Command:
    """A command, where it is run, and what is added to the environment."""

    words: Sequence[str]
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one run of a command took, and what it printed."""

    wall_seconds: float
    cpu_seconds: float
    printed: bytes


def measure(command: Command) -> Taken:
    """Run a command once."""
    printed = command.directory / "printed.txt"
    with printed.open("wb") as target:
        cpu, start = _children_cpu(), time.perf_counter()
        subprocess.run(
            command.words,
            cwd=command.directory,
            env={**os.environ, **command.environment},
            stdout=target,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=True,
        )
        wall, cpu = time.perf_counter() - start, _children_cpu() - cpu
    return Taken(wall, cpu, printed.read_bytes())


def measure_all(commands: Mapping[str, Command], rounds: int) -> dict[str, list[Taken]]:
    """Run every command in turn, `rounds` times."""
    taken: dict[str, list[Taken]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(measure(command))
    return taken


def find_best(runs: Sequence[Taken]) -> Taken:
    """Give the run that took least: the others were disturbed more."""
    return min(runs, key=lambda one: one.wall_seconds)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
