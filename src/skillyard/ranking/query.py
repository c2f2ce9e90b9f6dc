"""What is searched for: concepts, each a term and the terms that may stand for it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from skillyard.ranking.synonyms import GROUPS
from skillyard.ranking.vocabulary import GENERIC, STOP
from skillyard.ranking.words import LONGEST_JOINED, iter_words, stem

QUERY_CHARACTERS: Final = 4_000
"""What lies behind is not read."""

_OWN: Final = 100
_GENERIC_OWN: Final = 50
_SYNONYM: Final = 60
_JOINED: Final = 45
_RESPELT: Final = 80
_SHORTEST_MISSPELT: Final = 5
_LONGEST_MISSPELT: Final = 24
_MOST_MENDED: Final = 8
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Concept:
    """One word that was searched for: its term first, then those that may stand for it.

    Each has a factor in hundredths. `word` is the word as it was written, and empty where it was
    joined from two.
    """

    alternatives: tuple[tuple[str, int], ...]
    word: str = ""


Known = Callable[[Iterable[str]], Mapping[str, int]]
"""Give, for each of the terms that any skill holds, how many do."""


def parse_query(text: str) -> Sequence[Concept]:
    """Give the concepts of `text`, in order, each once; none where it holds stop words only."""
    words = list(iter_words(text[:QUERY_CHARACTERS]))
    concepts: dict[str, Concept] = {}
    for word in words:
        if word not in STOP:
            own = _GENERIC_OWN if word in GENERIC else _OWN
            concepts.setdefault(stem(word), _to_concept(stem(word), own, word))
    for first, second in pairwise(words):
        joined = stem(first + second)
        if len(joined) <= LONGEST_JOINED and STOP.isdisjoint((first, second)):
            concepts.setdefault(joined, _to_concept(joined, _JOINED))
    return tuple(concepts.values())


def _to_concept(term: str, own: int, word: str = "") -> Concept:
    others = ((other, own * _SYNONYM // 100) for other in _SYNONYMS.get(term, ()))
    return Concept(((term, own), *others), word)


def _read_synonyms(groups: str) -> Mapping[str, Sequence[str]]:
    found: dict[str, dict[str, None]] = {}
    for line in groups.strip().splitlines():
        terms = [stem(word) for word in line.split()]
        for term in terms:
            found.setdefault(term, {}).update(dict.fromkeys(one for one in terms if one != term))
    return {term: tuple(others) for term, others in found.items()}


_SYNONYMS: Final = _read_synonyms(GROUPS)


def mend(concepts: Iterable[Concept], known: Known) -> Sequence[Concept]:
    """Give `concepts` with each word that no skill holds replaced by one that is a slip away.

    `known` is asked once, and once more for each word that is unknown; of very many unknown words
    the first are tried.
    """
    wanted = tuple(concepts)
    held = known([one.alternatives[0][0] for one in wanted])
    unknown = [one for one in wanted if one.word and one.alternatives[0][0] not in held]
    mended = {one: _mend(one, known) for one in unknown[:_MOST_MENDED]}
    return tuple(mended.get(one, one) for one in wanted)


def _mend(concept: Concept, known: Known) -> Concept:
    term, factor = concept.alternatives[0]
    other = respell(term, known)
    if other is None:
        return concept
    return _to_concept(other, factor * _RESPELT // 100, concept.word)


def respell(term: str, known: Known) -> str | None:
    """Give the term one slip away from `term` that most skills hold, or None; `term` is unknown.

    `known` is asked once and tells, for the terms that exist, how many skills hold each.
    """
    if not _SHORTEST_MISSPELT <= len(term) <= _LONGEST_MISSPELT:
        return None
    if not term.isascii() or not term.isalpha():
        return None
    halves = [(term[:at], term[at:]) for at in range(len(term) + 1)]
    near = {a + b[1:] for a, b in halves if b}
    near |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    near |= {a + c + b[1:] for a, b in halves if b for c in _LETTERS}
    near |= {a + c + b for a, b in halves for c in _LETTERS}
    held = known(sorted(near - {term}))
    return min(held, key=lambda one: (-held[one], one)) if held else None
