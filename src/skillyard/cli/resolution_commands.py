"""The commands that make a change which was named, where there are any."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from skillyard.domain.assignment import Subject, SubjectKind
from skillyard.domain.records import Agent
from skillyard.domain.resolution import Request
from skillyard.domain.skill import PEOPLE
from skillyard.resolver.change import Change, ChangeKind

_OF_SKILL: Final[Mapping[ChangeKind, tuple[str, tuple[str, ...]]]] = {
    ChangeKind.ENABLE_SKILL: ("enable", ()),
    ChangeKind.ACTIVATE: ("edit", ("--status", "active")),
    ChangeKind.PROMOTE: ("edit", ("--confidence", "medium")),
}
_OF_ASSIGNMENT: Final[Mapping[ChangeKind, tuple[str, tuple[str, ...]]]] = {
    ChangeKind.ASSIGN: ("assign", ()),
    ChangeKind.UNASSIGN: ("unassign", ()),
    ChangeKind.ENABLE_ASSIGNMENT: ("assign", ("--enable",)),
    ChangeKind.DISABLE_ASSIGNMENT: ("assign", ("--disable",)),
    ChangeKind.OPT_IN: ("assign", ("--opt-in",)),
    ChangeKind.UNPIN: ("assign", ("--unpin",)),
}
_NUMBERS: Final[Mapping[ChangeKind, str]] = {
    ChangeKind.RAISE_LIMIT: "--eager-limit",
    ChangeKind.WIDEN_WINDOW: "--context-window",
}


def list_commands(changes: Iterable[Change], request: Request) -> list[str]:
    """List what can be pasted into a shell to make the changes, in order.

    What is done to directories, and installing things, is left to people.
    """
    asked = list(changes)
    found = (_to_command(one) for one in asked)
    return [*(one for one in found if one), *_iter_of_agent(asked, request)]


def _to_command(change: Change) -> str:
    if not change.owner:
        return ""
    reference = change.slug if change.owner == PEOPLE else f"{change.owner}/{change.slug}"
    if change.kind in _OF_SKILL:
        verb, options = _OF_SKILL[change.kind]
        return shlex.join(("skillyard", verb, reference, *options))
    if change.kind in _OF_ASSIGNMENT and change.subject is not None:
        verb, options = _OF_ASSIGNMENT[change.kind]
        return shlex.join(("skillyard", verb, reference, *_name(change.subject), *options))
    return ""


def _name(subject: Subject) -> tuple[str, ...]:
    if subject.kind is SubjectKind.GLOBAL:
        return ("--global",)
    return (f"--{subject.kind}", subject.name)


def _iter_of_agent(changes: Sequence[Change], request: Request) -> Iterator[str]:
    """Yield one command for all that is said of the agent: it says each list as a whole."""
    agent = request.agent
    options = [] if agent is None else list(_iter_options(agent, changes))
    if agent is not None and options:
        yield shlex.join(("skillyard", "agents", "set", agent.name, *options))


def _iter_options(agent: Agent, changes: Sequence[Change]) -> Iterator[str]:
    if allowed := _list_slugs(changes, ChangeKind.PUT_ON_ALLOWLIST):
        for slug in (*(agent.allowlist or ()), *allowed):
            yield from ("--allow", slug)
    yield from _iter_disabled(agent, changes)
    for change in changes:
        if change.kind is ChangeKind.LEAVE_LIGHTWEIGHT:
            yield "--no-lightweight"
        elif change.kind in _NUMBERS:
            yield from (_NUMBERS[change.kind], str(change.number))


def _iter_disabled(agent: Agent, changes: Sequence[Change]) -> Iterator[str]:
    added = _list_slugs(changes, ChangeKind.PUT_ON_DISABLED_LIST)
    taken = set(_list_slugs(changes, ChangeKind.TAKE_OFF_DISABLED_LIST))
    if not added and not taken:
        return
    left = [slug for slug in agent.disabled_skills if slug not in taken]
    for slug in (*left, *added):
        yield from ("--disable-skill", slug)
    if not left and not added:
        yield "--disable-none"


def _list_slugs(changes: Sequence[Change], kind: ChangeKind) -> list[str]:
    return [one.slug for one in changes if one.kind is kind]
