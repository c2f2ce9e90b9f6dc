"""Turn errors into words on stderr and an exit status."""

import os
import sys
import traceback
from typing import Final

import click

from skillyard.domain.errors import (
    ConflictError,
    CorruptedContentError,
    InvalidInputError,
    InvalidPackageError,
    SkillyardError,
    UnavailableError,
)
from skillyard.domain.text import visible

STATUS: Final[tuple[tuple[type[SkillyardError], int], ...]] = (
    (InvalidInputError, 2),
    (ConflictError, 4),
    (CorruptedContentError, 7),
    (UnavailableError, 8),
)
"""The exit status of each branch of the error tree."""

_INTERNAL = 70


def find_status(error: SkillyardError) -> int:
    """Give the exit status of an error; an invalid package is a finding, as in `check`."""
    if isinstance(error, InvalidPackageError):
        return 1
    return next((status for kind, status in STATUS if isinstance(error, kind)), _INTERNAL)


def report_failure(error: Exception) -> int:
    """Say on stderr what went wrong, and give the exit status."""
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code
    if isinstance(error, SkillyardError):
        _say(error)
        return find_status(error)
    return _report_internal(error)


def _say(error: SkillyardError) -> None:
    label = click.style("error", fg="red", bold=True)
    click.echo(f"{label}: {visible(error.message)}", err=True)
    if isinstance(error, InvalidPackageError):
        for one in error.diagnostics:
            place = f"{one.path}: " if one.path else ""
            click.echo(f"  {one.code} {visible(place + one.message)}", err=True)
    for number, hint in enumerate(error.hints):
        gap = "" if number else "\n"
        click.echo(f"{gap}hint: {visible(hint)}", err=True)


def _report_internal(error: Exception) -> int:
    label = click.style("error", fg="red", bold=True)
    click.echo(f"{label}: something went wrong inside skillyard: {visible(str(error))}", err=True)
    if os.environ.get("SKILLYARD_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    else:
        click.echo("\nhint: Set SKILLYARD_DEBUG=1 to see where, and report it", err=True)
    return _INTERNAL
