"""Change what is known about a skill, without touching its content."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from skillyard.application.journal import Journal
from skillyard.application.lookup import get_skill, require_editable
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.store import Store, Transaction
from skillyard.application.settling import settle
from skillyard.application.stale import require_expected
from skillyard.domain.facts import FactChanges, require_facts
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.skill import Actor, Skill, SkillFacts, SkillStatus

# Whether it is used, and how far it is trusted, is for people to say of a plugin's skill too.
_PEOPLES: Final = frozenset({"enabled", "confidence", "deprecated", "status"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSkill:
    """The wish that other facts be known about a skill.

    `expected` is the revision that the person saw; None does not compare.
    """

    reference: str
    changes: FactChanges
    expected: int | None = None
    limits: Limits = STANDARD


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSkill:
    """A skill after a change; equal to `before` where nothing was to change."""

    before: Skill
    skill: Skill

    @property
    def is_changed(self) -> bool:
        """Whether anything is different."""
        return self.before != self.skill


def change_skill(
    wish: ChangeSkill, *, store: Store, clock: Clock, actor: Actor, dry_run: bool = False
) -> ChangedSkill:
    """Change the facts of a skill; what others change at the same moment stays changed.

    Raises:
        InvalidFactError: The facts cannot be kept; every problem is named.
        ReadOnlySkillError: A plugin owns the skill, and the fact is the plugin's to state.
        StaleWriteError: The skill is no longer at the expected revision.
    """
    with store.begin() as transaction:
        journal = Journal(transaction, actor, clock.now())
        changed = settle(wish.reference, lambda: _try_to_change(wish, journal))
        if not dry_run:
            transaction.commit()
    return changed


def _try_to_change(wish: ChangeSkill, journal: Journal) -> ChangedSkill | None:
    before = get_skill(wish.reference, transaction=journal.transaction)
    require_expected(before, wish.expected)
    if not wish.changes.said().keys() <= _PEOPLES:
        require_editable(before, journal.actor)
    facts = require_facts(wish.changes.apply(before.facts), limits=wish.limits)
    if facts == before.facts:
        return ChangedSkill(before=before, skill=before)
    skill = touch(before, journal, facts=facts)
    if not journal.transaction.skills.replace(skill):
        return None
    differences = _differences(before.facts, facts, wish.changes)
    journal.note_skill(
        _action(wish.changes, facts),
        skill,
        before=before.digest,
        after=skill.digest,
        details=differences,
    )
    return ChangedSkill(before=before, skill=skill)


def touch(skill: Skill, journal: Journal, *, facts: SkillFacts) -> Skill:
    """Give the next revision of `skill`, with other facts."""
    return replace(
        skill,
        facts=facts,
        revision=skill.revision + 1,
        updated_at=journal.at,
        updated_by=journal.actor.name,
    )


def _differences(before: SkillFacts, after: SkillFacts, changes: FactChanges) -> Mapping[str, str]:
    named = ((name, getattr(before, name), getattr(after, name)) for name in changes.said())
    return {name: f"{_say(old)} → {_say(new)}" for name, old, new in named if old != new}


def _say(value: object) -> str:
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _action(changes: FactChanges, facts: SkillFacts) -> str:
    match list(changes.said()):
        case ["enabled"]:
            return "skill.enabled" if facts.enabled else "skill.disabled"
        case ["status"]:
            return _STATUS_ACTIONS[facts.status]
        case ["deprecated"]:
            return "skill.deprecated" if facts.deprecated else "skill.undeprecated"
        case _:
            return "skill.changed"


_STATUS_ACTIONS: Final = {
    SkillStatus.ACTIVE: "skill.activated",
    SkillStatus.DRAFT: "skill.drafted",
    SkillStatus.ARCHIVED: "skill.archived",
}


def list_dependents(skill: Skill, *, transaction: Transaction) -> tuple[str, ...]:
    """Give whom a skill is assigned to."""
    assigned = transaction.assignments.list(skill_id=skill.id)
    return tuple(str(one.subject) for one in assigned)
