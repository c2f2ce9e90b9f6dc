"""A small program that is called like a client, and writes down what it sees."""

import os
import shlex
from pathlib import Path

from tests.interface.cli.running import Ran, home_of, skillyard

_PROGRAM = """#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$@" > "$here/arguments"
(cd "$HOME" && find . -name SKILL.md | sort) > "$here/skills"
[ -f "$here/script" ] && . "$here/script"
exit 0
"""


def install(cwd: Path, name: str = "codex", *, mode: int = 0o755) -> Path:
    """Put the program on the path of `run_client`."""
    program = bin_of(cwd) / name
    program.write_text(_PROGRAM)
    program.chmod(mode)
    return program


def bin_of(cwd: Path) -> Path:
    """Give the directory of programs."""
    directory = home_of(cwd) / "bin"
    directory.mkdir(exist_ok=True)
    return directory


def run_client(cwd: Path, line: str, **env: str) -> Ran:
    """Run `skillyard` for a user without skills, whose programs are the small ones."""
    user = home_of(cwd) / "user"
    user.mkdir(exist_ok=True)
    path = os.pathsep.join([str(bin_of(cwd)), "/usr/bin", "/bin"])
    return skillyard(*shlex.split(line), cwd=cwd, env={"HOME": str(user), "PATH": path, **env})


def runs_of(cwd: Path) -> list[Path]:
    """Give the roots of runs that are left."""
    return sorted(one for one in (home_of(cwd) / "runs").glob("run-*"))
