"""Say what a directory's SKILL.md and manifest.json make of a skill."""

from dataclasses import dataclass, replace
from typing import Final

from skillyard.application.stated import state_facts
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.document import SkillDocument
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import Manifest
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.skill import SkillFacts
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.intake import TakenIn
from skillyard.skillmd.manifest import gather_manifest
from skillyard.skillmd.rules import Profile

FIRST_VERSION: Final = "1.0.0"
"""The version of a directory that states none."""

_LENIENT: Final = Profile.LENIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedSkill:
    """What a directory offers; without `facts` it is no usable skill.

    `characters` is the length of SKILL.md.
    """

    slug: str
    version: str
    commands: tuple[str, ...]
    facts: SkillFacts | None
    characters: int
    diagnostics: tuple[Diagnostic, ...]


def describe_skill(taken: TakenIn, directory: str, *, limits: Limits = STANDARD) -> DescribedSkill:
    """Judge leniently what was taken in of `directory`, and give the facts that it states.

    It is somebody else's directory: nothing in it is an error, but a skill that would have one is
    not used. Without a manifest.json it is of medium confidence, and for everyone.

    A plain skill, as most are, is not judged any further: it is told what to make better by a check
    and not whenever it is found.
    """
    return _find_plain(taken, directory, limits) or _describe(taken, directory, limits)


def _find_plain(taken: TakenIn, directory: str, limits: Limits) -> DescribedSkill | None:
    files = taken.package.files
    if taken.diagnostics or len(files) != 1 or SKILL_MD not in files:
        return None
    findings = Findings(_LENIENT)
    document = read_document(files[SKILL_MD].content, limits=limits, findings=findings)
    if findings.items:
        return None
    manifest = gather_manifest(document, None, directory=directory, profile=_LENIENT)
    if manifest is None or not _is_plain(manifest, directory, limits):
        return None
    return _to_described(manifest, document, ())


def _is_plain(manifest: Manifest, directory: str, limits: Limits) -> bool:
    description = manifest.description
    return (
        manifest.name == directory == manifest.fields.get("name")
        and len(description) <= limits.description_characters
        and description.isascii()
        and description.replace("\n", "").isprintable()
    )


def _describe(taken: TakenIn, directory: str, limits: Limits) -> DescribedSkill:
    checked = check_package(
        taken.package,
        directory=directory,
        judgement=Judgement(profile=_LENIENT, limits=limits),
        earlier=taken.diagnostics,
    )
    manifest = checked.manifest if checked.is_valid else None
    return _to_described(manifest, checked.document, tuple(map(_soften, checked.diagnostics)))


def _to_described(
    manifest: Manifest | None,
    document: SkillDocument | None,
    diagnostics: tuple[Diagnostic, ...],
) -> DescribedSkill:
    commands = manifest.requires_commands if manifest else ()
    return DescribedSkill(
        slug=manifest.name if manifest else "",
        version=(manifest.version if manifest else None) or FIRST_VERSION,
        commands=tuple(dict.fromkeys(commands)) if commands else (),
        facts=_state(manifest) if manifest else None,
        characters=len(document.text) if document else 0,
        diagnostics=diagnostics,
    )


def _state(manifest: Manifest) -> SkillFacts:
    facts = state_facts(manifest)
    said = manifest.sidecar.confidence if manifest.sidecar else None
    # A directory is under the eyes of whoever owns it, so what it says about itself counts.
    return facts if said in (None, facts.confidence) else replace(facts, confidence=said)


def _soften(one: Diagnostic) -> Diagnostic:
    return replace(one, severity=Severity.WARNING) if one.severity is Severity.ERROR else one
