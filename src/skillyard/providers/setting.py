"""What a delivery is planned for: the program, where it stands, and what was asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from skillyard.domain.client import Client
from skillyard.domain.delivery import FoundDirectory, FoundSettings, OnInvalid, RunPlaces
from skillyard.providers.clients import CLIENTS
from skillyard.providers.deliveries import AGENTS_DIRECTORY, HOMES

AGENTS_DIR: Final = "agents-dir"
"""Any program that reads `~/.agents/skills`."""
PROMPT: Final = "prompt"
"""Any other program: its skills are prompt text."""
PROVIDERS: Final = (*CLIENTS, AGENTS_DIR, PROMPT)
"""Everything that skills can be delivered to."""


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverySetting:
    """For whom, and where, skills are laid out.

    `provider` is one of `PROVIDERS`. `environment` is the user's, and `passing` names variables of
    it that are passed on whatever they look like. `can_link` tells that the run cannot write to
    what is linked. `window` is the context window in tokens, or None where it is not known.
    `found` is what the client comes by in the workspace and on the machine, and `directed` are
    settings of the project that direct which skills it sees.
    """

    provider: str
    places: RunPlaces
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    passing: frozenset[str] = frozenset()
    on_invalid: OnInvalid = OnInvalid.LEAVE_OUT
    can_link: bool = False
    window: int | None = None
    found: tuple[FoundDirectory, ...] = ()
    directed: tuple[FoundSettings, ...] = ()

    @property
    def client(self) -> Client | None:
        """The client, or None where the provider is any program."""
        return CLIENTS.get(self.provider)

    @property
    def title(self) -> str:
        """What the provider is called in a sentence."""
        return self.client.title if self.client else "the program"

    @property
    def skills_directory(self) -> str:
        """Where skills are laid out in the run's home; empty where they are prompt text."""
        if self.client is not None:
            return self.client.delivery.skills
        return AGENTS_DIRECTORY if self.provider == AGENTS_DIR else ""

    @property
    def home_directories(self) -> tuple[str, ...]:
        """Where the program looks for skills in the run's home, in order."""
        if self.client is None:
            return (self.skills_directory,) if self.skills_directory else ()
        found = map(_to_home, self.client.directories.user)
        commands = self.client.delivery.commands
        return tuple(sorted({self.skills_directory, *commands, *filter(None, found)}))


def _to_home(directory: str) -> str:
    """Give where a directory of the user is in the run's home; empty where it is not there."""
    head, _, rest = directory.partition("/")
    place = "{home}" if head == "~" else HOMES.get(head.removeprefix("$"), "")
    return f"{place}/{rest}".removeprefix("{home}/") if place else ""
