"""Run commands that look for skills on this machine, on a machine that has none of its own."""

import shlex
from pathlib import Path

from tests.interface.cli.running import Ran, home_of, skillyard


def see(cwd: Path, line: str) -> Ran:
    """Run `skillyard` with the words of `line`, for a user without skills and without commands."""
    user = home_of(cwd) / "user"
    user.mkdir(exist_ok=True)
    return skillyard(*shlex.split(line), cwd=cwd, env={"HOME": str(user), "PATH": str(user)})


def seen(cwd: Path, line: str) -> str:
    """Run a command that succeeds and has nothing to say; give what it printed."""
    ran = see(cwd, line)
    assert (ran.status, ran.err) == (0, ""), ran
    return ran.out
