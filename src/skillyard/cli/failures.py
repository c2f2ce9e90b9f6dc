"""Turn errors into words on stderr and an exit status.

With `--json`, a command that fails before it has told anything tells the error on stdout too.
"""

import errno
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final

import click

from skillyard.cli.colours import are_colours_unwanted
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.errors import (
    ConfigurationError,
    ConflictError,
    CorruptedContentError,
    InvalidInputError,
    InvalidPackageError,
    NotAllowedError,
    NotFoundError,
    ResolutionError,
    SkillyardError,
    StorageUnavailableError,
    UnavailableError,
)
from skillyard.domain.text import visible

STATUS: Final[tuple[tuple[type[SkillyardError], int], ...]] = (
    (InvalidInputError, 2),
    (NotFoundError, 3),
    (ConflictError, 4),
    (ResolutionError, 5),
    (NotAllowedError, 6),
    (CorruptedContentError, 7),
    (UnavailableError, 8),
    (ConfigurationError, 9),
)
"""The exit status of each branch of the error tree."""

_INTERNAL = 70
_NO_ROOM: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
_WANTS_JSON = "skillyard.wants-json"
_HAS_TOLD = "skillyard.has-told"


class HintedUsageError(click.UsageError):
    """A command that could not be understood, and what was probably meant."""

    def __init__(self, message: str, *, hints: Sequence[str], ctx: click.Context | None) -> None:
        super().__init__(message, ctx)
        self.hints = tuple(hints)


def note_json_wanted(ctx: click.Context) -> None:
    """Remember that a program reads standard output."""
    ctx.meta[_WANTS_JSON] = True


def note_told() -> None:
    """Remember that standard output has its JSON; there is no place for a second one."""
    ctx = click.get_current_context(silent=True)
    if ctx is not None:
        ctx.meta[_HAS_TOLD] = True


def add_hint(error: SkillyardError, hint: str) -> None:
    """Add what this command knows to what an error says."""
    error.hints = (*error.hints, hint)


def find_status(error: SkillyardError) -> int:
    """Give the exit status of an error; an invalid package is a finding, as in `check`."""
    if isinstance(error, InvalidPackageError):
        return 1
    return next((status for kind, status in STATUS if isinstance(error, kind)), _INTERNAL)


def report_failure(error: Exception) -> int:
    """Say on stderr what went wrong, and give the exit status."""
    tell_failure(error)
    error = _translate(error)
    if isinstance(error, click.ClickException):
        _say_usage(error)
        return error.exit_code
    if isinstance(error, SkillyardError):
        say_error(error)
        return find_status(error)
    return _report_internal(error)


def tell_failure(error: Exception) -> None:
    """Print an error as JSON, where that is wanted and nothing has been printed yet."""
    ctx = click.get_current_context(silent=True)
    if ctx is None or not ctx.meta.get(_WANTS_JSON) or ctx.meta.get(_HAS_TOLD):
        return
    from skillyard.skillmd.reports.jsontext import render_value

    ctx.meta[_HAS_TOLD] = True
    click.echo(render_value({"error": _to_json(_translate(error))}))


def _to_json(error: Exception) -> dict[str, object]:
    if isinstance(error, SkillyardError):
        return to_json_error(error)
    if isinstance(error, click.ClickException):
        hints = getattr(error, "hints", ())
        return {"code": "usage", "message": error.format_message(), "hints": hints}
    return {"code": SkillyardError.code, "message": str(error), "hints": ()}


def to_json_error(error: SkillyardError) -> dict[str, object]:
    """Give an error as JSON can hold it, with every finding."""
    told: dict[str, object] = {
        "code": error.code,
        "message": error.message,
        "hints": error.hints,
    }
    if isinstance(error, InvalidPackageError):
        from skillyard.skillmd.reports.jsonreport import to_json_finding

        told["diagnostics"] = [to_json_finding(one) for one in error.diagnostics]
    return told


def _translate(error: Exception) -> Exception:
    if not isinstance(error, OSError):
        return error
    if isinstance(error, FileNotFoundError) and error.filename is None and _is_here_gone():
        gone = StorageUnavailableError(".", reason="the working directory does not exist any more")
        gone.hints = ("Change to a directory that exists, and run the command again",)
        return gone
    place = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else "output"
    said = StorageUnavailableError(place, reason=error.strerror or "")
    if error.errno in _NO_ROOM:
        said.hints = ("Free some space, and run the command again",)
    return said


def _is_here_gone() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 (only asked whether there is one)
    except FileNotFoundError:
        return True
    return False


def _say_usage(error: click.ClickException) -> None:
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        _echo(error.format_message())
        return
    _echo(f"{_label()}: {visible(error.format_message())}")
    if isinstance(error, click.UsageError) and error.ctx is not None:
        _echo(f"\n{error.ctx.get_usage()}")
        for hint in getattr(error, "hints", ()):
            _echo(f"hint: {visible(hint)}")
        _echo(f"hint: Run `{error.ctx.command_path} --help` for what it takes")


def say_error(error: SkillyardError) -> None:
    """Say on stderr what went wrong, and what to do about it."""
    _echo(f"{_label()}: {visible(error.message)}")
    if isinstance(error, InvalidPackageError):
        for one in error.diagnostics:
            if one.severity is Severity.ERROR:
                _echo(f"  {one.code} {visible(_place(one) + one.message)}")
    for number, hint in enumerate(error.hints):
        gap = "" if number else "\n"
        _echo(f"{gap}hint: {visible(hint)}")


def _place(one: Diagnostic) -> str:
    where = f":{one.line}:{one.column}" if one.span else ""
    return f"{one.path}{where}: " if one.path else ""


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
