"""Real repositories for the tests of workspaces, and pictures of them."""

import os
import shutil
import stat
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.application.ports.workspace import PreparedWorkspace
from skillyard.domain.run import WorkspaceMode

HIDE: Final = (".agents/skills", ".claude/commands", ".claude/skills")
GIT: Final = shutil.which("git") or "git"
ANN: Final = {
    "GIT_AUTHOR_NAME": "Ann Author",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann Author",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
}
"""By what a program commits as the user of a scene."""
SKILL: Final = "---\nname: pdf\ndescription: Fill in forms.\n---\nFill in forms.\n"


PLACEHOLDERS: Final = (".claude/commands/.gitignore", ".claude/skills/.gitignore")


class Scene:
    """A project, a place for runs, and a user with a configuration of their own."""

    def __init__(self, place: Path) -> None:
        self.place = place.resolve()
        self.home = self.place / "home"
        self.home.mkdir()
        self.project = self.place / "project"
        self.project.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        self.configure("user.name", "Ann Author")
        self.configure("user.email", "ann@example.org")

    @property
    def workspaces(self) -> GitWorkspaces:
        return GitWorkspaces(environment=self.environment)

    def configure(self, key: str, value: str) -> None:
        self.git("config", "--global", key, value)

    def git(self, *arguments: str, at: Path | None = None) -> str:
        done = subprocess.run(
            [GIT, *arguments],
            cwd=at or self.project,
            env=self.environment,
            capture_output=True,
            check=True,
        )
        return os.fsdecode(done.stdout).removesuffix("\n")

    def init(self, files: dict[str, str] | None = None) -> None:
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit(files or {"a.txt": "one\n", "src/b.txt": "two\n"})

    def write(self, path: str, content: str | bytes, at: Path | None = None) -> Path:
        file = (at or self.project) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def commit(self, files: dict[str, str], at: Path | None = None) -> str:
        for path, content in files.items():
            self.write(path, content, at)
        self.git("add", "--force", "--", *files, at=at)
        self.git("add", "--all", at=at)
        self.git("commit", "--quiet", "--message=x", at=at)
        return self.git("rev-parse", "HEAD", at=at)

    def root(self, name: str = "run-1") -> Path:
        root = self.place / "runs" / name / "workspace"
        root.mkdir(parents=True)
        return root

    def prepare(
        self,
        mode: WorkspaceMode = WorkspaceMode.WORKTREE,
        *,
        name: str = "run-1",
        project: Path | None = None,
        hide: Sequence[str] = HIDE,
        workspaces: GitWorkspaces | None = None,
    ) -> PreparedWorkspace:
        return (workspaces or self.workspaces).prepare(
            mode,
            project=str(project or self.project),
            target=str(self.root(name)),
            hide=hide,
            name=name,
        )

    def status(self, at: Path | str) -> list[str]:
        return self.git("status", "--porcelain", "-uall", at=Path(at)).splitlines()

    def show(self, name: str) -> str:
        return self.git("show", name)


def picture(place: Path) -> dict[str, object]:
    """Give everything that stands in a directory, `.git` included: modes and contents."""
    found = sorted(place.rglob("*"))
    return {str(path.relative_to(place)): _look(path) for path in found}


def _look(path: Path) -> object:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return ("link", str(path.readlink()))
    return ("directory",) if stat.S_ISDIR(mode) else (oct(mode), path.read_bytes())


def files_in(place: Path | str) -> dict[str, str]:
    """Give the files of a work tree and what they hold, without `.git` and our placeholders."""
    root = Path(place)
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    names = {path: path.relative_to(root) for path in found}
    return {
        str(name): path.read_text(errors="surrogateescape")
        for path, name in names.items()
        if name.parts[0] != ".git" and str(name) not in PLACEHOLDERS
    }
