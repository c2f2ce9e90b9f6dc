"""Which login files a run would find, for people who look at its plan."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from skillyard.domain.delivery import LoginFile


def list_present(
    logins: Iterable[LoginFile], environment: Mapping[str, str]
) -> tuple[LoginFile, ...]:
    """Give the logins that there are; for each place in the home, the first known source counts."""
    counting: dict[str, tuple[LoginFile, Path]] = {}
    for login, source in _iter_known(logins, environment):
        counting.setdefault(login.path, (login, source))
    return tuple(login for login, source in counting.values() if os.path.lexists(source))


def _iter_known(
    logins: Iterable[LoginFile], environment: Mapping[str, str]
) -> Iterator[tuple[LoginFile, Path]]:
    for login in logins:
        head, _, rest = login.source.partition("/")
        name = "HOME" if head == "~" else head.removeprefix("$")
        if name == head:
            yield login, Path(login.source)
        elif base := environment.get(name):
            yield login, Path(base, rest)
