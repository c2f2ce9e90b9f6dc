"""A resolution written down, so that it can be had again exactly.

The file is JSON, with the skills in their order. Reading gives an equal value.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidLockError, SkillyardError
from skillyard.domain.resolution import (
    Decision,
    Disposition,
    Layer,
    Request,
    Resolution,
    Rule,
    hash_manifest,
)
from skillyard.domain.version import Version

LOCK_VERSION: Final = 1
MOST_BYTES: Final = 16 * 1024 * 1024
"""How large a lock may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedSkill:
    """One skill of a lock: what it is, where it was, and why it is there."""

    slug: str
    version: Version
    digest: TreeDigest
    layer: Layer
    ref: str
    location: str
    disposition: Disposition
    rule: Rule
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The loaded and unproven skills of a resolution, in order, and for whom they were."""

    manifest_hash: str
    subjects: tuple[str, ...]
    skills: tuple[LockedSkill, ...]


def lock_resolution(resolution: Resolution, request: Request) -> Lock:
    """Give the lock of a resolution whose digests are all known."""
    return Lock(
        manifest_hash=resolution.manifest_hash,
        subjects=tuple(map(str, request.subjects)),
        skills=tuple(_lock(one) for one in (*resolution.loaded, *resolution.unproven)),
    )


def _lock(decision: Decision) -> LockedSkill:
    if decision.offered.digest is None:
        message = f"the digest of {decision.slug} is not known"
        raise ValueError(message)
    return LockedSkill(
        slug=decision.slug,
        version=decision.offered.version,
        digest=decision.offered.digest,
        layer=decision.candidate.layer,
        ref=decision.candidate.ref,
        location=decision.candidate.location,
        disposition=decision.disposition,
        rule=decision.rule,
        reason=decision.reason,
    )


def render_lock(lock: Lock) -> str:
    """Write a lock as JSON; the same lock gives the same text."""
    value = {
        "lockVersion": LOCK_VERSION,
        "manifestHash": lock.manifest_hash,
        "subjects": list(lock.subjects),
        "skills": [_to_json(one) for one in lock.skills],
    }
    # A path may hold bytes that are no text: only escaped can they be written.
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def _to_json(skill: LockedSkill) -> Mapping[str, str]:
    return {
        "slug": skill.slug,
        "version": str(skill.version),
        "digest": str(skill.digest),
        "source": skill.layer.value,
        "ref": skill.ref,
        "location": skill.location,
        "disposition": skill.disposition.value,
        "rule": skill.rule.value,
        "reason": skill.reason,
    }


def parse_lock(content: bytes, *, name: str) -> Lock:
    """Read a lock that was written as JSON; `name` is the file's, for messages.

    Raises:
        InvalidLockError: It is none, or of another version, or was changed by hand.
    """
    if len(content) > MOST_BYTES:
        raise InvalidLockError(name, reason="it is too large")
    try:
        return _from_json(json.loads(content))
    except InvalidLockError as error:
        raise InvalidLockError(name, reason=error.reason) from error
    except (ValueError, KeyError, TypeError, RecursionError, SkillyardError) as error:
        raise InvalidLockError(name, reason="it is not a lock") from error


def _from_json(value: Any) -> Lock:  # noqa: ANN401 (whatever was in the file)
    if value["lockVersion"] != LOCK_VERSION:
        raise InvalidLockError("", reason=f"its version is not {LOCK_VERSION}")
    skills = tuple(_read_skill(one) for one in value["skills"])
    found = hash_manifest((one.slug, one.version, one.digest, one.disposition) for one in skills)
    if found != value["manifestHash"]:
        raise InvalidLockError("", reason="its skills do not match its hash")
    return Lock(manifest_hash=found, subjects=tuple(map(str, value["subjects"])), skills=skills)


def _read_skill(value: Mapping[str, Any]) -> LockedSkill:
    return LockedSkill(
        slug=str(value["slug"]),
        version=Version.parse(value["version"]),
        digest=TreeDigest(value["digest"]),
        layer=Layer(value["source"]),
        ref=str(value["ref"]),
        location=str(value["location"]),
        disposition=Disposition(value["disposition"]),
        rule=Rule(value["rule"]),
        reason=str(value["reason"]),
    )
