"""`skillyard db`: show, upgrade and copy the database."""

from collections import Counter

import click

from skillyard.application.doctor import StoreFault, examine_store
from skillyard.bootstrap import copy_store, open_copy, upgrade_store
from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.progress import Progress
from skillyard.cli.store import find_settings, opened_store
from skillyard.domain.text import visible


@click.group("db", cls=KnowingGroup)
def command() -> None:
    """Show, upgrade and copy the database."""


@command.command("show")
@json_option
def show(*, as_json: bool) -> None:
    """Show which database is used: its engine, where it is, and its schema.

    One that is older is upgraded first, unless the setting `database-upgrade` is false.
    """
    with opened_store() as store:
        about = store.describe()
    if as_json:
        echo_json({"engine": about.engine, "database": about.place, "schema": about.schema})
        return
    facts = (("Engine", about.engine), ("Database", about.place), ("Schema", about.schema))
    for label, value in facts:
        click.echo(f"{label:<8}  {visible(value)}")


@command.command("upgrade")
@dry_run_option
@json_option
def upgrade(*, dry_run: bool, as_json: bool) -> None:
    """Bring the database's schema up to date; one that is, is left alone.

    Skillyard does this by itself when it opens a database, unless the setting `database-upgrade` is
    false.
    """
    upgraded = upgrade_store(find_settings(), dry_run=dry_run)
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


@command.command("copy")
@click.option("--to", "url", required=True, metavar="URL", help="The empty database to copy into.")
@dry_run_option
@json_option
@click.pass_context
def copy(ctx: click.Context, *, url: str, dry_run: bool, as_json: bool) -> None:
    """Copy the whole store into an empty database, of either engine, and examine the copy.

    Everything comes along: ids, versions, assignments, records, the log. Nothing is kept there
    unless all of it is. The store itself is not changed. The exit status is 1 if the copy is not
    sound.
    """
    rows = Counter(Progress("Copied").counting(copy_store(find_settings(), url, dry_run=dry_run)))
    faults = [] if dry_run else _examine(url)
    if as_json:
        told = [{"place": one.place, "message": one.message, "hint": one.hint} for one in faults]
        echo_json({"rows": dict(rows), "faults": told, "dry_run": dry_run})
    else:
        _print_copied(rows, faults, dry_run=dry_run)
    ctx.exit(1 if faults else 0)


def _examine(url: str) -> list[StoreFault]:
    store = open_copy(url)
    try:
        looked_at = Progress("Looked at").counting(examine_store(store=store))
        return [fault for one in looked_at for fault in one.faults]
    finally:
        store.close()


def _print_copied(rows: Counter[str], faults: list[StoreFault], *, dry_run: bool) -> None:
    verb = "Would copy" if dry_run else "Copied"
    said = ", ".join(f"{count:,} of {table}" for table, count in sorted(rows.items()))
    total = rows.total()
    click.echo(f"{verb} {total:,} row{'s' * (total != 1)}{f': {said}' if said else ''}")
    for fault in faults:
        click.echo(f"{click.style('✗', fg='red')} {visible(fault.place)}: {visible(fault.message)}")
    if not faults and not dry_run:
        click.echo(click.style("✓", fg="green") + " Nothing is wrong with the copy")
