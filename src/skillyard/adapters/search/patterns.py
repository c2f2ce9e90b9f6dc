"""Tries the patterns of strangers on a text, in time that grows with the text and no faster.

RE2 does that; the regular expressions of the standard library can be made to run for years. It
comes with the extra `patterns`.
"""

from collections.abc import Callable, Collection
from importlib.util import find_spec
from typing import Final

_MOST_BYTES: Final = 1 << 20


Fitting = Callable[[Collection[str], str], frozenset[str]]
"""Gives the patterns that fit a text."""


def open_fitting() -> Fitting | None:
    """Give what tries patterns; None where the extra is not installed."""
    return find_fitting if find_spec("re2") is not None else None


def find_fitting(patterns: Collection[str], text: str) -> frozenset[str]:
    """Give the patterns that fit some part of `text`, whatever the case of its letters.

    One that cannot be read fits nothing: RE2 knows neither backreferences nor looking around.
    """
    import re2  # noqa: PLC0415 (the extra may not be installed)

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    readable = text.encode(errors="replace").decode()

    def fits(pattern: str) -> bool:
        try:
            return re2.compile(pattern, options).search(readable) is not None
        except (re2.error, UnicodeEncodeError):
            return False

    return frozenset(filter(fits, patterns))
