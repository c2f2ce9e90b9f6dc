"""Finding skills by what they are about.

An index is a copy made for looking things up. It holds nothing that the store does not: losing it
costs time only.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from skillyard.application.ports.store import Transaction
from skillyard.ranking import SkillText, weigh
from skillyard.ranking.triggers import Cues


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchableSkill:
    """One skill at one revision: what is read of it, and what calls for it.

    `place` orders skills that fit equally well.
    """

    id: str
    revision: int
    place: tuple[str, str]
    text: SkillText
    cues: Cues

    @property
    def weights(self) -> Mapping[str, int]:
        """Its terms with their weights; see `weigh`."""
        return weigh(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankSkills:
    """The wish for the `most` skills that fit `text` best.

    With `triggered`, what calls for a skill by its triggers counts too. `among` restricts to skills
    of these ids.
    """

    text: str
    most: int = 10
    triggered: bool = False
    among: Collection[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSkill:
    """A skill that fits: its score, the words of the text that it answers, and its triggers' hits.

    The words are as they were written, in the order of the text.
    """

    skill_id: str
    score: int
    words: tuple[str, ...]
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The skills that fit, the best first; equal scores are in the order of slug and owner.

    `untried` is how many patterns were not tried, for want of what tries them.
    """

    skills: tuple[RankedSkill, ...] = ()
    untried: int = 0


class SearchIndex(Protocol):
    """What the skills of one store are about."""

    def rank(self, wish: RankSkills, *, view: Transaction) -> Ranking:
        """Give the skills that fit, as they are in `view`.

        What has changed since the last time is read first. The same skills give the same scores,
        in whatever order and to whatever store they were saved.
        """
        ...

    def rank_these(self, wish: RankSkills, skills: Iterable[SearchableSkill]) -> Ranking:
        """Give those of `skills` that fit, whatever the store holds; nothing is kept.

        How much a word tells follows from `skills` alone.
        """
        ...

    def close(self) -> None:
        """Let go of everything; the index is not used again."""
        ...
