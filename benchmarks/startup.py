"""How long the command takes to say its version and its help.

The floor is a Python that imports click and ends; the peer is `npx skills --version`, and the same
command without npx. Wall time, the median of interleaved rounds.
"""

import json
import statistics
import sys
from pathlib import Path
from typing import Final

from benchmarks.commands import SKILLYARD, Command, measure_all
from benchmarks.peers import install_peers
from benchmarks.results import FASTER, Figures, Result, divide, to_result
from benchmarks.yards import temporary_directory

ROUNDS: Final = 15

FLOOR: Final = "python -c 'import click'"
VERSION: Final = "skillyard --version"
HELP: Final = "skillyard --help"
PEER: Final = "skills --version"
NPX: Final = "npx skills --version"


def run(rounds: int = ROUNDS) -> Result:
    with temporary_directory() as directory:
        taken = measure_all(_commands(directory), rounds)
    return report(
        {name: statistics.median(one.wall_seconds for one in runs) for name, runs in taken.items()}
    )


def _commands(directory: Path) -> dict[str, Command]:
    commands = {
        FLOOR: Command([sys.executable, "-c", "import click"], directory),
        VERSION: Command([SKILLYARD, "--version"], directory),
        HELP: Command([SKILLYARD, "--help"], directory),
    }
    peers = install_peers(directory / "peers")
    if peers is None:
        return commands
    npx = [*peers.npm("npx"), "--no-install", "skills", "--version"]
    return commands | {
        PEER: Command([peers.find("skills"), "--version"], peers.directory, peers.environment),
        NPX: Command(npx, peers.directory, peers.environment),
    }


def report(median: dict[str, float]) -> Result:
    """Give the figures, and ours beside the floor and the others."""
    names = (FLOOR, VERSION, HELP, PEER, NPX)
    figures: Figures = {name: {"wall_seconds": median.get(name)} for name in names}
    ratios = {f"{name} / floor": divide(median[name], median[FLOOR]) for name in (VERSION, HELP)}
    promises = dict.fromkeys(ratios, "at most 1.6")
    theirs = {
        f"{name} / {VERSION}": divide(median.get(name), median[VERSION]) for name in names[3:]
    }
    return to_result(figures, ratios | theirs, promises | dict.fromkeys(theirs, FASTER))


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
