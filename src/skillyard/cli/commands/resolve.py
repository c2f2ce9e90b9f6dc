"""`skillyard resolve`: say which skills someone has now."""

import click

from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_options import (
    Asked,
    asking_options,
    lock_option,
    project_path_option,
)
from skillyard.cli.resolution_view import (
    render_decisions,
    render_summary,
    say_links,
    say_warnings,
    to_json_resolved,
)
from skillyard.cli.yard import opened_yard
from skillyard.domain.resolution import Disposition


@click.command("resolve")
@asking_options
@project_path_option
@lock_option
@click.option("--all", "show_all", is_flag=True, help="Show excluded skills as well.")
@json_option
def command(asked: Asked, *, show_all: bool, as_json: bool) -> None:
    """Say which skills someone has now, in their order, and why.

    Without an option that names someone, these are the skills that everyone has. The JSON has every
    candidate.
    """
    resolved = _resolve(asked, as_json=as_json)
    if as_json:
        echo_json(to_json_resolved(resolved))
    else:
        _print(resolved, show_all=show_all)
        say_warnings(resolved)
        say_links(resolved.findings)
    resolved.require_complete()


def _resolve(asked: Asked, *, as_json: bool) -> ResolvedSkills:
    with opened_yard() as yard:
        resolved = asked.resolve(yard)
        return yard.with_files(resolved) if as_json else resolved


def _print(resolved: ResolvedSkills, *, show_all: bool) -> None:
    shown = [
        one
        for one in resolved.resolution.decisions
        if show_all or one.disposition is not Disposition.EXCLUDED
    ]
    broken = resolved.broken if show_all else ()
    if shown or broken:
        click.echo("\n".join(render_decisions(shown, broken)) + "\n")
    for line in render_summary(resolved):
        click.echo(line)
