"""The list of skills: one statement, however many there are.

It is plain SQL, the same for every engine but for a few spellings, so that a command that only
lists need not load what the rest of the store is made with.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from skillyard.adapters.db.rows import (
    UNREADABLE,
    from_digest,
    from_json_list,
    from_moment,
    from_number,
    unreadable,
)
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.manifest import Confidence
from skillyard.domain.skill import SkillStatus, SourceKind

# Looking a word up is quicker than asking its class.
_SOURCE_KINDS: Final = {str(one): one for one in SourceKind}
_STATUSES: Final = {str(one): one for one in SkillStatus}
_CONFIDENCES: Final = {str(one): one for one in Confidence}

_ENTRIES: Final = """\
SELECT skills.id, skills.slug, skills.owner, skills.display_name, skills.description,
  skills.category, skills.source_kind, skills.status, skills.enabled,
  skills.deprecated IS NOT NULL, skills.confidence, skills.tags, skills.current, skills.digest,
  packages.files, packages.size,
  (SELECT count(*) FROM assignments WHERE assignments.skill_id = skills.id), skills.updated_at
FROM skills LEFT OUTER JOIN packages ON packages.digest = skills.digest"""
_ORDER: Final = "ORDER BY skills.slug, skills.owner"
_COUNT: Final = "SELECT count(*) FROM skills"
_TAGGED: Final = "skills.id IN (SELECT skill_id FROM skill_tags WHERE tag = ?)"


class Spelling(NamedTuple):
    """What engines spell differently.

    It is the mark of a parameter, where a text is in another, and texts of several rows as one.
    """

    mark: str
    index_of: str
    joined: str


class Question(NamedTuple):
    """A statement and its parameters."""

    statement: str
    parameters: tuple[object, ...]


def ask_entries(
    wanted: SkillFilter, *, after: tuple[str, str] | None, most: int | None, spelling: Spelling
) -> Question:
    """Give the question for the entries; see `Skills.list_entries`."""
    conditions = list(_iter_conditions(wanted, spelling))
    if after is not None:
        # Row values are compared as the order is made.
        conditions.append(("(skills.slug, skills.owner) > (?, ?)", after))
    limit = [] if most is None else [("LIMIT ?", (most,))]
    return _join(_ENTRIES, conditions, [(_ORDER, ()), *limit], spelling)


def ask_count(wanted: SkillFilter, *, spelling: Spelling) -> Question:
    """Give the question for the number of entries; see `Skills.count`."""
    return _join(_COUNT, list(_iter_conditions(wanted, spelling)), [], spelling)


_Part = tuple[str, tuple[object, ...]]


def _join(
    beginning: str, conditions: Sequence[_Part], end: Sequence[_Part], spelling: Spelling
) -> Question:
    where = " AND ".join(text for text, _ in conditions)
    parts = [beginning, f"WHERE {where}" if where else "", *(text for text, _ in end)]
    parameters = tuple(one for _, values in (*conditions, *end) for one in values)
    return Question("\n".join(filter(None, parts)).replace("?", spelling.mark), parameters)


def _iter_conditions(wanted: SkillFilter, spelling: Spelling) -> Iterator[_Part]:
    equal = {
        "owner": wanted.owner,
        "category": wanted.category,
        "source_kind": wanted.source_kind,
        "status": wanted.status,
        "enabled": wanted.enabled,
        "confidence": wanted.confidence,
    }
    for column, value in equal.items():
        if value is not None:
            yield f"skills.{column} = ?", (value if isinstance(value, bool) else str(value),)
    if wanted.status is None and not wanted.archived:
        yield "skills.status <> ?", (SkillStatus.ARCHIVED.value,)
    if wanted.text is not None:
        yield from _holds(wanted.text, spelling)
    for tag in wanted.tags:
        yield _TAGGED, (tag,)
    if wanted.ids is not None:
        # A list of nothing can be written in SQLite only.
        marks = ", ".join("?" * len(wanted.ids))
        yield (f"skills.id IN ({marks})" if marks else "1 = 0"), wanted.ids


def _holds(text: str, spelling: Spelling) -> Iterator[_Part]:
    # No text holds a null, and PostgreSQL does not let us ask.
    if "\0" in text:
        yield "1 = 0", ()
    else:
        yield f"{spelling.index_of}(skills.haystack, ?) > 0", (text.casefold(),)


def to_entry(row: Sequence[Any]) -> CatalogueEntry:
    """Give the entry that a row of the answer stands for.

    Raises:
        CorruptedContentError: The row holds what nobody here has written.
    """
    try:
        return _to_entry(row)
    except UNREADABLE as error:
        raise unreadable(f"skill:{row[1]}") from error


def _to_entry(row: Sequence[Any]) -> CatalogueEntry:
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
        bool(row[8]),
        bool(row[9]),
        _CONFIDENCES[row[10]],
        from_json_list(row[11]),
        from_number(row[12]),
        from_digest(row[13]),
        row[14] or 0,
        row[15] or 0,
        row[16],
        from_moment(row[17]),
    )
