"""`skillyard unpack`: lay a packed skill out."""

from pathlib import Path

import click

from skillyard.application.bundles import unpack_skill
from skillyard.bootstrap import open_shelf
from skillyard.cli.findings import say_findings
from skillyard.cli.options import dry_run_option, json_option, limits_option
from skillyard.cli.outcomes import count_files, echo_laid_out
from skillyard.cli.sources import open_place
from skillyard.domain.limits import Limits
from skillyard.domain.text import visible
from skillyard.skillmd.check import Judgement


@click.command("unpack")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option(
    "-d",
    "--directory",
    type=click.Path(path_type=Path, file_okay=False),
    help="The directory to make; by default, the skill's name. It may exist if it is empty.",
)
@limits_option
@dry_run_option
@json_option
def command(
    source: str, directory: Path | None, limits: Limits, *, dry_run: bool, as_json: bool
) -> None:
    """Lay the skill in FILE out as a directory.

    FILE is read into memory and checked first: a file that holds anything unsafe leaves nothing
    behind. It may also be git:REPO[@REVISION][:PATH].
    """
    made = unpack_skill(
        open_place(source, limits=limits),
        directory,
        shelf=open_shelf(),
        dry_run=dry_run,
        judgement=Judgement(limits=limits),
    )
    if as_json:
        echo_laid_out(made, dry_run=dry_run)
        return
    say_findings(source, made.diagnostics)
    verb = "Would make" if dry_run else "Made"
    click.echo(f"{verb} {visible(str(made.target))}: {count_files(made.files)}, {made.digest}")
