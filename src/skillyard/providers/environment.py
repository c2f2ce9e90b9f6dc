"""Which variables a program is started with: those that are set, and those that are held back."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from skillyard.domain.client import ClientDelivery
from skillyard.domain.delivery import RunPlaces
from skillyard.providers.deliveries import HOMES
from skillyard.providers.home import fill

PROMPT_FILE: Final = "SKILLYARD_PROMPT_FILE"
"""Names the file that holds skills as text."""

# These lead clients to other homes, settings and skills than those of the run.
_LEADING: Final = re.compile(
    r"(?:CLAUDE|CODEX|COPILOT|GEMINI_CLI|OPENCODE|SKILLYARD|XDG)_.*|ANTHROPIC_CONFIG_DIR|CLAUDECODE"
    r"|SLASH_COMMAND_TOOL_CHAR_BUDGET|SKILL_CHAR_BUDGET"
    # And these lead git to another repository than the one that the run works in.
    r"|GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES"
    r"|NAMESPACE|PREFIX|CEILING_DIRECTORIES)"
    # These configure git for the user: in the run they would count more than its own settings.
    r"|GIT_CONFIG_(?:COUNT|GLOBAL|PARAMETERS|(?:KEY|VALUE)_.*)"
)
_SECRET: Final = re.compile(
    r".*(?:TOKEN|SECRET|SECRET_KEY|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|CREDENTIALS?"
    # These name files with secrets in them.
    r"|PRIVATE_KEY|PASSFILE)|NETRC|KUBECONFIG"
    r"|(?:.*_)?(?:PAT|PASS)",
    re.IGNORECASE,
)
# A password may hold any character, but for blanks.
_SECRET_VALUE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s/@:]*:(?!\d{1,5}/)[^\s@]+@")


def set_variables(delivery: ClientDelivery | None, places: RunPlaces) -> dict[str, str]:
    """Give the variables that are set for a client, or for a program that is none."""
    found = {name: fill(value, places) for name, value in HOMES.items()}
    if delivery is None:
        return found
    return found | {name: fill(value, places) for name, value in delivery.variables.items()}


def list_dropped(inherited: Mapping[str, str], *, kept: Collection[str]) -> tuple[str, ...]:
    """List the variables of the user that are held back, in order; those in `kept` never are."""
    return tuple(
        sorted(
            name
            for name, value in inherited.items()
            if name not in kept and (_LEADING.fullmatch(name) or holds_secret(name, value))
        )
    )


def looks_secret(name: str) -> bool:
    """Tell whether a variable of this name is likely to hold a secret."""
    return _SECRET.fullmatch(name) is not None


def holds_secret(name: str, value: str) -> bool:
    """Tell whether a variable is likely to hold a secret: by its name, or by a URL's password."""
    return looks_secret(name) or _SECRET_VALUE.search(value) is not None


def list_kept(delivery: ClientDelivery | None, passing: Collection[str]) -> frozenset[str]:
    """Give the variables that are passed on whatever they look like."""
    return frozenset(passing) | frozenset(delivery.login_variables if delivery else ())


def is_any_set(names: Collection[str], environment: Mapping[str, str]) -> bool:
    """Tell whether one of the variables is set; it always is where none is named."""
    return not names or any(environment.get(name) for name in names)
