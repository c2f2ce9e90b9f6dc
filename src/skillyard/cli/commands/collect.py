"""`skillyard gc`: remove what nobody needs any more."""

from collections.abc import Iterator

import click

from skillyard.application.collect import Collected, RemovedRoot
from skillyard.cli.options import WholeNumber, dry_run_option, echo_json, json_option
from skillyard.cli.runs_view import show_path
from skillyard.cli.skills_view import count
from skillyard.cli.yard import opened_yard
from skillyard.domain.limits import LARGEST_NUMBER
from skillyard.domain.text import visible


@click.command("gc")
@click.option("--kept", is_flag=True, help="Also the directories of runs that were kept.")
@click.option(
    "--purge-runs",
    "days",
    type=WholeNumber(0, LARGEST_NUMBER),
    metavar="DAYS",
    help="Forget runs that began so many days ago or before, and all content that then nobody"
    " names.",
)
@dry_run_option
@json_option
def command(days: int | None, *, kept: bool, dry_run: bool, as_json: bool) -> None:
    """Remove what nobody needs any more: what died runs left, and old parts of the cache.

    No run that is alive is touched. What was changed in a work tree is saved as a branch first.
    Content of the store goes only with `--purge-runs`: the content of skills that were deleted, and
    of runs that are forgotten.
    """
    with opened_yard() as yard:
        done = yard.collect(kept=kept, purge_days=days, dry_run=dry_run)
    if as_json:
        echo_json(_to_json(done, dry_run=dry_run))
        return
    for line in _render(done, dry_run=dry_run):
        click.echo(visible(line))


def _render(done: Collected, *, dry_run: bool) -> Iterator[str]:
    verb = "Would remove" if dry_run else "Removed"
    for root in (*done.leftovers, *done.kept):
        if root.problem:
            yield f"Kept {show_path(root.path)}: {root.problem}"
        else:
            saved = f"; its changes are in the branch {root.ref}" if root.ref else ""
            yield f"{verb} {show_path(root.path)}{saved}"
    if done.runs:
        yield f"{verb} the records of {count(len(done.runs), 'run')}"
    if done.packages.packages:
        packages = count(done.packages.packages, "package")
        yield f"{verb} {packages} from the store, {done.packages.bytes:,} bytes"
    if done.cache is not None and (done.cache.packages or done.cache.leftovers):
        packages = count(done.cache.packages, "package")
        yield f"{verb} {packages} from the cache, {done.cache.bytes:,} bytes"


def _to_json(done: Collected, *, dry_run: bool) -> dict[str, object]:
    cache = done.cache
    return {
        "leftovers": [_root_to_json(one) for one in done.leftovers],
        "kept": [_root_to_json(one) for one in done.kept],
        "runs": done.runs,
        "packages": {"count": done.packages.packages, "bytes": done.packages.bytes},
        "cache": {"packages": cache.packages, "leftovers": cache.leftovers, "bytes": cache.bytes}
        if cache
        else None,
        "dry_run": dry_run,
    }


def _root_to_json(root: RemovedRoot) -> dict[str, object]:
    return {
        "run": root.run_id,
        "path": root.path,
        "workspace_ref": root.ref,
        "problem": root.problem,
    }
