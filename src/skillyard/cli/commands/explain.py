"""`skillyard explain`: say why a skill is there or not, and what would change that."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import click

from skillyard.application.lookup import near_misses
from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_options import Asked, asking_options
from skillyard.cli.resolution_view import MARKS, say_problems, to_json_decision, to_json_resolved
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import SkillNotFoundError
from skillyard.domain.resolution import Decision, Disposition
from skillyard.domain.text import visible
from skillyard.resolver.change import Change
from skillyard.resolver.explain import explain


@click.command("explain")
@click.argument("skills", metavar="[SKILL]...", nargs=-1)
@asking_options
@json_option
def command(asked: Asked, skills: tuple[str, ...], *, as_json: bool) -> None:
    """Say why each SKILL is loaded or not, and what would have to change.

    Without a SKILL, it is every skill that came into question.
    """
    with opened_yard() as yard:
        resolved = yard.resolve(replace(asked.wish, named=skills), **asked.places)
        resolved = yard.with_files(resolved) if as_json else resolved
    if not as_json:
        say_problems(resolved)
    wanted = _choose(resolved, skills)
    explained = [(one, _find_changes(one, resolved)) for one in wanted]
    if as_json:
        told = [{**to_json_decision(one), "changes": _to_json(way)} for one, way in explained]
        echo_json(to_json_resolved(resolved, skills=told))
        return
    for decision, changes in explained:
        click.echo("\n".join(_render(decision, changes)))


def _choose(resolved: ResolvedSkills, skills: Sequence[str]) -> list[Decision]:
    decisions = resolved.resolution.decisions
    known = {one.slug for one in decisions}
    # One that is broken was told about: it is there, and nothing was decided about it.
    broken = {candidate.slug for candidate, _ in resolved.broken}
    for name in skills:
        if name not in known | broken:
            raise SkillNotFoundError(name, near=near_misses(name, known))
    return [one for one in decisions if not skills or one.slug in skills]


def _find_changes(decision: Decision, resolved: ResolvedSkills) -> tuple[Change, ...]:
    ref, resolution = decision.candidate.ref, resolved.resolution
    return explain(ref, resolved.candidates, resolved.request, resolution=resolution).changes


def _to_json(changes: Iterable[Change]) -> list[dict[str, str]]:
    return [{"kind": one.kind.value, "text": one.text, "slug": one.slug} for one in changes]


def _render(decision: Decision, changes: Sequence[Change]) -> Iterator[str]:
    candidate = decision.candidate
    place = f" ({candidate.location})" if candidate.layer.is_directory else ""
    yield visible(
        f"{MARKS[decision.disposition]} {decision.slug} {decision.offered.version}"
        f" from {candidate.layer}{place}"
    )
    yield visible(f"    {decision.disposition} by the rule {decision.rule}: {decision.reason}")
    is_loaded = decision.disposition is Disposition.LOADED
    goal = "to leave it out" if is_loaded else "to load it"
    way = ", and ".join(one.text for one in changes) or "nothing helps, there is not enough room"
    yield visible(f"    {goal}: {way}")
