"""Which front matter fields are known, and to whom."""

from functools import lru_cache
from typing import Final

SPECIFICATION = frozenset(
    {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
)
"""The fields of the Agent Skills specification."""

OWN = frozenset(
    {
        "version",
        "display-name",
        "tags",
        "category",
        "requires-tools",
        "triggers",
        "invocation",
        "providers",
    }
)
"""The fields that Skillyard reads besides."""

CLIENTS = frozenset(
    {
        # Claude Code; GitHub Copilot and VS Code share some of them.
        "agent",
        "argument-hint",
        "arguments",
        "background",
        "context",
        "disable-model-invocation",
        "disallowed-tools",
        "disallowedTools",
        "effort",
        "evals",
        "hide-from-slash-command-tool",
        "hooks",
        "model",
        "paths",
        "shell",
        "user-invocable",
        "when_to_use",
        # squad
        "agents",
        "confidence",
        "domain",
        "roles",
        "source",
        # skillshare
        "targets",
    }
)
"""The fields that known clients and tools added."""

KNOWN = SPECIFICATION | OWN | CLIENTS


# One letter more than the longest, with a blank or a hyphen between all letters.
_LONGEST: Final = 2 * max(map(len, KNOWN)) + 1


def find_meant_field(field: str) -> str | None:
    """Give the known field that `field` looks like a misspelling of, or None."""
    # Strangers choose the names: what is remembered must stay small.
    return _find_meant_field(field) if len(field) <= _LONGEST else None


@lru_cache(maxsize=1024)
def _find_meant_field(field: str) -> str | None:
    folded = _fold(field)
    for known in sorted(KNOWN):
        if folded == _fold(known) or _is_one_letter_off(field, known):
            return known
    return None


def _fold(field: str) -> str:
    return field.lower().replace("_", "").replace("-", "").replace(" ", "")


def _is_one_letter_off(one: str, other: str) -> bool:
    if min(len(one), len(other)) < len("tags") or abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    while rest and other_rest and rest[-1] == other_rest[-1]:
        rest, other_rest = rest[:-1], other_rest[:-1]
    return max(len(rest), len(other_rest)) <= 1
