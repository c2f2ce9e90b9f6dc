"""The command's front door: finds the subcommand, and turns errors into words and exit status.

Nothing is imported here that `--help` and `--version` do not need.
"""

import os
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Final

import click

from skillyard import __version__
from skillyard.cli.colours import are_colours_unwanted

_INTERRUPTED: Final = 130
_READER_GONE: Final = 141

COMMANDS: Final = {
    "check": "Find everything that is wrong with skills, and fix what can be fixed",
    "digest": "Print the digest of a skill's content",
    "new": "Start a new skill",
    "pack": "Write a skill as one file: .zip, .tar.gz or .json",
    "show": "Show one skill: what it says, what it holds, who will load it",
    "unpack": "Lay a packed skill out as a directory",
}
"""Every subcommand with its one line of help; the module has the same name."""


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """See `click.Group.list_commands`."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """See `click.Group.get_command`."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"skillyard.cli.commands.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group.format_commands`."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Run `skillyard COMMAND --help` for what a command takes.",
)
@click.version_option(__version__, prog_name="skillyard")
def command() -> None:
    """Keep, check and deliver agent skills."""


def main() -> None:
    """Run the command and exit with its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What the terminal's encoding cannot show is shown as an escape.
            stream.reconfigure(errors="backslashreplace")
    try:
        colours = False if are_colours_unwanted() else None
        status = command.main(prog_name="skillyard", standalone_mode=False, color=colours)
        sys.stdout.flush()
    except SystemExit as leave:
        status = _READER_GONE if _is_reader_gone() else leave.code
    except click.Abort:
        click.echo("interrupted", err=True)
        status = _INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the edge of the program)
        from skillyard.cli.failures import report_failure

        status = report_failure(error)
        _forget_output()
    sys.exit(status if isinstance(status, int) else 0)


def _is_reader_gone() -> bool:
    # Where nobody reads our output any more, click wraps it so that closing it does not complain.
    return type(sys.stdout).__name__ == "PacifyFlushWrapper"


def _forget_output() -> None:
    # What could not be written (a full disk) cannot be written at exit either.
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
