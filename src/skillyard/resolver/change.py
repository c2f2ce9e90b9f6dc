"""What would have to change for another outcome: changes as values that can be made."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Final, NamedTuple

from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent
from skillyard.domain.resolution import Candidate, Layer, Offered, Request
from skillyard.domain.skill import SkillStatus
from skillyard.domain.version import Version


class ChangeKind(StrEnum):
    """What is changed."""

    TAKE_OFF_DISABLED_LIST = "take-off-disabled-list"
    PUT_ON_DISABLED_LIST = "put-on-disabled-list"
    PUT_ON_ALLOWLIST = "put-on-allowlist"
    LEAVE_LIGHTWEIGHT = "leave-lightweight"
    ENABLE_SKILL = "enable-skill"
    ACTIVATE = "activate"
    INSTALL_COMMANDS = "install-commands"
    ENABLE_ASSIGNMENT = "enable-assignment"
    DISABLE_ASSIGNMENT = "disable-assignment"
    ASSIGN = "assign"
    UNASSIGN = "unassign"
    OPT_IN = "opt-in"
    NAME_AGENT = "name-agent"
    UNPIN = "unpin"
    PROMOTE = "promote"
    ADD_SKILL = "add-skill"
    REMOVE = "remove"
    RAISE_LIMIT = "raise-limit"
    WIDEN_WINDOW = "widen-window"
    LOAD_LESS = "load-less"


class Change(NamedTuple):
    """One change: of the candidate `ref`, or of what is asked; in words, and as data.

    `number` is the new limit where one is raised. `subject` is whose assignment is changed, and
    `owner` whose skill of the store, or empty where it stands in a directory.
    """

    kind: ChangeKind
    slug: str
    text: str
    ref: str = ""
    number: int = 0
    subject: Subject | None = None
    owner: str = ""


World = tuple[tuple[Candidate, ...], Request]

_NOWHERE = TreeDigest(f"sha256:{'0' * 64}")


def apply_change(change: Change, candidates: Sequence[Candidate], request: Request) -> World:
    """Give the candidates and the request as they are once the change is made."""
    return apply_changes((change,), candidates, request)


def apply_changes(
    changes: Iterable[Change], candidates: Iterable[Candidate], request: Request
) -> World:
    """Give the candidates and the request as they are once all changes are made, in order."""
    world = {one.ref: one for one in candidates}
    for change in changes:
        if change.kind is ChangeKind.REMOVE:
            world.pop(change.ref, None)
        elif change.kind is ChangeKind.ADD_SKILL:
            added = make_skill(change.slug)
            world[added.ref] = added
        elif change.kind in _OF_REQUEST:
            request = _change_request(change, request)
        elif change.ref in world:
            world[change.ref] = _change_one(change, world[change.ref], request)
    return tuple(world.values()), request


_OF_REQUEST: Final = frozenset(
    {
        ChangeKind.RAISE_LIMIT,
        ChangeKind.WIDEN_WINDOW,
        ChangeKind.LOAD_LESS,
        ChangeKind.TAKE_OFF_DISABLED_LIST,
        ChangeKind.PUT_ON_DISABLED_LIST,
        ChangeKind.PUT_ON_ALLOWLIST,
        ChangeKind.LEAVE_LIGHTWEIGHT,
    }
)


def make_skill(slug: str) -> Candidate:
    """Give a skill as it may be added: for everyone, with nothing that keeps it out."""
    return Candidate(
        slug=slug, layer=Layer.BUNDLED, ref=f"added:{slug}", offered=Offered(Version(1), _NOWHERE)
    )


def _change_request(change: Change, request: Request) -> Request:
    if change.kind is ChangeKind.LOAD_LESS:
        return replace(request, policy=replace(request.policy, eager=False))
    # Only an agent has lists: without one, it is any agent that shall not have the skill.
    return replace(request, agent=_changed_agent(change, request.agent or Agent(name="any")))


def _changed_agent(change: Change, agent: Agent) -> Agent:
    disabled = tuple(one for one in agent.disabled_skills if one != change.slug)
    match change.kind:
        case ChangeKind.RAISE_LIMIT:
            return replace(agent, eager_limit=change.number)
        case ChangeKind.WIDEN_WINDOW:
            return replace(agent, context_window=change.number)
        case ChangeKind.TAKE_OFF_DISABLED_LIST:
            return replace(agent, disabled_skills=disabled)
        case ChangeKind.PUT_ON_DISABLED_LIST:
            return replace(agent, disabled_skills=(*disabled, change.slug))
        case ChangeKind.PUT_ON_ALLOWLIST:
            return replace(agent, allowlist=(*(agent.allowlist or ()), change.slug))
        case _:
            return replace(agent, lightweight=False)


def _change_one(change: Change, one: Candidate, request: Request) -> Candidate:
    if change.kind in _CHANGED:
        return replace(one, **_CHANGED[change.kind])  # type: ignore[arg-type]
    if change.kind is ChangeKind.NAME_AGENT:
        agent = request.agent
        return replace(one, agents=(*(one.agents or ()), agent.name) if agent else None)
    return _change_assignment(change, one, request)


_CHANGED: Final[Mapping[ChangeKind, Mapping[str, object]]] = {
    ChangeKind.ENABLE_SKILL: {"enabled": True},
    ChangeKind.ACTIVATE: {"status": SkillStatus.ACTIVE},
    ChangeKind.INSTALL_COMMANDS: {"missing_commands": ()},
    ChangeKind.PROMOTE: {"confidence": Confidence.MEDIUM},
}


def _change_assignment(change: Change, one: Candidate, request: Request) -> Candidate:
    subject = change.subject or request.subjects[-1]
    found = next((each for each in one.assignments if each.subject == subject), None)
    others = tuple(each for each in one.assignments if each is not found)
    if change.kind is ChangeKind.UNASSIGN:
        return replace(one, assignments=others)
    before = found or Assignment(
        id=f"added:{one.ref}", skill_id=one.ref, owner=one.owner, slug=one.slug, subject=subject
    )
    changed = replace(before, **_ASSIGNED[change.kind])  # type: ignore[arg-type]
    return replace(one, assignments=(*others, changed))


_ASSIGNED: Final[Mapping[ChangeKind, Mapping[str, object]]] = {
    ChangeKind.ASSIGN: {"enabled": True},
    ChangeKind.ENABLE_ASSIGNMENT: {"enabled": True},
    ChangeKind.DISABLE_ASSIGNMENT: {"enabled": False},
    ChangeKind.OPT_IN: {"opt_in": True},
    ChangeKind.UNPIN: {"constraint": None},
}
