"""What keeps an assigned skill from being loaded."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from skillyard.domain.assignment import GLOBAL, Assignment
from skillyard.domain.manifest import Confidence
from skillyard.domain.obstacle import Obstacle, iter_obstacles
from skillyard.domain.ranges import VersionRange
from skillyard.domain.records import Agent
from skillyard.domain.skill import Skill, SkillFacts, SkillStatus
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

pytestmark = pytest.mark.requirement("STO-5")

AT = datetime(2026, 1, 2, tzinfo=UTC)
FACTS = SkillFacts(display_name="PDF", description="Reads.")
SKILL = Skill(
    id="1",
    slug="pdf",
    facts=FACTS,
    current=Version(1),
    digest=make_package("pdf").digest(),
    created_at=AT,
    created_by="ada",
    updated_at=AT,
    updated_by="ada",
)
PLAIN = Assignment(id="2", skill_id="1", owner="people", slug="pdf", subject=GLOBAL)


def obstacles(
    facts: SkillFacts = FACTS, assignment: Assignment = PLAIN, agent: Agent | None = None
) -> list[Obstacle]:
    skill = replace(SKILL, facts=facts)
    return list(iter_obstacles(skill, assignment, versions=[Version(1)], agent=agent))


def test_nothing_stands_in_the_way_of_an_ordinary_skill() -> None:
    assert obstacles(agent=Agent(name="a")) == []


def test_every_obstacle_of_the_skill_is_found() -> None:
    facts = replace(FACTS, enabled=False, status=SkillStatus.ARCHIVED, confidence=Confidence.LOW)

    assert obstacles(facts) == [Obstacle.DISABLED, Obstacle.ARCHIVED, Obstacle.LOW_CONFIDENCE]
    assert obstacles(replace(FACTS, status=SkillStatus.DRAFT)) == [Obstacle.DRAFT]


def test_an_assignment_may_ask_for_low_confidence() -> None:
    facts = replace(FACTS, confidence=Confidence.LOW)

    assert obstacles(facts, replace(PLAIN, opt_in=True)) == []


def test_a_pin_needs_a_version_that_it_admits() -> None:
    assert obstacles(assignment=replace(PLAIN, constraint=VersionRange("^1"))) == []
    assert obstacles(assignment=replace(PLAIN, constraint=VersionRange("^2"))) == [
        Obstacle.NO_VERSION
    ]


@pytest.mark.parametrize("allowlist", [None, ("*",), ("docx", "pdf")], ids=["none", "any", "named"])
def test_an_agent_allows_what_its_list_says(allowlist: tuple[str, ...] | None) -> None:
    assert obstacles(agent=Agent(name="a", allowlist=allowlist)) == []


def test_every_obstacle_of_the_agent_is_found() -> None:
    agent = Agent(name="a", allowlist=(), disabled_skills=("pdf",), lightweight=True)

    assert obstacles(agent=agent) == [
        Obstacle.NOT_ALLOWED,
        Obstacle.SWITCHED_OFF,
        Obstacle.LIGHTWEIGHT,
    ]
