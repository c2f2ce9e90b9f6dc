"""A resolution written down, so that it can be had again exactly.

The file is JSON, with the skills in their order. Reading gives an equal value, or an error:

- The hash of the lock covers every field.
- Whoever recomputes it still cannot write what no resolution gives: names are names and there once,
  skills are loaded or unproven, and the loaded ones come first.
- No path of a machine is in it. A directory is kept as the place in its directory of skills.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidLockError, SkillyardError
from skillyard.domain.names import is_name
from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Layer,
    Request,
    Resolution,
    Rule,
    hash_manifest,
)
from skillyard.domain.version import Version

LOCK_VERSION: Final = 2
MOST_BYTES: Final = 16 * 1024 * 1024
"""How large a lock may be."""

_HELD: Final = (Disposition.LOADED, Disposition.UNPROVEN)
_ROOT: Final = "."

FindPlace = Callable[[Candidate], str]
"""Give where a directory stands in its directory of skills; that directory itself is `.`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedSkill:
    """One skill of a lock: what it is, where it was, and why it is there.

    `owner` is whose skill of the store it is. `place` is where a directory stands in its directory
    of skills. Of the two, the one that does not apply is empty.
    """

    slug: str
    version: Version
    digest: TreeDigest
    layer: Layer
    owner: str
    place: str
    disposition: Disposition
    rule: Rule
    reason: str
    required: bool = False
    auto_inject: bool = False

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return f"{self.slug} {self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """The loaded and unproven skills of a resolution, in order, and for whom they were."""

    subjects: tuple[str, ...]
    skills: tuple[LockedSkill, ...]

    @property
    def manifest_hash(self) -> str:
        """The hash of the resolution: see `Resolution.manifest_hash`."""
        return hash_manifest(
            (one.slug, one.version, one.digest, one.disposition) for one in self.skills
        )


def lock_resolution(resolution: Resolution, request: Request, *, find_place: FindPlace) -> Lock:
    """Give the lock of a resolution whose digests are all known."""
    return Lock(
        subjects=tuple(map(str, request.subjects)),
        skills=tuple(_lock(one, find_place) for one in (*resolution.loaded, *resolution.unproven)),
    )


def _lock(decision: Decision, find_place: FindPlace) -> LockedSkill:
    if decision.offered.digest is None:
        message = f"the digest of {decision.slug} is not known"
        raise ValueError(message)
    candidate, given = decision.candidate, decision.assignment
    in_directory = candidate.layer.is_directory
    return LockedSkill(
        slug=decision.slug,
        version=decision.offered.version,
        digest=decision.offered.digest,
        layer=candidate.layer,
        owner="" if in_directory else candidate.owner,
        place=find_place(candidate) if in_directory else "",
        disposition=decision.disposition,
        rule=decision.rule,
        reason=decision.reason,
        required=decision.is_required,
        auto_inject=given is not None and given.auto_inject,
    )


def render_lock(lock: Lock) -> str:
    """Write a lock as JSON; the same lock gives the same text."""
    # A place may hold bytes that are no text: only escaped can they be written.
    return json.dumps(_to_json(lock), indent=2, ensure_ascii=True) + "\n"


def _to_json(lock: Lock) -> dict[str, Any]:
    value = {
        "lockVersion": LOCK_VERSION,
        "manifestHash": lock.manifest_hash,
        "subjects": list(lock.subjects),
        "skills": [_skill_to_json(one) for one in lock.skills],
    }
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return {**value, "lockHash": f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"}


def _skill_to_json(skill: LockedSkill) -> Mapping[str, object]:
    where = {"place": skill.place} if skill.layer.is_directory else {"owner": skill.owner}
    return {
        "slug": skill.slug,
        "version": str(skill.version),
        "digest": str(skill.digest),
        "source": skill.layer.value,
        **where,
        "disposition": skill.disposition.value,
        "rule": skill.rule.value,
        "reason": skill.reason,
        "required": skill.required,
        "autoInject": skill.auto_inject,
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
    found = value["lockVersion"]
    if type(found) is not int or found != LOCK_VERSION:
        raise InvalidLockError("", reason=f"its version is not {LOCK_VERSION}")
    lock = Lock(
        subjects=tuple(map(str, value["subjects"])),
        skills=tuple(map(_read_skill, value["skills"])),
    )
    _require_possible(lock.skills)
    # Whatever was read differently than it would be written was not written by us.
    if json.dumps(_to_json(lock), sort_keys=True) != json.dumps(value, sort_keys=True):
        raise InvalidLockError("", reason="it was changed by hand: it does not match its hash")
    return lock


def _read_skill(value: Mapping[str, Any]) -> LockedSkill:
    layer = Layer(value["source"])
    return LockedSkill(
        slug=str(value["slug"]),
        version=Version.parse(value["version"]),
        digest=TreeDigest(value["digest"]),
        layer=layer,
        owner="" if layer.is_directory else str(value["owner"]),
        place=str(value["place"]) if layer.is_directory else "",
        disposition=Disposition(value["disposition"]),
        rule=Rule(value["rule"]),
        reason=str(value["reason"]),
        required=bool(value["required"]),
        auto_inject=bool(value["autoInject"]),
    )


def _require_possible(skills: Sequence[LockedSkill]) -> None:
    """Make sure that a resolution could have given these skills, in this order."""
    dispositions = [one.disposition for one in skills]
    names = [one.slug for one in skills]
    if not all(map(is_name, names)):
        raise InvalidLockError("", reason="one of its names is no name of a skill")
    if len(set(names)) != len(names):
        raise InvalidLockError("", reason="one of its names is there twice")
    if not all(one in _HELD for one in dispositions):
        raise InvalidLockError("", reason="it holds a skill that is neither loaded nor unproven")
    if dispositions != sorted(dispositions, key=_HELD.index):
        raise InvalidLockError("", reason="an unproven skill stands before a loaded one")
    if not all(_is_place(one.place) for one in skills if one.layer.is_directory):
        raise InvalidLockError("", reason="a directory of it leads elsewhere")


def _is_place(place: str) -> bool:
    parts = place.split("/")
    return place == _ROOT or ("\0" not in place and not {"", ".", ".."}.intersection(parts))
