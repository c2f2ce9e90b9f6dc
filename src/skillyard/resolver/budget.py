"""What does not fit: at most so many skills, and at most such a part of the context window.

- A skill is kept together with what it requires, or not at all.
- What is required is kept before anything else.
- What is cut uses nothing up, so that leaving it out changes nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from skillyard.domain.resolution import Request, Rule
from skillyard.resolver.standing import Standing


@dataclass(frozen=True, slots=True)
class Room:
    """How much there is: None does not limit."""

    skills: int | None
    tokens: int | None
    is_eager: bool

    @classmethod
    def of(cls, request: Request) -> "Room":
        """Give the room that a request has."""
        policy, agent = request.policy, request.agent
        limit = (agent.eager_limit if agent else None) or policy.eager_limit
        window = agent.context_window if agent else None
        return cls(
            skills=limit if policy.eager else None,
            tokens=window * policy.share // 100 if window is not None else None,
            is_eager=policy.eager,
        )

    def cost(self, one: Standing) -> int:
        """Give the tokens that a skill takes."""
        return one.candidate.cost.loaded if self.is_eager else one.candidate.cost.listed

    def find_excess(self, kept: Sequence[Standing]) -> Rule | None:
        """Give the limit that `kept` exceeds, or None."""
        if self.skills is not None and len(kept) > self.skills:
            return Rule.EAGER_LIMIT
        if self.tokens is not None and sum(map(self.cost, kept)) > self.tokens:
            return Rule.CONTEXT_SHARE
        return None


def cut(
    ordered: Sequence[Standing], winners: Mapping[str, Standing], required: set[str], room: Room
) -> dict[str, Rule]:
    """Give the names that do not fit, each with the limit that it exceeds."""
    if room.skills is None and room.tokens is None:
        return {}
    first = [one for one in ordered if one.candidate.slug in required]
    own = [one for one in ordered if one.rule is not Rule.REQUIRED]
    kept: dict[str, Standing] = {}
    dropped: dict[str, Rule] = {}
    for one in (*first, *own):
        _keep_or_drop(one, winners, kept, dropped, room)
    # What is left was pulled in by something that was itself cut.
    reason = next(iter(dropped.values()), Rule.CONTEXT_SHARE)
    left = (one.candidate.slug for one in ordered if one.candidate.slug not in kept)
    return dict.fromkeys(left, reason) | dropped


def _keep_or_drop(
    one: Standing,
    winners: Mapping[str, Standing],
    kept: dict[str, Standing],
    dropped: dict[str, Rule],
    room: Room,
) -> None:
    if one.candidate.slug in kept:
        return
    group = {slug: winners[slug] for slug in close_over(one.candidate.slug, winners)}
    excess = room.find_excess(list({**kept, **group}.values()))
    if excess is None:
        kept.update(group)
        for slug in group:
            dropped.pop(slug, None)
    else:
        dropped[one.candidate.slug] = excess


def close_over(slug: str, winners: Mapping[str, Standing]) -> list[str]:
    """Give a name and everything that it requires, each once."""
    found = {slug: None}
    waiting = [slug]
    while waiting:
        for needed in winners[waiting.pop()].candidate.requires:
            if needed in winners and needed not in found:
                found[needed] = None
                waiting.append(needed)
    return list(found)
