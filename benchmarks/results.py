"""What a benchmark gives, and how it is gathered from what was measured."""

from collections.abc import Mapping
from typing import Final

Figures = dict[str, dict[str, float | None]]
"""For each contender, what was measured; None is what was not measured here."""

Result = dict[str, object]
UNPROMISED: Final = "nothing"
FASTER: Final = "more than 1"


def divide(first: float | None, second: float | None) -> float | None:
    """Give a ratio; None where one of the two was not measured."""
    return None if first is None or second is None else first / second


def to_result(
    figures: Figures, ratios: Mapping[str, float | None], promises: Mapping[str, str]
) -> Result:
    """Put a result together; a ratio of which nothing is promised says so."""
    promised = {name: promises.get(name, UNPROMISED) for name in ratios}
    return {"figures": figures, "ratios": dict(ratios), "promises": promised}
