"""Skills, places and settings to plan deliveries with."""

from collections.abc import Mapping
from typing import Final, TypedDict, Unpack

from skillyard.application.planning import plan_run
from skillyard.domain.delivery import (
    ChosenSkill,
    DeliveryPlan,
    FoundDirectory,
    FoundSettings,
    Note,
    NoteKind,
    OnInvalid,
    Part,
    RunPlaces,
)
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.package import Package
from skillyard.domain.resolution import Candidate, Decision, Disposition, Layer, Offered, Rule
from skillyard.domain.skill import InstallStrategy
from skillyard.domain.version import Version
from skillyard.providers.setting import DeliverySetting

PLACES: Final = RunPlaces(
    root="/runs/run-1",
    workspace="/runs/run-1/workspace",
    home="/runs/run-1/home",
    private="/runs/run-1/private",
    logs="/runs/run-1/logs",
    directory="/runs/run-1/workspace/web",
)


def make_chosen(
    slug: str = "pdf",
    *,
    content: str | None = None,
    front: str = "",
    description: str = "Fill in forms.",
    files: Mapping[str, str] | None = None,
    disposition: Disposition = Disposition.LOADED,
    confidence: Confidence = Confidence.MEDIUM,
    invocation: Invocation = Invocation.AUTO,
    hints: Mapping[str, str] | None = None,
    strategy: InstallStrategy | None = None,
    is_required: bool = False,
) -> ChosenSkill:
    """Make a skill of a resolution; `front` are further lines of its front matter."""
    text = content or f"---\nname: {slug}\ndescription: {description}\n{front}---\n# {slug}\n"
    package = Package.of({"SKILL.md": text, **(files or {})})
    candidate = Candidate(
        slug=slug,
        layer=Layer.STORE,
        ref=slug,
        offered=Offered(Version(1), package.digest()),
        description=description,
        confidence=confidence,
        invocation=invocation,
        provider_hints=hints or {},
        install_strategy=strategy,
    )
    decision = Decision(
        candidate=candidate,
        disposition=disposition,
        rule=Rule.ASSIGNED,
        reason="it is assigned to global",
        offered=candidate.offered,
        is_required=is_required,
    )
    return ChosenSkill(decision, package)


class Wishes(TypedDict, total=False):
    """What else a setting says."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    passing: frozenset[str]
    on_invalid: OnInvalid
    can_link: bool
    window: int | None
    found: tuple[FoundDirectory, ...]
    directed: tuple[FoundSettings, ...]


def plan(
    *skills: ChosenSkill, provider: str = "claude-code", **wishes: Unpack[Wishes]
) -> DeliveryPlan:
    """Plan for a provider, in the usual places."""
    return plan_run(skills, DeliverySetting(provider=provider, places=PLACES, **wishes))


def paths_of(plan: DeliveryPlan) -> list[tuple[str, Part, str]]:
    return [(one.slug, one.part, one.path) for one in plan.skills]


def notes_of(plan: DeliveryPlan, *kinds: NoteKind) -> list[tuple[str, str]]:
    return [(one.slug, one.message) for one in plan.notes if one.kind in kinds]


def file_of(plan: DeliveryPlan, path: str) -> str:
    return next(one.content.decode() for one in plan.files if one.path == path)


def kinds_of(notes: tuple[Note, ...]) -> list[NoteKind]:
    return [one.kind for one in notes]
