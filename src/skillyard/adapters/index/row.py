"""What is remembered of one skill's directory."""

import json
import os
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from skillyard.application.ports.discovery import NO_COST, Root
from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.limits import Limits
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.resolution import Candidate, Cost, Offered
from skillyard.domain.version import Version

Signature: TypeAlias = tuple[int, int, int, int]
"""When a file was written and changed, in nanoseconds, its size, and its inode."""

NO_FILE: Final[Signature] = (0, 0, 0, 0)
ROOT: Final = "."
"""The place of the root itself."""

_TUPLES: Final = frozenset({"tags", "requires", "requires_tools", "agents"})
_ENUMS: Final = {"confidence": Confidence, "invocation": Invocation}
_encode: Final = json.JSONEncoder(separators=(",", ":")).encode


class Reading(NamedTuple):
    """How the directories of one root are read.

    `now` is the time in nanoseconds. `name` is what the root is called. `is_ours` means that files
    may have further names, in the cache of the installer that put them there.
    """

    handle: int
    name: str
    limits: Limits
    now: int
    is_ours: bool = False


class Row(NamedTuple):
    """See `FoundSkill`. `facts` and `findings` are JSON, read when somebody asks.

    A file that was written a moment before it was read may have been written once more within the
    same tick of the clock. Such a row is not `settled`, and its files are read again next time.
    """

    place: str
    slug: str
    description: str
    commands: str
    facts: str
    findings: str
    skill_md: Signature
    sidecar: Signature
    characters: int
    settled: int

    @property
    def edition(self) -> object:
        """See `FoundSkill`."""
        return self[:-1]

    def locate(self, root: Root) -> str:
        """See `FoundSkill.locate`."""
        return to_printable(locate(root.path, self.place))

    def list_diagnostics(self) -> tuple[Diagnostic, ...]:
        """See `FoundSkill.list_diagnostics`."""
        return tuple(map(_to_diagnostic, json.loads(self.findings))) if self.findings else ()

    def to_candidate(
        self, root: Root, *, missing_commands: tuple[str, ...] = (), cost: Cost = NO_COST
    ) -> Candidate:
        """See `FoundSkill.to_candidate`."""
        path = locate(root.path, self.place)
        facts: dict[str, Any] = _read_facts(self.facts) if self.facts else {}
        return Candidate(
            slug=self.slug,
            layer=root.layer,
            ref=path,
            offered=_offer(facts.pop("version", _FIRST)),
            display_name=facts.pop("display_name", self.slug),
            description=self.description,
            location=to_printable(path),
            requires_commands=tuple(self.commands.split()),
            missing_commands=missing_commands,
            cost=cost,
            **facts,
        )


def sign(status: os.stat_result) -> Signature:
    """Give what tells a file from the same file after it was edited."""
    return (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)


def locate(root: str, place: str) -> str:
    """Give the path of a place below `root`."""
    return root if place == ROOT else f"{root.rstrip('/')}/{place}"


def to_printable(path: str) -> str:
    r"""Give a path as text that any output takes: bytes that are not UTF-8 become `\xff`."""
    return path if path.isascii() else os.fsencode(path).decode(errors="backslashreplace")


def pack_facts(facts: dict[str, object]) -> str:
    """Give `facts` as JSON; nothing where there are none."""
    return _encode(facts) if facts else ""


def pack_findings(diagnostics: tuple[Diagnostic, ...]) -> str:
    """Give `diagnostics` as JSON; nothing where there are none."""
    return _encode([_to_list(one) for one in diagnostics]) if diagnostics else ""


def _to_list(one: Diagnostic) -> list[object]:
    span = one.span
    place = [span.line, span.column, span.end_line, span.end_column] if span else None
    return [one.code, one.severity.value, one.message, one.path, place, one.hint, one.fixable]


def _to_diagnostic(packed: list[Any]) -> Diagnostic:
    code, severity, message, path, place, hint, fixable = packed
    return Diagnostic(
        code=code,
        severity=Severity(severity),
        message=message,
        path=path,
        span=Span(*place) if place else None,
        hint=hint,
        fixable=fixable,
    )


def _read_facts(packed: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(packed)
    for name in _TUPLES.intersection(facts):
        facts[name] = tuple(facts[name])
    for name, kind in _ENUMS.items():
        if name in facts:
            facts[name] = kind(facts[name])
    if "provider_hints" in facts:
        facts["provider_hints"] = MappingProxyType(facts["provider_hints"])
    return facts


_FIRST: Final = "1.0.0"


@lru_cache(maxsize=1024)
def _offer(version: str) -> Offered:
    return Offered(Version.parse(version))
