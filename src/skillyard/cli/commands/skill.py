"""`skillyard skill show`: the older spelling of looking at every skill."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

import click

from skillyard.application.inventory import ListedSkills
from skillyard.cli.main import KnowingGroup
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_options import Places, place_options
from skillyard.cli.resolution_view import say, say_links, to_json_candidate
from skillyard.cli.skills_view import DONE, REFUSED, SAME
from skillyard.cli.terminal import find_width
from skillyard.cli.yard import opened_yard
from skillyard.domain.resolution import Candidate
from skillyard.domain.skill import SkillStatus
from skillyard.domain.text import shorten, visible

_MARKS: Final = {"enabled": DONE, "disabled": SAME, "unavailable": REFUSED}
_WIDTH: Final = 100
_LEAST: Final = 20


@click.group("skill", cls=KnowingGroup)
def command() -> None:
    """Look at the skills of every source."""


@command.command("show")
@place_options
@json_option
def show(places: Places, *, as_json: bool) -> None:
    """Show every skill of every source: ✓ enabled, ○ disabled, ✗ unavailable."""
    with opened_yard() as yard:
        listed = yard.list_everything(**places)
    if as_json:
        echo_json({"skills": [_to_json(one) for one in listed.candidates]})
        return
    click.echo("\n\n".join(_iter_groups(listed.candidates)))
    _say_findings(listed)


def find_state(candidate: Candidate) -> str:
    """Say whether a skill can be used here: enabled, disabled or unavailable."""
    if not candidate.enabled or candidate.status is not SkillStatus.ACTIVE:
        return "disabled"
    return "unavailable" if candidate.missing_commands else "enabled"


def _iter_groups(candidates: Sequence[Candidate]) -> Iterator[str]:
    for layer, found in groupby(candidates, key=lambda one: one.layer):
        lines = (line for one in found for line in _render(one))
        yield "\n".join((f"[{layer.value.capitalize()} Skills]", *lines))


def _render(candidate: Candidate) -> Iterator[str]:
    state = find_state(candidate)
    ending = f" ({state})"
    room = max((find_width() or _WIDTH) - len(ending) - 6, _LEAST)
    says = shorten(visible(" ".join(candidate.description.split())), room)
    owner = f"{candidate.owner}/" if candidate.layer == "plugin" else ""
    yield f"  {click.style(_MARKS[state])} {visible(owner + candidate.slug)}"
    yield f"      {says}{ending}"
    if candidate.missing_commands:
        yield f"      {visible(_say_missing(candidate))}"


def _say_missing(candidate: Candidate) -> str:
    return f"missing commands: {', '.join(candidate.missing_commands)}"


def _to_json(candidate: Candidate) -> dict[str, object]:
    missing = _say_missing(candidate) if candidate.missing_commands else None
    return {
        "slug": candidate.slug,
        "version": str(candidate.offered.version),
        "source": candidate.layer.value,
        "owner": candidate.owner,
        "state": find_state(candidate),
        "status": candidate.status.value,
        "missing_commands": candidate.missing_commands,
        "unavailableReason": missing,
        **to_json_candidate(candidate),
    }


def _say_findings(listed: ListedSkills) -> None:
    for one in listed.findings:
        if one.skipped:
            say("warning", f"{one.location} is left out: {one.diagnostic.message}")
    say_links(listed.findings)
