"""The options that say what is run, with whose skills, and where."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final, TypedDict

import click

from skillyard.application.resolve import ResolveSkills
from skillyard.application.run_wish import RunAgent
from skillyard.cli.hook_option import HookText
from skillyard.domain.delivery import OnInvalid
from skillyard.domain.errors import InvalidReceiptError, TargetExistsError
from skillyard.domain.lock import MOST_BYTES, Lock, parse_lock
from skillyard.domain.receipt import MOST_BYTES as RECEIPT_BYTES
from skillyard.domain.receipt import parse_receipt
from skillyard.domain.run import WorkspaceMode
from skillyard.providers.setting import PROVIDERS

Command = Callable[..., None]

_NO_RECEIPT: Final = "Only a receipt or an empty file is replaced; choose another place"
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


class RunPlaces(TypedDict):
    """Whose directories of skills count, and the lock that is followed instead."""

    include_project: bool
    include_user: bool
    lock: Lock | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRun:
    """What is to be run, and where its skills are looked for."""

    wish: RunAgent
    places: RunPlaces


class VariableText(click.ParamType[tuple[str, str]]):
    """A variable with its value as `NAME=VALUE`."""

    name = "variable"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """See `click.ParamType.convert`."""
        if isinstance(value, tuple):
            return value
        name, mark, text = str(value).partition("=")
        if not mark or not _NAME.fullmatch(name):
            self.fail("it must be NAME=VALUE", param, ctx)
        return name, text


class VariableName(click.ParamType[str]):
    """The name of a variable."""

    name = "name"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """See `click.ParamType.convert`."""
        if not _NAME.fullmatch(str(value)):
            self.fail(f"'{value}' is no name of a variable", param, ctx)
        return str(value)


def run_options(function: Command) -> Command:
    """Add the options of a run and its command; hand over one `asked`."""

    @wraps(function)
    def with_asked(**said: Any) -> None:  # noqa: ANN401 (whatever the command takes)
        function(asked=_read(said), **said)

    for option in reversed(_OPTIONS):
        with_asked = option(with_asked)
    return with_asked


def _read(said: dict[str, Any]) -> AskedRun:
    names = {one: said.pop(one) for one in ("agent", "team", "node")}
    project, is_nowhere = said.pop("project"), said.pop("no_project")
    mode, policy = said.pop("workspace"), said.pop("on_invalid")
    receipt = _find_receipt(said.pop("receipt"))
    wish = RunAgent(
        command=_require_program(said.pop("command")),
        skills=ResolveSkills(**names),
        project=str((project or Path()).absolute()),
        provider=said.pop("provider"),
        workspace=WorkspaceMode(mode) if mode else None,
        hooks=said.pop("hooks"),
        passed=said.pop("passed"),
        added=dict(said.pop("added")),
        on_invalid=OnInvalid(policy) if policy else None,
        keep=said.pop("keep"),
        receipt=receipt,
    )
    places = RunPlaces(
        include_project=not is_nowhere,
        include_user=not said.pop("no_user"),
        lock=_read_lock(said.pop("lock_file")),
    )
    return AskedRun(wish=wish, places=places)


def _require_program(command: tuple[str, ...]) -> tuple[str, ...]:
    if not command[0]:
        message = "the command is empty"
        raise click.UsageError(message, click.get_current_context())
    return command


def _find_receipt(path: Path | None) -> Path | None:
    """Make sure, before anything is done, that a receipt takes the place of another one at most."""
    if path is None:
        return None
    if path.is_symlink() or (path.exists() and not _is_receipt(path)):
        raise TargetExistsError(str(path), hint=_NO_RECEIPT)
    return path.absolute()


def _is_receipt(path: Path) -> bool:
    """Tell whether a receipt stands there, or an empty file, as `mktemp` makes it."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        content = file.read(RECEIPT_BYTES + 1)
    try:
        return not content or bool(parse_receipt(content, name=str(path)))
    except InvalidReceiptError:
        return False


def _read_lock(path: Path | None) -> Lock | None:
    if path is None:
        return None
    with path.open("rb") as file:
        return parse_lock(file.read(MOST_BYTES + 1), name=str(path))


_OPTIONS = (
    click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED),
    click.option("--agent", metavar="NAME", help="With the skills of an agent."),
    click.option("--team", metavar="NAME", help="With the skills of a team."),
    click.option("--node", metavar="NAME", help="With the skills at a node of a workflow."),
    click.option(
        "--provider",
        type=click.Choice(PROVIDERS),
        metavar="CLIENT",
        help="The client that the command starts, where it does not say so itself; `prompt` for a"
        " program that reads skills as text.",
    ),
    click.option(
        "--workspace",
        type=click.Choice([one.value for one in WorkspaceMode]),
        help="What it works on.  [default: a work tree in a repository of git, otherwise empty]",
    ),
    click.option(
        "--project",
        type=click.Path(path_type=Path, exists=True, file_okay=False),
        help="Where it works, and whose skills count.  [default: the working directory]",
    ),
    click.option("--no-project", is_flag=True, help="The project's skills do not count."),
    click.option("--no-user", is_flag=True, help="Skills in your own directories do not count."),
    click.option(
        "--lock",
        "lock_file",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="With exactly the skills of a lock.",
    ),
    click.option(
        "--hook",
        "hooks",
        type=HookText(),
        metavar="STAGE=COMMAND",
        multiple=True,
        help="Run COMMAND at a stage: pre_init, init, post_init or post_run; say it for each.",
    ),
    click.option(
        "--pass",
        "passed",
        type=VariableName(),
        metavar="NAME",
        multiple=True,
        help="Pass on a variable that would be held back; say it for each.",
    ),
    click.option(
        "--env",
        "added",
        type=VariableText(),
        metavar="NAME=VALUE",
        multiple=True,
        help="Set a variable; say it for each.",
    ),
    click.option(
        "--on-invalid",
        type=click.Choice([one.value for one in OnInvalid]),
        help="What to do about a skill that cannot be delivered and is not required."
        "  [default: as the settings say]",
    ),
    click.option("--keep", is_flag=True, help="Keep the run's directory."),
    click.option(
        "--receipt",
        type=click.Path(path_type=Path, dir_okay=False),
        help="Write what is known of the run into this file, as JSON; an older receipt there is"
        " replaced.",
    ),
)
