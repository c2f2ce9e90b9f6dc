"""Read and write `manifest.json`, the facts that SKILL.md has no place for.

An export to a directory writes one beside files that have none. It says so in it, and on the way in
it is taken off again: it is no part of the package.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import Author, Confidence, SidecarManifest
from skillyard.domain.package import Package
from skillyard.domain.paths import MANIFEST_JSON
from skillyard.domain.version import find_version
from skillyard.skillmd import rules
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.jsontext import JsonRefusedError, parse_json
from skillyard.skillmd.rules import Profile

AUTHOR_TYPES = ("system", "earned", "imported")
GENERATOR: Final = "skillyard"
"""What an export calls itself in the manifest.json that it writes."""


def read_sidecar(content: bytes, *, limits: Limits, findings: Findings) -> SidecarManifest | None:
    """Read the bytes of a manifest.json; what is wrong goes to `findings`."""
    try:
        value = parse_json(content, depth=limits.front_matter_depth)
    except JsonRefusedError as error:
        _invalid(findings, f"manifest.json cannot be read: {error}")
        return None
    if not isinstance(value, dict):
        _invalid(findings, "manifest.json does not hold an object")
        return None
    return _Reader(value, findings).read()


def take_off_exported(
    package: Package, *, limits: Limits = STANDARD
) -> tuple[Package, SidecarManifest | None]:
    """Give the package without the manifest.json that an export wrote, and what that says.

    Any other manifest.json stays: then, and without one, the package is given back with None.
    """
    file = package.files.get(MANIFEST_JSON)
    findings = Findings(Profile.STANDARD)
    sidecar = read_sidecar(file.content, limits=limits, findings=findings) if file else None
    if sidecar is None or sidecar.generator != GENERATOR or sidecar.digest is None:
        return package, None
    rest = ((path, one) for path, one in package.files.items() if path != MANIFEST_JSON)
    return Package.from_checked(rest), sidecar


def _invalid(findings: Findings, message: str) -> None:
    findings.add(rules.MANIFEST_INVALID, message, path=MANIFEST_JSON)


class _Reader:
    """Takes one field after the other and reports each that does not have its shape."""

    def __init__(self, value: dict[str, Any], findings: Findings) -> None:
        self._value = value
        self._findings = findings

    def read(self) -> SidecarManifest:
        return SidecarManifest(
            name=self._text("name"),
            version=self._version(),
            description=self._text("description"),
            confidence=self._confidence(),
            author=self._author(),
            agents=self._agents(),
            tags=self._texts("tags"),
            created=self._text("created"),
            updated=self._text("updated"),
            requires=self._texts("requires"),
            generator=self._mark("generator"),
            digest=self._mark("digest"),
        )

    def _mark(self, key: str) -> str | None:
        # Ours where it is a text; what others mean by such a field is theirs.
        value = self._value.get(key)
        return value if isinstance(value, str) else None

    def _wrong(self, key: str, expected: str) -> None:
        message = f"`{key}` in manifest.json is not {expected}"
        self._findings.add(rules.MANIFEST_FIELD, message, path=MANIFEST_JSON)

    def _text(self, key: str) -> str | None:
        value = self._value.get(key)
        if value is None or isinstance(value, str):
            return value
        self._wrong(key, "text")
        return None

    def _version(self) -> str | None:
        text = self._text("version")
        if text is not None and find_version(text) is None:
            self._wrong("version", "a semantic version, such as `1.0.0`")
            return None
        return text

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self._value.get(key)
        if value is None:
            return ()
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        self._wrong(key, "a list of texts")
        return ()

    def _confidence(self) -> Confidence | None:
        text = self._text("confidence")
        if text is None:
            return None
        if text in list(Confidence):
            return Confidence(text)
        self._wrong("confidence", "one of low, medium and high")
        return None

    def _author(self) -> Author | None:
        value = self._value.get("author")
        if value is None:
            return None
        if not isinstance(value, dict) or value.get("type") not in AUTHOR_TYPES:
            self._wrong("author", f"an object with a `type` of {', '.join(AUTHOR_TYPES)}")
            return None
        agent, source = value.get("agent"), value.get("source")
        return Author(
            value["type"],
            agent if isinstance(agent, str) else None,
            source if isinstance(source, str) else None,
        )

    def _agents(self) -> tuple[str, ...] | None:
        if self._value.get("agents") in (None, "*"):
            return None
        return self._texts("agents")


def render_sidecar(sidecar: SidecarManifest) -> bytes:
    """Write a manifest.json; reading it gives an equal value."""
    value = {
        "name": sidecar.name,
        "version": sidecar.version,
        "description": sidecar.description,
        "confidence": sidecar.confidence,
        "author": _render_author(sidecar.author),
        "agents": "*" if sidecar.agents is None else list(sidecar.agents),
        "tags": list(sidecar.tags),
        "created": sidecar.created,
        "updated": sidecar.updated,
        "requires": list(sidecar.requires) or None,
        "generator": sidecar.generator,
        "digest": sidecar.digest,
    }
    said = {key: one for key, one in value.items() if one is not None}
    return (json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode()


def _render_author(author: Author | None) -> Mapping[str, str] | None:
    if author is None:
        return None
    parts = {"type": author.type, "agent": author.agent, "source": author.source}
    return {key: one for key, one in parts.items() if one is not None}
