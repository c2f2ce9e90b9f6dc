"""Look for skills, and show which fit: what `search` and `match` share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import click

from skillyard.application.ports.search import SearchIndex
from skillyard.application.ports.store import Store
from skillyard.application.search import MOST, FoundBySearch, SearchedSkills
from skillyard.bootstrap import open_search_index
from skillyard.cli.catalogue_view import identify_entry
from skillyard.cli.options import WholeNumber, echo_json
from skillyard.cli.progress import Progress
from skillyard.cli.skills_view import say_hint, say_note
from skillyard.cli.store import find_settings, opened_store
from skillyard.cli.tables import drop_columns, render_table
from skillyard.cli.terminal import find_width

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HEADERS: Final = ("Skill", "Version", "Fits", "Description")
_LEAST_WIDTHS: Final = {"Version": 72, "Fits": 60}
_MOST_ALLOWED: Final = 1000


def most_option(function: _Function) -> _Function:
    """Add `--most`."""
    return click.option(
        "--most",
        type=WholeNumber(1, _MOST_ALLOWED),
        default=MOST,
        show_default=True,
        metavar="NUMBER",
        help="How many skills to show at most.",
    )(function)


@contextmanager
def opened_index() -> Iterator[tuple[Store, SearchIndex]]:
    """Give the store and the index of what its skills are about, and close both afterwards."""
    progress = Progress("skills read for searching:")
    with opened_store() as store:
        index = open_search_index(find_settings(), store, counting=progress.counting)
        try:
            yield store, index
        finally:
            index.close()


def show_found(searched: SearchedSkills, *, as_json: bool) -> None:
    """Print the skills that fit, the best first."""
    if as_json:
        skills = [_to_json(one) for one in searched.found]
        echo_json({"skills": skills, "count": len(skills), "untried_patterns": searched.untried})
        return
    if searched.found:
        click.echo("\n".join(_render(searched.found)))
    else:
        click.echo("No skill fits\n", err=True)
        say_hint("`skillyard list -q TEXT` looks for a part of a word")
    if searched.untried:
        say_note(f"{searched.untried} patterns of skills were not tried")
        say_hint("`pip install 'skillyard[patterns]'` brings what tries them")


def _render(found: Sequence[FoundBySearch]) -> list[str]:
    rows = [
        (
            one.entry.reference,
            str(one.entry.version),
            ", ".join(_list_reasons(one)),
            one.entry.description,
        )
        for one in found
    ]
    width = find_width()
    headers, shown = drop_columns(_HEADERS, rows, width=width, least=_LEAST_WIDTHS)
    flexible = [one for one in ("Fits", "Description") if one in headers]
    return render_table(headers, shown, width=width, flexible=flexible)


def _list_reasons(found: FoundBySearch) -> Sequence[str]:
    # A keyword is often a word of the text too.
    return tuple(dict.fromkeys((*found.triggers, *found.words)))


def _to_json(found: FoundBySearch) -> dict[str, object]:
    return {
        **identify_entry(found.entry),
        "score": found.score,
        "words": found.words,
        "triggers": found.triggers,
    }
