"""What does not fit: at most so many skills, and at most such a part of the context window.

- A skill is kept together with what it requires, or not at all.
- What an assignment requires is kept before anything else.
- What is cut takes no room: without it, and whatever else has its name, the same skills are loaded.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from skillyard.domain.resolution import Request, Rule
from skillyard.resolver.ordering import order_key
from skillyard.resolver.standing import Standing

_Winners = Mapping[str, Standing]


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
        own = agent.eager_limit if agent else None
        limit = policy.eager_limit if own is None else own
        window = agent.context_window if agent else None
        return cls(
            skills=limit if policy.eager else None,
            tokens=window * policy.share // 100 if window is not None else None,
            is_eager=policy.eager,
        )

    @property
    def is_endless(self) -> bool:
        """Whether everything fits."""
        return self.skills is None and self.tokens is None

    def cost(self, one: Standing) -> int:
        """Give the tokens that a skill takes."""
        return one.candidate.cost.loaded if self.is_eager else one.candidate.cost.listed

    def find_excess(self, skills: int, tokens: int) -> Rule | None:
        """Give the limit that so many skills with so many tokens exceed, or None."""
        if self.skills is not None and skills > self.skills:
            return Rule.EAGER_LIMIT
        if self.tokens is not None and tokens > self.tokens:
            return Rule.CONTEXT_SHARE
        return None


def cut(winners: _Winners, room: Room) -> dict[str, Rule]:
    """Give the names that do not fit, each with the limit that it exceeds."""
    if room.is_endless:
        return {}
    filling = _Filling(winners, room)
    for slug in _iter_in_turn(winners):
        filling.add(slug)
    # What is left was pulled in by something that was itself cut.
    reason = next(iter(filling.dropped.values()), Rule.CONTEXT_SHARE)
    left = (slug for slug in winners if slug not in filling.kept)
    return dict.fromkeys(left, reason) | filling.dropped


def find_needed_room(winners: _Winners, room: Room) -> dict[str, tuple[int, int]]:
    """Give how many skills, with how many tokens, have to fit for each name to be kept for sure.

    That is the name with what it requires, and whatever has its turn before.
    """
    needed: dict[str, tuple[int, int]] = {}
    endless = Room(skills=None, tokens=None, is_eager=room.is_eager)
    filling = _Filling(winners, endless)
    for slug in _iter_in_turn(winners):
        filling.add(slug)
        reached = (len(filling.kept), filling.tokens)
        needed |= dict.fromkeys(filling.latest, reached)
    return needed


def _iter_in_turn(winners: _Winners) -> Iterator[str]:
    ordered = sorted(winners.values(), key=order_key)
    for one in ordered:
        if one.assignment and one.assignment.required:
            yield one.candidate.slug
    for one in ordered:
        if one.rule is not Rule.REQUIRED:
            yield one.candidate.slug


@dataclass(slots=True)
class _Filling:
    """The room while it is filled; `latest` are the names that were added last."""

    winners: _Winners
    room: Room
    kept: set[str] = field(default_factory=set)
    tokens: int = 0
    latest: tuple[str, ...] = ()
    dropped: dict[str, Rule] = field(default_factory=dict)
    dependents: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for slug, one in self.winners.items():
            for needed in one.candidate.requires:
                self.dependents.setdefault(needed, []).append(slug)

    def add(self, slug: str) -> None:
        """Keep a name with all that it requires, or drop it."""
        self.latest = ()
        if slug in self.kept or slug in self.dropped:
            return
        excess = self._try_to_keep(slug)
        if excess is not None:
            self._drop(slug, excess)

    def _drop(self, slug: str, excess: Rule) -> None:
        """Drop a name with all that require it: there is never more room than now."""
        waiting = [slug]
        while waiting:
            here = waiting.pop()
            if here not in self.dropped:
                self.dropped[here] = excess
                waiting += self.dependents.get(here, ())

    def _try_to_keep(self, slug: str) -> Rule | None:
        group, tokens = {slug: None}, self.tokens
        waiting = [slug]
        while waiting:
            here = waiting.pop()
            tokens += self.room.cost(self.winners[here])
            excess = self.room.find_excess(len(self.kept) + len(group), tokens)
            if excess is not None:
                return excess
            for needed in self.winners[here].candidate.requires:
                if needed not in self.kept and needed not in group:
                    group[needed] = None
                    waiting.append(needed)
        self.kept.update(group)
        self.tokens, self.latest = tokens, tuple(group)
        return None
