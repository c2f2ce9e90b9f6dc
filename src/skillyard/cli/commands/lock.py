"""`skillyard lock`: write down which skills someone has now."""

from pathlib import Path

import click

from skillyard.bootstrap import open_shelf
from skillyard.cli.options import dry_run_option, echo_json, json_option
from skillyard.cli.resolution_options import Asked, asking_options
from skillyard.cli.resolution_view import say_warnings
from skillyard.cli.skills_view import count
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import TargetExistsError
from skillyard.domain.lock import render_lock
from skillyard.domain.text import visible


@click.command("lock")
@asking_options
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write.",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@dry_run_option
@json_option
def command(asked: Asked, output: Path, *, force: bool, dry_run: bool, as_json: bool) -> None:
    """Write down which skills someone has now, so that `skillyard resolve --lock` has them again.

    Each skill is kept with its version and its digest. Where something that is required cannot be
    had, nothing is written.
    """
    with opened_yard() as yard:
        resolved = asked.resolve(yard)
        if not as_json:
            say_warnings(resolved)
        lock = yard.lock_resolved(resolved, **asked.places)
    _write(render_lock(lock).encode(), output, force=force, dry_run=dry_run)
    if as_json:
        skills = [one.slug for one in lock.skills]
        told = {"path": str(output), "manifest_hash": lock.manifest_hash, "skills": skills}
        echo_json({**told, "dry_run": dry_run})
        return
    verb = "Would write" if dry_run else "Wrote"
    what = f"{count(len(lock.skills), 'skill')}, {lock.manifest_hash}"
    click.echo(f"{verb} {visible(str(output))}: {what}")


def _write(content: bytes, output: Path, *, force: bool, dry_run: bool) -> None:
    shelf = open_shelf()
    try:
        if not dry_run:
            shelf.put_file(content, output, replace=force)
        elif not force:
            shelf.require_free(output, directory=False)
    except TargetExistsError as error:
        if force or not output.is_file():
            raise
        raise TargetExistsError(error.path, hint="`--force` replaces it") from error
