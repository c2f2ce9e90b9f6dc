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
from skillyard.resolver.competition import Contest, compete
from skillyard.resolver.ordering import order_key
from skillyard.resolver.requirements import find_cycle, iter_missing, spread_required
from skillyard.resolver.standing import Fate, Standing, is_required, judge

_BY_DISPOSITION = {disposition: place for place, disposition in enumerate(Disposition)}


def resolve(candidates: Iterable[Candidate], request: Request) -> Resolution:
    """Give the resolution; each candidate's `ref` is its own."""
    world = _World(tuple(candidates), request)
    contest = world.settle()
    standings = sorted(world.standings.values(), key=order_key)
    winners = contest.winners
    ordered = [one for one in standings if winners.get(one.candidate.slug) is one]
    required = spread_required(winners)
    dropped = cut(ordered, winners, required, Room.of(request))
    decisions = [_decide(one, contest, dropped, required) for one in standings]
    # Those of one disposition stay in their order.
    decisions.sort(key=lambda one: _BY_DISPOSITION[one.disposition])
    return Resolution(
        decisions=tuple(decisions),
        problems=tuple(_iter_problems(decisions, contest, request)),
    )


class _World:
    """The candidates with their standings, which change until nothing is missing any more."""

    def __init__(self, candidates: Sequence[Candidate], request: Request) -> None:
        self.request = request
        self.candidates = {one.ref: one for one in sorted(candidates, key=lambda one: one.ref)}
        self.broken: dict[str, str] = {}
        self.standings: dict[str, Standing] = {}

    def settle(self) -> Contest:
        """Judge, compete and pull in until every winner has what it requires."""
        while True:
            contest = self._pull_in()
            missing = {one.candidate.ref: needed for one, needed in iter_missing(contest.winners)}
            if not missing:
                return contest
            self.broken.update(missing)

    def _pull_in(self) -> Contest:
        needed_by: dict[str, Candidate] = {}
        while True:
            self.standings = {
                ref: self._judge(one, needed_by.get(one.slug))
                for ref, one in self.candidates.items()
            }
            contest = compete(self.standings.values())
            found = {
                needed: one.candidate
                for one, needed in sorted(iter_missing(contest.winners), key=_by_name)
                if needed not in needed_by
            }
            if not found:
                return contest
            needed_by.update(found)

    def _judge(self, candidate: Candidate, needed_by: Candidate | None) -> Standing:
        standing = judge(candidate, self.request, needed_by=needed_by)
        needed = self.broken.get(candidate.ref) if self.broken else None
        if needed is None or standing.fate is Fate.OUT:
            return standing
        return standing._replace(
            fate=Fate.OUT,
            rule=Rule.REQUIREMENT_MISSING,
            reason=f"it requires {needed}, which is not there",
        )


def _by_name(pair: tuple[Standing, str]) -> tuple[str, str]:
    one, needed = pair
    return needed, one.candidate.slug


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
    place = winner.candidate.location or winner.candidate.owner
    behind = f" ({place})" if place else ""
    return Decision(
        candidate=one.candidate,
        disposition=Disposition.SHADOWED,
        rule=Rule.SHADOWED,
        reason=f"the {winner.candidate.layer} skill of the same name{behind} shadows it",
        offered=one.offered,
        assignment=one.assignment,
        by=winner.candidate.ref,
    )


def _iter_problems(
    decisions: Sequence[Decision], contest: Contest, request: Request
) -> Iterator[Problem]:
    loaded = {one.slug: one for one in decisions if one.disposition is Disposition.LOADED}
    winners = {slug: one for slug, one in contest.winners.items() if slug in loaded}
    for one in decisions:
        if one.slug not in loaded and is_required(one.candidate, request):
            yield Problem(
                kind=ProblemKind.REQUIRED_MISSING,
                slug=one.slug,
                message=f"{one.slug} is required, but {one.reason}",
                is_error=True,
            )
        elif one.rule is Rule.REQUIREMENT_MISSING:
            message = f"{one.slug} is left out: {one.reason}"
            yield Problem(kind=ProblemKind.REQUIREMENT_MISSING, slug=one.slug, message=message)
    for slug in sorted(slug for slug, one in loaded.items() if _may_be_a_problem(one.candidate)):
        yield from _iter_problems_of(loaded[slug], find_cycle(slug, winners))


def _may_be_a_problem(candidate: Candidate) -> bool:
    return bool(candidate.requires) or candidate.deprecated is not None


def _iter_problems_of(decision: Decision, cycle: tuple[str, ...]) -> Iterator[Problem]:
    slug = decision.slug
    if cycle:
        yield Problem(
            kind=ProblemKind.REQUIREMENT_CYCLE,
            slug=slug,
            message=f"{slug} requires itself: {' → '.join(cycle)}",
            is_error=decision.is_required,
        )
    if decision.candidate.deprecated is not None:
        yield Problem(
            kind=ProblemKind.DEPRECATED,
            slug=slug,
            message=f"{slug} is deprecated: {decision.candidate.deprecated}",
        )
