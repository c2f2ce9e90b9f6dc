"""Run commands that are written as a user writes them."""

import shlex
from pathlib import Path

from tests.interface.cli.running import Ran, skillyard


def run(cwd: Path, line: str, *, stdin: str = "", terminal: bool = False) -> Ran:
    """Run `skillyard` with the words of `line`."""
    return skillyard(*shlex.split(line), cwd=cwd, stdin=stdin, terminal=terminal)


def do(cwd: Path, *lines: str) -> Ran:
    """Run commands that all succeed; give what the last one printed."""
    ran = [run(cwd, line) for line in lines]
    assert [one.status for one in ran] == [0] * len(lines), ran
    return ran[-1]
