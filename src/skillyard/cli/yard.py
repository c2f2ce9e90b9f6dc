"""Open the store for a command."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from skillyard.cli.store import find_overrides
from skillyard.domain.skill import Door
from skillyard.yard import Skillyard


@contextmanager
def opened_yard() -> Iterator[Skillyard]:
    """Give the store that flags, environment and settings name, and close it afterwards.

    For a command with `--dry-run`, no store is made or upgraded.
    """
    is_tried = bool(click.get_current_context().params.get("dry_run"))
    with Skillyard.from_settings(
        overrides=find_overrides(), door=Door.CLI, dry_run=is_tried
    ) as yard:
        yield yard
