"""Options and arguments that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from skillyard.domain.limits import PRESETS, Limits
from skillyard.skillmd.reports.jsontext import render_value

_Function = TypeVar("_Function", bound=Callable[..., Any])

PATH_HELP = (
    "PATH is a skill's directory, a directory of skills, a SKILL.md, a .zip, .tar.gz or .json"
    " bundle, or git:REPO[@REVISION][:PATH]."
)


def json_option(function: _Function) -> _Function:
    """Add `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def dry_run_option(function: _Function) -> _Function:
    """Add `--dry-run`."""
    return click.option(
        "--dry-run", is_flag=True, help="Say what would be done, and change nothing."
    )(function)


def limits_option(function: _Function) -> _Function:
    """Add `--limits`, and hand the command the limits themselves."""
    return click.option(
        "--limits",
        type=click.Choice(list(PRESETS)),
        default="standard",
        show_default=True,
        callback=_to_limits,
        help="How large files and packages may be.",
    )(function)


def _to_limits(ctx: click.Context, param: click.Parameter, value: str) -> Limits:
    del ctx, param
    return PRESETS[value]


def echo_json(value: object) -> None:
    """Print a value as JSON; nothing that a terminal would act on is left in it."""
    click.echo(render_value(value))
