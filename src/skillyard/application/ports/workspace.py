"""What a run works on: nothing, a copy, a work tree of git, or the project itself."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from skillyard.domain.client import SkillSettings
from skillyard.domain.delivery import FoundDirectory, FoundSettings, Note
from skillyard.domain.run import WorkspaceMode


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedWorkspace:
    """Where the program works, and is started.

    `top` is the root of the repository that the project is in, or empty. `hidden` are the
    directories of skills that were left out, and settings that direct them, relative to the
    workspace, so that the client sees none but those it was given. `variables` let git commit as
    the user: programs of a run have another home, and do not find the user's settings.
    """

    mode: WorkspaceMode
    path: str
    directory: str
    top: str = ""
    hidden: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    variables: Mapping[str, str] = field(default_factory=_nothing, hash=False)


@dataclass(frozen=True, slots=True)
class ConcludedWorkspace:
    """What is left of a workspace: where changes are kept (empty: there are none), and a word."""

    ref: str = ""
    notes: tuple[Note, ...] = ()


class Walk(StrEnum):
    """How far a client looks upwards from where it is started."""

    NEVER = "never"
    TO_ROOT = "to-root"
    """To the root of the repository; without one, not at all."""
    ON_UP = "on-up"
    """To the root of the repository; without one, to the top of the file system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillSearch:
    """Where a client looks for skills by itself.

    `relative` are looked for in every directory on its way, `absolute` once. `is_deep` tells that
    skills count at any depth. With `falls_back`, what the root of a linked work tree lacks is
    looked for in the main one.
    """

    relative: tuple[str, ...]
    walk: Walk
    absolute: tuple[str, ...] = ()
    is_deep: bool = False
    falls_back: bool = False


class Workspaces(Protocol):
    """Makes workspaces, and saves what was done in them."""

    def choose(self, project: str) -> WorkspaceMode:
        """Give the mode that is usual for a project: a work tree in a repository, else empty."""
        ...

    def prepare(
        self,
        mode: WorkspaceMode,
        *,
        project: str,
        target: str,
        hide: Collection[str],
        name: str,
        settings: Collection[SkillSettings] = (),
    ) -> PreparedWorkspace:
        """Make the workspace at the empty directory `target`; in place, nothing is made.

        `hide` are directories of skills, relative to any directory of the project, that do not
        appear in it. Neither do those of `settings`, where the program is started and above, that
        direct which skills are seen; a note names each. A program that looks upwards from it finds
        a repository's root there, and looks no further. `name` tells this run's work tree from
        others. A work tree has a file beside it that names its repository, `<target>.repository`.

        Raises:
            WorkspaceUnavailableError: It cannot be made: no repository, no commit, too large.
            GitUnavailableError: A work tree is wanted, and git is not installed or does not answer.
        """
        ...

    def hide_again(
        self,
        workspace: PreparedWorkspace,
        *,
        hide: Collection[str],
        settings: Collection[SkillSettings] = (),
    ) -> tuple[Note, ...]:
        """Hide what a hook has brought back from the repository, as `prepare` hid it.

        What the repository does not know stays where it is. In place, nothing is done.

        Raises:
            WorkspaceUnavailableError: Nobody can tell what it started from any more.
        """
        ...

    def conclude(
        self, workspace: PreparedWorkspace, *, name: str, keep: bool = False
    ) -> ConcludedWorkspace:
        """Save what was changed in a work tree as the branch `skillyard/<name>`, and let go of it.

        Nothing is saved where nothing was changed; what the user had not committed at the start is
        no change. With `keep` the work tree stays. What clients leave in a repository, and was not
        there at the start, is removed. The other modes have nothing to let go of.

        Raises:
            WorkspaceUnavailableError: It cannot be saved, or nobody can tell what was changed: its
                repository, its files or our notes are gone. What is there stays as it is.
        """
        ...

    def abandon(self, path: str, *, was_work_tree: bool = False) -> ConcludedWorkspace:
        """Let go of the work tree of a run that died, if it had one; saves what was changed too.

        Where nothing says that there was one, and the caller does not know it, nothing happens.

        Raises:
            WorkspaceUnavailableError: As in `conclude`. What is there stays as it is.
        """
        ...

    def find_skills(self, start: str, search: SkillSearch) -> tuple[FoundDirectory, ...]:
        """Give the directories with skills that a client comes by from `start`, nearest first.

        Each is given once, and those without a skill are not.
        """
        ...

    def find_settings(
        self, start: str, settings: Collection[SkillSettings]
    ) -> tuple[FoundSettings, ...]:
        """Give the files that direct which skills are seen, nearest first.

        They are looked for from `start` up to the repository's root; without one, at `start` only.
        """
        ...
