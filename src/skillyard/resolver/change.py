"""What would have to change for another outcome: changes as values that can be made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from skillyard.domain.assignment import Assignment
from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent
from skillyard.domain.resolution import Candidate, Layer, Offered, Request
from skillyard.domain.skill import SkillStatus
from skillyard.domain.version import Version
from skillyard.resolver.standing import find_assignment


class ChangeKind(StrEnum):
    """What is changed."""

    TAKE_OFF_DISABLED_LIST = "take-off-disabled-list"
    PUT_ON_DISABLED_LIST = "put-on-disabled-list"
    PUT_ON_ALLOWLIST = "put-on-allowlist"
    LEAVE_LIGHTWEIGHT = "leave-lightweight"
    ENABLE_SKILL = "enable-skill"
    DISABLE_SKILL = "disable-skill"
    ACTIVATE = "activate"
    ARCHIVE = "archive"
    INSTALL_COMMANDS = "install-commands"
    ENABLE_ASSIGNMENT = "enable-assignment"
    ASSIGN = "assign"
    NAME_AGENT = "name-agent"
    UNPIN = "unpin"
    PROMOTE = "promote"
    ADD_SKILL = "add-skill"
    REMOVE = "remove"
    RAISE_LIMIT = "raise-limit"
    WIDEN_WINDOW = "widen-window"


@dataclass(frozen=True, slots=True)
class Change:
    """One change: of the candidate `ref`, or of what is asked; in words, and as data.

    `number` is the new limit where one is raised.
    """

    kind: ChangeKind
    slug: str
    text: str
    ref: str = ""
    number: int = 0


World = tuple[tuple[Candidate, ...], Request]

_NOWHERE = TreeDigest(f"sha256:{'0' * 64}")


def apply_change(change: Change, candidates: Sequence[Candidate], request: Request) -> World:
    """Give the candidates and the request as they are once the change is made."""
    match change.kind:
        case ChangeKind.REMOVE:
            return tuple(one for one in candidates if one.ref != change.ref), request
        case ChangeKind.ADD_SKILL:
            return (*candidates, _make(change.slug)), request
        case ChangeKind.RAISE_LIMIT | ChangeKind.WIDEN_WINDOW:
            return tuple(candidates), _make_room(change, request)
        case (
            ChangeKind.TAKE_OFF_DISABLED_LIST
            | ChangeKind.PUT_ON_DISABLED_LIST
            | ChangeKind.PUT_ON_ALLOWLIST
            | ChangeKind.LEAVE_LIGHTWEIGHT
        ):
            return tuple(candidates), _change_agent(change, request)
        case _:
            return tuple(_change_one(change, one, request) for one in candidates), request


def _make(slug: str) -> Candidate:
    return Candidate(
        slug=slug, layer=Layer.BUNDLED, ref=f"added:{slug}", offered=Offered(Version(1), _NOWHERE)
    )


def _make_room(change: Change, request: Request) -> Request:
    agent = request.agent
    if change.kind is ChangeKind.WIDEN_WINDOW and agent is not None:
        return replace(request, agent=replace(agent, context_window=change.number))
    if agent is not None and agent.eager_limit is not None:
        return replace(request, agent=replace(agent, eager_limit=change.number))
    return replace(request, policy=replace(request.policy, eager_limit=change.number))


def _change_agent(change: Change, request: Request) -> Request:
    if request.agent is None:
        return request
    return replace(request, agent=_changed_agent(change, request.agent))


def _changed_agent(change: Change, agent: Agent) -> Agent:
    disabled = tuple(one for one in agent.disabled_skills if one != change.slug)
    match change.kind:
        case ChangeKind.TAKE_OFF_DISABLED_LIST:
            return replace(agent, disabled_skills=disabled)
        case ChangeKind.PUT_ON_DISABLED_LIST:
            return replace(agent, disabled_skills=(*disabled, change.slug))
        case ChangeKind.PUT_ON_ALLOWLIST:
            return replace(agent, allowlist=(*(agent.allowlist or ()), change.slug))
        case _:
            return replace(agent, lightweight=False)


def _change_one(change: Change, one: Candidate, request: Request) -> Candidate:
    if one.ref != change.ref:
        return one
    if change.kind in _CHANGED:
        return replace(one, **_CHANGED[change.kind])  # type: ignore[arg-type]
    if change.kind is ChangeKind.NAME_AGENT:
        agent = request.agent
        return replace(one, agents=(*(one.agents or ()), agent.name) if agent else None)
    return _change_assignment(change, one, request)


_CHANGED: Final[Mapping[ChangeKind, Mapping[str, object]]] = {
    ChangeKind.ENABLE_SKILL: {"enabled": True},
    ChangeKind.DISABLE_SKILL: {"enabled": False},
    ChangeKind.ACTIVATE: {"status": SkillStatus.ACTIVE},
    ChangeKind.ARCHIVE: {"status": SkillStatus.ARCHIVED},
    ChangeKind.INSTALL_COMMANDS: {"missing_commands": ()},
    ChangeKind.PROMOTE: {"confidence": Confidence.MEDIUM},
}


def _change_assignment(change: Change, one: Candidate, request: Request) -> Candidate:
    found = find_assignment(one, request)
    subject = request.subjects[-1]
    changed = found or Assignment(
        id=f"added:{one.ref}", skill_id=one.ref, owner=one.owner, slug=one.slug, subject=subject
    )
    if change.kind is ChangeKind.UNPIN:
        changed = replace(changed, constraint=None)
    else:
        changed = replace(changed, enabled=True)
    others = tuple(other for other in one.assignments if other != found)
    return replace(one, assignments=(*others, changed))
