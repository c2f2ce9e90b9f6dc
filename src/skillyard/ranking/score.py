"""The score of a skill: sums of whole numbers.

A skill scores, for each concept, the best of `factor x rarity x weight` over the terms of that
concept; the sum over the concepts is its score. Rarity is the only thing that depends on the other
skills, and it needs no more than how many skills there are and how many hold the term. So neither
the order of terms and rows nor the engine that gave them can change a score.
"""

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from skillyard.ranking.query import Concept

QUERY_CONCEPTS: Final = 24
"""Of more concepts the rarest count."""

# What a term in a name or a description weighs at least, and one in a body seldom.
_STRONG: Final = 96
# Weak occurrences of a term that one skill in so many holds are passed over, unless they are few.
_COMMON: Final = 4
_FEW: Final = 1_000

Holders = tuple[Sequence[int], Sequence[int]]
"""The numbers of the skills that hold a term, and the weight it has in each."""

Postings = Callable[[Iterable[str]], Mapping[str, Holders]]
"""Give the holders of each term that any skill holds."""


def score(concepts: Sequence[Concept], postings: Postings, *, skills: int) -> dict[int, int]:
    """Give the score of every skill that holds a term of any concept, by its number.

    `postings` is asked once; `skills` is how many skills there are. A term that no skill holds
    gives nothing. Of very many concepts the rarest count.
    """
    held = postings({term for concept in concepts for term, _ in concept.alternatives})
    worth = {term: rarity(len(numbers), skills) for term, (numbers, _) in held.items()}
    chosen = heapq.nlargest(QUERY_CONCEPTS, concepts, key=lambda one: _rank_concept(one, worth))
    total: dict[int, int] = {}
    for concept in chosen:
        for number, points in _score_concept(concept, held, worth, skills).items():
            total[number] = total.get(number, 0) + points
    return total


def rarity(holders: int, skills: int) -> int:
    """Give how much a term tells that `holders` of `skills` hold, in thousandths."""
    return round(1000 * math.log(1 + (skills - holders + 0.5) / (holders + 0.5)))


def take_best(
    scores: Mapping[int, int], most: int, key: Callable[[int], str]
) -> list[tuple[int, int]]:
    """Give the `most` best (number, score); equal scores are in the order of `key`."""
    if not scores or most < 1:
        return []
    least = heapq.nlargest(most, scores.values())[-1]
    ahead = [one for one in scores.items() if one[1] >= least]
    return sorted(ahead, key=lambda one: (-one[1], key(one[0])))[:most]


def _rank_concept(concept: Concept, worth: Mapping[str, int]) -> tuple[int, str]:
    term, factor = concept.alternatives[0]
    return factor * worth.get(term, 0), term


def _is_common(holders: int, skills: int) -> bool:
    return holders > _FEW and holders * _COMMON > skills


def _score_concept(
    concept: Concept, held: Mapping[str, Holders], worth: Mapping[str, int], skills: int
) -> dict[int, int]:
    best: dict[int, int] = {}
    for place, (term, factor) in enumerate(concept.alternatives):
        if term not in held:
            continue
        numbers, weights = held[term]
        least = _STRONG if place or _is_common(len(numbers), skills) else 1
        each = factor * worth[term]
        if not best:
            best = {n: each * w for n, w in zip(numbers, weights, strict=True) if w >= least}
            continue
        for number, weight in zip(numbers, weights, strict=True):
            if weight >= least and each * weight > best.get(number, 0):
                best[number] = each * weight
    return best
