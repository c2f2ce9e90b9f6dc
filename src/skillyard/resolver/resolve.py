"""Decide which candidates whoever asks has.

1. Gates: each candidate by itself. 2. Competition: of one name, one wins. 3. Requirements pull in
what they name, and what lacks one is out. 4. Order. 5. Budgets. Every candidate is decided about
exactly once, and the answer does not depend on the order in which they are given.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Problem,
    ProblemKind,
    Request,
    Resolution,
    Rule,
)
from skillyard.resolver.budget import Room, cut
from skillyard.resolver.competition import Contest
from skillyard.resolver.ordering import order_key
from skillyard.resolver.requirements import list_cycles, spread_required
from skillyard.resolver.settling import settle
from skillyard.resolver.standing import Fate, Standing, is_required

_BY_DISPOSITION = {disposition: place for place, disposition in enumerate(Disposition)}


def resolve(candidates: Iterable[Candidate], request: Request) -> Resolution:
    """Give the resolution; each candidate's `ref` is its own."""
    settled = settle(candidates, request)
    contest = settled.contest
    standings = sorted(settled.standings.values(), key=order_key)
    required = spread_required(contest.winners)
    dropped = cut(contest.winners, Room.of(request))
    decisions = [_decide(one, contest, dropped, required) for one in standings]
    # Those of one disposition stay in their order.
    decisions.sort(key=lambda one: _BY_DISPOSITION[one.disposition])
    return Resolution(
        decisions=tuple(decisions),
        problems=tuple(_iter_problems(decisions, contest, request)),
    )


def _decide(
    one: Standing, contest: Contest, dropped: Mapping[str, Rule], required: set[str]
) -> Decision:
    candidate = one.candidate
    winner = contest.shadowed.get(candidate.ref)
    if winner is not None:
        return _shadow(one, winner)
    disposition, rule, reason = _DISPOSITIONS[one.fate], one.rule, one.reason
    is_in = one.fate is Fate.IN
    if is_in and candidate.slug in dropped:
        disposition, rule = Disposition.CUT, dropped[candidate.slug]
        reason = _LIMITS[rule]
    return Decision(
        candidate=candidate,
        disposition=disposition,
        rule=rule,
        reason=reason,
        offered=one.offered,
        assignment=one.assignment,
        by=one.by,
        is_required=is_in and candidate.slug in required,
    )


_DISPOSITIONS = {
    Fate.IN: Disposition.LOADED,
    Fate.LOW: Disposition.UNPROVEN,
    Fate.OUT: Disposition.EXCLUDED,
}
_LIMITS = {
    Rule.EAGER_LIMIT: "no more skills are loaded whole",
    Rule.CONTEXT_SHARE: "the context window has no more room for skills",
}


def _shadow(one: Standing, winner: Standing) -> Decision:
    return Decision(
        candidate=one.candidate,
        disposition=Disposition.SHADOWED,
        rule=Rule.SHADOWED,
        reason=f"{_name(winner.candidate)} shadows it",
        offered=one.offered,
        assignment=one.assignment,
        by=winner.candidate.ref,
    )


def _name(other: Candidate) -> str:
    place = other.location or other.owner
    return f"the {other.layer} skill of the same name" + (f" ({place})" if place else "")


def _iter_problems(
    decisions: Sequence[Decision], contest: Contest, request: Request
) -> Iterator[Problem]:
    loaded = {one.slug: one for one in decisions if one.disposition is Disposition.LOADED}
    winners = {slug: one for slug, one in contest.winners.items() if slug in loaded}
    for one in decisions:
        is_loaded = one.disposition is Disposition.LOADED
        if not is_loaded and is_required(one.candidate, request):
            yield _miss(one, loaded.get(one.slug))
        elif one.rule is Rule.REQUIREMENT_MISSING:
            message = f"{one.slug} is left out: {one.reason}"
            yield Problem(kind=ProblemKind.REQUIREMENT_MISSING, slug=one.slug, message=message)
    yield from _iter_cycles(loaded, winners)
    for _, one in sorted(loaded.items()):
        if one.candidate.deprecated is not None:
            message = f"{one.slug} is deprecated: {one.candidate.deprecated}"
            yield Problem(kind=ProblemKind.DEPRECATED, slug=one.slug, message=message)


def _iter_cycles(
    loaded: Mapping[str, Decision], winners: Mapping[str, Standing]
) -> Iterator[Problem]:
    for members, message in list_cycles(winners):
        yield Problem(
            kind=ProblemKind.REQUIREMENT_CYCLE,
            slug=members[0],
            message=message,
            is_error=any(loaded[one].is_required for one in members),
        )


def _miss(decision: Decision, other: Decision | None) -> Problem:
    """Say that a required skill is not loaded; `other` of the same name is.

    What was required is this skill, and not its name: a copy elsewhere does not stand in for it. It
    is no error only where it passed its gates and lost to a stronger skill of the store.
    """
    is_shadowed = decision.disposition is Disposition.SHADOWED
    message = f"{decision.slug} is required, but {decision.reason}"
    if other is not None and not is_shadowed:
        message += f"; {_name(other.candidate)} does not stand in for it"
    gave_way = is_shadowed and other is not None and not other.candidate.layer.is_directory
    kind = ProblemKind.REQUIRED_MISSING
    return Problem(kind=kind, slug=decision.slug, message=message, is_error=not gave_way)
