"""Which skills tier 1 names, and which of them it has no room for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from skillyard.domain.limits import LISTED_SKILLS
from skillyard.domain.manifest import Invocation
from skillyard.domain.resolution import Candidate, Decision, Disposition, Layer, Request, Resolution

LISTED: Final = LISTED_SKILLS
"""The most skills that a list names."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The first entries of a list, and how many more there are, of those a model is told of."""

    entries: tuple[Decision, ...]
    more: int

    @classmethod
    def of(cls, entries: tuple[Decision, ...], limit: int) -> "Shown":
        """Show `limit` entries."""
        told = list_told(entries)
        return cls(told[:limit], max(0, len(told) - limit))

    @property
    def notes(self) -> tuple[str, ...]:
        """The line that says how many more there are, if there are."""
        line = f"[{self.more} more skills available — use use_skill to discover them]"
        return (line,) if self.more else ()


def limit_of(request: Request) -> int:
    """Give how many skills are named to whoever asks."""
    own = request.agent.listed_limit if request.agent else None
    return request.policy.listed_limit if own is None else own


def is_told(candidate: Candidate) -> bool:
    """Tell whether a model is told of a skill: not of one that only a user may call on."""
    return candidate.invocation is not Invocation.USER_ONLY


def list_told(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """List the skills that a model is told of, in order."""
    return tuple(one for one in decisions if is_told(one.candidate))


def list_shadowed(resolution: Resolution) -> tuple[Decision, ...]:
    """List the skills of the project that others of the same name shadow, in order."""
    shadowed = resolution.with_disposition(Disposition.SHADOWED)
    return tuple(one for one in shadowed if one.candidate.layer in (Layer.PROJECT, Layer.CLAUDE))


def entrypoint_of(candidate: Candidate) -> str:
    """Give the path of a candidate's SKILL.md, or nothing where the agent sees none."""
    return f"{candidate.location.rstrip('/')}/SKILL.md" if candidate.location else ""
