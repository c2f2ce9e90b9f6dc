"""The options that say whose skills are wanted, and where they are looked for."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypedDict

import click

from skillyard.application.records import PROVIDERS
from skillyard.application.resolve import ResolvedSkills, ResolveSkills
from skillyard.disclosure import see_below
from skillyard.disclosure.tools import SKILLS_PATH
from skillyard.domain.lock import MOST_BYTES, parse_lock
from skillyard.yard import Skillyard

Command = Callable[..., None]


class Places(TypedDict):
    """Where directories of skills are looked for."""

    project: Path | None
    include_user: bool


class Flags(TypedDict):
    """What flags say of the policy; the rest is as the settings say."""

    widen: bool
    eager: bool
    include_unavailable: bool
    include_disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whose skills are wanted, where they are looked for, and where the agent sees the project.

    With a `lock_file`, they are the skills of that lock.
    """

    wish: ResolveSkills
    policy: Flags
    places: Places
    project_path: str | None = None
    lock_file: Path | None = None

    def find_skills_path(self, yard: Skillyard) -> str:
        """Give where the agent sees the skills of the store."""
        return yard.find_skills_path(self.wish) or SKILLS_PATH

    def resolve(self, yard: Skillyard, *, named: tuple[str, ...] = ()) -> ResolvedSkills:
        """Resolve, with every skill at the path where the agent sees it."""
        wish = replace(
            self.wish,
            named=named,
            policy=replace(yard.policy, **self.policy),
            skills_path=self.find_skills_path(yard),
        )
        if self.lock_file is not None:
            resolved = self._replay(self.lock_file, yard, wish.skills_path)
        else:
            resolved = yard.resolve(wish, **self.places)
        project = self.places["project"]
        if project is None or not self.project_path:
            return resolved
        here = os.path.abspath(project)  # noqa: PTH100 - no links followed
        seen = see_below(resolved.resolution, here, self.project_path)
        return replace(resolved, resolution=seen)

    def _replay(self, path: Path, yard: Skillyard, skills_path: str | None) -> ResolvedSkills:
        with path.open("rb") as file:
            lock = parse_lock(file.read(MOST_BYTES + 1), name=str(path))
        return yard.resolve_lock(lock, name=str(path), skills_path=skills_path, **self.places)


def asking_options(function: Command) -> Command:
    """Add the options of a question for someone's skills; hand over one `asked`."""

    @wraps(function)
    def with_asked(**said: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        function(asked=_read(said), **said)

    return _add((*_WHO, *_WHERE, *_HOW), with_asked)


def project_path_option(function: Command) -> Command:
    """Add where the agent sees the project, to a command that has `asking_options`."""
    says = "Where the agent sees the project.  [default: where it is]"
    return click.option("--project-path", metavar="PATH", help=says)(function)


def lock_option(function: Command) -> Command:
    """Add the lock whose skills are wanted, to a command that has `asking_options`."""
    return click.option(
        "--lock",
        "lock_file",
        metavar="FILE",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="Have the skills of a lock again, whoever they were for.",
    )(function)


def place_options(function: Command) -> Command:
    """Add where directories of skills are looked for; hand over one `places`."""

    @wraps(function)
    def with_places(**said: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        function(places=_read_places(said), **said)

    return _add(_WHERE, with_places)


def _add(options: Sequence[Callable[[Command], Command]], function: Command) -> Command:
    for option in reversed(options):
        function = option(function)
    return function


def _read_places(said: dict[str, Any]) -> Places:
    project, is_nowhere = said.pop("project"), said.pop("no_project")
    if is_nowhere and project is not None:
        message = "--project and --no-project exclude each other"
        raise click.UsageError(message, click.get_current_context())
    place = None if is_nowhere else project or Path()
    return Places(project=place, include_user=not said.pop("no_user"))


def _read(said: dict[str, Any]) -> Asked:
    policy = Flags(
        widen=not said.pop("no_widen"),
        eager=said.pop("eager"),
        include_unavailable=said.pop("include_unavailable"),
        include_disabled=said.pop("include_disabled"),
    )
    names = {one: said.pop(one) for one in ("agent", "team", "workspace", "node", "provider")}
    wish = ResolveSkills(skills_path=said.pop("skills_path") or None, **names)
    seen = said.pop("project_path", None)
    lock_file = said.pop("lock_file", None)
    places = _read_places(said)
    return Asked(wish=wish, policy=policy, places=places, project_path=seen, lock_file=lock_file)


_WHO = (
    click.option("--agent", metavar="NAME", help="The skills of an agent."),
    click.option("--team", metavar="NAME", help="The skills of a team."),
    click.option("--workspace", metavar="NAME", help="The skills of a workspace."),
    click.option("--node", metavar="NAME", help="The skills at a node of a workflow."),
    click.option(
        "--provider",
        type=click.Choice(PROVIDERS),
        metavar="CLIENT",
        help="The client that the agent runs in.",
    ),
)
_HOW = (
    click.option("--eager", is_flag=True, help="Whole instructions are loaded at the start."),
    click.option(
        "--no-widen", is_flag=True, help="High confidence gives a skill to nobody by itself."
    ),
    click.option(
        "--include-unavailable", is_flag=True, help="Also skills whose commands are missing."
    ),
    click.option("--include-disabled", is_flag=True, help="Also skills that are disabled."),
    click.option(
        "--skills-path",
        metavar="PATH",
        help="Where the agent sees the skills of the store.  [default: as its sandbox says, or"
        f" {SKILLS_PATH}]",
    ),
)
_WHERE = (
    click.option(
        "--project",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="The project whose skills count.  [default: the working directory]",
    ),
    click.option("--no-project", is_flag=True, help="No project's skills."),
    click.option("--no-user", is_flag=True, help="No skills from your own directories."),
)
