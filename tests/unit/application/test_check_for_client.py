"""Checking for a client gives its verdict, and leaves our own rules out of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from skillyard.application.check import CheckedSkill, CheckSkills, check_skills
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.package import Package
from skillyard.providers.clients import CODEX
from skillyard.skillmd import rules
from skillyard.skillmd.intake import TakenIn

pytestmark = pytest.mark.requirement("PKG-3")


@dataclass(frozen=True)
class OneSkillSource:
    """A source that offers one package."""

    found: FoundPackage

    def iter_packages(self) -> Iterator[FoundPackage]:
        """See `SkillSource.iter_packages`."""
        yield self.found


def check(taken: TakenIn) -> CheckedSkill:
    found = FoundPackage(location="skills/pdf", directory="pdf", taken=taken)
    (checked,) = check_skills(CheckSkills(client=CODEX), source=OneSkillSource(found))
    return checked


def test_the_findings_are_those_of_the_client() -> None:
    skill_md = "---\nname: PDF Forms\ndescription: Fills in forms.\ncolour: red\n---\n"
    skill = check(TakenIn(Package.of({"SKILL.md": skill_md})))

    assert skill.verdict is not None
    assert (skill.verdict.loads, skill.verdict.name) == (True, "PDF Forms")
    assert skill.verdict.ignored == ("colour",)
    assert skill.checked.diagnostics == ()


def test_a_skill_md_of_another_name_is_none_to_the_client() -> None:
    skill = check(TakenIn(Package.of({"skill.md": "---\nname: pdf\ndescription: x\n---\n"})))

    assert skill.verdict is not None
    assert skill.verdict.reason == "there is no SKILL.md"
    assert [one.code for one in skill.checked.diagnostics] == ["SY601"]


def test_nothing_is_foretold_about_a_skill_md_that_was_not_read() -> None:
    refused = rules.FILE_TOO_LARGE.finding("`SKILL.md` is larger than 65,536 bytes")
    skill = check(TakenIn(Package.of({}), (refused,)))

    assert skill.verdict is None
    assert skill.checked.diagnostics == (refused,)
