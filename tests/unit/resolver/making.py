"""Candidates for tests, by what matters there."""

from dataclasses import replace

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.digest import TreeDigest
from skillyard.domain.ranges import VersionRange
from skillyard.domain.resolution import Candidate, Layer, Offered
from skillyard.domain.version import Version

NOWHERE = TreeDigest(f"sha256:{'0' * 64}")


def offered(version: str) -> Offered:
    """Give a version that can be had."""
    return Offered(Version.parse(version), NOWHERE)


def directory(slug: str, *requires: str, layer: Layer = Layer.PROJECT) -> Candidate:
    """Give a skill of the project, or of another layer of directories."""
    made = _make(slug, layer, requires)
    return replace(made, location=f"/{layer}/{slug}")


def stored(slug: str, *requires: str, given: tuple[Assignment, ...] = ()) -> Candidate:
    """Give a skill of the store."""
    return replace(_make(slug, Layer.STORE, requires), owner="people", assignments=given)


def _make(slug: str, layer: Layer, requires: tuple[str, ...]) -> Candidate:
    ref = f"{layer}-{slug}"
    return Candidate(slug=slug, layer=layer, ref=ref, requires=requires, offered=offered("1.0.0"))


def assigned(
    kind: str, name: str = "", *, required: bool = False, enabled: bool = True, pin: str = ""
) -> tuple[Assignment, ...]:
    """Give one assignment to a subject."""
    made = Assignment(
        id=kind,
        skill_id="",
        owner="people",
        slug="",
        subject=Subject(SubjectKind(kind), name),
        required=required,
        enabled=enabled,
        constraint=VersionRange(pin) if pin else None,
    )
    return (made,)
