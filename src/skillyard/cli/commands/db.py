"""`skillyard db`: show and upgrade the database."""

import os
from pathlib import Path

import click

from skillyard.bootstrap import upgrade_store
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.store import find_overrides
from skillyard.domain.text import visible
from skillyard.settings import read_settings


@click.group("db")
def command() -> None:
    """Show and upgrade the database."""


@command.command("upgrade")
@dry_run_option
@json_option
def upgrade(*, dry_run: bool, as_json: bool) -> None:
    """Bring the database's schema up to date; one that is, is left alone.

    Skillyard does this by itself when it opens a database, unless the setting `database-upgrade` is
    false.
    """
    settings = read_settings(
        environment=os.environ, directory=Path.cwd(), overrides=find_overrides()
    )
    upgraded = upgrade_store(settings, dry_run=dry_run)
    if as_json:
        echo_json(
            {
                "database": upgraded.place,
                "before": upgraded.before,
                "after": upgraded.after,
                "dry_run": dry_run,
            }
        )
        return
    place = visible(upgraded.place)
    if upgraded.before == upgraded.after:
        click.echo(f"{place}: the schema is {upgraded.after}, the newest")
        return
    verb = "would be upgraded" if dry_run else "was upgraded"
    click.echo(f"{place}: the schema {verb} from {upgraded.before} to {upgraded.after}")
