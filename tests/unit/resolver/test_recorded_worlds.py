"""Every rule has a recorded world: inputs and the expected answer as data."""

import json
from pathlib import Path
from typing import Any

import pytest

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.digest import TreeDigest
from skillyard.domain.manifest import Confidence
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent
from skillyard.domain.resolution import (
    Candidate,
    Cost,
    Layer,
    Offered,
    Policy,
    ProblemKind,
    Request,
    Rule,
)
from skillyard.domain.skill import SkillStatus
from skillyard.domain.version import Version
from skillyard.resolver import resolve

WORLDS = sorted((Path(__file__).parents[2] / "corpus" / "worlds").glob("*.json"))
NOWHERE = TreeDigest(f"sha256:{'0' * 64}")
TUPLES = {"agents", "requires", "missing_commands", "workspaces"}

pytestmark = pytest.mark.requirement(
    "RES-2", "RES-3", "RES-4", "RES-5", "RES-6", "RES-7", "STO-2", "STO-5", "SRC-6"
)


def to_assignment(value: dict[str, Any], slug: str) -> Assignment:
    kind, _, name = value["subject"].partition(":")
    pin = value.get("constraint")
    rest = {key: one for key, one in value.items() if key not in ("subject", "constraint")}
    return Assignment(
        id=value["subject"],
        skill_id=slug,
        owner="people",
        slug=slug,
        subject=Subject(SubjectKind(kind), name),
        constraint=VersionRange(pin) if pin else None,
        **rest,
    )


def to_candidate(value: dict[str, Any]) -> Candidate:
    special = ("assignments", "layer", "version", "others", "confidence", "status", "cost")
    plain: dict[str, Any] = {
        key: tuple(one) if key in TUPLES else one
        for key, one in value.items()
        if key not in special
    }
    return Candidate(
        layer=Layer(value["layer"]),
        offered=Offered(Version.parse(value.get("version", "1.0.0")), NOWHERE),
        others=tuple(Offered(Version.parse(one), NOWHERE) for one in value.get("others", ())),
        confidence=Confidence(value.get("confidence", "medium")),
        status=SkillStatus(value.get("status", "active")),
        cost=Cost(*value.get("cost", (0, 0))),
        assignments=tuple(
            to_assignment(one, value["slug"]) for one in value.get("assignments", ())
        ),
        **plain,
    )


def to_request(value: dict[str, Any]) -> Request:
    agent: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in value["agent"].items()
    }
    return Request(
        workspace=value.get("workspace"),
        team=value.get("team"),
        node=value.get("node"),
        agent=Agent(**agent),
        policy=Policy(**value.get("policy", {})),
    )


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_a_recorded_world_is_resolved_as_it_was_recorded(path: Path) -> None:
    world = json.loads(path.read_text("utf-8"))

    resolution = resolve(map(to_candidate, world["candidates"]), to_request(world["request"]))

    got = {
        one.candidate.ref: f"{one.disposition} {one.rule} {one.offered.version}"
        for one in resolution.decisions
    }
    assert got.keys() == world["expect"].keys()
    assert all(got[ref].startswith(expected) for ref, expected in world["expect"].items()), got
    assert [one.candidate.ref for one in resolution.loaded] == world["order"]
    assert [
        f"{'error' if one.is_error else 'warning'} {one.kind} {one.slug}"
        for one in resolution.problems
    ] == world["problems"]


def test_every_rule_and_problem_has_a_world() -> None:
    said = " ".join(path.read_text("utf-8") for path in WORLDS)

    assert [rule for rule in Rule if f" {rule}" not in said] == []
    assert [kind for kind in ProblemKind if f" {kind} " not in said] == []
