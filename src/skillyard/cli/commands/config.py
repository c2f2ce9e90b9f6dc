"""`skillyard config`: show the settings and where each comes from."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.store import find_overrides, find_settings
from skillyard.cli.tables import measure, render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.text import visible
from skillyard.settings import PROJECT_FILE, SettingsFiles, find_settings_files

_Row = tuple[str, str, str]

_HEADERS = ("Setting", "Value", "Origin")
_SHORT = 16
_GAPS = 4


@click.group("config", cls=KnowingGroup)
def command() -> None:
    """Show the settings and where each comes from."""


@command.command("show")
@json_option
def show(*, as_json: bool) -> None:
    """Show every setting, its value, and where the value comes from.

    A password in the URL of a database is not shown.
    """
    shown = find_settings().shown
    if as_json:
        echo_json({"settings": [one.to_json() for one in shown]})
        return
    rows = [(one.name, _render(one.value), one.origin) for one in shown]
    for line in _render_rows(rows, find_width()):
        click.echo(line)


def _render_rows(rows: Sequence[_Row], width: int | None) -> list[str]:
    """Give a table; where it does not fit, rows with long texts are several lines instead."""
    table = render_table(_HEADERS, rows, width=None)
    if width is None or max(map(measure, table)) <= width:
        return table
    short = [one for one in rows if _is_short(one, width - max(len(name) for name, _, _ in rows))]
    header, *lines = render_table(_HEADERS, short, width=None)
    fitting = dict(zip(short, lines, strict=True))
    return [header, *(line for one in rows for line in _find_lines(one, fitting))]


def _is_short(row: _Row, room: int) -> bool:
    _, value, origin = row
    return measure(visible(value)) <= _SHORT and measure(visible(origin)) <= room - _SHORT - _GAPS


def _find_lines(row: _Row, fitting: Mapping[_Row, str]) -> Sequence[str]:
    name, value, origin = row
    if row in fitting:
        return (fitting[row],)
    return (name, f"  {visible(value)}", f"  {visible(origin)}")


@command.command("path")
@json_option
def path(*, as_json: bool) -> None:
    """Show where the files with settings are looked for, and whether they exist."""
    files = find_settings_files(
        environment=os.environ, directory=Path.cwd(), overrides=find_overrides()
    )
    if as_json:
        echo_json(_to_json(files))
        return
    missing = "" if files.has_user else " (does not exist)"
    click.echo(f"user file     {visible(str(files.user))}{missing}")
    none = f"none: there is no {PROJECT_FILE} in {Path.cwd()} or above it"
    click.echo(f"project file  {visible(str(files.project or none))}")


def _render(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _to_json(files: SettingsFiles) -> dict[str, object]:
    return {
        "user": {"path": str(files.user), "exists": files.has_user},
        "project": {
            "path": str(files.project) if files.project else None,
            "exists": files.project is not None,
        },
    }
