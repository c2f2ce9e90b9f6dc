"""Say on stderr how far long work has come; silent unless a person is watching."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")
_START_SECONDS = 1.0
_STEP_SECONDS = 0.1


class Progress:
    """A line on the terminal that counts, and goes away before anything else is printed."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._shown = 0
        # Without a terminal, or without stderr at all, nobody is watching.
        self._is_watched = bool(sys.stderr and sys.stderr.isatty())

    def counting(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Pass `items` on; after a second, show how many have passed."""
        if not self._is_watched:
            yield from items
            return
        next_at = time.monotonic() + _START_SECONDS
        try:
            for count, item in enumerate(items, 1):
                if time.monotonic() >= next_at:
                    self._show(f"{self._label} {count:,}")
                    next_at = time.monotonic() + _STEP_SECONDS
                yield item
        finally:
            self.clear()

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._shown:
            sys.stderr.write("\r" + " " * self._shown + "\r")
            sys.stderr.flush()
            self._shown = 0

    def _show(self, text: str) -> None:
        sys.stderr.write(f"\r{text}")
        sys.stderr.flush()
        self._shown = len(text)
