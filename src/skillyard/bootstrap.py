"""Joins ports and adapters; the only module that knows both."""

import re
from pathlib import Path
from typing import Final

from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.source import SkillSource
from skillyard.domain.errors import MissingPathError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.paths import SKILL_MD

_GIT: Final = "git:"
_REMOTE: Final = re.compile(r"[a-z+]+://")


def open_source(text: str, *, limits: Limits = STANDARD) -> SkillSource:
    """Give the source that a user names by `text`.

    It is a skill's directory, a directory of skills, a SKILL.md, a bundle, or a tree in a git
    repository written as `git:REPO[@REVISION][:PATH]`.

    Raises:
        MissingPathError: There is no such path.
    """
    if not text:
        raise MissingPathError(text, reason="is no path", hint="Name a directory or a file")
    if text.startswith(_GIT):
        return _open_git(text.removeprefix(_GIT), limits)
    path = Path(text)
    try:
        path.stat()
    except OSError as error:
        raise MissingPathError(text, reason=_why(error)) from error
    except ValueError as error:
        raise MissingPathError(text, reason="is no path") from error
    if path.is_dir() or path.name.casefold() == "skill.md":
        from skillyard.adapters.fs.source import DirectorySource

        return DirectorySource(path, limits)
    from skillyard.adapters.fs.bundle import BundleSource

    return BundleSource(path, limits)


def _why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "does not exist"
    return f"cannot be looked at: {error.strerror}"


def _open_git(text: str, limits: Limits) -> SkillSource:
    from skillyard.adapters.git.source import GitTreeSource

    if _REMOTE.match(text):
        raise MissingPathError(
            f"{_GIT}{text}",
            reason="is not a repository on this machine",
            hint="Clone it, and name the clone",
        )
    place, _, path = text.partition(":")
    repository, _, revision = place.rpartition("@") if "@" in place else (place, "", "")
    inside = path.strip("/").removesuffix(SKILL_MD).rstrip("/")
    return GitTreeSource(Path(repository or "."), revision or "HEAD", inside, limits)


def open_shelf() -> Shelf:
    """Give the local disk."""
    from skillyard.adapters.fs.shelf import DiskShelf

    return DiskShelf()
