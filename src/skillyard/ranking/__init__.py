"""How well skills fit some words: one ranking, whatever the store. No input, no output."""

from skillyard.ranking.query import Concept, mend, parse_query
from skillyard.ranking.score import Holders, score, take_best
from skillyard.ranking.weigh import SkillText, weigh

__all__ = [
    "Concept",
    "Holders",
    "SkillText",
    "mend",
    "parse_query",
    "score",
    "take_best",
    "weigh",
]
