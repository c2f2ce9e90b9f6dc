"""Open the store for a command."""

from collections.abc import Iterator
from contextlib import contextmanager

from skillyard.cli.store import find_overrides
from skillyard.yard import Skillyard


@contextmanager
def opened_yard() -> Iterator[Skillyard]:
    """Give the store that flags, environment and settings name, and close it afterwards."""
    with Skillyard.from_settings(overrides=find_overrides()) as yard:
        yield yard
