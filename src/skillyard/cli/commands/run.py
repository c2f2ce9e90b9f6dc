"""`skillyard run`: run a program with exactly the skills that someone has."""

import os
from dataclasses import replace
from typing import Final

import click

from skillyard.cli.failures import say_error
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.present_logins import list_present
from skillyard.cli.run_options import AskedRun, run_options
from skillyard.cli.runs_view import (
    render_end,
    render_notes,
    render_plan,
    render_start,
    to_json_plan,
)
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import CommandNotStartedError
from skillyard.domain.run import Run

_NOT_FOUND: Final = 127
_NOT_EXECUTABLE: Final = 126


@click.command("run", context_settings={"allow_interspersed_args": False})
@run_options
@click.option("-q", "--quiet", is_flag=True, help="Say nothing besides what the program says.")
@dry_run_option
@json_option
def command(asked: AskedRun, *, quiet: bool, dry_run: bool, as_json: bool) -> None:
    """Run COMMAND with exactly the skills that someone has, and nothing else of yours.

    Write `--` before the command: skillyard run --agent reviewer -- codex exec "Review it".

    The program gets a home of its own with the skills in its own layout, your login, and a
    workspace. Its exit status is the status of this command. `--dry-run` prints what would be
    done; with `--json` as JSON.
    """
    if dry_run:
        _preview(asked, as_json=as_json)
        return
    if as_json:
        message = "what the program prints is its own; --receipt FILE writes the JSON"
        raise click.UsageError(message, click.get_current_context())
    try:
        status = _run(asked, quiet=quiet)
    except CommandNotStartedError as error:
        say_error(error)
        status = _NOT_FOUND if error.missing else _NOT_EXECUTABLE
    click.get_current_context().exit(status)


def _preview(asked: AskedRun, *, as_json: bool) -> None:
    with opened_yard() as yard:
        planned = yard.preview_run(asked.wish, **asked.places)
    logins = list_present(planned.plan.logins, os.environ)
    planned = replace(planned, plan=replace(planned.plan, logins=logins))
    if as_json:
        echo_json(to_json_plan(planned))
        return
    for line in render_plan(planned):
        click.echo(line)


def _run(asked: AskedRun, *, quiet: bool) -> int:
    told: set[str] = set()

    def say(*lines: str) -> None:
        for line in lines:
            if not quiet and line not in told:
                told.add(line)
                click.echo(line, err=True)

    def tell(run: Run) -> None:
        say(render_start(run), *render_notes(run.notes))

    with opened_yard() as yard:
        run = yard.run(asked.wish, **asked.places, tell=tell)
    say(*render_notes(run.notes), render_end(run))
    return run.exit_status or 0
