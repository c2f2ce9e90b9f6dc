"""Run the command as a user does, in a process of its own."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def skillyard(*arguments: str | Path, cwd: Path | None = None) -> Ran:
    """Run `skillyard` with `arguments`."""
    done = subprocess.run(
        [sys.executable, "-m", "skillyard", *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"COLUMNS": "100", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def write_skill(directory: Path, text: str | None = None) -> Path:
    """Write a SKILL.md into `directory`, by default one without any problem."""
    directory.mkdir(parents=True, exist_ok=True)
    good = (
        f"---\nname: {directory.name}\ndescription: Sorts things. Use when asked.\n---\n\nSort.\n"
    )
    (directory / "SKILL.md").write_text(good if text is None else text, encoding="utf-8")
    return directory
