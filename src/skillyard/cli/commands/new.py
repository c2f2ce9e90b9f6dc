"""`skillyard new`: start a new skill."""

from pathlib import Path

import click

from skillyard.application.bundles import new_skill
from skillyard.bootstrap import open_shelf
from skillyard.cli.options import dry_run_option, json_option
from skillyard.cli.outcomes import echo_laid_out
from skillyard.domain.names import parse_name
from skillyard.domain.text import visible


@click.command("new")
@click.argument("name")
@click.option("--directory", is_flag=True, help="Add references/ and scripts/ beside SKILL.md.")
@click.option("--description", metavar="TEXT", help="What it does, and when to use it.")
@click.option(
    "--to",
    "parent",
    type=click.Path(path_type=Path, file_okay=False),
    default=".",
    show_default=True,
    help="Where the skill's directory is made.",
)
@dry_run_option
@json_option
def command(
    name: str,
    parent: Path,
    description: str | None,
    *,
    directory: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Start the skill NAME in a directory of that name.

    It passes `skillyard check --profile strict` as it is.
    """
    skill = parse_name(name, new=True)
    made = new_skill(
        skill,
        parent / skill,
        description=description,
        directory=directory,
        shelf=open_shelf(),
        dry_run=dry_run,
    )
    if as_json:
        echo_laid_out(made, dry_run=dry_run)
        return
    target = visible(str(made.target))
    click.echo(f"{'Would make' if dry_run else 'Made'} {target}")
    for path in made.files:
        click.echo(f"  {path}")
    if not dry_run:
        click.echo(f"Edit {target}/SKILL.md, then run: skillyard check {target}", err=True)
