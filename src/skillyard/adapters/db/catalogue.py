"""The list of skills: one statement, however many there are."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, false, func, literal, select, tuple_

from skillyard.adapters.db.rows import from_digest, from_json_list, from_moment, from_number
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import assignments, packages, skill_tags, skills
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.manifest import Confidence
from skillyard.domain.skill import SkillStatus, SourceKind

# Looking a word up is quicker than asking its class.
_SOURCE_KINDS: Final = {str(one): one for one in SourceKind}
_STATUSES: Final = {str(one): one for one in SkillStatus}
_CONFIDENCES: Final = {str(one): one for one in Confidence}

_ASSIGNED: Final = (
    select(func.count())
    .select_from(assignments)
    .where(assignments.c.skill_id == skills.c.id)
    .scalar_subquery()
)
_ENTRIES: Final = (
    select(
        skills.c.id,
        skills.c.slug,
        skills.c.owner,
        skills.c.display_name,
        skills.c.description,
        skills.c.category,
        skills.c.source_kind,
        skills.c.status,
        skills.c.enabled,
        skills.c.deprecated.is_not(None),
        skills.c.confidence,
        skills.c.tags,
        skills.c.current,
        skills.c.digest,
        packages.c.files,
        packages.c.size,
        _ASSIGNED,
        skills.c.updated_at,
    )
    .select_from(skills.outerjoin(packages, packages.c.digest == skills.c.digest))
    .order_by(skills.c.slug, skills.c.owner)
)
_COUNT: Final = select(func.count()).select_from(skills)


def list_entries(
    session: Session,
    wanted: SkillFilter,
    *,
    after: tuple[str, str] | None,
    most: int | None,
) -> Sequence[CatalogueEntry]:
    """See `Skills.list_entries`."""
    statement = _ENTRIES.where(*_iter_conditions(session, wanted))
    if after is not None:
        # Row values are compared as the order is made.
        statement = statement.where(tuple_(skills.c.slug, skills.c.owner) > tuple_(*after))
    return [_to_entry(row) for row in session.rows(statement.limit(most))]


def count_entries(session: Session, wanted: SkillFilter) -> int:
    """See `Skills.count`."""
    row = session.row(_COUNT.where(*_iter_conditions(session, wanted)))
    return int(row[0]) if row else 0


def _iter_conditions(session: Session, wanted: SkillFilter) -> Iterator[ColumnElement[bool]]:
    equal = {
        skills.c.owner: wanted.owner,
        skills.c.category: wanted.category,
        skills.c.source_kind: wanted.source_kind,
        skills.c.status: wanted.status,
        skills.c.enabled: wanted.enabled,
        skills.c.confidence: wanted.confidence,
    }
    yield from (column == value for column, value in equal.items() if value is not None)
    if wanted.status is None and not wanted.archived:
        yield skills.c.status != SkillStatus.ARCHIVED
    if wanted.text is not None:
        yield _holds(session, wanted.text)
    for tag in wanted.tags:
        tagged = select(skill_tags.c.skill_id).where(skill_tags.c.tag == tag)
        yield skills.c.id.in_(tagged)


def _holds(session: Session, text: str) -> ColumnElement[bool]:
    # No text holds one, and PostgreSQL does not let us ask.
    if "\0" in text:
        return false()
    index_of = getattr(func, session.index_of)
    found: ColumnElement[int] = index_of(skills.c.haystack, literal(text.casefold()))
    return found > 0


def _to_entry(row: Row[*tuple[Any, ...]]) -> CatalogueEntry:
    # In the order of fields: naming them would cost as much as reading the rows.
    return CatalogueEntry(
        row[0],
        row[1],
        row[2],
        row[3],
        row[4],
        row[5],
        _SOURCE_KINDS[row[6]],
        _STATUSES[row[7]],
        row[8],
        row[9],
        _CONFIDENCES[row[10]],
        from_json_list(row[11]),
        from_number(row[12]),
        from_digest(row[13]),
        row[14] or 0,
        row[15] or 0,
        row[16],
        from_moment(row[17]),
    )
