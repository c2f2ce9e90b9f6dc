"""Say why a candidate was decided about as it was, and what would have to change.

Making the changes that are named has the effect that is named: a candidate that was left out is
loaded, one that was loaded is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Request,
    Resolution,
    Rule,
)
from skillyard.resolver.budget import Room
from skillyard.resolver.change import Change, ChangeKind, apply_change
from skillyard.resolver.resolve import resolve

# Each step opens one gate of one candidate; so many are for worlds where everything is wrong.
_STEPS: Final = 200


@dataclass(frozen=True, slots=True)
class Explanation:
    """A decision, and the changes that together would turn it round.

    No changes mean that nothing can: it asks for more than can be given.
    """

    decision: Decision
    changes: tuple[Change, ...]


def explain(
    ref: str,
    candidates: Sequence[Candidate],
    request: Request,
    *,
    resolution: Resolution | None = None,
) -> Explanation:
    """Explain what became of the candidate `ref`; `resolution` is theirs, where it is known."""
    first = _find(resolution or resolve(candidates, request), ref)
    if first.disposition is Disposition.LOADED:
        return Explanation(first, (_leave_out(first, request),))
    return Explanation(first, _find_way(ref, candidates, request))


def _find(resolution: Resolution, ref: str) -> Decision:
    return next(one for one in resolution.decisions if one.candidate.ref == ref)


def _find_way(ref: str, candidates: Sequence[Candidate], request: Request) -> tuple[Change, ...]:
    changes: dict[tuple[ChangeKind, str, str], Change] = {}
    for _ in range(_STEPS):
        resolution = resolve(candidates, request)
        decision = _find(resolution, ref)
        if decision.disposition is Disposition.LOADED:
            return tuple(changes.values())
        change = _next_change(decision, resolution, request)
        changes[change.kind, change.ref, change.slug] = change
        candidates, request = apply_change(change, candidates, request)
    return ()


def _leave_out(decision: Decision, request: Request) -> Change:
    one = decision.candidate
    if not one.layer.is_directory:
        if request.policy.include_disabled:
            return Change(ChangeKind.ARCHIVE, one.slug, f"archive {one.slug}", one.ref)
        return Change(ChangeKind.DISABLE_SKILL, one.slug, f"disable {one.slug}", one.ref)
    if request.agent is not None:
        text = f"put {one.slug} on the list of disabled skills of {request.agent.name}"
        return Change(ChangeKind.PUT_ON_DISABLED_LIST, one.slug, text)
    return Change(ChangeKind.REMOVE, one.slug, f"remove {one.location or one.slug}", one.ref)


def _next_change(decision: Decision, resolution: Resolution, request: Request) -> Change:
    """Give the change that opens the gate which decided."""
    rule = decision.rule
    if rule is Rule.REQUIREMENT_MISSING:
        return _satisfy(decision, resolution, request)
    if rule is Rule.SHADOWED:
        return _unshadow(decision, resolution)
    if rule in (Rule.EAGER_LIMIT, Rule.CONTEXT_SHARE):
        return _make_room(decision, resolution, request)
    return _open_gate(decision, request)


def _open_gate(decision: Decision, request: Request) -> Change:
    one = decision.candidate
    agent = request.agent.name if request.agent else ""
    if decision.rule is Rule.NOT_ASSIGNED:
        return _assign(one, request)
    kind, text = _GATES[decision.rule]
    commands = ", ".join(one.missing_commands)
    said = text.format(slug=one.slug, agent=agent, commands=commands)
    return Change(kind, one.slug, said, one.ref)


_GATES: Final[Mapping[Rule, tuple[ChangeKind, str]]] = {
    Rule.DISABLED_LIST: (
        ChangeKind.TAKE_OFF_DISABLED_LIST,
        "take {slug} off the list of disabled skills of {agent}",
    ),
    Rule.ALLOWLIST: (ChangeKind.PUT_ON_ALLOWLIST, "put {slug} on the allowlist of {agent}"),
    Rule.LIGHTWEIGHT: (ChangeKind.LEAVE_LIGHTWEIGHT, "take {agent} out of lightweight mode"),
    Rule.SKILL_DISABLED: (ChangeKind.ENABLE_SKILL, "enable {slug}"),
    Rule.ARCHIVED: (ChangeKind.ACTIVATE, "take {slug} out of the archive"),
    Rule.DRAFT: (ChangeKind.ACTIVATE, "make {slug} active"),
    Rule.UNAVAILABLE: (ChangeKind.INSTALL_COMMANDS, "install {commands}"),
    Rule.ASSIGNMENT_DISABLED: (ChangeKind.ENABLE_ASSIGNMENT, "enable the assignment of {slug}"),
    Rule.NO_VERSION: (ChangeKind.UNPIN, "widen the version range of {slug}"),
    Rule.LOW_CONFIDENCE: (
        ChangeKind.PROMOTE,
        "promote {slug} to medium, or let its assignment opt in",
    ),
}


def _assign(one: Candidate, request: Request) -> Change:
    if one.layer.is_directory:
        agent = request.agent.name if request.agent else "everyone"
        text = f"name {agent} in the manifest.json of {one.slug}"
        return Change(ChangeKind.NAME_AGENT, one.slug, text, one.ref)
    subject = request.subjects[-1]
    whom = f"{subject.kind} {subject.name}" if subject.name else "everyone"
    return Change(ChangeKind.ASSIGN, one.slug, f"assign {one.slug} to {whom}", one.ref)


def _satisfy(decision: Decision, resolution: Resolution, request: Request) -> Change:
    """Give what has to be done first for something that is required and not there."""
    there = {one.slug for one in resolution.decisions if one.disposition in _THERE}
    needed = next(slug for slug in decision.candidate.requires if slug not in there)
    offers = [one for one in resolution.decisions if one.slug == needed]
    if not offers:
        return Change(ChangeKind.ADD_SKILL, needed, f"add a skill named {needed}")
    # The strongest of them: the one that is nearest to being loaded.
    nearest = min(offers, key=lambda one: (one.rule is Rule.REQUIREMENT_MISSING, one.candidate.ref))
    return _next_change(nearest, resolution, request)


_THERE: Final = (Disposition.LOADED, Disposition.CUT)


def _unshadow(decision: Decision, resolution: Resolution) -> Change:
    winner = _find(resolution, decision.by or "").candidate
    if winner.layer.is_directory:
        text = f"remove {winner.location or winner.slug}"
    else:
        text = f"delete the {winner.layer} skill {winner.slug}"
    return Change(ChangeKind.REMOVE, winner.slug, text, winner.ref)


def _make_room(decision: Decision, resolution: Resolution, request: Request) -> Change:
    room = Room.of(request)
    competing = [one for one in resolution.decisions if one.disposition in _THERE]
    if decision.rule is Rule.EAGER_LIMIT:
        number = len(competing)
        text = f"raise the number of skills that are loaded whole to {number}"
        return Change(ChangeKind.RAISE_LIMIT, decision.slug, text, number=number)
    costs = (one.candidate.cost for one in competing)
    total = sum(cost.loaded if room.is_eager else cost.listed for cost in costs)
    number = -(-total * 100 // max(request.policy.share, 1))
    text = f"give the agent a context window of {number:,} tokens"
    return Change(ChangeKind.WIDEN_WINDOW, decision.slug, text, number=number)
