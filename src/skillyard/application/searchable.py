"""What of a skill can be found: its name, description, tags, triggers and body."""

from typing import Final

from skillyard.application.ports.search import SearchableSkill
from skillyard.application.ports.store import Transaction
from skillyard.domain.errors import CorruptedContentError
from skillyard.domain.limits import WIDE
from skillyard.domain.manifest import Triggers
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Candidate
from skillyard.domain.skill import Skill
from skillyard.ranking import SkillText
from skillyard.ranking.triggers import to_cues
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.frontmatter import read_document
from skillyard.skillmd.manifest import gather_manifest
from skillyard.skillmd.rules import Profile

_NO_TRIGGERS: Final = Triggers()


def read_searchable(skill_id: str, *, view: Transaction) -> SearchableSkill | None:
    """Give what of a skill can be found; None where the skill is not there.

    Of one whose content is damaged, what is known besides it can be found.
    """
    skill = view.skills.find_by_id(skill_id)
    return None if skill is None else make_searchable(skill, _read_skill_md(skill, view))


def _read_skill_md(skill: Skill, view: Transaction) -> bytes:
    try:
        file = view.packages.get_file(skill.digest, SKILL_MD)
    except CorruptedContentError:
        return b""
    return file.content if file else b""


def make_searchable(skill: Skill, skill_md: bytes) -> SearchableSkill:
    """Give what can be found of `skill`, whose SKILL.md is `skill_md`."""
    triggers, body = _read_text(skill.slug, skill_md)
    facts = skill.facts
    text = SkillText(
        name=_name(skill.slug, facts.display_name),
        description=facts.description,
        labels=(*facts.tags, *triggers.keywords, *triggers.verbs),
        body=body,
    )
    return SearchableSkill(
        id=skill.id,
        revision=skill.revision,
        place=(skill.slug, skill.owner),
        text=text,
        cues=to_cues(triggers),
    )


def make_searchable_candidate(candidate: Candidate, skill_md: bytes) -> SearchableSkill:
    """Give what can be found of a candidate, whose SKILL.md is `skill_md`; `ref` is its id."""
    triggers, body = _read_text(candidate.slug, skill_md)
    text = SkillText(
        name=_name(candidate.slug, candidate.display_name),
        description=candidate.description,
        labels=(*candidate.tags, *triggers.keywords, *triggers.verbs),
        body=body,
    )
    return SearchableSkill(
        id=candidate.ref,
        revision=1,
        place=(candidate.slug, candidate.ref),
        text=text,
        cues=to_cues(triggers),
    )


def _name(slug: str, title: str) -> str:
    # A title that is the slug in other letters says nothing new, and would count twice.
    return slug if _letters(title) in ("", _letters(slug)) else f"{slug} {title}"


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _read_text(slug: str, skill_md: bytes) -> tuple[Triggers, str]:
    # Whatever was let in is read: it was judged when it came.
    findings = Findings(Profile.LENIENT)
    document = read_document(skill_md, limits=WIDE, findings=findings)
    manifest = gather_manifest(document, None, directory=slug, profile=Profile.LENIENT)
    return manifest.triggers if manifest else _NO_TRIGGERS, document.instructions
