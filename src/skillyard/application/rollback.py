"""Make an older version of a skill current again."""

from dataclasses import dataclass, replace

from skillyard.application.change import touch
from skillyard.application.journal import Journal
from skillyard.application.lookup import get_skill, get_version, require_editable
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.store import Store
from skillyard.application.settling import settle
from skillyard.application.stale import require_expected
from skillyard.application.stated import (
    find_manifest,
    first_author,
    first_confidence,
    higher,
    merge_facts,
    state_facts,
)
from skillyard.domain.manifest import Author, Confidence, Manifest
from skillyard.domain.skill import UNPROVEN, Actor, Skill, SkillFacts, SkillVersion
from skillyard.domain.version import Version


@dataclass(frozen=True, slots=True, kw_only=True)
class RollBackSkill:
    """The wish that `version` be current; `expected` is the revision that the person saw."""

    reference: str
    version: Version
    expected: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBackSkill:
    """A skill before and after; equal where the version was current already."""

    before: Skill
    skill: Skill


def roll_back_skill(
    wish: RollBackSkill, *, store: Store, clock: Clock, actor: Actor, dry_run: bool = False
) -> RolledBackSkill:
    """Make a version current; no version is made, changed or lost.

    The skill is then from whoever brought that version. What others or agents wrote is unproven
    again: nobody has looked at that version. What people wrote is trusted at least as at its start.

    Raises:
        VersionNotFoundError: There is no such version.
        ReadOnlySkillError: A plugin owns the skill.
        StaleWriteError: The skill is no longer at the expected revision.
    """
    with store.begin() as transaction:
        journal = Journal(transaction, actor, clock.now())
        done = settle(wish.reference, lambda: _try_to_roll_back(wish, journal))
        if not dry_run:
            transaction.commit()
    return done


def _try_to_roll_back(wish: RollBackSkill, journal: Journal) -> RolledBackSkill | None:
    before = get_skill(wish.reference, transaction=journal.transaction)
    require_expected(before, wish.expected)
    require_editable(before, journal.actor)
    target = get_version(before, wish.version, transaction=journal.transaction)
    if target.version == before.current:
        return RolledBackSkill(before=before, skill=before)
    facts = _facts_at(before, target, journal)
    skill = replace(
        touch(before, journal, facts=facts),
        source_kind=target.source_kind,
        provenance=target.provenance,
        current=target.version,
        digest=target.digest,
    )
    if not journal.transaction.skills.replace(skill):
        return None
    journal.note_skill(
        "skill.rolled-back",
        skill,
        before=before.digest,
        after=skill.digest,
        details={"version": str(skill.current), "from": str(before.current)},
    )
    return RolledBackSkill(before=before, skill=skill)


def _facts_at(skill: Skill, target: SkillVersion, journal: Journal) -> SkillFacts:
    before = find_manifest(skill.digest, transaction=journal.transaction)
    after = find_manifest(target.digest, transaction=journal.transaction)
    facts = skill.facts
    if before is not None and after is not None:
        kinds = {skill.source_kind, target.source_kind}
        stated, states = state_facts(before), state_facts(after)
        facts = merge_facts(facts, before=stated, after=states, kinds=kinds)
    return replace(
        facts,
        confidence=_confidence_at(skill, target, after),
        author=_author_at(skill, target, after),
    )


def _author_at(skill: Skill, target: SkillVersion, manifest: Manifest | None) -> Author:
    origin = (target.source_kind, target.provenance)
    if (skill.source_kind, skill.provenance) == origin:
        return skill.facts.author
    return first_author(target.source_kind, manifest, source=target.provenance.ref)


def _confidence_at(skill: Skill, target: SkillVersion, manifest: Manifest | None) -> Confidence:
    if target.source_kind in UNPROVEN:
        return Confidence.LOW
    kept = skill.facts.confidence
    if skill.source_kind not in UNPROVEN:
        return kept
    return higher(kept, first_confidence(target.source_kind, manifest))
