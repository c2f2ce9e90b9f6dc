"""The command's front door: finds the subcommand, and turns errors into words and exit status.

Nothing is imported here that `--help` and `--version` do not need.
"""

import gc
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Final

import click

from skillyard import __version__
from skillyard.cli.colours import are_colours_unwanted
from skillyard.cli.streams import prepare_streams

_INTERRUPTED: Final = 130
_READER_GONE: Final = 141
_COLLECT_AFTER: Final = 200_000

SECTIONS: Final = {
    "Files": {
        "check": "Find everything that is wrong with skills, and fix what can be fixed",
        "digest": "Print the digest of a skill's content",
        "new": "Start a new skill",
        "pack": "Write a skill as one file: .zip, .tar.gz or .json",
        "unpack": "Lay a packed skill out as a directory",
    },
    "The store": {
        "add": "Save skills from directories; a known one gets a new version",
        "list": "List the skills of the store",
        "show": "Show one skill: what it says, what it holds, who will load it",
        "edit": "Edit a skill, or what is known about it",
        "files": "List, print, add and remove the files of a skill",
        "history": "List the versions of a skill",
        "diff": "Compare two versions of a skill",
        "rollback": "Make an older version of a skill current again",
        "duplicate": "Copy a skill under another name",
        "enable": "Let skills be used again",
        "disable": "Keep skills from being used",
        "archive": "Put skills away, or take them out again",
        "delete": "Delete skills",
        "import": "Take skills in from elsewhere, after a look at them",
        "export": "Write skills of the store as files or directories",
    },
    "Who gets what": {
        "assign": "Give skills to an agent, a team, a node, a workspace or everyone",
        "unassign": "Take skills away again",
        "reorder": "Put the skills of someone into another order",
        "agents": "Keep the agents",
        "teams": "Keep the teams",
        "nodes": "Keep the nodes of workflows",
        "workspaces": "Keep the workspaces",
    },
    "What an agent sees": {
        "resolve": "Say which skills someone has now, and why",
        "explain": "Say what would have to change for a skill to be loaded, or not",
        "prompt": "Print what an agent is told of its skills at the start",
        "use": "Answer what an agent asks about one skill",
        "lock": "Write down which skills someone has now",
        "skill": "Show the skills of every source",
        "search": "Find skills by words",
        "match": "Find the skills that fit a task",
    },
    "Runs": {
        "run": "Run a program with exactly the skills that someone has",
        "runs": "Show past runs, compare them, and have their skills again",
        "deliver": "Lay someone's skills out in a directory, as a client reads them",
    },
    "Looking after it": {
        "audit": "Show who changed what, and when",
        "config": "Show the settings and where each comes from",
        "db": "Show and upgrade the database",
        "doctor": "Look for damage in the store, byte by byte",
        "gc": "Remove what nobody needs any more",
    },
}
"""Every subcommand with its one line of help, in the order of the help page."""
COMMANDS: Final = {name: text for part in SECTIONS.values() for name, text in part.items()}
_MODULES: Final = {"import": "take_in", "gc": "collect"}
"""Modules that cannot have the name of their command."""
_OPTIONS: Final = {"help": "--help", "version": "--version"}
"""What other programs have as commands."""


class KnowingGroup(click.Group):
    """A group that knows what was probably meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See `click.Group.resolve_command`."""
        name = args[0]
        is_known = name.startswith("-") or self.get_command(ctx, name) is not None
        if is_known or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from skillyard.cli.failures import HintedUsageError

        hints = [f"Did you mean `{one}`?" for one in self._guess(ctx, name)]
        message = f"there is no command `{name}`"
        raise HintedUsageError(message, hints=hints, ctx=ctx)

    def _guess(self, ctx: click.Context, name: str) -> Iterator[str]:
        from difflib import get_close_matches

        known = self.list_commands(ctx)
        near = get_close_matches(name, [*known, *_OPTIONS], n=1)
        for one in near:
            yield f"{ctx.command_path} {_OPTIONS.get(one, one)}"


class LazyGroup(KnowingGroup):
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
        module = _MODULES.get(cmd_name, cmd_name)
        command = import_module(f"skillyard.cli.commands.{module}").command
        return command if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> object:
        """See `click.Group.invoke`."""
        try:
            return super().invoke(ctx)
        except (click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            # Here it is still known what the command was asked for.
            from skillyard.cli.failures import tell_failure

            tell_failure(error)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """See `click.Group.format_commands`."""
        del ctx
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Run `skillyard COMMAND --help` for what a command takes.",
)
@click.version_option(__version__, prog_name="skillyard")
@click.option("--home", metavar="DIR", help="The directory of the embedded database and settings.")
@click.option("--database-url", metavar="URL", help="The database: sqlite:///… or postgresql://…")
@click.option("--actor", metavar="NAME", help="Who is at work, for the log of changes.")
@click.option("--roots", metavar="DIR[:DIR]...", help="Further directories of skills.")
@click.option("--eager-limit", metavar="N", help="How many skills are loaded whole, at most.")
@click.option("--listed-limit", metavar="N", help="How many skills a prompt names, at most.")
@click.option("--injected-characters", metavar="N", help="The room of descriptions always shown.")
@click.option(
    "--window-share", metavar="N", help="Skills' part of a context window, in hundredths."
)
@click.pass_context
def command(ctx: click.Context, /, **settings: str | None) -> None:
    """Keep, check and deliver agent skills."""
    said = {name.replace("_", "-"): value for name, value in settings.items() if value is not None}
    ctx.obj = said


def main() -> None:
    """Run the command and exit with its status."""
    # A command lives briefly, and makes many values and few cycles.
    gc.set_threshold(_COLLECT_AFTER)
    prepare_streams()
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
