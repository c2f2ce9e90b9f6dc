"""The named entries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from skillyard.application.ports.store import SkillsFingerprint
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.skill import PEOPLE, Skill, SkillStatus, Tombstone
from skillyard.testing.memory.freezing import freeze_skill, freeze_tombstone
from skillyard.testing.memory.state import State, Work


@dataclass(frozen=True, slots=True)
class MemorySkills:
    """See `Skills`."""

    work: Work

    def add_if_absent(self, skill: Skill) -> Skill:
        """See `Skills.add_if_absent`."""
        draft = self.work.draft
        kept = self.find(skill.slug, owner=skill.owner)
        if kept is not None:
            return kept
        draft.skills[skill.id] = freeze_skill(skill)
        return draft.skills[skill.id]

    def find(self, slug: str, *, owner: str = PEOPLE) -> Skill | None:
        """See `Skills.find`."""
        return next((one for one in self.list_by_slug(slug) if one.owner == owner), None)

    def find_by_id(self, skill_id: str) -> Skill | None:
        """See `Skills.find_by_id`."""
        return self.work.seen.skills.get(skill_id)

    def list_by_slug(self, slug: str) -> Sequence[Skill]:
        """See `Skills.list_by_slug`."""
        found = [one for one in self.work.seen.skills.values() if one.slug == slug]
        return sorted(found, key=lambda one: one.owner)

    def replace(self, skill: Skill) -> bool:
        """See `Skills.replace`."""
        draft = self.work.draft
        if not _is_at(draft, skill.id, skill.revision - 1):
            return False
        draft.skills[skill.id] = freeze_skill(skill)
        return True

    def remove(self, skill: Skill, tombstone: Tombstone) -> bool:
        """See `Skills.remove`."""
        draft = self.work.draft
        if not _is_at(draft, skill.id, skill.revision):
            return False
        del draft.skills[skill.id]
        for version in [one for one in draft.versions if one[0] == skill.id]:
            del draft.versions[version]
        for assignment in [one for one in draft.assignments if one[0] == skill.id]:
            del draft.assignments[assignment]
        draft.tombstones[draft.next_number("tombstones")] = freeze_tombstone(tombstone)
        return True

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """See `Skills.list_entries`."""
        found = sorted(self._iter_wanted(wanted), key=_place)
        behind = [one for one in found if after is None or _place(one) > after]
        return [_to_entry(self.work.seen, one) for one in behind[:most]]

    def count(self, wanted: SkillFilter) -> int:
        """See `Skills.count`."""
        return sum(1 for _ in self._iter_wanted(wanted))

    def iter_ids(self) -> Iterator[str]:
        """See `Skills.iter_ids`."""
        return iter(sorted(self.work.seen.skills))

    def iter_revisions(self) -> Iterator[tuple[str, int]]:
        """See `Skills.iter_revisions`."""
        skills = self.work.seen.skills
        return ((one, skills[one].revision) for one in sorted(skills))

    def fingerprint(self) -> SkillsFingerprint:
        """See `Skills.fingerprint`."""
        seen = self.work.seen
        skills = seen.skills.values()
        return SkillsFingerprint(
            skills=len(skills),
            revisions=sum(one.revision for one in skills),
            removed=len(seen.tombstones),
            latest=max(map(_find_moment, skills), default=0),
        )

    def list_changed(self, since: SkillsFingerprint) -> Sequence[tuple[str, int]]:
        """See `Skills.list_changed`."""
        removed = list(self.work.seen.tombstones.values())[since.removed :]
        saved = (
            (one.id, one.revision)
            for one in self.work.seen.skills.values()
            if _find_moment(one) >= since.latest
        )
        return [*((one.skill_id, 0) for one in removed), *saved]

    def list_tombstones(self) -> Sequence[Tombstone]:
        """See `Skills.list_tombstones`."""
        return list(self.work.seen.tombstones.values())

    def _iter_wanted(self, wanted: SkillFilter) -> Iterator[Skill]:
        return (one for one in self.work.seen.skills.values() if _matches(one, wanted))


def _find_moment(skill: Skill) -> int:
    return int(skill.updated_at.timestamp() * 1000)


def _is_at(state: State, skill_id: str, revision: int) -> bool:
    kept = state.skills.get(skill_id)
    return kept is not None and kept.revision == revision


def _place(skill: Skill) -> tuple[str, str]:
    return (skill.slug, skill.owner)


def _matches(skill: Skill, wanted: SkillFilter) -> bool:
    facts = skill.facts
    asked = (
        (wanted.owner, skill.owner),
        (wanted.category, facts.category),
        (wanted.source_kind, skill.source_kind),
        (wanted.status, facts.status),
        (wanted.enabled, facts.enabled),
        (wanted.confidence, facts.confidence),
    )
    return (
        all(wish in (None, has) for wish, has in asked)
        and _is_shown(facts.status, wanted)
        and set(wanted.tags) <= set(facts.tags)
        and (wanted.ids is None or skill.id in wanted.ids)
        and _holds_text(skill, wanted.text or "")
    )


def _is_shown(status: SkillStatus, wanted: SkillFilter) -> bool:
    asked_for = wanted.archived or wanted.status is SkillStatus.ARCHIVED
    return asked_for or status is not SkillStatus.ARCHIVED


def _holds_text(skill: Skill, text: str) -> bool:
    places = (skill.slug, skill.facts.display_name, skill.facts.description)
    return any(text.casefold() in place.casefold() for place in places)


def _to_entry(state: State, skill: Skill) -> CatalogueEntry:
    facts, listing = skill.facts, state.packages.get(skill.digest)
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
        files=len(listing.files) if listing else 0,
        size=listing.size if listing else 0,
        assignments=sum(skill_id == skill.id for skill_id, _ in state.assignments),
        updated_at=skill.updated_at,
    )
