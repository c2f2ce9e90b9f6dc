"""What a skill says about itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

CATEGORIES = (
    "general",
    "coding",
    "ops",
    "writing",
    "research",
    "design",
    "testing",
    "security",
    "custom",
)


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


class Confidence(StrEnum):
    """How far a skill is proven."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Invocation(StrEnum):
    """Who may call on a skill."""

    AUTO = "auto"
    USER_ONLY = "user-only"
    MODEL_ONLY = "model-only"


@dataclass(frozen=True, slots=True)
class Triggers:
    """What in a task calls for a skill; patterns are regular expressions."""

    keywords: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Author:
    """Who made a skill: a system, an agent that earned it, or a place it was imported from."""

    type: str = "system"
    agent: str | None = None
    source: str | None = None


SYSTEM = Author()


@dataclass(frozen=True, slots=True, kw_only=True)
class SidecarManifest:
    """The `manifest.json` beside a SKILL.md; None where it does not say.

    `agents` is None for every agent, which the file writes as `"*"`. `generator` is the program
    that wrote the file beside a package's own files, and `digest` that of the package as it was.
    """

    name: str | None = None
    version: str | None = None
    description: str | None = None
    confidence: Confidence | None = None
    author: Author | None = None
    agents: tuple[str, ...] | None = None
    tags: tuple[str, ...] = ()
    created: str | None = None
    updated: str | None = None
    requires: tuple[str, ...] = ()
    generator: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The facts about a skill, from wherever in its package they stand.

    A fact that stands in several places is taken from the front matter, then from `metadata`, then
    from `manifest.json`. `fields` holds the whole front matter as texts, lists and dictionaries.
    `requires_commands` are programs; `requires` are other skills.
    """

    name: str
    description: str
    license: str | None = None
    compatibility: str | None = None
    metadata: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    allowed_tools: tuple[str, ...] = ()
    version: str | None = None
    display_name: str | None = None
    author: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    requires_tools: tuple[str, ...] = ()
    requires_commands: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    triggers: Triggers = Triggers()
    invocation: Invocation = Invocation.AUTO
    providers: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    sidecar: SidecarManifest | None = None
    fields: Mapping[str, object] = field(default_factory=_nothing, hash=False)
