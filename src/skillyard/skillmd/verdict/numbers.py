"""Numbers and truth values as JavaScript writes them."""

import math
from typing import Final

_EXACT: Final = 1e21
_BASES: Final = {"0x": 16, "0o": 8}


def number_text(text: str) -> str:
    """Give what JavaScript makes of a number or truth value that was read from YAML."""
    lowered = text.lower()
    if lowered in {"true", "false"}:
        return lowered
    return _render(_parse(lowered))


def _parse(text: str) -> float:
    try:
        base = _BASES.get(text[:2])
        return float(int(text[2:], base)) if base else float(text.replace(".inf", "inf"))
    except OverflowError:
        return math.inf
    except ValueError:
        return math.nan


def _render(number: float) -> str:
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number) and abs(number) < _EXACT:
        return str(int(number))
    return repr(number).replace("e-0", "e-")
