"""Of several candidates with one name, one wins; the others are shadowed by it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from skillyard.resolver.standing import Fate, Standing


@dataclass(frozen=True, slots=True)
class Contest:
    """Who won each name, and who shadows whom, by `ref`.

    Candidates of low confidence never win over others: where only they are left, the strongest of
    them is named.
    """

    winners: Mapping[str, Standing]
    named: Mapping[str, Standing]
    shadowed: Mapping[str, Standing]


def compete(standings: Iterable[Standing]) -> Contest:
    """Let every candidate that passed its gates compete for its name."""
    winners: dict[str, Standing] = {}
    named: dict[str, Standing] = {}
    shadowed: dict[str, Standing] = {}
    for slug, rivals in _group(standings).items():
        winner = rivals[0]
        if len(rivals) > 1:
            winner = find_winner(rivals)
            shadowed.update((one.candidate.ref, winner) for one in rivals if one is not winner)
        (winners if winner.fate is Fate.IN else named)[slug] = winner
    return Contest(winners, named, shadowed)


def _group(standings: Iterable[Standing]) -> dict[str, list[Standing]]:
    rivals: dict[str, list[Standing]] = {}
    for one in standings:
        if one.fate is not Fate.OUT:
            rivals.setdefault(one.candidate.slug, []).append(one)
    return rivals


def find_winner(rivals: Sequence[Standing]) -> Standing:
    """Give the strongest of several that passed their gates."""
    return min(rivals, key=strength)


def strength(one: Standing) -> tuple[bool, int, int, str, str]:
    """Give what decides between two of one name: the lower goes first."""
    candidate = one.candidate
    is_low = one.fate is Fate.LOW
    return (is_low, candidate.layer.rank, -one.specificity, candidate.owner, candidate.ref)
