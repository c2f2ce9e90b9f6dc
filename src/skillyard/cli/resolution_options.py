"""The options that say whose skills are wanted, and where they are looked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypedDict

import click

from skillyard.application.records import PROVIDERS
from skillyard.application.resolve import ResolveSkills
from skillyard.disclosure.tools import SKILLS_PATH
from skillyard.domain.resolution import Policy

Command = Callable[..., None]


class Places(TypedDict):
    """Where directories of skills are looked for."""

    project: Path | None
    include_user: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Whose skills are wanted, and where they are looked for."""

    wish: ResolveSkills
    places: Places


def asking_options(function: Command) -> Command:
    """Add the options of a question for someone's skills; hand over one `asked`."""

    @wraps(function)
    def with_asked(**said: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        function(asked=_read(said), **said)

    return _add((*_WHO, *_WHERE, *_HOW), with_asked)


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
    policy = Policy(
        widen=not said.pop("no_widen"),
        eager=said.pop("eager"),
        include_unavailable=said.pop("include_unavailable"),
        include_disabled=said.pop("include_disabled"),
    )
    names = {one: said.pop(one) for one in ("agent", "team", "workspace", "node", "provider")}
    path = said.pop("skills_path")
    wish = ResolveSkills(policy=policy, skills_path=path, **names)
    return Asked(wish=wish, places=_read_places(said))


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
        default=SKILLS_PATH,
        show_default=True,
        help="Where the agent sees the skills of the store.",
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
