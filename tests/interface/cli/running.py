"""Run the command as a user does, without the cost of a process for each run."""

import contextlib
import io
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from skillyard.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def skillyard(*arguments: str | Path, cwd: Path) -> Ran:
    """Run `skillyard` with `arguments` in the directory `cwd`."""
    out, err = io.StringIO(), io.StringIO()
    arguments_before, environment_before = sys.argv, dict(os.environ)
    sys.argv = ["skillyard", *map(str, arguments)]
    os.environ.update({"COLUMNS": "100", "NO_COLOR": "1"})
    try:
        redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(err)
        with contextlib.chdir(cwd), redirected[0], redirected[1]:
            status = _status_of_main()
    finally:
        sys.argv = arguments_before
        os.environ.clear()
        os.environ.update(environment_before)
    return Ran(status, out.getvalue(), err.getvalue())


def _status_of_main() -> int:
    try:
        main()
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 1
    raise AssertionError


def write_skill(directory: Path, text: str | None = None) -> Path:
    """Write a SKILL.md into `directory`, by default one without any problem."""
    directory.mkdir(parents=True, exist_ok=True)
    good = (
        f"---\nname: {directory.name}\ndescription: Sorts things. Use when asked.\n---\n\nSort.\n"
    )
    (directory / "SKILL.md").write_text(good if text is None else text, encoding="utf-8")
    return directory
