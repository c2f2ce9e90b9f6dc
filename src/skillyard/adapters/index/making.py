"""Make the row of a directory from its two files.

Everything that knows the format is imported from here only, so that directories which did not
change are looked through without it.
"""

from types import MappingProxyType
from typing import Final

from skillyard.adapters.index.reading import ReadFile
from skillyard.adapters.index.row import (
    NO_FILE,
    ROOT,
    Reading,
    Row,
    Signature,
    pack_facts,
    pack_findings,
    to_printable,
)
from skillyard.application.describe import FIRST_VERSION, DescribedSkill, describe_skill
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.skill import SkillFacts
from skillyard.skillmd.intake import TakenIn

_RACY_NANOSECONDS: Final = 2_000_000_000
_GENERAL: Final = "general"


def make_row(place: str, files: list[ReadFile], reading: Reading) -> Row:
    """Say what the directory at `place` offers; the first of its files is SKILL.md."""
    name = reading.name if place == ROOT else place.rpartition("/")[2]
    described = describe_skill(_take_in(files), to_printable(name), limits=reading.limits)
    return _to_row(place, described, files, reading.now)


def _take_in(files: list[ReadFile]) -> TakenIn:
    # Two well-known paths and a bounded size each: there is nothing that intake would add.
    read = {file.path: PackageFile(file.content) for file in files if file.content is not None}
    findings = tuple(file.finding for file in files if file.finding is not None)
    return TakenIn(Package(MappingProxyType(read)), findings)


def _to_row(place: str, described: DescribedSkill, files: list[ReadFile], now: int) -> Row:
    facts = described.facts
    return Row(
        place=place,
        slug=described.slug,
        description=facts.description if facts else "",
        commands=" ".join(described.commands),
        facts=pack_facts(_list_unusual(described, facts)) if facts else "",
        findings=pack_findings(described.diagnostics),
        skill_md=files[0].signature,
        sidecar=files[1].signature if len(files) > 1 else NO_FILE,
        characters=described.characters,
        settled=int(not any(_is_racy(file.signature, now) for file in files)),
    )


def _is_racy(signature: Signature, now: int) -> bool:
    written, changed, _, _ = signature
    # A time that somebody set to the future says nothing; the time of change cannot be set.
    return changed > now - _RACY_NANOSECONDS or abs(now - written) < _RACY_NANOSECONDS


def _list_unusual(described: DescribedSkill, facts: SkillFacts) -> dict[str, object]:
    """Give what is not as it is for most skills, by the names of a candidate's fields."""
    hints = dict(facts.provider_hints) if facts.provider_hints else None
    said = (
        ("version", described.version, FIRST_VERSION),
        ("display_name", facts.display_name, described.slug),
        ("confidence", facts.confidence, Confidence.MEDIUM),
        ("invocation", facts.invocation, Invocation.AUTO),
        ("category", facts.category, _GENERAL),
        ("tags", facts.tags, ()),
        ("requires", facts.requires, ()),
        ("requires_tools", facts.requires_tools, ()),
        ("provider_hints", hints, None),
        ("agents", facts.agents, None),
    )
    return {name: value for name, value, usual in said if value != usual}
