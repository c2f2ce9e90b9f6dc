"""What skills need of each other."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from skillyard.domain.resolution import Candidate
from skillyard.resolver.cycles import find_way_round, is_ring, list_components
from skillyard.resolver.standing import Standing

NAMED: Final = 6
"""How many names a sentence tells."""


class Shortage(NamedTuple):
    """What cannot be had: `lacking` are the missing names of each candidate, by its `ref`.

    `supply` is how many candidates of a name could be loaded if they were needed.
    """

    supply: Mapping[str, int]
    lacking: Mapping[str, tuple[str, ...]]

    def has(self, name: str) -> bool:
        """Tell whether something of that name can be had."""
        return self.supply.get(name, 0) > 0

    def list_missing(self, candidate: Candidate) -> tuple[str, ...]:
        """List what a candidate requires and cannot be had; its own name comes with itself."""
        return tuple(
            one
            for one in dict.fromkeys(candidate.requires)
            if one != candidate.slug and not self.has(one)
        )


def find_shortage(able: Iterable[Candidate]) -> Shortage:
    """Find what lacks something; `able` are the candidates that pass their gates if needed.

    Whatever requires a name that nobody supplies can itself not be had. Each requirement is looked
    at once.
    """
    supply: Counter[str] = Counter()
    dependents: defaultdict[str, list[Candidate]] = defaultdict(list)
    for one in able:
        supply[one.slug] += 1
        for needed in set(one.requires):
            dependents[needed].append(one)
    waiting = [name for name in dependents if not supply[name]]
    broken: dict[str, Candidate] = {}
    while waiting:
        for one in dependents[waiting.pop()]:
            if one.ref not in broken:
                broken[one.ref] = one
                supply[one.slug] -= 1
                if not supply[one.slug] and one.slug in dependents:
                    waiting.append(one.slug)
    return Shortage(supply, {ref: _list_lacking(one, supply) for ref, one in broken.items()})


def _list_lacking(candidate: Candidate, supply: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(name for name in dict.fromkeys(candidate.requires) if not supply[name])


def join_names(names: Sequence[str]) -> str:
    """Name some, and say how many more there are: `a, b and c`."""
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED:,} more"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def say_missing(names: Sequence[str]) -> str:
    """Say which requirements are not there."""
    return f"it requires {join_names(names)}, which {'is' if len(names) == 1 else 'are'} not there"


def list_cycles(winners: Mapping[str, Standing]) -> list[tuple[tuple[str, ...], str]]:
    """List the groups of skills that require each other, by name, each with how to say it."""
    graph = {slug: one.candidate.requires for slug, one in winners.items()}
    if not any(graph.values()):
        return []
    rings = (one for one in list_components(graph) if is_ring(one, graph))
    return sorted((one, _say_cycle(one, find_way_round(one[0], one, graph))) for one in rings)


def _say_cycle(component: tuple[str, ...], way: tuple[str, ...]) -> str:
    end = way[0] if len(way) <= NAMED else "…"
    said = f"{way[0]} requires itself: {' → '.join((*way[:NAMED], end))}"
    more = len(component) - min(len(way), NAMED)
    return f"{said}, and {more:,} more skill{'s' if more > 1 else ''} with it" if more else said


def spread_required(winners: Mapping[str, Standing]) -> set[str]:
    """Give the names that are required: by their assignment, or by something that is."""
    required = {slug for slug, one in winners.items() if one.assignment and one.assignment.required}
    waiting = sorted(required)
    while waiting:
        for needed in winners[waiting.pop()].candidate.requires:
            if needed in winners and needed not in required:
                required.add(needed)
                waiting.append(needed)
    return required
