"""What keeps an assigned skill from being loaded."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from skillyard.domain.assignment import Assignment
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent
from skillyard.domain.skill import Skill, SkillStatus
from skillyard.domain.version import Version


class Obstacle(StrEnum):
    """One reason; each interface has its own words for it."""

    DISABLED = "disabled"
    ARCHIVED = "archived"
    DRAFT = "draft"
    LOW_CONFIDENCE = "low-confidence"
    NO_VERSION = "no-version"
    NOT_ALLOWED = "not-allowed"
    SWITCHED_OFF = "switched-off"
    LIGHTWEIGHT = "lightweight"


def iter_obstacles(
    skill: Skill, assignment: Assignment, *, versions: Iterable[Version], agent: Agent | None
) -> Iterator[Obstacle]:
    """Yield everything that keeps `skill` from being loaded through `assignment`.

    `versions` are the skill's. `agent` is the one that it is assigned to, if it is an agent.
    """
    yield from _obstacles_of_skill(skill, assignment)
    if assignment.constraint and not any(map(assignment.constraint.admits, versions)):
        yield Obstacle.NO_VERSION
    if agent:
        yield from _obstacles_of_agent(agent, skill.slug)


def _obstacles_of_skill(skill: Skill, assignment: Assignment) -> Iterator[Obstacle]:
    if not skill.facts.enabled:
        yield Obstacle.DISABLED
    if skill.facts.status is SkillStatus.ARCHIVED:
        yield Obstacle.ARCHIVED
    if skill.facts.status is SkillStatus.DRAFT:
        yield Obstacle.DRAFT
    if skill.facts.confidence is Confidence.LOW and not assignment.opt_in:
        yield Obstacle.LOW_CONFIDENCE


def _obstacles_of_agent(agent: Agent, slug: str) -> Iterator[Obstacle]:
    if not agent.allows(slug):
        yield Obstacle.NOT_ALLOWED
    if slug in agent.disabled_skills:
        yield Obstacle.SWITCHED_OFF
    if agent.lightweight:
        yield Obstacle.LIGHTWEIGHT
