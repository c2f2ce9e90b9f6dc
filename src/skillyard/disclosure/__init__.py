"""The text: what an agent is shown of its skills. No input, no output."""

from skillyard.disclosure.context import Shape, SkillContext, TierCosts
from skillyard.disclosure.seeing import see_at, see_below
from skillyard.disclosure.tier1 import Form
from skillyard.disclosure.tier2 import OpenedSkill
from skillyard.disclosure.tier3 import FileKind
from skillyard.disclosure.tokens import cost_of, estimate_tokens

__all__ = [
    "FileKind",
    "Form",
    "OpenedSkill",
    "Shape",
    "SkillContext",
    "TierCosts",
    "cost_of",
    "estimate_tokens",
    "see_at",
    "see_below",
]
