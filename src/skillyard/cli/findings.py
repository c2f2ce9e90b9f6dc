"""Mention findings of a command that is about something else."""

from collections.abc import Sequence
from shlex import quote

import click

from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.text import visible


def say_findings(location: str, diagnostics: Sequence[Diagnostic]) -> None:
    """Say on stderr that a skill has errors, and how to see them; silent if it has none."""
    errors = [one for one in diagnostics if one.severity is Severity.ERROR]
    if not errors:
        return
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    label = click.style("warning", fg="yellow", bold=True)
    first = errors[0]
    click.echo(f"{label}: {visible(first.message)} ({first.code}){more}", err=True)
    click.echo(f"hint: Run `skillyard check {visible(quote(location))}` to see all\n", err=True)
