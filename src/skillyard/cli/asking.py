"""Ask the person at the terminal; what is asked goes to stderr."""

import sys

import click

from skillyard.domain.errors import ConfirmationNeededError


def is_someone_there() -> bool:
    """Tell whether a person can be asked."""
    return bool(sys.stdin and sys.stdin.isatty())


def ask(question: str) -> str:
    """Give the answer in lower case; where the input ends, the command does too."""
    click.echo(f"{question} ", nl=False, err=True)
    answer = sys.stdin.readline()
    if not answer:
        raise click.Abort
    return answer.strip().lower()


def is_confirmed(question: str, *, what: str) -> bool:
    """Ask whether `what` may be done; anything but a yes is a no.

    Raises:
        ConfirmationNeededError: Nobody is there.
    """
    if not is_someone_there():
        raise ConfirmationNeededError(what)
    return ask(f"{question} [y/N]") in {"y", "yes"}
