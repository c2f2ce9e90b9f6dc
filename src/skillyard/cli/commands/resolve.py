"""`skillyard resolve`: say which skills someone has now."""

from dataclasses import replace
from pathlib import Path

import click

from skillyard.application.describe import describe_skill
from skillyard.application.lock import ReplayedSkill
from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.options import echo_json, json_option
from skillyard.cli.resolution_options import Asked, asking_options
from skillyard.cli.resolution_view import (
    render_decisions,
    render_summary,
    say_problems,
    to_json_resolved,
)
from skillyard.cli.yard import opened_yard
from skillyard.domain.lock import MOST_BYTES, parse_lock
from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Offered,
    Request,
    Resolution,
)
from skillyard.skillmd.intake import TakenIn


@click.command("resolve")
@asking_options
@click.option(
    "--lock",
    "lock_file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Have the skills of a lock again, whoever they were for.",
)
@click.option("--all", "show_all", is_flag=True, help="Show excluded skills as well.")
@json_option
def command(asked: Asked, lock_file: Path | None, *, show_all: bool, as_json: bool) -> None:
    """Say which skills someone has now, in their order, and why.

    Without an option that names someone, these are the skills that everyone has. The JSON has every
    candidate.
    """
    resolved = _resolve(asked, as_json=as_json) if lock_file is None else _replay(lock_file, asked)
    if as_json:
        echo_json(to_json_resolved(resolved))
    else:
        _print(resolved, show_all=show_all)
        say_problems(resolved)
    resolved.require_complete()


def _resolve(asked: Asked, *, as_json: bool) -> ResolvedSkills:
    with opened_yard() as yard:
        resolved = yard.resolve(asked.wish, **asked.places)
        return yard.with_files(resolved) if as_json else resolved


def _print(resolved: ResolvedSkills, *, show_all: bool) -> None:
    shown = [
        one
        for one in resolved.resolution.decisions
        if show_all or one.disposition is not Disposition.EXCLUDED
    ]
    if shown:
        click.echo("\n".join(render_decisions(shown)) + "\n")
    for line in render_summary(resolved):
        click.echo(line)


def _replay(path: Path, asked: Asked) -> ResolvedSkills:
    with path.open("rb") as file:
        lock = parse_lock(file.read(MOST_BYTES + 1), name=str(path))
    with opened_yard() as yard:
        replayed = yard.replay(lock, name=str(path), **asked.places)
    decisions = tuple(map(_to_decision, replayed))
    return ResolvedSkills(
        request=Request(),
        candidates=tuple(one.candidate for one in decisions),
        resolution=Resolution(decisions=decisions),
    )


def _to_decision(replayed: ReplayedSkill) -> Decision:
    locked = replayed.locked
    offered = Offered(locked.version, locked.digest)
    return Decision(
        candidate=_describe(
            Candidate(
                slug=locked.slug,
                layer=locked.layer,
                ref=locked.ref,
                location=locked.location,
                offered=offered,
                files=tuple(replayed.package),
            ),
            replayed,
        ),
        disposition=locked.disposition,
        rule=locked.rule,
        reason=locked.reason,
        offered=offered,
    )


def _describe(candidate: Candidate, replayed: ReplayedSkill) -> Candidate:
    # A lock holds no facts: they are what the content says about itself.
    facts = describe_skill(TakenIn(replayed.package, ()), candidate.slug).facts
    if facts is None:
        return candidate
    return replace(
        candidate,
        display_name=facts.display_name,
        description=facts.description,
        tags=facts.tags,
        category=facts.category,
        requires_tools=facts.requires_tools,
    )
