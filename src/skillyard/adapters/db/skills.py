"""The named entries."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, func, select, update

from skillyard.adapters.db import tables
from skillyard.adapters.db.catalogue import ask_count, ask_entries, to_entry
from skillyard.adapters.db.inserting import if_absent
from skillyard.adapters.db.reach import SqlReach
from skillyard.adapters.db.rows import (
    from_digest,
    from_json_list,
    from_json_mapping,
    from_moment,
    from_number,
    reading,
    to_digest,
    to_haystack,
    to_json,
    to_moment,
    to_number,
)
from skillyard.adapters.db.session import Session
from skillyard.application.ports.store import SkillsFingerprint
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.manifest import Author, Confidence, Invocation
from skillyard.domain.skill import (
    PEOPLE,
    Door,
    InstallStrategy,
    Provenance,
    Skill,
    SkillFacts,
    SkillStatus,
    SourceKind,
    Tombstone,
)

_SKILLS: Final = tables.skills
_IF_ABSENT: Final = if_absent("slug", "owner")
_NEVER_CHANGED: Final = frozenset({"id", "owner", "slug"})
_BY_SLUG: Final = select(_SKILLS).where(_SKILLS.c.slug == bindparam("slug"))
_BY_OWNER: Final = _BY_SLUG.where(_SKILLS.c.owner == bindparam("owner"))
_BY_ID: Final = select(_SKILLS).where(_SKILLS.c.id == bindparam("id"))
_AT_REVISION: Final = (
    _SKILLS.c.id == bindparam("of_id"),
    _SKILLS.c.revision == bindparam("of_revision"),
)
_REPLACE: Final = (
    update(_SKILLS)
    .where(*_AT_REVISION)
    .values({c.name: bindparam(c.name) for c in _SKILLS.c if c.name not in _NEVER_CHANGED})
)
_REMOVE: Final = delete(_SKILLS).where(*_AT_REVISION)
_NEXT_IDS: Final = (
    select(_SKILLS.c.id).where(_SKILLS.c.id > bindparam("after")).order_by(_SKILLS.c.id).limit(1000)
)
_NEXT_REVISIONS: Final = (
    select(_SKILLS.c.id, _SKILLS.c.revision)
    .where(_SKILLS.c.id > bindparam("after"))
    .order_by(_SKILLS.c.id)
    .limit(10_000)
)
# Skills and tombstones together tell of every skill that came or went, and between two such
# changes the sum of revisions only grows. The moment tells one copy of a store from another.
_FINGERPRINT: Final = select(
    func.count(),
    func.coalesce(func.sum(_SKILLS.c.revision), 0),
    select(func.count()).select_from(tables.tombstones).scalar_subquery(),
    func.coalesce(func.max(_SKILLS.c.updated_at), 0),
).select_from(_SKILLS)
_LAST_REMOVED: Final = select(tables.tombstones.c.skill_id).order_by(
    tables.tombstones.c.number.desc()
)
_SAVED_SINCE: Final = select(_SKILLS.c.id, _SKILLS.c.revision)
_REMOVE_TAGS: Final = delete(tables.skill_tags).where(
    tables.skill_tags.c.skill_id == bindparam("of_id")
)
_REMOVE_AGENTS: Final = delete(tables.skill_agents).where(
    tables.skill_agents.c.skill_id == bindparam("of_id")
)


class SqlSkills:
    """See `Skills`."""

    def __init__(self, session: Session, reach: SqlReach) -> None:
        self._session = session
        self._reach = reach

    def add_if_absent(self, skill: Skill) -> Skill:
        """See `Skills.add_if_absent`."""
        while True:
            row = _to_row(skill)
            if self._session.add(_SKILLS, row, conflict=_IF_ABSENT, what=skill.slug):
                self._add_tags(skill)
                self._add_agents(skill)
                self._note(skill)
                return skill
            # One that is removed between these two statements is no reason to fail.
            if (kept := self.find(skill.slug, owner=skill.owner)) is not None:
                return kept

    def find(self, slug: str, *, owner: str = PEOPLE) -> Skill | None:
        """See `Skills.find`."""
        row = self._session.row(_BY_OWNER, {"slug": slug, "owner": owner})
        return _from_row(row) if row else None

    def find_by_id(self, skill_id: str) -> Skill | None:
        """See `Skills.find_by_id`."""
        row = self._session.row(_BY_ID, {"id": skill_id})
        return _from_row(row) if row else None

    def list_by_slug(self, slug: str) -> Sequence[Skill]:
        """See `Skills.list_by_slug`."""
        rows = self._session.rows(_BY_SLUG.order_by(_SKILLS.c.owner), {"slug": slug})
        return [_from_row(row) for row in rows]

    def replace(self, skill: Skill) -> bool:
        """See `Skills.replace`."""
        values = {k: v for k, v in _to_row(skill).items() if k not in _NEVER_CHANGED}
        place = {"of_id": skill.id, "of_revision": skill.revision - 1}
        if not self._session.count(_REPLACE, {**values, **place}, what=skill.slug):
            return False
        self._session.run(_REMOVE_TAGS, {"of_id": skill.id})
        self._add_tags(skill)
        self._session.run(_REMOVE_AGENTS, {"of_id": skill.id})
        self._add_agents(skill)
        self._note(skill)
        return True

    def remove(self, skill: Skill, tombstone: Tombstone) -> bool:
        """See `Skills.remove`."""
        place = {"of_id": skill.id, "of_revision": skill.revision}
        if not self._session.count(_REMOVE, place, what=skill.slug):
            return False
        self._reach.note_skills([skill.id])
        self._session.add(tables.tombstones, _to_tombstone_row(tombstone))
        return True

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """See `Skills.list_entries`."""
        spelling = self._session.spelling
        asked = ask_entries(wanted, after=after, most=most, spelling=spelling)
        return [to_entry(row) for row in self._session.ask(asked)]

    def count(self, wanted: SkillFilter) -> int:
        """See `Skills.count`."""
        rows = self._session.ask(ask_count(wanted, spelling=self._session.spelling))
        return int(rows[0][0]) if rows else 0

    def iter_ids(self) -> Iterator[str]:
        """See `Skills.iter_ids`."""
        after = ""
        while rows := self._session.rows(_NEXT_IDS, {"after": after}):
            yield from (row.id for row in rows)
            after = rows[-1].id

    def iter_revisions(self) -> Iterator[tuple[str, int]]:
        """See `Skills.iter_revisions`."""
        after = ""
        while rows := self._session.rows(_NEXT_REVISIONS, {"after": after}):
            yield from ((row.id, row.revision) for row in rows)
            after = rows[-1].id

    def fingerprint(self) -> SkillsFingerprint:
        """See `Skills.fingerprint`."""
        (row,) = self._session.rows(_FINGERPRINT)
        return SkillsFingerprint(*map(int, row))

    def list_changed(self, since: SkillsFingerprint) -> Sequence[tuple[str, int]]:
        """See `Skills.list_changed`."""
        gone = self.fingerprint().removed - since.removed
        removed = self._session.rows(_LAST_REMOVED.limit(gone)) if gone > 0 else []
        saved = self._session.rows(_SAVED_SINCE.where(_SKILLS.c.updated_at >= since.latest))
        return [*((one, 0) for (one,) in removed), *((one, revision) for one, revision in saved)]

    def list_tombstones(self) -> Sequence[Tombstone]:
        """See `Skills.list_tombstones`."""
        rows = self._session.rows(select(tables.tombstones).order_by(tables.tombstones.c.number))
        with reading("the skills that were deleted"):
            return [_from_tombstone_row(row) for row in rows]

    def _note(self, skill: Skill) -> None:
        # Nobody asks how far the others reach, and most skills are others.
        if skill.facts.confidence is Confidence.HIGH:
            self._reach.note_skills([skill.id])

    def _add_tags(self, skill: Skill) -> None:
        rows = [{"skill_id": skill.id, "tag": tag} for tag in sorted(set(skill.facts.tags))]
        self._session.add(tables.skill_tags, *rows)

    def _add_agents(self, skill: Skill) -> None:
        named = sorted(set(skill.facts.agents or ()))
        rows = [{"skill_id": skill.id, "agent": name} for name in named]
        self._session.add(tables.skill_agents, *rows)


def _to_row(skill: Skill) -> Mapping[str, object]:
    return {
        "id": skill.id,
        "owner": skill.owner,
        "slug": skill.slug,
        "source_kind": skill.source_kind,
        "plugin_id": skill.plugin_id,
        "door": skill.provenance.door,
        "ref": skill.provenance.ref,
        "current": to_number(skill.current),
        "digest": to_digest(skill.digest),
        "revision": skill.revision,
        "created_at": to_moment(skill.created_at),
        "created_by": skill.created_by,
        "updated_at": to_moment(skill.updated_at),
        "updated_by": skill.updated_by,
        "haystack": to_haystack(skill.slug, skill.facts.display_name, skill.facts.description),
        **_to_facts_row(skill.facts),
    }


def _to_facts_row(facts: SkillFacts) -> Mapping[str, object]:
    return {
        "display_name": facts.display_name,
        "description": facts.description,
        "category": facts.category,
        "status": facts.status,
        "deprecated": facts.deprecated,
        "enabled": facts.enabled,
        "confidence": facts.confidence,
        "author_type": facts.author.type,
        "author_agent": facts.author.agent,
        "author_source": facts.author.source,
        "tags": to_json(facts.tags),
        "requires_tools": to_json(facts.requires_tools),
        "requires": to_json(facts.requires),
        "agents": None if facts.agents is None else to_json(facts.agents),
        "provider_hints": to_json(dict(facts.provider_hints)),
        "install_strategy": facts.install_strategy,
        "invocation": facts.invocation,
        "metadata": to_json(dict(facts.metadata)),
    }


def _from_row(row: Row[*tuple[Any, ...]]) -> Skill:
    with reading(f"skill:{row.slug}"):
        return _to_skill(row)


def _to_skill(row: Row[*tuple[Any, ...]]) -> Skill:
    return Skill(
        id=row.id,
        slug=row.slug,
        owner=row.owner,
        source_kind=SourceKind(row.source_kind),
        plugin_id=row.plugin_id,
        provenance=Provenance(Door(row.door), row.ref),
        facts=_from_facts_row(row),
        current=from_number(row.current),
        digest=from_digest(row.digest),
        revision=row.revision,
        created_at=from_moment(row.created_at),
        created_by=row.created_by,
        updated_at=from_moment(row.updated_at),
        updated_by=row.updated_by,
    )


def _from_facts_row(row: Row[*tuple[Any, ...]]) -> SkillFacts:
    return SkillFacts(
        display_name=row.display_name,
        description=row.description,
        category=row.category,
        status=SkillStatus(row.status),
        deprecated=row.deprecated,
        enabled=row.enabled,
        confidence=Confidence(row.confidence),
        author=Author(row.author_type, row.author_agent, row.author_source),
        tags=from_json_list(row.tags),
        requires_tools=from_json_list(row.requires_tools),
        requires=from_json_list(row.requires),
        agents=None if row.agents is None else from_json_list(row.agents),
        provider_hints=from_json_mapping(row.provider_hints),
        install_strategy=InstallStrategy(row.install_strategy) if row.install_strategy else None,
        invocation=Invocation(row.invocation),
        metadata=from_json_mapping(row.metadata),
    )


def _to_tombstone_row(tombstone: Tombstone) -> Mapping[str, object]:
    return {
        "skill_id": tombstone.skill_id,
        "owner": tombstone.owner,
        "slug": tombstone.slug,
        "version": to_number(tombstone.version),
        "digest": to_digest(tombstone.digest),
        "deleted_at": to_moment(tombstone.deleted_at),
        "deleted_by": tombstone.deleted_by,
    }


def _from_tombstone_row(row: Row[*tuple[Any, ...]]) -> Tombstone:
    return Tombstone(
        skill_id=row.skill_id,
        owner=row.owner,
        slug=row.slug,
        version=from_number(row.version),
        digest=from_digest(row.digest),
        deleted_at=from_moment(row.deleted_at),
        deleted_by=row.deleted_by,
    )
