"""Turn errors into words on stderr and an exit status."""

import os
import sys
import traceback
from typing import Final

import click

from skillyard.cli.colours import are_colours_unwanted
from skillyard.domain.diagnostic import Severity
from skillyard.domain.errors import (
    ConfigurationError,
    ConflictError,
    CorruptedContentError,
    InvalidInputError,
    InvalidPackageError,
    NotAllowedError,
    NotFoundError,
    SkillyardError,
    StorageUnavailableError,
    UnavailableError,
)
from skillyard.domain.text import visible

STATUS: Final[tuple[tuple[type[SkillyardError], int], ...]] = (
    (InvalidInputError, 2),
    (NotFoundError, 3),
    (ConflictError, 4),
    (NotAllowedError, 6),
    (CorruptedContentError, 7),
    (UnavailableError, 8),
    (ConfigurationError, 9),
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
        _say_usage(error)
        return error.exit_code
    if isinstance(error, OSError):
        error = StorageUnavailableError(error.filename or "output", reason=error.strerror or "")
    if isinstance(error, SkillyardError):
        say_error(error)
        return find_status(error)
    return _report_internal(error)


def _say_usage(error: click.ClickException) -> None:
    _echo(f"{_label()}: {visible(error.format_message())}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        _echo(f"\n{error.ctx.get_usage()}")
        _echo(f"hint: Run `{error.ctx.command_path} --help` for what it takes")


def say_error(error: SkillyardError) -> None:
    """Say on stderr what went wrong, and what to do about it."""
    _echo(f"{_label()}: {visible(error.message)}")
    if isinstance(error, InvalidPackageError):
        for one in error.diagnostics:
            if one.severity is Severity.ERROR:
                place = f"{one.path}: " if one.path else ""
                _echo(f"  {one.code} {visible(place + one.message)}")
    for number, hint in enumerate(error.hints):
        gap = "" if number else "\n"
        _echo(f"{gap}hint: {visible(hint)}")


def _label() -> str:
    return click.style("error", fg="red", bold=True)


def _echo(text: str) -> None:
    click.echo(text, err=True, color=False if are_colours_unwanted() else None)


def _report_internal(error: Exception) -> int:
    _echo(f"{_label()}: something went wrong inside skillyard: {visible(str(error))}")
    if os.environ.get("SKILLYARD_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    else:
        _echo("\nhint: Set SKILLYARD_DEBUG=1 to see where, and report it")
    return _INTERNAL
