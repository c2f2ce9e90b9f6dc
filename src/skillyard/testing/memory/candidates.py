"""The skills that may be someone's."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.manifest import Confidence
from skillyard.domain.records import Agent, Node, Record, Team, Workspace
from skillyard.domain.resolution import NOWHERE, Candidate, Layer, Offered
from skillyard.domain.skill import PEOPLE, Skill
from skillyard.testing.memory.assignments import RECORD_OF
from skillyard.testing.memory.state import State, Work
from skillyard.testing.memory.versions import MemoryVersions


@dataclass(frozen=True, slots=True)
class MemoryCandidates:
    """See `Candidates`."""

    work: Work

    def list_for(
        self, subjects: Collection[Subject], *, agent: str | None, widened: bool
    ) -> Sequence[Candidate]:
        """See `Candidates.list_for`."""
        assigned = {one.skill_id for one in self._list_assignments(subjects)}
        found = [
            one
            for one in self.work.seen.skills.values()
            if one.id in assigned
            or (agent is not None and agent in (one.facts.agents or ()))
            or (widened and self._reaches(one, subjects))
        ]
        return self._to_candidates(found, subjects)

    def _reaches(self, skill: Skill, subjects: Collection[Subject]) -> bool:
        if skill.facts.confidence is not Confidence.HIGH:
            return False
        used_in = _find_workspaces(self.work.seen, skill)
        return used_in is None or not _list_places(subjects).isdisjoint(used_in)

    def list_named(
        self, slugs: Collection[str], *, subjects: Collection[Subject]
    ) -> Sequence[Candidate]:
        """See `Candidates.list_named`."""
        found = [one for one in self.work.seen.skills.values() if one.slug in slugs]
        return self._to_candidates(found, subjects)

    def _to_candidates(
        self, skills: Sequence[Skill], subjects: Collection[Subject]
    ) -> Sequence[Candidate]:
        return [
            self._to_candidate(one, self._list_assignments(subjects, one.id))
            for one in sorted(skills, key=lambda one: one.id)
        ]

    def _to_candidate(self, skill: Skill, assignments: tuple[Assignment, ...]) -> Candidate:
        is_high = skill.facts.confidence is Confidence.HIGH
        is_pinned = any(one.constraint for one in assignments)
        return _to_candidate(
            skill,
            assignments,
            workspaces=_find_workspaces(self.work.seen, skill) if is_high else None,
            others=self._list_versions(skill) if is_pinned else (),
        )

    def _list_assignments(
        self, subjects: Collection[Subject], skill_id: str | None = None
    ) -> tuple[Assignment, ...]:
        found = (
            one
            for one in self.work.seen.assignments.values()
            if one.subject in subjects and skill_id in (None, one.skill_id)
        )
        return tuple(sorted(found, key=_place))

    def _list_versions(self, skill: Skill) -> tuple[Offered, ...]:
        versions = MemoryVersions(self.work).list(skill.id)
        return tuple(Offered(one.version, one.digest) for one in versions)


def _place(one: Assignment) -> tuple[int, str]:
    return (one.subject.kind.specificity, one.subject.name)


def _list_places(subjects: Collection[Subject]) -> set[str]:
    """Give the workspaces among subjects; someone without one is nowhere."""
    workspaces = {one.name for one in subjects if one.kind is SubjectKind.WORKSPACE}
    is_someone = any(one.kind is not SubjectKind.GLOBAL for one in subjects)
    return workspaces or ({NOWHERE} if is_someone else set())


def _find_workspaces(state: State, skill: Skill) -> tuple[str, ...] | None:
    """Give the workspaces that a skill is used in, or None where it is for everyone."""
    given = [one for one in state.assignments.values() if one.skill_id == skill.id]
    used = [one.subject for one in given if one.enabled]
    if not given or any(one.kind is SubjectKind.GLOBAL for one in used):
        return None
    found = {_find_workspace(state, RECORD_OF.get(one.kind), one.name) or NOWHERE for one in used}
    return tuple(sorted(found))


def _find_workspace(state: State, kind: type[Record] | None, name: str | None) -> str | None:
    """Give the workspace that a record is, or lies in, or the one behind it lies in."""
    record = state.records.get((kind, name)) if kind and name else None
    match record:
        case Workspace():
            return record.name
        case Team():
            return record.workspace
        case Agent():
            return record.workspace or _find_workspace(state, Team, record.team)
        case Node():
            return record.workspace or _find_workspace(state, Agent, record.agent)
        case _:
            return None


def _to_candidate(
    skill: Skill,
    assignments: tuple[Assignment, ...],
    *,
    workspaces: tuple[str, ...] | None,
    others: tuple[Offered, ...],
) -> Candidate:
    facts = skill.facts
    return Candidate(
        ref=skill.id,
        owner=skill.owner,
        layer=Layer.STORE if skill.owner == PEOPLE else Layer.PLUGIN,
        slug=skill.slug,
        source_kind=skill.source_kind,
        display_name=facts.display_name,
        description=facts.description,
        category=facts.category,
        status=facts.status,
        deprecated=facts.deprecated,
        enabled=facts.enabled,
        confidence=facts.confidence,
        tags=facts.tags,
        requires_tools=facts.requires_tools,
        requires=facts.requires,
        agents=facts.agents,
        provider_hints=facts.provider_hints,
        install_strategy=facts.install_strategy,
        invocation=facts.invocation,
        requires_commands=tuple(facts.metadata.get("requires", "").split()),
        offered=Offered(skill.current, skill.digest),
        assignments=assignments,
        workspaces=workspaces,
        others=others,
    )
