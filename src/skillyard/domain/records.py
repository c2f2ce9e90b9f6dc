"""Whom and what the store knows besides skills: so that a wrong name is an error, not a silence.

Every record has a name that is unique among its kind and never changes, and a `revision` that grows
by one with every change.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from skillyard.domain.hook import Hook


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """A place of work whose agents share the skills assigned to it."""

    name: str
    description: str = ""
    revision: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Team:
    """A group of agents."""

    name: str
    description: str = ""
    workspace: str | None = None
    revision: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent.

    `allowlist` is None, or holds `*`, where every skill is allowed; empty allows none. `provider`
    is the client that it usually runs in. `context_window` counts tokens. `eager_limit` and
    `listed_limit` are how many skills are loaded whole, and named, where the defaults do not fit.
    `hooks` are run around each of its runs, those of one stage in their order.
    """

    name: str
    description: str = ""
    workspace: str | None = None
    team: str | None = None
    provider: str | None = None
    allowlist: tuple[str, ...] | None = None
    disabled_skills: tuple[str, ...] = ()
    context_window: int | None = None
    eager_limit: int | None = None
    listed_limit: int | None = None
    lightweight: bool = False
    hooks: tuple[Hook, ...] = ()
    revision: int = 1

    def allows(self, slug: str) -> bool:
        """Tell whether its list of allowed skills lets a skill in."""
        return self.allowlist is None or "*" in self.allowlist or slug in self.allowlist


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A step of a workflow that skills can be assigned to; `agent` is who carries it out.

    Its `hooks` are run after those of the agent.
    """

    name: str
    description: str = ""
    workspace: str | None = None
    agent: str | None = None
    hooks: tuple[Hook, ...] = ()
    revision: int = 1


class SandboxKind(StrEnum):
    """How a sandbox is reached."""

    LOCAL = "local"
    COMMAND = "command"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """A filesystem elsewhere that holds an agent's skills; the command `prefix` enters it."""

    name: str
    agent: str
    kind: SandboxKind = SandboxKind.LOCAL
    prefix: tuple[str, ...] = ()
    skills_path: str = "/home/sprite/.skills"
    revision: int = 1


Record = Workspace | Team | Agent | Node | Sandbox
AnyRecord = TypeVar("AnyRecord", Workspace, Team, Agent, Node, Sandbox)

RECORD_KINDS: tuple[type[Record], ...] = (Workspace, Team, Agent, Node, Sandbox)
"""Every kind of record; one refers only to kinds that stand before it."""


def name_of_kind(kind: type[Record]) -> str:
    """Give the word for a kind of record, as people write it."""
    return kind.__name__.lower()
