"""Say why a candidate was decided about as it was, and what would have to change.

Making the changes that are named has the effect that is named: a candidate that was left out is
loaded, one that was loaded is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Layer,
    Request,
    Resolution,
)
from skillyard.resolver.change import Change, ChangeKind
from skillyard.resolver.gates import keep_out
from skillyard.resolver.planning import Planner, Way
from skillyard.resolver.resolve import resolve


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision, and the changes that together would turn it round.

    No changes mean that nothing can: it asks for more than can be given.
    """

    decision: Decision
    changes: Way


def explain(
    ref: str,
    candidates: Sequence[Candidate],
    request: Request,
    *,
    resolution: Resolution | None = None,
) -> Explanation:
    """Explain what became of the candidate `ref`; see `Explainer` for more than one."""
    return Explainer(candidates, request, resolution=resolution).explain(ref)


class Explainer:
    """Explains what became of candidates; `resolution` is theirs, where it is known."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        request: Request,
        *,
        resolution: Resolution | None = None,
    ) -> None:
        self._candidates = tuple(candidates)
        self._request = request
        resolution = resolution or resolve(candidates, request)
        self._decisions = {one.candidate.ref: one for one in resolution.decisions}

    def explain(self, ref: str) -> Explanation:
        """Explain what became of the candidate `ref`."""
        decision = self._decisions[ref]
        if decision.disposition is Disposition.LOADED:
            return Explanation(decision, (self._leave_out(decision),))
        way = self._planner.plan(ref)
        return Explanation(decision, () if way is None else (*self._waking, *way))

    @cached_property
    def _waking(self) -> Way:
        agent = self._request.agent
        if agent is None or not agent.lightweight:
            return ()
        text = f"take {agent.name} out of lightweight mode"
        return (Change(ChangeKind.LEAVE_LIGHTWEIGHT, "", text),)

    @cached_property
    def _planner(self) -> Planner:
        request, agent = self._request, self._request.agent
        if agent is not None and agent.lightweight:
            request = replace(request, agent=replace(agent, lightweight=False))
        return Planner(self._candidates, request)

    @cached_property
    def _required(self) -> dict[str, Candidate]:
        loaded = (one for one in self._decisions.values() if self._is_loaded(one))
        return {name: one.candidate for one in loaded for name in one.candidate.requires}

    @cached_property
    def _shadowing(self) -> set[str | None]:
        shadowed = (
            one for one in self._decisions.values() if one.disposition is Disposition.SHADOWED
        )
        return {one.by for one in shadowed}

    def _is_loaded(self, one: Decision) -> bool:
        return one.disposition in (Disposition.LOADED, Disposition.CUT)

    def _leave_out(self, decision: Decision) -> Change:
        """Give what takes a skill from whoever asks, and from nobody else where that can be."""
        one, agent = decision.candidate, self._request.agent
        out = keep_out(one, self._request, needed_by=self._required.get(one.slug))
        is_shadowing = one.ref in self._shadowing
        if out.kind is ChangeKind.UNASSIGN and not (is_shadowing and agent):
            return self._warn(out) if is_shadowing else out
        if agent is None and one.layer is not Layer.BUNDLED:
            return self._warn(out) if is_shadowing else out
        whose = agent.name if agent else "each agent that shall not have it"
        text = f"put {one.slug} on the list of disabled skills of {whose}"
        return Change(ChangeKind.PUT_ON_DISABLED_LIST, one.slug, text)

    def _warn(self, change: Change) -> Change:
        return change._replace(text=f"{change.text}; another skill of that name is loaded then")
