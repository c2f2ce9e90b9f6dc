"""Three tiers, each read only when it is asked for."""

import pytest

from skillyard.disclosure import FileKind, Form, OpenedSkill, Shape, SkillContext, TierCosts
from skillyard.disclosure.tier1 import render_entry, render_markdown, render_reference, render_xml
from skillyard.disclosure.tokens import estimate_tokens
from skillyard.domain.errors import UnsafePathError
from skillyard.domain.package import Package
from skillyard.domain.resolution import Decision
from tests.unit.disclosure.making import DEPLOY, EVERYTHING, SKILLS_PATH, make_many

PACKAGE = Package.of({"SKILL.md": "Do it.", "references/a.md": "# A\n", "scripts/run.sh": "true\n"})


class Opener:
    """Opens every skill as the same package, and remembers which."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def __call__(self, decision: Decision) -> OpenedSkill:
        self.opened.append(decision.slug)
        return OpenedSkill(PACKAGE, "Do it.")


@pytest.fixture
def opener() -> Opener:
    return Opener()


@pytest.fixture
def context(opener: Opener) -> SkillContext:
    return SkillContext(EVERYTHING, opener)


@pytest.mark.requirement("DIS-6")
def test_names_are_those_that_can_be_reached(context: SkillContext) -> None:
    assert context.names() == ("jira-triage", "code-review", "deploy", "pdf-legacy", "charts")


@pytest.mark.requirement("DIS-6")
def test_a_skill_is_given_by_its_name_or_not_at_all(context: SkillContext) -> None:
    assert context.get("jira-triage") == EVERYTHING.decisions[0]
    assert context.get("none") is None


@pytest.mark.requirement("DIS-6")
def test_tier_1_opens_nothing(context: SkillContext, opener: Opener) -> None:
    assert context.tier1() == render_xml(EVERYTHING)
    assert context.tier1(Form.REFERENCE) == render_reference(EVERYTHING)
    assert context.tier1(Form.MARKDOWN) == render_markdown(EVERYTHING)
    assert opener.opened == []


@pytest.mark.requirement("DIS-6")
@pytest.mark.parametrize("form", list(Form))
def test_tier_1_has_the_shape_that_was_asked_for(form: Form, opener: Opener) -> None:
    shape = Shape(form=form, limit=2, injected=100, skills_path=SKILLS_PATH)

    text = SkillContext(make_many(3), opener, shape=shape).tier1()

    assert "[1 more skills available" in text
    assert (f"(in {SKILLS_PATH}/)" in text) == (form is Form.MARKDOWN)


@pytest.mark.requirement("DIS-6")
def test_tier_2_opens_the_skill_that_is_meant(context: SkillContext, opener: Opener) -> None:
    text = context.tier2("Jira Triage")

    assert text is not None
    assert text.startswith('<skill_content name="jira-triage">\nDo it.\n')
    assert opener.opened == ["jira-triage"]


@pytest.mark.requirement("DIS-6")
def test_tier_3_lists_and_gives_files(context: SkillContext) -> None:
    assert context.tier3_list("deploy", "scripts") == ("scripts/run.sh",)
    assert context.tier3_list("deploy", FileKind.ASSETS) == ()
    assert context.tier3("deploy", "references/a.md") == "# A\n"
    assert context.tier3("deploy", "references/b.md") is None


@pytest.mark.requirement("DIS-6")
def test_an_unknown_skill_has_nothing_and_opens_nothing(
    context: SkillContext, opener: Opener
) -> None:
    assert context.tier2("none") is None
    assert context.tier3_list("none", "scripts") == ()
    assert context.tier3("none", "references/a.md") is None
    assert context.costs("none") is None
    assert opener.opened == []


@pytest.mark.requirement("DIS-3", "DIS-6")
@pytest.mark.parametrize("name", ["deploy", "none"])
def test_a_refused_path_opens_nothing(context: SkillContext, opener: Opener, name: str) -> None:
    with pytest.raises(UnsafePathError):
        context.tier3(name, "../secret")

    assert opener.opened == []


@pytest.mark.requirement("DIS-6")
def test_there_are_three_kinds_of_files(context: SkillContext) -> None:
    with pytest.raises(ValueError, match="toolsets"):
        context.tier3_list("deploy", "toolsets")


@pytest.mark.requirement("DIS-5")
def test_costs_are_known_for_each_tier(context: SkillContext) -> None:
    assert context.costs("deploy") == TierCosts(
        tier1=estimate_tokens(render_entry(DEPLOY)),
        tier2=estimate_tokens(context.tier2("deploy") or ""),
        tier3=(("references/a.md", 3), ("scripts/run.sh", 2)),
    )
