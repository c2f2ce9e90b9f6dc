"""Parse and validate many skills, beside the reference library and beside a floor.

The floor does the least that any loader must do: list the directories, read each SKILL.md, and
load the front matter with libyaml. Each contender runs in a process of its own, so that peak memory
is its own; rounds are interleaved, and the best of them counts.
"""

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.corpus import make_corpus

ROOT = Path(__file__).parents[1]
SKILLS = 10_000
ROUNDS = 3


def run_floor(root: str) -> int:
    import yaml

    count = 0
    with os.scandir(root) as entries:
        directories = sorted(entry.path for entry in entries if entry.is_dir())
    for directory in directories:
        try:
            with open(f"{directory}/SKILL.md", encoding="utf-8") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError):
            continue
        end = text.find("\n---", 3)
        if text.startswith("---") and end > 0:
            try:
                yaml.load(text[4 : end + 1], Loader=yaml.CSafeLoader)
            except yaml.YAMLError:
                continue
            count += 1
    return count


def run_skillyard(root: str) -> int:
    from skillyard.application.check import CheckSkills, check_skills
    from skillyard.bootstrap import open_source

    return sum(1 for _ in check_skills(CheckSkills(), source=open_source(root)))


def run_reference(root: str) -> int:
    from skills_ref.validator import validate

    count = 0
    for directory in sorted(Path(root).iterdir()):
        if directory.is_dir():
            with contextlib.suppress(Exception):  # the reference crashes on some files
                validate(directory)
            count += 1
    return count


CONTENDERS: dict[str, Callable[[str], int]] = {
    "floor": run_floor,
    "skillyard": run_skillyard,
    "skills-ref": run_reference,
}


def measure_here(name: str, root: str) -> None:
    """Run one contender in this process, and print what it took."""
    contender = CONTENDERS[name]
    start = time.process_time()
    count = contender(root)
    seconds = time.process_time() - start
    print(json.dumps({"cpu_seconds": seconds, "peak_bytes": _find_peak(), "skills": count}))


def _find_peak() -> int:
    # What `getrusage` gives on Linux is no less than what the process that started us had.
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return int(lines["VmHWM"].split()[0]) * 1024


def measure_all(root: Path, rounds: int) -> dict[str, dict[str, float]]:
    """Run every contender in turn, `rounds` times, and keep the best of each."""
    best: dict[str, dict[str, float]] = {}
    for _ in range(rounds):
        for name in CONTENDERS:
            command = [
                sys.executable,
                "-m",
                "benchmarks.loading",
                "--one",
                name,
                "--corpus",
                str(root),
            ]
            answer = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
            result = json.loads(answer.stdout)
            if name not in best or result["cpu_seconds"] < best[name]["cpu_seconds"]:
                best[name] = result
    return best


def report(best: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Give the figures and the ratios that the project promises."""
    floor, ours, reference = (best[name] for name in CONTENDERS)
    return {
        "figures": best,
        "ratios": {
            "skillyard / floor (CPU time)": ours["cpu_seconds"] / floor["cpu_seconds"],
            "skills-ref / skillyard (CPU time)": reference["cpu_seconds"] / ours["cpu_seconds"],
            "skillyard peak memory (MB)": ours["peak_bytes"] / 1e6,
        },
        "promises": {
            "skillyard / floor (CPU time)": "at most 2.5",
            "skills-ref / skillyard (CPU time)": "at least 10",
            "skillyard peak memory (MB)": "under 150",
        },
    }


def run(corpus: Path | None = None, skills: int = SKILLS, rounds: int = ROUNDS) -> dict[str, Any]:
    if corpus is not None:
        return report(measure_all(corpus.resolve(), rounds))
    with tempfile.TemporaryDirectory(prefix="skillyard-bench-") as directory:
        make_corpus(Path(directory), skills)
        return report(measure_all(Path(directory), rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a directory of skill directories")
    parser.add_argument("--skills", type=int, default=SKILLS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--one", choices=CONTENDERS, help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.one:
        measure_here(wish.one, str(wish.corpus))
    else:
        print(json.dumps(run(wish.corpus, wish.skills, wish.rounds), indent=2))


if __name__ == "__main__":
    main()
