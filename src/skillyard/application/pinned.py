"""Say what a skill is at the version that an assignment pins it to.

The store keeps the facts of the current version. A version that is pinned instead states its own:
they hold here as they would if it were made current again.
"""

from dataclasses import replace
from typing import TypedDict

from skillyard.application.ports.store import Transaction
from skillyard.application.stated import find_manifest, state_facts
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.manifest import Invocation
from skillyard.domain.resolution import Candidate, Offered, Request
from skillyard.resolver.standing import choose_version, find_assignment


class _Stated(TypedDict):
    """What a package states of a candidate; whom it is for is said of the skill as a whole."""

    display_name: str
    description: str
    category: str
    tags: tuple[str, ...]
    requires: tuple[str, ...]
    requires_commands: tuple[str, ...]
    requires_tools: tuple[str, ...]
    provider_hints: dict[str, str]
    invocation: Invocation


def restate_pinned(
    candidate: Candidate, request: Request, *, transaction: Transaction
) -> Candidate:
    """Give the candidate as the version states it that a pin chooses for whoever asks.

    It comes as it is where the current version is chosen, or none. So it does where one of the two
    cannot be read: that is said to whoever opens the skill.
    """
    if not candidate.others:
        return candidate
    chosen = choose_version(candidate, find_assignment(candidate, request))
    if chosen is None or chosen == candidate.offered:
        return candidate
    before = _find_stated(candidate.offered, transaction)
    after = _find_stated(chosen, transaction)
    if before is None or after is None:
        return candidate
    # What people said stays, unless the two versions say something different themselves.
    stated = {name: value for name, value in after.items() if before[name] != value}  # type: ignore[literal-required]
    stated["description"] = after["description"]
    return replace(candidate, offered=chosen, **stated)  # type: ignore[arg-type]


def _find_stated(offered: Offered, transaction: Transaction) -> _Stated | None:
    try:
        manifest = (
            find_manifest(offered.digest, transaction=transaction) if offered.digest else None
        )
    except CorruptedContentError:
        return None
    if manifest is None:
        return None
    facts = state_facts(manifest)
    return _Stated(
        display_name=facts.display_name,
        description=facts.description,
        category=facts.category,
        tags=facts.tags,
        requires=facts.requires,
        requires_commands=tuple(facts.metadata.get("requires", "").split()),
        requires_tools=facts.requires_tools,
        provider_hints=dict(facts.provider_hints),
        invocation=facts.invocation,
    )
