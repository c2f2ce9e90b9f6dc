"""Print what a command made, or would make."""

from collections.abc import Sequence

from skillyard.application.bundles import LaidOutPackage
from skillyard.cli.options import echo_json


def echo_laid_out(made: LaidOutPackage, *, dry_run: bool) -> None:
    """Print a directory that was laid out, as JSON."""
    echo_json(
        {
            "path": str(made.target),
            "name": made.name,
            "digest": str(made.digest),
            "files": list(made.files),
            "dry_run": dry_run,
        }
    )


def count_files(files: Sequence[str]) -> str:
    """Say how many files there are."""
    return f"{len(files)} file{'s' * (len(files) != 1)}"
