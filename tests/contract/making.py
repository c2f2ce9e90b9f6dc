"""Values for the tests of the store's contract, and the way to put them into a store."""

# ruff: noqa: ANN401 (a maker takes any field of what it makes)

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from skillyard.application.ports.store import Store, Transaction
from skillyard.domain.assignment import GLOBAL, Assignment, Subject
from skillyard.domain.audit import AuditEntry, OutboxEvent
from skillyard.domain.catalogue import CatalogueEntry
from skillyard.domain.delivery import Mode, Part
from skillyard.domain.package import Package
from skillyard.domain.records import RECORD_KINDS, Record
from skillyard.domain.resolution import Disposition, Layer, Rule
from skillyard.domain.run import Run, RunSkill, WorkspaceMode
from skillyard.domain.skill import (
    PEOPLE,
    InstallStrategy,
    Skill,
    SkillFacts,
    SkillVersion,
    Tombstone,
)
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package

AT = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
LATER = datetime(2026, 3, 4, 5, 6, 7, 1_000, tzinfo=UTC)
PDF = make_package("pdf")
OTHER_PDF = make_package("pdf", body="Read the form aloud.\n")
FIRST = Version(1)


def make_id(*words: str) -> str:
    """Give an id that is the same for the same words."""
    return str(uuid5(NAMESPACE_URL, "/".join(words)))


def make_skill(slug: str = "pdf", *, owner: str = PEOPLE, **changes: Any) -> Skill:
    """Make a skill that nothing much is known about, whose content is `PDF`."""
    skill = Skill(
        id=make_id(owner, slug),
        slug=slug,
        owner=owner,
        facts=SkillFacts(display_name=slug.title(), description=f"Helps with {slug}."),
        current=FIRST,
        digest=PDF.digest(),
        created_at=AT,
        created_by="ada",
        updated_at=AT,
        updated_by="ada",
    )
    return replace(skill, **changes)


def with_facts(skill: Skill, **facts: Any) -> Skill:
    """Give `skill` with other facts."""
    return replace(skill, facts=replace(skill.facts, **facts))


def next_revision(skill: Skill, **facts: Any) -> Skill:
    """Give the skill that may take the place of `skill`."""
    changed = with_facts(skill, **facts)
    return replace(changed, revision=skill.revision + 1, updated_at=LATER, updated_by="bob")


def make_version(skill: Skill, number: str = "1.0.0", **changes: Any) -> SkillVersion:
    """Make a version of `skill` whose content is `PDF`."""
    version = SkillVersion(
        skill_id=skill.id,
        version=Version.parse(number),
        digest=PDF.digest(),
        revision=skill.revision,
        created_at=AT,
        created_by="ada",
    )
    return replace(version, **changes)


def make_tombstone(skill: Skill, **changes: Any) -> Tombstone:
    """Make what is left of `skill`."""
    tombstone = Tombstone(
        skill_id=skill.id,
        owner=skill.owner,
        slug=skill.slug,
        version=skill.current,
        digest=skill.digest,
        deleted_at=LATER,
        deleted_by="bob",
    )
    return replace(tombstone, **changes)


def make_assignment(skill: Skill, subject: Subject = GLOBAL, **changes: Any) -> Assignment:
    """Make an assignment of `skill` that asks for nothing special."""
    assignment = Assignment(
        id=make_id(skill.id, str(subject)),
        skill_id=skill.id,
        owner=skill.owner,
        slug=skill.slug,
        subject=subject,
    )
    return replace(assignment, **changes)


def make_entry(action: str = "skill.saved", **changes: Any) -> AuditEntry:
    """Make an entry of the audit log."""
    entry = AuditEntry(at=AT, actor="ada", door="cli", action=action, target="skill:pdf")
    return replace(entry, **changes)


def make_event(topic: str = "sync", **changes: Any) -> OutboxEvent:
    """Make an event."""
    return replace(OutboxEvent(at=AT, topic=topic), **changes)


def make_run_skill(slug: str = "pdf", **changes: Any) -> RunSkill:
    """Make a skill of a run that was laid out as it is in the store, whose content is `PDF`."""
    skill = RunSkill(
        slug=slug,
        version=FIRST,
        digest=PDF.digest(),
        delivered=PDF.digest(),
        layer=Layer.STORE,
        ref=make_id(slug),
        disposition=Disposition.LOADED,
        rule=Rule.ASSIGNED,
        reason="assigned to agent:reviewer",
        strategy=InstallStrategy.MATERIALIZE,
        part=Part.HOME,
        path=f".codex/skills/{slug}",
    )
    return replace(skill, **changes)


def make_run(number: int = 1, **changes: Any) -> Run:
    """Make a run that has begun; its id sorts by `number`."""
    run = Run(
        id=f"00000000-0000-7000-8000-{number:012x}",
        root=f"/srv/runs/run-{number}",
        host="here",
        agent="reviewer",
        subjects=("global", "agent:reviewer"),
        provider="codex",
        mode=Mode.NATIVE,
        manifest_hash=f"sha256:{'0' * 64}",
        workspace=WorkspaceMode.EMPTY,
        project="/srv/project",
        command=("codex", "exec", "Say hello"),
        skills=(make_run_skill(),),
        created_at=AT,
    )
    return replace(run, **changes)


def to_catalogue_entry(skill: Skill, package: Package, *, assignments: int = 0) -> CatalogueEntry:
    """Give the line of the list that stands for `skill`."""
    facts = skill.facts
    return CatalogueEntry(
        id=skill.id,
        slug=skill.slug,
        owner=skill.owner,
        display_name=facts.display_name,
        description=facts.description,
        category=facts.category,
        source_kind=skill.source_kind,
        status=facts.status,
        enabled=facts.enabled,
        deprecated=facts.deprecated is not None,
        confidence=facts.confidence,
        tags=facts.tags,
        version=skill.current,
        digest=skill.digest,
        files=len(package.files),
        size=package.size,
        assignments=assignments,
        updated_at=skill.updated_at,
    )


def put_in(transaction: Transaction, *skills: Skill) -> None:
    """Keep skills, their current versions, and the two contents that tests use."""
    transaction.packages.add([PDF, OTHER_PDF])
    for skill in skills:
        transaction.skills.add_if_absent(skill)
        transaction.versions.add_if_absent(
            make_version(skill, str(skill.current), digest=skill.digest)
        )


def fill(store: Store, *skills: Skill) -> None:
    """Keep skills for good, as `put_in` does."""
    with store.begin() as transaction:
        put_in(transaction, *skills)
        transaction.commit()


def add_record(transaction: Transaction, record: Any) -> Record:
    """Keep a record of whatever kind; give the one that is kept."""
    kept: Record = transaction.records.add_if_absent(record)
    return kept


def find_record(transaction: Transaction, kind: Any, name: str) -> Record | None:
    """Give a record of whatever kind, or None."""
    found: Record | None = transaction.records.find(kind, name)
    return found


def list_records(transaction: Transaction) -> list[Record]:
    """Give every record in the order of kinds and names."""
    kinds: Any = RECORD_KINDS
    return [record for kind in kinds for record in transaction.records.list(kind)]
