"""Who wins each name once every winner has what it requires."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from skillyard.domain.resolution import Candidate, Request, Rule
from skillyard.resolver.competition import Contest, compete, find_winner, strength
from skillyard.resolver.requirements import Shortage, find_shortage, say_missing
from skillyard.resolver.standing import Fate, Standing, judge


class Settled(NamedTuple):
    """The standing of each candidate, by its `ref`, and who won.

    `needed_by` are the names that only a requirement brought in, each with who requires it.
    """

    standings: Mapping[str, Standing]
    contest: Contest
    shortage: Shortage
    needed_by: Mapping[str, Candidate]


def settle(candidates: Iterable[Candidate], request: Request) -> Settled:
    """Judge every candidate, pull in what is required, and leave out what lacks something.

    1. What lacks something is found first, as if everything were needed: a skill that cannot have
    what it requires never wins. 2. The others compete. 3. The winners pull in what they require,
    and those what they require in turn. Each step looks at each requirement once.
    """
    ordered = sorted(candidates, key=lambda one: one.ref)
    alone = {one.ref: judge(one, request, needed_by=None) for one in ordered}
    needed = {name for one in ordered for name in one.requires}
    if not needed:
        return Settled(alone, compete(alone.values()), Shortage({}, {}), {})
    return _Settling(alone, needed, request).run()


class _Settling:
    """The state while skills that require others are settled."""

    def __init__(self, alone: dict[str, Standing], needed: set[str], request: Request) -> None:
        self.request = request
        self.standings = dict(alone)
        self.named: defaultdict[str, list[Candidate]] = defaultdict(list)
        for one in alone.values():
            if one.candidate.slug in needed:
                self.named[one.candidate.slug].append(one.candidate)
        self.shortage = find_shortage(
            one.candidate for one in alone.values() if self._is_able(one, needed)
        )
        self.needed_by: dict[str, Candidate] = {}
        self.winners: dict[str, Standing] = {}

    def run(self) -> Settled:
        lacking = self.shortage.lacking
        whole = (one for ref, one in self.standings.items() if ref not in lacking)
        self.winners = dict(compete(whole).winners)
        alone = dict(self.standings)
        self._pull_in()
        for ref in lacking:
            self._break(ref, alone[ref])
        contest = compete(self.standings.values())
        return Settled(self.standings, contest, self.shortage, self.needed_by)

    def _is_able(self, one: Standing, needed: set[str]) -> bool:
        if one.rule is not Rule.NOT_ASSIGNED or one.candidate.slug not in needed:
            return one.fate is Fate.IN
        return judge(one.candidate, self.request, needed_by=one.candidate).fate is Fate.IN

    def _pull_in(self) -> None:
        reached = sorted(self.winners.values(), key=_by_name)
        while reached:
            found: dict[str, Candidate] = {}
            for one in reached:
                for name in one.candidate.requires:
                    if name not in self.winners:
                        found.setdefault(name, one.candidate)
            reached = [self._bring(*each) for each in sorted(found.items(), key=_by_first)]

    def _bring(self, name: str, needed_by: Candidate) -> Standing:
        self.needed_by[name] = needed_by
        judged = [judge(one, self.request, needed_by=needed_by) for one in self.named[name]]
        self.standings.update((one.candidate.ref, one) for one in judged)
        lacking = self.shortage.lacking
        able = (one for one in judged if one.fate is Fate.IN)
        winner = find_winner([one for one in able if one.candidate.ref not in lacking])
        self.winners[name] = winner
        return winner

    def _break(self, ref: str, alone: Standing) -> None:
        """Put out what lacks something; where a stronger one wins anyway, it is shadowed."""
        one = self.standings[ref]
        if one.fate is not Fate.IN:
            return
        slug = one.candidate.slug
        winner = self.winners.get(slug)
        would_win = winner is None or strength(one) < strength(winner)
        if would_win or (slug in self.needed_by and alone.fate is Fate.IN):
            reason = say_missing(self.shortage.lacking[ref])
            self.standings[ref] = one._replace(
                fate=Fate.OUT, rule=Rule.REQUIREMENT_MISSING, reason=reason
            )


def _by_name(one: Standing) -> str:
    return one.candidate.slug


def _by_first(pair: tuple[str, Candidate]) -> str:
    return pair[0]
