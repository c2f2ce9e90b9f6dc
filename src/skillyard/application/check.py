"""Find everything that is wrong with the packages of a source."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from skillyard.application.ports.source import FoundPackage, SkillSource
from skillyard.domain.client import Client
from skillyard.domain.paths import SKILL_MD
from skillyard.skillmd.check import (
    STANDARD_JUDGEMENT,
    CheckedPackage,
    Judgement,
    check_package,
)
from skillyard.skillmd.findings import order_findings
from skillyard.skillmd.verdict import ClientVerdict, judge_for_client


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSkills:
    """The wish to judge packages; with a `client`, by what that client will do with them."""

    judgement: Judgement = STANDARD_JUDGEMENT
    client: Client | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSkill:
    """One package of a source, judged.

    `verdict` is the client's, where one was asked for; None where intake refused SKILL.md, so that
    nobody can tell.
    """

    found: FoundPackage
    checked: CheckedPackage
    verdict: ClientVerdict | None = None


def check_skills(wish: CheckSkills, *, source: SkillSource) -> Iterator[CheckedSkill]:
    """Judge each package as it is found, in the source's order."""
    for found in source.iter_packages():
        if wish.client is None:
            yield CheckedSkill(found=found, checked=check_found(found, wish.judgement))
        else:
            yield _check_for_client(found, wish.client, wish.judgement)


def _check_for_client(found: FoundPackage, client: Client, judgement: Judgement) -> CheckedSkill:
    checked = check_found(found, judgement)
    # What our own rules say is beside the point here; what kept us from reading is not.
    kept = found.taken.diagnostics
    content = checked.package.skill_md
    if content is None and any(one.path == SKILL_MD for one in kept):
        return CheckedSkill(found=found, checked=replace(checked, diagnostics=kept))
    verdict = judge_for_client(client, content=content, directory=found.directory)
    return CheckedSkill(
        found=found,
        checked=replace(checked, diagnostics=order_findings((*kept, *verdict.diagnostics))),
        verdict=verdict,
    )


def check_found(found: FoundPackage, judgement: Judgement) -> CheckedPackage:
    """Judge one package that was found."""
    return check_package(
        found.taken.package,
        directory=found.directory,
        judgement=judgement,
        earlier=found.taken.diagnostics,
    )
