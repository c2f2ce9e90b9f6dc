"""What happened: entries that are only ever added."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from skillyard.domain.digest import TreeDigest


def _nothing() -> Mapping[str, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change: who, when, what, and from which content to which.

    `action` is a noun and a participle, such as `skill.saved`. `target` names what was changed:
    `skill:pdf`, `agent:reviewer`. `number` is given by the store, and grows.
    """

    at: datetime
    actor: str
    door: str
    action: str
    target: str
    skill_id: str | None = None
    before: TreeDigest | None = None
    after: TreeDigest | None = None
    details: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """Which entries are wanted; None does not restrict. `action` also matches a first part."""

    target: str | None = None
    skill_id: str | None = None
    actor: str | None = None
    action: str | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxEvent:
    """One thing that has to be done because of a change, kept until it is done.

    It is committed together with the change. `number` is given by the store.
    """

    at: datetime
    topic: str
    data: Mapping[str, str] = field(default_factory=_nothing, hash=False)
    number: int = 0
