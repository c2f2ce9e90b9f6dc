"""What was delivered into a directory, written down beside it, and what to do about it now.

The index says which skills are ours: a directory that it does not name is somebody else's, unless
it is byte for byte what is to stand there, and one whose files are not as it says was changed by
hand. While a delivery is under way it names what was
there and what will be, so that a kill in between leaves nothing that looks like somebody else's.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import SkillyardError
from skillyard.domain.package import Package
from skillyard.domain.version import Version

INDEX_FILE: Final = ".skillyard.json"
INDEX_VERSION: Final = 1
MOST_BYTES: Final = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveredSkill:
    """One state in which a skill's directory is ours; `files` has a mark for each path."""

    slug: str
    version: Version
    digest: TreeDigest
    delivered: TreeDigest
    files: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class DeliveredIndex:
    """All states that are ours; one skill may have several while it is being replaced."""

    provider: str = ""
    manifest_hash: str = ""
    skills: tuple[DeliveredSkill, ...] = ()

    def list_states(self, slug: str) -> list[DeliveredSkill]:
        """Give the states of one skill."""
        return [one for one in self.skills if one.slug == slug]


def render_index(index: DeliveredIndex) -> str:
    """Write an index as JSON; the same index gives the same text."""
    value = {
        "index_version": INDEX_VERSION,
        "provider": index.provider,
        "manifest_hash": index.manifest_hash,
        "skills": [
            {
                "slug": one.slug,
                "version": str(one.version),
                "digest": str(one.digest),
                "delivered": str(one.delivered),
                "files": dict(one.files),
            }
            for one in index.skills
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True) + "\n"


def parse_index(content: bytes) -> DeliveredIndex | None:
    """Read an index; None means that it is none of ours, or was changed by hand."""
    try:
        value = json.loads(content)
        if len(content) > MOST_BYTES or value["index_version"] != INDEX_VERSION:
            return None
        skills = tuple(map(_to_skill, value["skills"]))
        return DeliveredIndex(str(value["provider"]), str(value["manifest_hash"]), skills)
    except (AttributeError, KeyError, RecursionError, SkillyardError, TypeError, ValueError):
        return None


def _to_skill(value: Mapping[str, Any]) -> DeliveredSkill:
    slug = str(value["slug"])
    if slug in {"", ".", ".."} or "/" in slug or "\0" in slug:
        raise ValueError(slug)
    return DeliveredSkill(
        slug=slug,
        version=Version.parse(value["version"]),
        digest=TreeDigest(value["digest"]),
        delivered=TreeDigest(value["delivered"]),
        files={str(path): str(mark) for path, mark in value["files"].items()},
    )


class StepKind(StrEnum):
    """What is to be done about the directory of one skill."""

    ADD = "add"
    UPDATE = "update"
    KEEP = "keep"
    REMOVE = "remove"
    FORGET = "forget"
    FOREIGN = "foreign"
    CHANGED = "changed"

    @property
    def writes(self) -> bool:
        """Tell whether anything in the directory has to be written or removed."""
        return self in {StepKind.ADD, StepKind.UPDATE, StepKind.REMOVE}


@dataclass(frozen=True, slots=True)
class WantedSkill:
    """A skill as it is to stand there."""

    state: DeliveredSkill
    package: Package


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One skill, and what is to be done; `changed` are the files that were changed by hand."""

    slug: str
    kind: StepKind
    wanted: WantedSkill | None = None
    changed: tuple[str, ...] = ()


Found = Mapping[str, Mapping[str, str] | None]
"""What stands there under each name: the mark of each file, or None for nothing."""


def plan_steps(
    wanted: Sequence[WantedSkill], index: DeliveredIndex, found: Found, *, force: bool = False
) -> tuple[Step, ...]:
    """Say what to do about each skill: first those that are wanted, in order, then the others.

    With `force`, what was changed by hand is treated as ours; what is somebody else's never is.
    """
    names = {one.state.slug for one in wanted}
    gone = dict.fromkeys(one.slug for one in index.skills if one.slug not in names)
    return (
        *(_plan_wanted(one, index, found, force=force) for one in wanted),
        *(_plan_gone(slug, index, found, force=force) for slug in gone),
    )


def _plan_wanted(one: WantedSkill, index: DeliveredIndex, found: Found, *, force: bool) -> Step:
    slug = one.state.slug
    there, states = found.get(slug), index.list_states(slug)
    changed: tuple[str, ...] = ()
    if there is None:
        kind = StepKind.ADD
    elif there == one.state.files:
        kind = StepKind.KEEP
    elif not states:
        kind = StepKind.FOREIGN
    else:
        changed = _find_changed(there, states)
        kind = StepKind.UPDATE if force or not changed else StepKind.CHANGED
    return Step(slug=slug, kind=kind, wanted=one, changed=changed)


def _plan_gone(slug: str, index: DeliveredIndex, found: Found, *, force: bool) -> Step:
    there = found.get(slug)
    if there is None:
        return Step(slug=slug, kind=StepKind.FORGET)
    changed = _find_changed(there, index.list_states(slug))
    kind = StepKind.REMOVE if force or not changed else StepKind.CHANGED
    return Step(slug=slug, kind=kind, changed=changed)


def _find_changed(there: Mapping[str, str], states: Sequence[DeliveredSkill]) -> tuple[str, ...]:
    """Give the files that are as in none of the states; none where one of the states is whole."""
    if any(there == one.files for one in states):
        return ()
    last = states[-1].files
    return tuple(sorted({*_iter_different(there, last)}))


def _iter_different(one: Mapping[str, str], other: Mapping[str, str]) -> Iterator[str]:
    for path in {*one, *other}:
        if one.get(path) != other.get(path):
            yield path


def index_before(steps: Sequence[Step], index: DeliveredIndex) -> DeliveredIndex:
    """Give the index that holds while the steps are taken: what was there, and what will be."""
    coming = [one.wanted.state for one in steps if one.wanted and _is_ours(one)]
    skills = (*index.skills, *(one for one in coming if one not in index.skills))
    return DeliveredIndex(index.provider, index.manifest_hash, skills)


def index_after(steps: Sequence[Step], *, provider: str, manifest_hash: str) -> DeliveredIndex:
    """Give the index that holds when the steps are taken."""
    skills = tuple(one.wanted.state for one in steps if one.wanted and _is_ours(one))
    return DeliveredIndex(provider, manifest_hash, skills)


def _is_ours(step: Step) -> bool:
    return step.kind in {StepKind.ADD, StepKind.UPDATE, StepKind.KEEP}
