"""Open the database that a URL names."""

import os
import weakref
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, Pool, make_url
from sqlalchemy.exc import ArgumentError

from skillyard.adapters.db.database import Database
from skillyard.adapters.db.schema import ensure_schema
from skillyard.adapters.db.sqlite import open_sqlite
from skillyard.adapters.db.store import SqlStore
from skillyard.domain.errors import InvalidSettingError

PATIENCE: Final = 30.0
"""For how many seconds a busy database is waited for."""

_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = ("postgresql://", "postgres://", "postgresql+psycopg://")

_engines: Final[weakref.WeakSet[Engine]] = weakref.WeakSet()
_inherited: Final[list[Pool]] = []


def open_store(url: str, *, upgrade: bool = True, patience: float = PATIENCE) -> SqlStore:
    """Open the store at `url`, and bring its schema up to date if `upgrade` is set.

    `url` is `sqlite:///PATH` or `postgresql://…`. A SQLite file, and the directories above it, are
    made where they are missing, for the user alone.

    Raises:
        InvalidSettingError: The URL names no database that is known here.
        MissingDriverError: The database needs a package that is not installed.
        StoreUnavailableError: It cannot be reached, or belongs to another program.
        SchemaOutdatedError: Its schema is older, and `upgrade` is not set.
        SchemaTooNewError: It was made by a newer Skillyard.
    """
    database = _open_database(url, patience)
    _engines.add(database.engine)
    try:
        ensure_schema(database, upgrade=upgrade)
    except BaseException:
        database.engine.dispose()
        raise
    return SqlStore(database)


def _open_database(url: str, patience: float) -> Database:
    path = url.removeprefix(_SQLITE)
    if path != url and path not in {"", ":memory:"}:
        return open_sqlite(Path(path), patience=patience)
    if url.startswith(_POSTGRESQL):
        return _open_postgresql(url, patience)
    raise _refuse()


def _open_postgresql(url: str, patience: float) -> Database:
    # Loading it takes a while, and most stores are files.
    from skillyard.adapters.db.postgresql import open_postgresql  # noqa: PLC0415

    try:
        parsed = make_url(url.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError) as error:
        raise _refuse() from error
    return open_postgresql(parsed, patience=patience)


def _refuse() -> InvalidSettingError:
    return InvalidSettingError(
        "database",
        origin="its URL",
        reason="it is not the URL of a database",
        hint="Write `sqlite:///PATH` or `postgresql://USER@HOST/NAME`",
    )


def _leave_connections_to_the_parent() -> None:
    # Not even closed: a connection belongs to the process that opened it.
    for engine in _engines:
        _inherited.append(engine.pool)
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_leave_connections_to_the_parent)
