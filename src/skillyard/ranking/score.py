"""The score of a skill: sums of whole numbers.

A skill scores, for each concept, the best of `factor x rarity x weight` over the terms of that
concept; the sum over the concepts is its score. Rarity is the only thing that depends on the other
skills, and it needs no more than how many skills there are and how many hold the term. So neither
the order of terms and rows nor the engine that gave them can change a score.

Whoever wants the best only need not have the others counted. Concepts are gone through from the
one that can give most to the one that can give least. Once what is left cannot lift anybody new
among the best, only those are looked up who may still be among them.
"""

import heapq
import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from skillyard.ranking.meaning import LIKENESS
from skillyard.ranking.query import Concept
from skillyard.ranking.weigh import FULL

QUERY_CONCEPTS: Final = 24
"""Of more concepts the rarest count."""

# What a term in a name or a description weighs at least, and one in a body seldom.
_STRONG: Final = 96
# Weak occurrences of a term that one skill in so many holds are passed over, unless they are few.
_COMMON: Final = 4
_FEW: Final = 1_000
# A rare word tells more, but seldom as much more as its rarity says.
_BEND: Final = 0.7
# Finding one number among many takes about as long as passing by so many.
_STEPS: Final = 16

Holders = tuple[Sequence[int], Sequence[int]]
"""The numbers of the skills that hold a term, ascending, and the weight it has in each."""

Postings = Callable[[Iterable[str]], Mapping[str, Holders]]
"""Give the holders of each term that any skill holds."""

COMPARED: Final = 200
"""How many skills are compared by their meaning."""

# What the same meaning adds, in hundredths of what all words together would.
_MEANING: Final = 20

_Reading = tuple[Sequence[int], Sequence[int], int, int]
"""The numbers and weights of a term, the least weight that counts, and what one weight gives."""


def score(
    concepts: Sequence[Concept],
    postings: Postings,
    *,
    skills: int,
    most: int | None = None,
    given: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """Give the score of every skill that holds a term of any concept, by its number.

    `postings` is asked once; `skills` is how many skills there are. A term that no skill holds
    gives nothing. Of very many concepts the rarest count. `given` is what skills score besides.
    With `most`, skills that are not among so many best may be missing; all that are equal are
    among them.
    """
    held = postings({term for concept in concepts for term, _ in concept.alternatives})
    worth = {term: rarity(len(numbers), skills) for term, (numbers, _) in held.items()}
    chosen = heapq.nlargest(QUERY_CONCEPTS, concepts, key=lambda one: _rank_concept(one, worth))
    readings = [_list_readings(one, held, worth, skills) for one in chosen]
    readings.sort(key=_bound, reverse=True)
    return _add_up(readings, dict(given or {}), most)


def _add_up(
    readings: Sequence[Sequence[_Reading]], total: dict[int, int], most: int | None
) -> dict[int, int]:
    # What the concepts from each one on can give together.
    left = [*accumulate(map(_bound, reversed(readings)))][::-1]
    least, is_closed = 0, False
    for concept, rest in zip(readings, left, strict=True):
        if most is not None and (is_closed or rest < max(total.values(), default=0)):
            least = _find_least(total, most)
            is_closed = is_closed or rest < least
        if is_closed:
            total = {number: points for number, points in total.items() if points + rest >= least}
            _add_found(total, concept)
        else:
            for number, points in _score_concept(concept).items():
                total[number] = total.get(number, 0) + points
    return total


def _find_least(total: Mapping[int, int], most: int) -> int:
    """Give what the last of the `most` best has; 0 where there are not so many."""
    if len(total) < most or most < 1:
        return 0
    return heapq.nlargest(most, total.values())[-1]


def _add_found(total: dict[int, int], concept: Sequence[_Reading]) -> None:
    if sum(len(one[0]) for one in concept) < _STEPS * len(concept) * len(total):
        found = _score_concept(concept)
        for number in total.keys() & found.keys():
            total[number] += found[number]
        return
    for number in total:
        total[number] += max((_look_up(number, one) for one in concept), default=0)


def _look_up(number: int, reading: _Reading) -> int:
    numbers, weights, least, each = reading
    at = bisect_left(numbers, number)
    if at == len(numbers) or numbers[at] != number or weights[at] < least:
        return 0
    return each * weights[at]


def rarity(holders: int, skills: int) -> int:
    """Give how much a term tells that `holders` of `skills` hold, in thousandths."""
    plain = math.log(1 + (skills - holders + 0.5) / (holders + 0.5))
    return round(1000 * math.pow(plain, _BEND))


def find_full(concepts: Iterable[Concept], known: Mapping[str, int], *, skills: int) -> int:
    """Give what a skill would score that holds every word with the full weight.

    `known` is how many skills hold each term; a word that none holds counts nothing.
    """
    own = (one.alternatives[0] for one in concepts if one.word)
    worth = (factor * rarity(known[term], skills) for term, factor in own if term in known)
    return FULL * sum(heapq.nlargest(QUERY_CONCEPTS, worth))


def list_near(scores: Mapping[int, int]) -> list[int]:
    """Give those whose meaning is compared: the best by their words, and all that are equal."""
    least = _find_least(scores, COMPARED)
    return [number for number, points in scores.items() if points >= least]


def count_likeness(likeness: int, full: int) -> int:
    """Give what likeness of meaning adds to a score; `full` is as `find_full` says."""
    # Nobody loses by it: so whoever is compared stays before whoever is not.
    return _MEANING * full * max(likeness, 0) // (100 * LIKENESS)


def take_best(
    scores: Mapping[int, int], most: int, places: Callable[[Iterable[int]], Mapping[int, str]]
) -> list[tuple[int, int]]:
    """Give the `most` best (number, score); equal scores are in the order of their places."""
    least = _find_least(scores, most)
    ahead = [one for one in scores.items() if one[1] >= least]
    place = places(number for number, _ in ahead)
    return sorted(ahead, key=lambda one: (-one[1], place[one[0]]))[: max(most, 0)]


def _rank_concept(concept: Concept, worth: Mapping[str, int]) -> tuple[int, str]:
    term, factor = concept.alternatives[0]
    return factor * worth.get(term, 0), term


def _list_readings(
    concept: Concept, held: Mapping[str, Holders], worth: Mapping[str, int], skills: int
) -> Sequence[_Reading]:
    return [
        (*held[term], _find_least_weight(place, len(held[term][0]), skills), factor * worth[term])
        for place, (term, factor) in enumerate(concept.alternatives)
        if term in held
    ]


def _find_least_weight(place: int, holders: int, skills: int) -> int:
    is_common = holders > _FEW and holders * _COMMON > skills
    return _STRONG if place or is_common else 1


def _bound(concept: Sequence[_Reading]) -> int:
    return max((each for *_, each in concept), default=0) * FULL


def _score_concept(concept: Sequence[_Reading]) -> dict[int, int]:
    best: dict[int, int] = {}
    for numbers, weights, least, each in concept:
        if not best:
            best = {n: each * w for n, w in zip(numbers, weights, strict=True) if w >= least}
            continue
        for number, weight in zip(numbers, weights, strict=True):
            if weight >= least and each * weight > best.get(number, 0):
                best[number] = each * weight
    return best
