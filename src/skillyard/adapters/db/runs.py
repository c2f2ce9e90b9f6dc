"""What is remembered of runs: a document each, and columns to find it by."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, bindparam, delete, exists, select

from skillyard.adapters.db.inserting import in_place_of
from skillyard.adapters.db.rows import reading, to_digest, to_moment
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import run_skills, runs
from skillyard.domain.receipt import parse_document, render_document
from skillyard.domain.run import Run, RunFilter

_PUT: Final = in_place_of("id", changed=[one.name for one in runs.c if one.name != "id"])
_FIND: Final = select(runs.c.id, runs.c.document).where(runs.c.id == bindparam("id"))
_NEWEST_FIRST: Final = select(runs.c.id, runs.c.document).order_by(runs.c.id.desc())
_FORGET_SKILLS: Final = delete(run_skills).where(run_skills.c.run_id == bindparam("id"))
_FORGET: Final = delete(runs).where(runs.c.id.in_(bindparam("ids", expanding=True)))
_PAGE: Final = 500
# Behind everything that an id can go on with.
_BEHIND: Final = "~"


class SqlRuns:
    """See `Runs`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, run: Run) -> None:
        """See `Runs.put`."""
        with self._session.attempt(several=True):
            self._session.add(runs, _to_row(run), conflict=_PUT, what=run.id)
            self._session.run(_FORGET_SKILLS, {"id": run.id})
            self._session.add(run_skills, *_iter_skills(run), what=run.id)

    def find(self, run_id: str) -> Run | None:
        """See `Runs.find`."""
        row = self._session.row(_FIND, {"id": run_id})
        return _from_row(row) if row else None

    def list(
        self, wanted: RunFilter, *, before: str | None = None, most: int | None = None
    ) -> Sequence[Run]:
        """See `Runs.list`."""
        statement = _NEWEST_FIRST.where(*_iter_conditions(wanted)).limit(most)
        if before is not None:
            statement = statement.where(runs.c.id < before)
        return [_from_row(row) for row in self._session.rows(statement)]

    def remove(self, run_ids: Collection[str]) -> int:
        """See `Runs.remove`."""
        wanted = list(run_ids)
        pages = (wanted[start : start + _PAGE] for start in range(0, len(wanted), _PAGE))
        return sum(self._session.count(_FORGET, {"ids": page}) for page in pages)


def _to_row(run: Run) -> Mapping[str, object]:
    return {
        "id": run.id,
        "agent": run.agent,
        "provider": run.provider,
        "status": run.status.value,
        "created_at": to_moment(run.created_at),
        "document": render_document(run),
    }


def _iter_skills(run: Run) -> Iterator[Mapping[str, object]]:
    for place, skill in enumerate(run.skills):
        yield {
            "run_id": run.id,
            "place": place,
            "slug": skill.slug,
            "digest": to_digest(skill.digest),
            "delivered": to_digest(skill.delivered),
        }


def _from_row(row: Row[*tuple[Any, ...]]) -> Run:
    with reading(f"run {row.id}"):
        return parse_document(row.document)


def _iter_conditions(wanted: RunFilter) -> Iterator[ColumnElement[bool]]:
    equal = {
        runs.c.agent: wanted.agent,
        runs.c.provider: wanted.provider,
        runs.c.status: wanted.status,
    }
    yield from (column == value for column, value in equal.items() if value is not None)
    if wanted.skill is not None:
        yield exists().where(run_skills.c.run_id == runs.c.id, run_skills.c.slug == wanted.skill)
    if wanted.id_prefix is not None:
        yield runs.c.id >= wanted.id_prefix
        yield runs.c.id < wanted.id_prefix + _BEHIND
