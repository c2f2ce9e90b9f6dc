"""Delete a skill: it and its assignments go, a tombstone stays."""

from dataclasses import dataclass

from skillyard.application.change import list_dependents
from skillyard.application.journal import Journal
from skillyard.application.lookup import get_skill, require_editable
from skillyard.application.ports.clock import Clock
from skillyard.application.ports.store import Store
from skillyard.application.settling import settle
from skillyard.application.stale import require_expected
from skillyard.domain.skill import Actor, Skill, Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteSkill:
    """The wish that a skill be gone; `expected` is the revision that the person saw."""

    reference: str
    expected: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletedSkill:
    """A skill that is gone, how many versions it had, and whom it was assigned to."""

    skill: Skill
    versions: int
    subjects: tuple[str, ...]


def delete_skill(
    wish: DeleteSkill, *, store: Store, clock: Clock, actor: Actor, dry_run: bool = False
) -> DeletedSkill:
    """Delete a skill with its versions and assignments.

    Its contents stay until nothing names them and they are collected.

    Raises:
        ReadOnlySkillError: A plugin owns it.
        StaleWriteError: The skill is no longer at the expected revision.
    """
    with store.begin() as transaction:
        journal = Journal(transaction, actor, clock.now())
        deleted = settle(wish.reference, lambda: _try_to_delete(wish, journal))
        if not dry_run:
            transaction.commit()
    return deleted


def _try_to_delete(wish: DeleteSkill, journal: Journal) -> DeletedSkill | None:
    transaction = journal.transaction
    skill = get_skill(wish.reference, transaction=transaction)
    require_expected(skill, wish.expected)
    require_editable(skill, journal.actor)
    deleted = DeletedSkill(
        skill=skill,
        versions=len(transaction.versions.list(skill.id)),
        subjects=list_dependents(skill, transaction=transaction),
    )
    if not transaction.skills.remove(skill, _tombstone(skill, journal)):
        return None
    details = {"version": str(skill.current), "subjects": " ".join(deleted.subjects)}
    journal.note_skill("skill.deleted", skill, before=skill.digest, after=None, details=details)
    return deleted


def _tombstone(skill: Skill, journal: Journal) -> Tombstone:
    return Tombstone(
        skill_id=skill.id,
        owner=skill.owner,
        slug=skill.slug,
        version=skill.current,
        digest=skill.digest,
        deleted_at=journal.at,
        deleted_by=journal.actor.name,
    )
