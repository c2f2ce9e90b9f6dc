"""Try again what someone else was first at."""

from collections.abc import Callable
from typing import Final, TypeVar

from skillyard.domain.errors import ConcurrentChangeError

_Settled = TypeVar("_Settled")
# Each failed attempt means that someone else succeeded.
_ATTEMPTS: Final = 100


def settle(what: str, attempt: Callable[[], _Settled | None]) -> _Settled:
    """Give what `attempt` gives; None means that someone else was first, and it is made again.

    An attempt that gives None has changed nothing.

    Raises:
        ConcurrentChangeError: Someone else was first again and again.
    """
    for _ in range(_ATTEMPTS):
        settled = attempt()
        if settled is not None:
            return settled
    raise ConcurrentChangeError(what)
