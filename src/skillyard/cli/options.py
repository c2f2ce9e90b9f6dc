"""Options and arguments that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from skillyard.cli.failures import note_json_wanted, note_told
from skillyard.domain.limits import PRESETS, STANDARD, Limits
from skillyard.skillmd.reports.jsontext import render_value

_Function = TypeVar("_Function", bound=Callable[..., Any])

PATH_HELP = (
    "PATH is a skill's directory, a directory of skills, a SKILL.md, a .zip, .tar.gz or .json"
    " bundle, or git:REPO[@REVISION][:PATH]."
)


def json_option(function: _Function) -> _Function:
    """Add `--json`."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        # Read first, so that it is known when another option is wrong.
        is_eager=True,
        callback=_note_json,
        help="Print JSON.",
    )(function)


def _note_json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:  # noqa: FBT001 (click's order)
    del param
    if value:
        note_json_wanted(ctx)
    return value


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


def dry_run_option(function: _Function) -> _Function:
    """Add `--dry-run`."""
    return click.option(
        "--dry-run", is_flag=True, help="Say what would be done, and change nothing."
    )(function)


def limits_option(function: _Function) -> _Function:
    """Add `--limits`, and hand the command the limits themselves: its own, or the settings'."""
    return click.option(
        "--limits",
        type=click.Choice(list(PRESETS)),
        callback=_to_limits,
        help="How large files and packages may be.  [default: as the settings say]",
    )(function)


def _to_limits(ctx: click.Context, param: click.Parameter, value: str | None) -> Limits:
    del param
    if value is not None:
        return PRESETS[value]
    if ctx.resilient_parsing:
        return STANDARD
    from skillyard.cli.store import find_settings

    return find_settings().limits


def echo_json(value: object) -> None:
    """Print a value as JSON; nothing that a terminal would act on is left in it."""
    note_told()
    click.echo(render_value(value))
