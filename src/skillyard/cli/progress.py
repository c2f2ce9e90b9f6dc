"""Say on stderr how far long work has come; silent unless a person is watching."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")
_START_SECONDS = 1.0
_STEP_SECONDS = 0.1


def with_progress(items: Iterable[_Item], *, label: str) -> Iterator[_Item]:
    """Pass `items` on; after a second, show how many have passed."""
    if not sys.stderr.isatty():
        yield from items
        return
    shown = 0
    next_at = time.monotonic() + _START_SECONDS
    try:
        for count, item in enumerate(items, 1):
            if time.monotonic() >= next_at:
                shown = _show(f"{label} {count:,}")
                next_at = time.monotonic() + _STEP_SECONDS
            yield item
    finally:
        if shown:
            sys.stderr.write("\r" + " " * shown + "\r")


def _show(text: str) -> int:
    sys.stderr.write(f"\r{text}")
    sys.stderr.flush()
    return len(text)
