"""Skills are named at the paths where the agent sees them."""

from dataclasses import replace

import pytest

from skillyard.disclosure import Form, SkillContext, see_at, see_below
from skillyard.disclosure.tier2 import OpenedSkill
from skillyard.disclosure.tools import answer_use_skill
from skillyard.domain.resolution import Decision
from skillyard.testing.packages import make_package
from tests.unit.disclosure.making import (
    DEPLOY,
    EVERYTHING,
    JIRA,
    LEGACY_PDF,
    make_candidate,
    make_resolution,
)

pytestmark = pytest.mark.requirement("DIS-1")


def open_skill(decision: Decision) -> OpenedSkill:
    return OpenedSkill(make_package(decision.slug), "Do it.")


@pytest.mark.requirement("DIS-2")
def test_a_run_names_its_own_places_in_every_form_and_tier() -> None:
    seen = see_at(make_resolution(JIRA, DEPLOY), {JIRA.ref: "/run/7/skills/jira-triage/"})
    context = SkillContext(seen, open_skill)

    path = "/run/7/skills/jira-triage/SKILL.md"
    assert all(path in context.tier1(form) for form in Form)
    assert "Skill directory: /run/7/skills/jira-triage" in (context.tier2("jira-triage") or "")
    assert f"Entrypoint: {path}" in answer_use_skill(seen, "jira-triage")
    assert f"{DEPLOY.location}/SKILL.md" in context.tier1()


def test_a_skill_that_the_agent_does_not_see_has_no_location() -> None:
    seen = see_at(make_resolution(JIRA), {JIRA.ref: ""})

    assert "<location>" not in SkillContext(seen, open_skill).tier1()


def test_places_decide_nothing() -> None:
    seen = see_at(EVERYTHING, {one.candidate.ref: "/x" for one in EVERYTHING.decisions})

    assert seen.manifest_hash == EVERYTHING.manifest_hash
    assert [one.disposition for one in seen.decisions] == [
        one.disposition for one in EVERYTHING.decisions
    ]


def test_a_project_that_is_mounted_elsewhere_is_seen_there() -> None:
    near = make_candidate("near", layer=DEPLOY.layer, location="/home/sprite/project-2/skills/near")
    whole = replace(DEPLOY, slug="whole", ref="whole", location="/home/sprite/project")
    seen = see_below(
        make_resolution(JIRA, DEPLOY, LEGACY_PDF, near, whole), "/home/sprite/project", "/project"
    )

    assert [one.candidate.location for one in seen.decisions] == [
        JIRA.location,
        "/project/.agents/skills/deploy",
        LEGACY_PDF.location,
        near.location,
        "/project",
    ]
