"""Identities that are the same in every run of a test."""

from itertools import count


class CountingIds:
    """See `IdSource`: counts, in the form of UUIDs of version 7.

    Two of them give the same ids: tests that need different ones give different `first` numbers.
    """

    def __init__(self, first: int = 1) -> None:
        self._numbers = count(first)

    def new_id(self) -> str:
        """See `IdSource.new_id`."""
        return f"00000000-0000-7000-8000-{next(self._numbers):012x}"
