"""Plans for the ground that runs stand on."""

import os
import select
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from skillyard.application.ports.ground import RunGround, WrittenPlan
from skillyard.domain.delivery import (
    DeliveryPlan,
    LoginFile,
    Mode,
    Part,
    PlannedFile,
    PlannedSkill,
)
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.resolution import Candidate, Decision, Disposition, Layer, Offered, Rule
from skillyard.domain.skill import InstallStrategy
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

RUN_ID = "0192aaaa-bbbb-7ccc-8ddd-eeeeffff0000"
PDF = make_package(
    "pdf",
    files={
        "scripts/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
        "scripts/deep/logo.bin": bytes(range(256)) * 20,
        "references/forms.md": "Forms.\n",
    },
)
CSV = make_package("csv")


def plan_skill(
    slug: str = "pdf",
    package: Package = PDF,
    *,
    path: str | None = None,
    part: Part = Part.HOME,
    strategy: InstallStrategy = InstallStrategy.MATERIALIZE,
) -> PlannedSkill:
    """Plan a skill that stands where a client looks for it."""
    offered = Offered(Version.parse("1.0.0"), package.digest())
    candidate = Candidate(slug=slug, layer=Layer.STORE, ref=slug, offered=offered)
    decision = Decision(
        candidate=candidate,
        disposition=Disposition.LOADED,
        rule=Rule.NAMED,
        reason="it was named",
        offered=offered,
    )
    place = f".claude/skills/{slug}" if path is None else path
    return PlannedSkill(
        decision=decision, strategy=strategy, part=part, path=place, package=package
    )


def plan_file(path: str, content: bytes, part: Part = Part.HOME) -> PlannedFile:
    """Plan a file."""
    return PlannedFile(part=part, path=path, content=content)


def plan(
    *skills: PlannedSkill,
    files: Sequence[PlannedFile] = (),
    logins: Sequence[LoginFile] = (),
) -> DeliveryPlan:
    """Plan what is laid out."""
    return DeliveryPlan(
        provider="claude",
        mode=Mode.NATIVE,
        skills=skills,
        files=tuple(files),
        logins=tuple(logins),
    )


def lay_out(
    ground: RunGround,
    plan: DeliveryPlan,
    *,
    links: Mapping[str, Path] | None = None,
    environment: Mapping[str, str] | None = None,
) -> WrittenPlan:
    """Carry a plan out; `links` are by slug."""
    known = links or {}
    return ground.lay_out(
        plan, link=lambda skill: known.get(skill.slug), environment=environment or {}
    )


def python(script: str, *arguments: str) -> list[str]:
    """Give the command that runs a piece of Python."""
    return [sys.executable, "-c", script, *arguments]


def our_environment() -> dict[str, str]:
    """Give the environment of the test itself."""
    return dict(os.environ)


def has_ended(process: int, *, seconds: float = 5) -> bool:
    """Tell whether a process ends within so many seconds: it closes its files a moment before."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        return bool(poller.poll(seconds * 1000))
    finally:
        os.close(descriptor)
