"""Make sure that nobody else has changed a skill since someone looked at it."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from skillyard.application.ports.store import Transaction
from skillyard.domain.audit import AuditEntry, AuditFilter
from skillyard.domain.errors import StaleWriteError
from skillyard.domain.skill import Skill
from skillyard.domain.version import Version

_PAGE: Final = 50


def require_expected(skill: Skill, expected: int | None) -> None:
    """Make sure that a skill is at the revision that someone saw; None does not compare.

    Raises:
        StaleWriteError: It is not; whoever made the newest revision is named.
    """
    if expected not in (None, skill.revision):
        raise _stale(skill, f"revision {expected}", by=skill.updated_by, at=skill.updated_at)


def require_base(skill: Skill, base: Version | None, *, transaction: Transaction) -> None:
    """Make sure that the version that someone started from is current; None does not compare.

    Raises:
        StaleWriteError: It is not; whoever changed the content last is named.
    """
    if base in (None, skill.current):
        return
    by, at = skill.updated_by, skill.updated_at
    # Others may have changed facts since: they have nothing to do with it.
    changed = (one for one in _iter_entries(skill, transaction) if one.before != one.after)
    if (last := next(changed, None)) is not None:
        by, at = last.actor, last.at
    raise _stale(skill, str(base), by=by, at=at)


def require_same(skill: Skill, skill_id: str | None) -> None:
    """Make sure that a skill is the one that someone looked at; None does not compare.

    Raises:
        StaleWriteError: That one was deleted, and this one was made in its place.
    """
    if skill_id not in (None, skill.id):
        raise _stale(skill, "it was deleted", by=skill.created_by, at=skill.created_at)


def _iter_entries(skill: Skill, transaction: Transaction) -> Iterator[AuditEntry]:
    """Yield what happened to a skill, the newest first; what is not asked for is not read."""
    wanted, before = AuditFilter(skill_id=skill.id), None
    while page := transaction.audit.list(wanted, before=before, most=_PAGE):
        yield from page
        before = page[-1].number


def _stale(skill: Skill, base: str, *, by: str, at: datetime) -> StaleWriteError:
    return StaleWriteError(
        skill.reference,
        base=base,
        version=str(skill.current),
        by=by,
        at=at.isoformat(timespec="seconds"),
        revision=skill.revision,
    )
