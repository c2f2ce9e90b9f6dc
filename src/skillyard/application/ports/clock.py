"""What time it is."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """A source of the time."""

    def now(self) -> datetime:
        """Give the present moment in UTC, in whole milliseconds.

        Both database engines, and JSON, keep such a moment exactly.
        """
        ...
