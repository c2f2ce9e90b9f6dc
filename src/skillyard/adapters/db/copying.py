"""Copy one database into another, row by row, whatever their engines are.

- Everything is copied as it is: ids, revisions, numbers, the log, and what was deleted.
- Rows are read and written in batches, tables in the order of their references.
- The numbers that a database gives go on behind those that were copied.
"""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, Table, and_, func, insert, not_, select, text

from skillyard.adapters.db.tables import METADATA, audit, contents, outbox, subjects, tombstones
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.errors import CorruptedContentError, TargetExistsError

_BATCH: Final = 500
# These hold the bytes of files: a few of them fill as much memory as many others.
_BATCH_OF_CONTENTS: Final = 20
_NUMBERED: Final = (audit, outbox, tombstones)
# Every store has this one from the start.
_IS_GLOBAL: Final = and_(subjects.c.kind == GLOBAL.kind, subjects.c.name == GLOBAL.name)


def copy_rows(source: Connection, target: Connection) -> Iterator[str]:
    """Copy every row into `target`, which is empty; yield the name of its table for each.

    Raises:
        CorruptedContentError: Not as many rows are there as were read.
    """
    for table in METADATA.sorted_tables:
        copied = 0
        for rows in _iter_batches(source, table):
            target.execute(insert(table), rows)
            copied += len(rows)
            yield from [table.name] * len(rows)
        if _count(target, table) != copied:
            raise CorruptedContentError(table.name, reason="was not copied as a whole")
    for table in _NUMBERED:
        _go_on_behind(target, table, _find_last(source, table))


def iter_row_names(source: Connection) -> Iterator[str]:
    """Yield the name of its table for each row that would be copied."""
    for table in METADATA.sorted_tables:
        yield from [table.name] * _count(source, table)


def keep_others_out(target: Connection) -> None:
    """Let nobody else write until this transaction ends; SQLite does so by itself."""
    if target.dialect.name == "postgresql":
        names = ", ".join(METADATA.tables)
        target.exec_driver_sql(f"LOCK TABLE {names} IN EXCLUSIVE MODE").close()


def require_empty(target: Connection, place: str) -> None:
    """See to it that nothing is kept in `target`.

    Raises:
        TargetExistsError: Something is.
    """
    if any(_count(target, table) for table in METADATA.sorted_tables):
        raise TargetExistsError(path=place, hint="It holds a store; name an empty database")


def _iter_batches(source: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    statement = select(table).order_by(*table.primary_key)
    if table is subjects:
        statement = statement.where(not_(_IS_GLOBAL))
    most = _BATCH_OF_CONTENTS if table is contents else _BATCH
    with source.execute(statement, execution_options={"yield_per": most}) as found:
        for rows in found.mappings().partitions():
            yield [dict(row) for row in rows]


def _count(connection: Connection, table: Table) -> int:
    statement = select(func.count()).select_from(table)
    if table is subjects:
        statement = statement.where(not_(_IS_GLOBAL))
    return connection.execute(statement).scalar_one()


def _find_last(source: Connection, table: Table) -> int:
    """Give the last number that was given in a table; 0 where there was none."""
    if source.dialect.name == "sqlite":
        question = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
    else:
        question = text(
            "SELECT pg_sequence_last_value(pg_get_serial_sequence(:name, 'number')::regclass)"
        )
    given = source.execute(question, {"name": table.name}).scalar()
    highest = source.execute(select(func.max(table.c.number))).scalar()
    return max(given or 0, highest or 0)


def _go_on_behind(target: Connection, table: Table, last: int) -> None:
    if not last:
        return
    if target.dialect.name == "sqlite":
        named = {"name": table.name, "last": last}
        target.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
        target.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), named)
    else:
        question = text("SELECT setval(pg_get_serial_sequence(:name, 'number'), :last)")
        target.execute(question, {"name": table.name, "last": last}).close()
