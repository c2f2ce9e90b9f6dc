"""Facts, each with its label, in lines that fit."""

from collections.abc import Iterable, Iterator
from textwrap import wrap

from skillyard.cli.tables import measure
from skillyard.domain.text import visible

_LEAST_ROOM = 20


def render_facts(
    facts: Iterable[tuple[str, str | None]], *, width: int, labels: int = 12
) -> Iterator[str]:
    """Yield a line for each fact that has a value, the values below each other.

    What is longer than `width` goes on below itself. A word is never cut: one that is too long,
    such as a digest, gets a line of its own.
    """
    for label, value in facts:
        if value:
            yield from _lay_out(label, visible(value), width, labels)


def _lay_out(label: str, value: str, width: int, labels: int) -> Iterator[str]:
    line = f"  {label:<{labels}} {value}"
    indent = " " * (labels + 3)
    room = max(width - len(indent), _LEAST_ROOM)
    if measure(line) <= width:
        yield line
    elif max(map(measure, value.split())) > room:
        yield from (f"  {label}", f"    {value}")
    else:
        first, *more = wrap(value, room, break_long_words=False, break_on_hyphens=False)
        yield f"  {label:<{labels}} {first}"
        yield from (f"{indent}{one}" for one in more)
