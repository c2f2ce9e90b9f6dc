"""A repository of git as a project stands in it: its root, its commit, what is not committed."""

from dataclasses import dataclass
from pathlib import Path

from skillyard.adapters.workspace.git import Git, GitRefusedError, split

_CHANGED_FIELDS = {"1": 8, "u": 10}
_WHERE_SUBMODULE_IS_TOLD = 2


@dataclass(frozen=True, slots=True)
class Repository:
    """The work tree that a project stands in: `top` is its root, `common` is what it shares."""

    top: Path
    common: Path
    git: Git


@dataclass(frozen=True, slots=True)
class Standing:
    """A commit and what the files of the user differ in from it; `base` is None without one.

    `tracked` are paths that git knows, `added` such as it neither knows nor ignores, and
    `repositories` are directories that belong to another repository.
    """

    base: str | None
    tracked: tuple[str, ...]
    added: tuple[str, ...]
    repositories: tuple[str, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """Everything that is not committed."""
        return self.tracked + self.added


def find_repository(project: Path, git: Git) -> Repository | None:
    """Give the repository that has a project in its work tree; None where there is none.

    Raises:
        GitRefusedError: There is one, and it belongs to somebody who is not trusted.
        GitUnavailableError: Git is not installed, or does not answer.
    """
    here = git.at(str(project))
    try:
        top = Path(_line(here.get("rev-parse", "--show-toplevel")))
        common = Path(_line(here.get("rev-parse", "--path-format=absolute", "--git-common-dir")))
    except GitRefusedError as error:
        if error.is_about_ownership:
            raise
        return None
    # `core.worktree` may name a place that has nothing to do with the project.
    return Repository(top, common, git.at(str(top))) if project.is_relative_to(top) else None


def has_commit(repository: Repository) -> bool:
    """Tell whether there is a commit to start from."""
    return find_commit(repository.git, "HEAD") is not None


def find_commit(git: Git, name: str) -> str | None:
    """Give the id of a commit, or None where there is no such commit."""
    found = git.find("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    return _line(found) if found else None


def get_tree(git: Git, commit: str) -> str:
    """Give the id of a commit's tree."""
    return _line(git.get("rev-parse", "--verify", f"{commit}^{{tree}}"))


def read_standing(git: Git) -> Standing:
    """Give the commit and the changes at one moment; nothing is written, not even the index.

    Raises:
        GitRefusedError: The index or a directory cannot be read.
    """
    untracked = "no" if _looks_away(git) else "all"
    words = ("--porcelain=v2", "-z", "--branch", "--no-renames", "--ignore-submodules=all")
    lines = split(git.get("status", *words, f"--untracked-files={untracked}"))
    others = [line[2:] for line in lines if line.startswith("? ")]
    return Standing(
        base=_base(lines),
        tracked=tuple(path for line in lines for path in _tracked(line)),
        added=tuple(path for path in others if not path.endswith("/")),
        repositories=tuple(path[:-1] for path in others if path.endswith("/")),
    )


def _looks_away(git: Git) -> bool:
    """Tell whether the user wants to know nothing of other files: a home may be a repository."""
    return (git.find("config", "status.showUntrackedFiles") or "").strip() in {"no", "false"}


def _base(lines: list[str]) -> str | None:
    told = [line.split(" ", 2)[2] for line in lines if line.startswith("# branch.oid ")]
    return told[0] if told and told[0] != "(initial)" else None


def _tracked(line: str) -> list[str]:
    fields = _CHANGED_FIELDS.get(line[:1])
    if fields is None:
        return []
    parts = line.split(" ", fields)
    return [] if parts[_WHERE_SUBMODULE_IS_TOLD].startswith("S") else [parts[fields]]


def _line(answer: str) -> str:
    # A path may end with a line feed of its own: one is git's.
    return answer.removesuffix("\n")
