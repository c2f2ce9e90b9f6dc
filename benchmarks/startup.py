"""How long the command takes to say its version and its help.

The floor is a Python that imports click and ends; the peer is `npx skills --version` where npm is
there. Wall time, the median of interleaved rounds.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROUNDS = 15
PEER = "skills@1.7.4"


def run(rounds: int = ROUNDS) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="skillyard-bench-") as directory:
        commands = _commands(Path(directory))
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(_time(command, Path(directory)))
    best = {name: statistics.median(one) for name, one in times.items()}
    return {"figures": {name: {"wall_seconds": one} for name, one in best.items()}} | _ratios(best)


def _commands(directory: Path) -> dict[str, list[str]]:
    skillyard = str(Path(sys.executable).with_name("skillyard"))
    commands = {
        "python -c 'import click'": [sys.executable, "-c", "import click"],
        "skillyard --version": [skillyard, "--version"],
        "skillyard --help": [skillyard, "--help"],
    }
    if _install_peer(directory):
        commands["npx skills --version"] = ["npx", "--no-install", "skills", "--version"]
    return commands


def _install_peer(directory: Path) -> bool:
    if shutil.which("npm") is None:
        print("npm is not here: `npx skills --version` is not measured", file=sys.stderr)
        return False
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--force", PEER]
    done = subprocess.run(command, cwd=directory, check=False, capture_output=True)
    if done.returncode:
        print(f"npm could not install {PEER}: it is not measured", file=sys.stderr)
    return done.returncode == 0


def _time(command: list[str], directory: Path) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=directory, check=False, capture_output=True)
    return time.perf_counter() - start


def _ratios(best: dict[str, float]) -> dict[str, Any]:
    floor = best["python -c 'import click'"]
    ratios = {
        f"{name} / floor": best[name] / floor
        for name in ("skillyard --version", "skillyard --help")
    }
    promises = dict.fromkeys(ratios, "at most 1.6")
    peer = best.get("npx skills --version")
    if peer is not None:
        ratios["npx skills --version / skillyard --version"] = peer / best["skillyard --version"]
        promises["npx skills --version / skillyard --version"] = "more than 1"
    return {"ratios": ratios, "promises": promises}


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
