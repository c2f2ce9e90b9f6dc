"""A skill in the store, with everything that belongs to it."""

from datetime import UTC, datetime

from skillyard.adapters.db.store import SqlStore
from skillyard.domain.assignment import GLOBAL, Assignment
from skillyard.domain.audit import AuditEntry, OutboxEvent
from skillyard.domain.package import Package
from skillyard.domain.skill import Skill, SkillFacts, SkillVersion
from skillyard.domain.version import Version

NOW = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
PDF = Package.of({"SKILL.md": "---\nname: pdf\ndescription: Fill in forms.\n---\n", "run": b"\x00"})
SKILL = Skill(
    id="0193b5a8-0000-7000-8000-000000000001",
    slug="pdf",
    facts=SkillFacts(
        display_name="PDF",
        description="Fill in forms.",
        tags=("forms",),
        agents=("writer", "reviewer"),
    ),
    current=Version(1),
    digest=PDF.digest(),
    created_at=NOW,
    created_by="ada",
    updated_at=NOW,
    updated_by="ada",
)
VERSION = SkillVersion(
    skill_id=SKILL.id,
    version=Version(1),
    digest=SKILL.digest,
    revision=1,
    created_at=NOW,
    created_by="ada",
)
ASSIGNMENT = Assignment(
    id="0193b5a8-0000-7000-8000-000000000002",
    skill_id=SKILL.id,
    owner=SKILL.owner,
    slug=SKILL.slug,
    subject=GLOBAL,
)


def fill(store: SqlStore) -> None:
    """Keep the skill."""
    with store.begin() as transaction:
        transaction.packages.add([PDF])
        transaction.skills.add_if_absent(SKILL)
        transaction.versions.add_if_absent(VERSION)
        transaction.assignments.put(ASSIGNMENT)
        transaction.audit.append(
            AuditEntry(at=NOW, actor="ada", door="cli", action="skill.saved", target="skill:pdf")
        )
        transaction.outbox.append(OutboxEvent(at=NOW, topic="skill.saved"))
        transaction.commit()
