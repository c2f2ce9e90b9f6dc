"""The programs that a skill can ask for."""

from collections.abc import Collection
from typing import Protocol


class Commands(Protocol):
    """Knows which programs can be started here."""

    def find_missing(self, names: Collection[str]) -> frozenset[str]:
        """Give those of `names` that cannot be started; each is looked for once.

        Looking takes a bounded time: what was not found by then counts as missing. Nothing is run.
        """
        ...
