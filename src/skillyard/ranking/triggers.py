"""What the triggers of a skill add to its score when they fit a task.

A keyword or a verb fits where its words stand in the task side by side, whatever their inflection.
What a hit adds is a whole number that depends on how many skills there are, and on nothing else.
Hits beyond a few add nothing: nobody gets to the top by stating many.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Final, NamedTuple

from skillyard.domain.facts import is_storable
from skillyard.domain.manifest import Triggers
from skillyard.ranking.score import rarity
from skillyard.ranking.weigh import FULL
from skillyard.ranking.words import iter_terms

TASK_CHARACTERS: Final = 20_000
"""What lies behind is not compared with keywords and verbs."""
PATTERN_TASK_CHARACTERS: Final = 4_000
"""What lies behind no pattern is tried on: linear time is not little time."""
PATTERN_CHARACTERS: Final = 500
"""A longer pattern is not tried."""
MOST_TRIGGERS: Final = 50
"""How many keywords, and how many verbs, a skill may have; the first count."""
MOST_PATTERNS: Final = 10
"""How many patterns a skill may have; the first count."""
_PHRASE_TERMS: Final = 6


class Cue(IntEnum):
    """The kinds of triggers."""

    KEYWORD = 1
    VERB = 2
    PATTERN = 3


BONUS: Final = {Cue.KEYWORD: 15, Cue.VERB: 3, Cue.PATTERN: 30}
"""What one hit adds, in hundredths of a word that no other skill holds, with the full weight."""
MOST_HITS: Final = {Cue.KEYWORD: 3, Cue.VERB: 1, Cue.PATTERN: 1}
"""How many hits of each kind count."""


class Phrase(NamedTuple):
    """A keyword or a verb: its terms with blanks between them, and the text as it was written."""

    terms: str
    kind: Cue
    said: str


@dataclass(frozen=True, slots=True)
class Cues:
    """The triggers of a skill as they are compared; patterns are as they were written."""

    phrases: tuple[Phrase, ...] = ()
    patterns: tuple[str, ...] = ()


def to_cues(triggers: Triggers) -> Cues:
    """Give the triggers as they are compared, each once; one that says nothing is left out."""
    phrases = (
        *_iter_phrases(triggers.keywords, Cue.KEYWORD),
        *_iter_phrases(triggers.verbs, Cue.VERB),
    )
    once = {(one.terms, one.kind): one for one in reversed(phrases)}
    patterns = filter(_can_be_tried, triggers.patterns[:MOST_PATTERNS])
    return Cues(tuple(reversed(once.values())), tuple(dict.fromkeys(patterns)))


def _can_be_tried(pattern: str) -> bool:
    return 0 < len(pattern) <= PATTERN_CHARACTERS and is_storable(pattern)


def _iter_phrases(texts: Sequence[str], kind: Cue) -> Iterator[Phrase]:
    for text in filter(is_storable, texts[:MOST_TRIGGERS]):
        terms = tuple(islice(iter_terms(text[:PATTERN_CHARACTERS]), _PHRASE_TERMS + 1))
        if 0 < len(terms) <= _PHRASE_TERMS:
            yield Phrase(" ".join(terms), kind, text[:PATTERN_CHARACTERS])


def list_phrases(task: str) -> Sequence[str]:
    """Give every phrase that stands in `task`, each once, in order: what keywords may equal."""
    terms = tuple(iter_terms(task[:TASK_CHARACTERS]))
    lengths = range(1, _PHRASE_TERMS + 1)
    spans = ((at, at + length) for at in range(len(terms)) for length in lengths)
    found = (" ".join(terms[start:end]) for start, end in spans if end <= len(terms))
    return tuple(dict.fromkeys(found))


def count_bonus(hits: Iterable[Cue], *, skills: int) -> int:
    """Give what the hits of one skill add to its score; `skills` is how many skills there are."""
    found = list(hits)
    points = sum(BONUS[kind] * min(found.count(kind), MOST_HITS[kind]) for kind in Cue)
    return points * FULL * rarity(1, skills)
