"""The wish to run a program, what runs need from outside, and the plan that follows from both."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from skillyard.application.choosing import Shelves
from skillyard.application.ports.cache import PackageCache
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.ground import RunGrounds
from skillyard.application.ports.ids import IdSource
from skillyard.application.ports.shelf import Shelf
from skillyard.application.ports.store import Store
from skillyard.application.ports.workspace import Workspaces
from skillyard.application.resolve import ResolveSkills
from skillyard.domain.delivery import OnInvalid
from skillyard.domain.hook import Hook
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.run import WorkspaceMode

_FOR_EVERYONE: Final = ResolveSkills()


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgent:
    """The wish to run a program with someone's skills.

    `project` is where it is to work, and `environment` the user's own. Of the variables that are
    not passed on by themselves, those in `passed` are, and those in `added` are set. Without a
    `provider` the command tells it, and then the agent's record. `hooks` come after those of the
    agent and the node. Without `on_invalid`, skills that cannot be delivered are left out. The file
    `receipt` says what is known of the run, at any moment.
    """

    command: tuple[str, ...]
    skills: ResolveSkills = _FOR_EVERYONE
    project: str
    environment: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    provider: str | None = None
    workspace: WorkspaceMode | None = None
    hooks: tuple[Hook, ...] = ()
    passed: tuple[str, ...] = ()
    added: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    on_invalid: OnInvalid | None = None
    keep: bool = False
    receipt: PurePath | None = None
    host: str = ""

    @property
    def policy(self) -> OnInvalid:
        """What becomes of skills that are not required and cannot be delivered."""
        return self.on_invalid or OnInvalid.LEAVE_OUT


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What runs need from outside."""

    store: Store
    cache: PackageCache
    grounds: RunGrounds
    workspaces: Workspaces
    shelf: Shelf
    clock: Clock
    ids: IdSource
    limits: Limits = STANDARD

    @property
    def shelves(self) -> Shelves:
        """Where the contents of skills are had from."""
        return Shelves(self.store, self.cache)
