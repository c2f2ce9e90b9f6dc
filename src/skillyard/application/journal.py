"""Write down what was changed, and what has to follow, in the transaction of the change."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from skillyard.application.ports.store import Transaction
from skillyard.domain.audit import AuditEntry, OutboxEvent
from skillyard.domain.digest import TreeDigest
from skillyard.domain.skill import Actor, Skill


@dataclass(frozen=True, slots=True)
class Journal:
    """Who is at work, and when: the same for everything that one transaction changes."""

    transaction: Transaction
    actor: Actor
    at: datetime

    def note(
        self, action: str, target: str, *, details: Mapping[str, str], skill_id: str | None = None
    ) -> None:
        """Note a change of something that has no content."""
        self._append(action, target, details, skill_id=skill_id)

    def note_skill(
        self,
        action: str,
        skill: Skill,
        *,
        before: TreeDigest | None,
        after: TreeDigest | None,
        details: Mapping[str, str],
    ) -> None:
        """Note a change of a skill, from the content `before` to the content `after`."""
        target = f"skill:{skill.reference}"
        self._append(action, target, details, skill_id=skill.id, before=before, after=after)

    def _append(
        self,
        action: str,
        target: str,
        details: Mapping[str, str],
        *,
        skill_id: str | None,
        before: TreeDigest | None = None,
        after: TreeDigest | None = None,
    ) -> None:
        entry = AuditEntry(
            at=self.at,
            actor=self.actor.name,
            door=self.actor.door,
            action=action,
            target=target,
            skill_id=skill_id,
            before=before,
            after=after,
            details=details,
        )
        self.transaction.audit.append(entry)
        about = {"target": target} | ({"skill_id": skill_id} if skill_id else {})
        event = OutboxEvent(at=self.at, topic=action, data={**about, **details})
        self.transaction.outbox.append(event)
