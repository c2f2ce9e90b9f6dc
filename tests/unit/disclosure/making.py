"""Resolutions, made without a resolver."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from skillyard.domain.assignment import GLOBAL, Assignment
from skillyard.domain.manifest import Invocation
from skillyard.domain.resolution import (
    Candidate,
    Decision,
    Disposition,
    Layer,
    Offered,
    Resolution,
    Rule,
)
from skillyard.domain.skill import SourceKind
from skillyard.domain.version import Version

GOLDEN: Final = Path(__file__).parents[2] / "corpus" / "disclosure"
SKILLS_PATH: Final = "/home/sprite/.skills"


def make_candidate(
    slug: str = "pdf",
    *,
    layer: Layer = Layer.STORE,
    owner: str = "",
    source_kind: SourceKind = SourceKind.ADMIN,
    display_name: str = "",
    description: str = "Fill in forms.",
    location: str | None = None,
    deprecated: str | None = None,
    files: tuple[str, ...] = (),
    invocation: Invocation = Invocation.AUTO,
) -> Candidate:
    """Make a candidate; without a location it stands where a sandbox has it."""
    return Candidate(
        slug=slug,
        layer=layer,
        ref=f"{layer}:{slug}",
        offered=Offered(Version(1)),
        owner=owner,
        source_kind=source_kind,
        display_name=display_name,
        description=description,
        location=f"{SKILLS_PATH}/{slug}" if location is None else location,
        deprecated=deprecated,
        files=files,
        invocation=invocation,
    )


def make_decision(
    candidate: Candidate,
    disposition: Disposition = Disposition.LOADED,
    *,
    auto_inject: bool = False,
) -> Decision:
    assignment = Assignment(
        id="a",
        skill_id=candidate.ref,
        owner="people",
        slug=candidate.slug,
        subject=GLOBAL,
        auto_inject=auto_inject,
    )
    return Decision(
        candidate=candidate,
        disposition=disposition,
        rule=Rule.ASSIGNED,
        reason="it is assigned to global",
        offered=candidate.offered,
        assignment=assignment,
    )


def make_resolution(*decisions: Decision | Candidate) -> Resolution:
    """Make a resolution; a bare candidate is loaded."""
    return Resolution(
        decisions=tuple(
            make_decision(one) if isinstance(one, Candidate) else one for one in decisions
        )
    )


def make_many(count: int) -> Resolution:
    """Make a resolution of skills `s000`, `s001`, …"""
    return make_resolution(*(make_candidate(f"s{number:03}") for number in range(count)))


JIRA: Final = make_candidate(
    "jira-triage",
    display_name="Jira Triage",
    description="Triage incoming Jira tickets using priority rules.",
    files=(
        "SKILL.md",
        "references/priority-matrix.md",
        "references/severity-guide.md",
        "scripts/triage-report.sh",
    ),
)
REVIEW: Final = make_candidate(
    "code-review",
    layer=Layer.PLUGIN,
    owner="acme-toolkit",
    description="Structured code review checklist with supporting references.",
)
DEPLOY: Final = make_candidate(
    "deploy",
    layer=Layer.PROJECT,
    description="Deploy the application to production.",
    location="/home/sprite/project/.agents/skills/deploy",
)
OLD_REVIEW: Final = replace(
    DEPLOY,
    slug="code-review",
    ref="project:code-review",
    description="What the team looks at",
    location="/home/sprite/project/.agents/skills/code-review",
)
CHARTS: Final = make_candidate("charts", description="Draw charts from CSV files")
LEGACY_PDF: Final = make_candidate(
    "pdf-legacy",
    layer=Layer.USER,
    description="Fill in PDF forms & <check> them",
    location="/home/sprite/.agents/skills/pdf-legacy",
    deprecated="Use pdf instead",
)

EVERYDAY: Final = make_resolution(JIRA, REVIEW, DEPLOY)
"""Three loaded skills of three sources, and nothing else."""

EVERYTHING: Final = make_resolution(
    make_decision(JIRA, auto_inject=True),
    REVIEW,
    DEPLOY,
    LEGACY_PDF,
    make_decision(CHARTS, Disposition.UNPROVEN),
    make_decision(OLD_REVIEW, Disposition.SHADOWED),
)
"""One skill of each fate that tier 1 shows."""
