"""Values as they are kept: nobody can change them, and versions have no build metadata."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from skillyard.domain.audit import AuditEntry, OutboxEvent
from skillyard.domain.run import Run
from skillyard.domain.skill import Skill, SkillVersion, Tombstone


def freeze_skill(skill: Skill) -> Skill:
    """Give `skill` with mappings of its own, and its current version as it is kept."""
    facts = replace(
        skill.facts,
        provider_hints=_freeze(skill.facts.provider_hints),
        metadata=_freeze(skill.facts.metadata),
    )
    return replace(skill, facts=facts, current=skill.current.without_build())


def freeze_version(version: SkillVersion) -> SkillVersion:
    """Give `version` with its numbers as they are kept."""
    base = version.base.without_build() if version.base else None
    return replace(version, version=version.version.without_build(), base=base)


def freeze_tombstone(tombstone: Tombstone) -> Tombstone:
    """Give `tombstone` with its version as it is kept."""
    return replace(tombstone, version=tombstone.version.without_build())


def freeze_entry(entry: AuditEntry, number: int) -> AuditEntry:
    """Give `entry` with its number and a mapping of its own."""
    return replace(entry, number=number, details=_freeze(entry.details))


def freeze_event(event: OutboxEvent, number: int) -> OutboxEvent:
    """Give `event` with its number and a mapping of its own."""
    return replace(event, number=number, data=_freeze(event.data))


def freeze_run(run: Run) -> Run:
    """Give `run` with a mapping of its own."""
    return replace(run, environment=_freeze(run.environment))


def _freeze(mapping: Mapping[str, str]) -> Mapping[str, str]:
    return MappingProxyType(dict(mapping))
