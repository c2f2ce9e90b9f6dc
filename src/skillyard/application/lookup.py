"""Find what a person names, or say what they may have meant."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from skillyard.application.ports.store import Transaction
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.errors import (
    AmbiguousSkillError,
    ReadOnlySkillError,
    RecordNotFoundError,
    SkillNotFoundError,
    VersionNotFoundError,
)
from skillyard.domain.facts import is_storable
from skillyard.domain.records import AnyRecord, name_of_kind
from skillyard.domain.skill import PEOPLE, Actor, Door, Skill, SkillVersion
from skillyard.domain.version import Version

_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def get_skill(reference: str, *, transaction: Transaction) -> Skill:
    """Give the skill that `reference` names: a slug, `OWNER/SLUG`, or an id.

    A slug means the skill of people before one of a plugin.

    Raises:
        SkillNotFoundError: There is none; it names those that are spelt nearly like it.
        AmbiguousSkillError: Several plugins have one, and people have none.
    """
    found = _find(reference, transaction) if is_storable(reference) else None
    if found is None:
        names = (one.reference for one in transaction.skills.list_entries(EVERYTHING))
        raise SkillNotFoundError(reference, near=near_misses(reference, names))
    return found


def _find(reference: str, transaction: Transaction) -> Skill | None:
    if _ID.fullmatch(reference):
        return transaction.skills.find_by_id(reference)
    owner, _, slug = reference.rpartition("/")
    if owner:
        return transaction.skills.find(slug, owner=owner)
    found = transaction.skills.list_by_slug(slug)
    of_people = [one for one in found if one.owner == PEOPLE]
    if len(found) > 1 and not of_people:
        raise AmbiguousSkillError(slug, references=[one.reference for one in found])
    return next(iter(of_people or found), None)


def near_misses(name: str, names: Iterable[str]) -> Sequence[str]:
    """Give up to three of `names` that are spelt nearly like `name`."""
    return get_close_matches(name, list(names), n=3)


def get_version(skill: Skill, version: Version | None, *, transaction: Transaction) -> SkillVersion:
    """Give a version of a skill; None means the current one.

    Raises:
        VersionNotFoundError: There is no such version.
    """
    wanted = version or skill.current
    found = transaction.versions.find(skill.id, wanted.without_build())
    if found is None:
        raise VersionNotFoundError(skill.reference, str(wanted))
    return found


def get_record(kind: type[AnyRecord], name: str, *, transaction: Transaction) -> AnyRecord:
    """Give a record.

    Raises:
        RecordNotFoundError: There is none; it names those that are spelt nearly like it.
    """
    found = transaction.records.find(kind, name) if is_storable(name) else None
    if found is None:
        names = (one.name for one in transaction.records.list(kind))
        raise RecordNotFoundError(name_of_kind(kind), name, near=near_misses(name, names))
    return found


def require_editable(skill: Skill, actor: Actor) -> None:
    """Make sure that `actor` may change a skill.

    Raises:
        ReadOnlySkillError: A plugin owns it.
    """
    if skill.owner != PEOPLE and actor.door is not Door.PLUGIN:
        raise ReadOnlySkillError(skill.reference, plugin=skill.plugin_id or skill.owner)
