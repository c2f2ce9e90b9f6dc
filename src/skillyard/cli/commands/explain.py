"""`skillyard explain`: say why a skill is there or not, and what would change that."""

from collections.abc import Iterator, Sequence
from typing import Final

import click

from skillyard.application.lookup import near_misses
from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_commands import list_commands
from skillyard.cli.resolution_options import Asked, asking_options
from skillyard.cli.resolution_view import (
    BROKEN,
    MARKS,
    say_links,
    say_problems,
    to_json_broken,
    to_json_decision,
    to_json_resolved,
)
from skillyard.cli.yard import opened_yard
from skillyard.domain.errors import SkillNotFoundError
from skillyard.domain.resolution import Candidate, Decision, Disposition, Offered, Request
from skillyard.domain.text import visible
from skillyard.resolver.change import Change
from skillyard.resolver.explain import Explainer, Explanation

_MOST: Final = 20
"""How many changes are told on a terminal."""
_Broken = tuple[Candidate, str]


@click.command("explain")
@click.argument("skills", metavar="[SKILL]...", nargs=-1)
@asking_options
@json_option
def command(asked: Asked, skills: tuple[str, ...], *, as_json: bool) -> None:
    """Say why each SKILL is loaded or not, and what would have to change.

    A SKILL is a slug or a display name. Without one, it is every skill that came into question.
    """
    with opened_yard() as yard:
        resolved = asked.resolve(yard, named=tuple(_iter_slugs(skills)))
        resolved = yard.with_files(resolved) if as_json else resolved
    if not as_json:
        say_problems(resolved)
        say_links(resolved.findings)
    wanted, broken = _choose(resolved, skills)
    explainer = Explainer(resolved.candidates, resolved.request, resolution=resolved.resolution)
    explained = (explainer.explain(one.candidate.ref) for one in wanted)
    request = resolved.request
    if as_json:
        told = [_to_json(one, request) for one in explained]
        told += [_broken_to_json(*one) for one in broken]
        echo_json(to_json_resolved(resolved, skills=told))
        return
    for one in explained:
        click.echo("\n".join(_render(one, request)))
    for each in broken:
        click.echo("\n".join(_render_broken(*each)))


def _iter_slugs(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        yield name
        yield "-".join(name.casefold().split())


def _choose(
    resolved: ResolvedSkills, skills: Sequence[str]
) -> tuple[list[Decision], list[_Broken]]:
    decisions = resolved.resolution.decisions
    known = [one.candidate for one in decisions] + [one for one, _ in resolved.broken]
    wanted = {slug for name in skills for slug in _find_slugs(name, known)}
    return (
        [one for one in decisions if not skills or one.slug in wanted],
        [one for one in resolved.broken if not skills or one[0].slug in wanted],
    )


def _find_slugs(name: str, known: Sequence[Candidate]) -> set[str]:
    """Give the slugs that are meant by a name: a slug goes before a display name."""
    wanted = name.strip().casefold()
    slugs = {one.slug for one in known}
    found = {one for one in slugs if one.casefold() == wanted}
    found = found or {one.slug for one in known if one.display_name.casefold() == wanted}
    if not found:
        raise SkillNotFoundError(name, near=near_misses(name, slugs), lister="skill show")
    return found


def _to_json(explained: Explanation, request: Request) -> dict[str, object]:
    changes = explained.changes
    told = [{"kind": one.kind.value, "text": one.text, "slug": one.slug} for one in changes]
    commands = list_commands(changes, request)
    return {**to_json_decision(explained.decision), "changes": told, "commands": commands}


def _broken_to_json(candidate: Candidate, reason: str) -> dict[str, object]:
    mend = {"kind": "mend", "text": f"mend {candidate.location}", "slug": candidate.slug}
    return {**to_json_broken(candidate, reason), "changes": [mend], "commands": []}


def _render(explained: Explanation, request: Request) -> Iterator[str]:
    decision, changes = explained.decision, explained.changes
    yield _render_title(MARKS[decision.disposition], decision.candidate, decision.offered)
    yield visible(f"    {decision.disposition} by the rule {decision.rule}: {decision.reason}")
    is_loaded = decision.disposition is Disposition.LOADED
    goal = "to leave it out" if is_loaded else "to load it"
    yield visible(f"    {goal}: {_say(changes)}")
    # Some of the commands would not be enough.
    for command in list_commands(changes, request) if len(changes) <= _MOST else ():
        yield visible(f"        {command}")


def _say(changes: Sequence[Change]) -> str:
    if not changes:
        return "nothing helps, there is not enough room"
    texts = [one.text for one in changes[:_MOST]]
    if len(changes) > _MOST:
        texts.append(f"{len(changes) - _MOST:,} more: --json has all of them")
    return ", and ".join(texts)


def _render_title(mark: str, candidate: Candidate, offered: Offered) -> str:
    place = f" ({candidate.location})" if candidate.layer.is_directory else ""
    return visible(f"{mark} {candidate.slug} {offered.version} from {candidate.layer}{place}")


def _render_broken(candidate: Candidate, reason: str) -> Iterator[str]:
    yield _render_title("✗", candidate, candidate.offered)
    yield visible(f"    {BROKEN}: {reason}")
    yield visible(f"    to load it: mend {candidate.location}")
