"""Look for skills, and show which fit: what `search` and `match` share."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import click
from click.core import ParameterSource

from skillyard.application.ports.search import RankSkills
from skillyard.application.search import MOST, FoundBySearch, SearchedSkills
from skillyard.application.search_resolved import FittingSkill, FittingSkills
from skillyard.cli.catalogue_view import identify_entry
from skillyard.cli.options import WholeNumber, echo_json
from skillyard.cli.progress import Progress
from skillyard.cli.resolution_options import Asked
from skillyard.cli.resolution_view import to_json_decision
from skillyard.cli.skills_view import say_hint, say_note
from skillyard.cli.tables import drop_columns, render_table
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.yard import Skillyard

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HEADERS: Final = ("Skill", "Version", "Fits", "Description")
_FOR_HEADERS: Final = ("Skill", "Version", "Source", "Fits", "Description")
_LEAST_WIDTHS: Final = {"Version": 72, "Source": 66, "Fits": 60}
_MOST_ALLOWED: Final = 1000
# What these commands ask whether or not someone's skills are wanted.
_OWN: Final = ("text", "task", "most", "as_json")


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


def is_for_someone() -> bool:
    """Tell whether the command line says whose skills are wanted, or where they are looked for."""
    context = click.get_current_context()
    return any(
        context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        for name in context.params
        if name not in _OWN
    )


@contextmanager
def opened_searching() -> Iterator[Skillyard]:
    """Give the store, with what says how far reading it has come, and close it afterwards."""
    with opened_yard() as yard:
        yard.counting = Progress("skills read for searching:").counting
        yield yard


def search_for(asked: Asked, wish: RankSkills) -> FittingSkills:
    """Give those that fit of the skills that were asked for."""
    with opened_searching() as yard:
        return yard.search_in(wish, asked.resolve(yard), **asked.places)


def show_found(searched: SearchedSkills, *, as_json: bool) -> None:
    """Print the skills of the store that fit, the best first."""
    if as_json:
        _echo([_to_json(one) for one in searched.found], searched.untried)
        return
    _print(_HEADERS, [_to_row(one) for one in searched.found], searched.untried)


def show_fitting(searched: FittingSkills, *, as_json: bool) -> None:
    """Print the skills of someone that fit, the best first."""
    if as_json:
        skills = [_to_json_fitting(one) for one in searched.found]
        _echo(skills, searched.untried)
        return
    _print(_FOR_HEADERS, [_to_fitting_row(one) for one in searched.found], searched.untried)


def _echo(skills: Sequence[dict[str, object]], untried: int) -> None:
    echo_json({"skills": skills, "count": len(skills), "untried_patterns": untried})


def _print(headers: Sequence[str], rows: Sequence[Sequence[str]], untried: int) -> None:
    if rows:
        click.echo("\n".join(_render(headers, rows)))
    else:
        click.echo("No skill fits\n", err=True)
        say_hint("`skillyard list -q TEXT` looks for a part of a word")
    if untried:
        say_note(f"{untried} patterns of skills were not tried")
        say_hint("`pip install 'skillyard[patterns]'` brings what tries them")


def _render(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    width = find_width()
    kept, shown = drop_columns(headers, rows, width=width, least=_LEAST_WIDTHS)
    flexible = [one for one in ("Fits", "Description") if one in kept]
    return render_table(kept, shown, width=width, flexible=flexible)


def _to_row(found: FoundBySearch) -> tuple[str, ...]:
    entry = found.entry
    return entry.reference, str(entry.version), _list_reasons(found), entry.description


def _to_fitting_row(found: FittingSkill) -> tuple[str, ...]:
    decision = found.decision
    candidate = decision.candidate
    version = str(decision.offered.version)
    reasons = _list_reasons(found)
    return decision.slug, version, candidate.layer.value, reasons, candidate.description


def _list_reasons(found: FoundBySearch | FittingSkill) -> str:
    # A keyword is often a word of the text too.
    return ", ".join(dict.fromkeys((*found.triggers, *found.words)))


def _to_json(found: FoundBySearch) -> dict[str, object]:
    return {**identify_entry(found.entry), **_to_json_reasons(found)}


def _to_json_fitting(found: FittingSkill) -> dict[str, object]:
    return {**to_json_decision(found.decision), **_to_json_reasons(found)}


def _to_json_reasons(found: FoundBySearch | FittingSkill) -> dict[str, object]:
    return {"score": found.score, "words": found.words, "triggers": found.triggers}
