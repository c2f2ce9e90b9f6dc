"""A machine with a store, a project, and a small program that is called like a client.

The program writes down what it sees: its directory, its variables, and the files of its home. What
it is told to do besides stands in a file `script` beside it.
"""

import json
import os
import stat
import subprocess
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from skillyard.application.assign import AssignSkill
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run import PlannedRun
from skillyard.application.run_wish import RunAgent
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import GLOBAL, Subject
from skillyard.domain.package import Package
from skillyard.domain.records import Agent
from skillyard.domain.run import Run
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard

_PROGRAM = """#!/bin/sh
here=$(dirname "$0")
pwd > "$here/seen.directory"
env > "$here/seen.environment"
printf '%s\\n' "$@" > "$here/seen.arguments"
(cd "$HOME" && find . -type f | sort) > "$here/seen.files"
[ -f "$here/script" ] && . "$here/script"
exit 0
"""


def make_agent(name: str, **fields: Any) -> Agent:  # noqa: ANN401
    """Make an agent that has none of the skills that come with Skillyard."""
    return Agent(name=name, disabled_skills=("gh", "hello-world", "skill-authoring"), **fields)


@dataclass
class World:
    """See above."""

    root: Path
    yard: Skillyard
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, root: Path) -> "World":
        """Make a world in `root` with one skill for everyone, `pdf`."""
        for name in ("bin", "project", "user", "home"):
            (root / name).mkdir()
        yard = Skillyard.in_memory()
        yard.home = root / "home"
        world = cls(root, yard)
        world.environment = {
            "HOME": str(root / "user"),
            "PATH": f"{world.bin}:{os.defpath}:/usr/bin:/bin",
            "GIT_CONFIG_GLOBAL": "/dev/null",
        }
        yard.add_record(make_agent("coder"))
        world.install("codex")
        world.save(make_package("pdf"))
        return world

    @property
    def bin(self) -> Path:
        return self.root / "bin"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def runs(self) -> Path:
        return self.root / "home" / "runs"

    def install(self, name: str, mode: int = 0o755) -> Path:
        """Put the small program there under a name."""
        program = self.bin / name
        program.write_text(_PROGRAM)
        program.chmod(mode)
        return program

    def do(self, script: str) -> None:
        """Let the program do something at its end."""
        (self.bin / "script").write_text(script)

    def save(self, package: Package, subject: Subject = GLOBAL, **how: Any) -> None:  # noqa: ANN401
        """Save a skill, and assign it."""
        saved = self.yard.save(SaveSkill(package=package))
        self.yard.assign(AssignSkill(reference=saved.skill.slug, subject=subject, **how))

    def wish(self, *command: str, **changes: Any) -> RunAgent:  # noqa: ANN401
        """Wish for a run of the program."""
        wish = RunAgent(
            command=command or ("codex", "exec", "hello"),
            skills=ResolveSkills(agent="coder"),
            project=str(self.project),
            environment=self.environment,
            host="here",
        )
        return replace(wish, **changes)

    def run(self, *command: str, **changes: Any) -> Run:  # noqa: ANN401
        """Run the program with the skills of the store."""
        wish = self.wish(*command, **changes)
        return self.yard.run(wish, include_user=False, include_project=False)

    def preview(self, *command: str, **changes: Any) -> PlannedRun:  # noqa: ANN401
        """Say what a run would be."""
        wish = self.wish(*command, **changes)
        return self.yard.preview_run(wish, include_user=False, include_project=False)

    def seen(self, what: str) -> list[str]:
        """Give the lines that the program wrote down."""
        return (self.bin / f"seen.{what}").read_text().splitlines()

    @property
    def was_started(self) -> bool:
        return (self.bin / "seen.directory").exists()

    def last(self) -> Run:
        """Give what the store knows of the last run."""
        return self.yard.get_run("last")

    def left(self) -> list[str]:
        """Give what is left of runs on the disk."""
        return sorted(one.name for one in self.runs.glob("*") if one.name != "locks")

    def make_repository(self) -> None:
        """Let the project be a repository with a commit."""
        (self.project / "code.txt").write_text("code\n")
        self.git("init", "-q")
        self.git("add", ".")
        self.git("-c", "user.name=x", "-c", "user.email=x@y.z", "commit", "-qm", "x")

    def git(self, *arguments: str) -> str:
        """Ask git about the project."""
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.project,
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout


def read_receipt(path: Path) -> dict[str, Any]:
    """Read a receipt as any program would."""
    value: dict[str, Any] = json.loads(path.read_text())
    return value


def list_tree(root: Path) -> dict[str, tuple[str, bytes]]:
    """Give every file below `root` with its permissions and its content."""
    return {
        str(path.relative_to(root)): (stat.filemode(path.stat().st_mode), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
