"""Who commits: what git is told of the user where it cannot read the user's own settings."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from skillyard.adapters.workspace.git import Git, split
from skillyard.domain.errors import GitUnavailableError

_ASKED: Final = r"^(user|author|committer)\.(name|email)$"


def read_identity(git: Git) -> dict[str, str]:
    """Give the variables by which programs commit as the user; what is not known is left out."""
    with suppress(GitUnavailableError):
        answer = git.find("config", "--null", "--get-regexp", _ASKED)
        # Of several values the last one counts.
        known = dict(line.split("\n", 1) for line in split(answer or "") if "\n" in line)
        return _to_variables(known)
    return {}


def _to_variables(known: Mapping[str, str]) -> dict[str, str]:
    found = {
        f"GIT_{role}_{field}".upper(): known.get(f"{role}.{field}") or known.get(f"user.{field}")
        for role in ("author", "committer")
        for field in ("name", "email")
    }
    return {name: value for name, value in found.items() if value}
