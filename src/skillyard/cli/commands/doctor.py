"""`skillyard doctor`: look for damage in the store."""

from collections import Counter

import click

from skillyard.application.doctor import Examined, StoreFault
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.progress import Progress
from skillyard.cli.yard import opened_yard
from skillyard.domain.text import visible


@click.command("doctor")
@json_option
@click.pass_context
def command(ctx: click.Context, *, as_json: bool) -> None:
    """Look for damage in the store: read every byte, and compare it with what was kept.

    Nothing is changed. The exit status is 1 if anything is wrong.
    """
    counts: Counter[str] = Counter()
    faults: list[StoreFault] = []
    with opened_yard() as yard:
        about = yard.describe()
        for examined in Progress("Looked at").counting(yard.examine()):
            _take_down(examined, counts, faults)
    if as_json:
        echo_json(
            {
                "engine": about.engine,
                "database": about.place,
                "schema": about.schema,
                "packages": counts["package"],
                "skills": counts["skill"],
                "faults": [
                    {"place": one.place, "message": one.message, "hint": one.hint} for one in faults
                ],
            }
        )
    else:
        _print(f"{about.engine}, {about.place}, schema {about.schema}", counts, faults)
    ctx.exit(1 if faults else 0)


def _take_down(examined: Examined, counts: Counter[str], faults: list[StoreFault]) -> None:
    counts[examined.kind] += 1
    faults.extend(examined.faults)


def _print(about: str, counts: Counter[str], faults: list[StoreFault]) -> None:
    click.echo(f"Database  {visible(about)}")
    click.echo(f"Looked at {_count(counts, 'skill')} and {_count(counts, 'package')}")
    for fault in faults:
        mark = click.style("✗", fg="red")
        click.echo(f"{mark} {visible(fault.place)}: {visible(fault.message)}")
        click.echo(f"  {fault.hint}")
    if not faults:
        click.echo(click.style("✓", fg="green") + " Nothing is wrong")


def _count(counts: Counter[str], kind: str) -> str:
    return f"{counts[kind]:,} {kind}{'s' * (counts[kind] != 1)}"
