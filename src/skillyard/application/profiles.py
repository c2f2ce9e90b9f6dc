"""Read the name of a profile."""

from dataclasses import dataclass

from skillyard.domain.client import Client
from skillyard.domain.errors import InvalidProfileError
from skillyard.providers.clients import CLIENTS
from skillyard.skillmd.rules import Profile

_CLIENT = "client:"

PROFILE_NAMES = (*(one.value for one in Profile), *(f"{_CLIENT}{name}" for name in CLIENTS))


@dataclass(frozen=True, slots=True)
class ChosenProfile:
    """A profile as a user names it; a client's own readers are lenient."""

    name: str
    profile: Profile
    client: Client | None = None


def parse_profile(text: str) -> ChosenProfile:
    """Read `strict`, `standard`, `lenient` or `client:<name>`.

    Raises:
        InvalidProfileError: It is none of them.
    """
    if text.startswith(_CLIENT) and text.removeprefix(_CLIENT) in CLIENTS:
        return ChosenProfile(text, Profile.LENIENT, CLIENTS[text.removeprefix(_CLIENT)])
    if text in list(Profile):
        return ChosenProfile(text, Profile(text))
    raise InvalidProfileError(text, known=PROFILE_NAMES)
