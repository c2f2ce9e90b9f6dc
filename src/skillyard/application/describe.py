"""Say what a directory's SKILL.md and manifest.json make of a skill."""

from dataclasses import dataclass, replace
from typing import Final

from skillyard.application.stated import state_facts
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.manifest import Manifest
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.skill import SkillFacts
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.intake import TakenIn
from skillyard.skillmd.manifest import gather_manifest
from skillyard.skillmd.rules import DESCRIPTION_TOO_LONG, Profile

FIRST_VERSION: Final = "1.0.0"
"""The version of a directory that states none."""

_LENIENT: Final = Profile.LENIENT
_CLOSING: Final = b"\n---\n"


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


_CUT_NOTE: Final = "agents are shown the beginning of it"
_LEAST_KEPT: Final = 2 / 3
"""Where the last blank is nearer to the beginning than this part, a word is cut."""


def describe_skill(taken: TakenIn, directory: str, *, limits: Limits = STANDARD) -> DescribedSkill:
    """Judge leniently what was taken in of `directory`, and give the facts that it states.

    It is somebody else's directory: nothing in it is an error, but a skill that would have one is
    not used. Without a manifest.json it is of medium confidence, and for everyone. What it
    says about itself stands in every prompt, so a description or a display name beyond the limit is
    cut.

    A plain skill, as most are, is not judged any further: it is told what to make better by a check
    and not whenever it is found.
    """
    return _find_plain(taken, directory, limits) or _describe(taken, directory, limits)


def _find_plain(taken: TakenIn, directory: str, limits: Limits) -> DescribedSkill | None:
    files = taken.package.files
    if taken.diagnostics or len(files) != 1 or SKILL_MD not in files:
        return None
    content = files[SKILL_MD].content
    findings = Findings(_LENIENT)
    document = read_document(_cut_off_body(content), limits=limits, findings=findings)
    if findings.items:
        return None
    manifest = gather_manifest(document, None, directory=directory, profile=_LENIENT)
    if manifest is None or not _is_plain(manifest, directory, limits):
        return None
    return _to_described(manifest, len(content) if content.isascii() else len(document.text), ())


def _cut_off_body(content: bytes) -> bytes:
    """Give the front matter alone, where nothing in the body can make a difference."""
    closing = content.find(_CLOSING)
    if closing < 0 or not content.isascii() or b"\r" in content:
        return content
    return content[: closing + len(_CLOSING)]


def _is_plain(manifest: Manifest, directory: str, limits: Limits) -> bool:
    description = manifest.description
    return (
        manifest.name == directory == manifest.fields.get("name")
        and len(description) <= limits.description_characters
        and len(manifest.display_name or "") <= limits.display_name_characters
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
    characters = len(checked.document.text) if checked.document else 0
    described = _to_described(manifest, characters, tuple(map(_soften, checked.diagnostics)))
    facts = _shorten(described.facts, limits) if described.facts else None
    return replace(described, facts=facts)


def _shorten(facts: SkillFacts, limits: Limits) -> SkillFacts:
    return replace(
        facts,
        description=_cut(facts.description, limits.description_characters),
        display_name=_cut(facts.display_name, limits.display_name_characters),
    )


def _cut(text: str, most: int) -> str:
    """Give the beginning of a text that is too long, to the end of a word where one is near."""
    if len(text) <= most:
        return text
    kept = text[: most - 1]
    words = kept.rpartition(" ")[0].rstrip()
    return f"{words if len(words) > most * _LEAST_KEPT else kept}…"


def _to_described(
    manifest: Manifest | None, characters: int, diagnostics: tuple[Diagnostic, ...]
) -> DescribedSkill:
    commands = manifest.requires_commands if manifest else ()
    return DescribedSkill(
        slug=manifest.name if manifest else "",
        version=(manifest.version if manifest else None) or FIRST_VERSION,
        commands=tuple(dict.fromkeys(commands)) if commands else (),
        facts=_state(manifest) if manifest else None,
        characters=characters,
        diagnostics=diagnostics,
    )


def _state(manifest: Manifest) -> SkillFacts:
    facts = state_facts(manifest)
    said = manifest.sidecar.confidence if manifest.sidecar else None
    # A directory is under the eyes of whoever owns it, so what it says about itself counts.
    return facts if said in (None, facts.confidence) else replace(facts, confidence=said)


def _soften(one: Diagnostic) -> Diagnostic:
    if one.code == DESCRIPTION_TOO_LONG.code:
        one = replace(one, message=f"{one.message}; {_CUT_NOTE}")
    return replace(one, severity=Severity.WARNING) if one.severity is Severity.ERROR else one
