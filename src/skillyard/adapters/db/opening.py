"""Open the database that a URL names."""

import os
import weakref
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, Pool

from skillyard.adapters.db.database import Database
from skillyard.adapters.db.failures import refuse_url
from skillyard.adapters.db.schema import ensure_schema
from skillyard.adapters.db.sqlite import make_file, open_sqlite
from skillyard.adapters.db.store import SqlStore

PATIENCE: Final = 30.0
"""For how many seconds a busy database is waited for."""

_SQLITE: Final = "sqlite:///"
_POSTGRESQL: Final = ("postgresql://", "postgres://", "postgresql+psycopg://")

_engines: Final[weakref.WeakSet[Engine]] = weakref.WeakSet()
_inherited: Final[list[Pool]] = []


def open_store(
    url: str,
    *,
    upgrade: bool = True,
    create: bool = True,
    make_directories: bool = False,
    patience: float = PATIENCE,
) -> SqlStore:
    """Open the store at `url`, and bring its schema up to date if `upgrade` is set.

    `url` is `sqlite:///PATH` with the whole path, or `postgresql://…`. Where there is nothing yet,
    a store is made if `create` is set: a file is the user's alone, as are the directories above it,
    which are made if `make_directories` is set.

    Raises:
        InvalidSettingError: The URL names no database that is known here.
        MissingDriverError: The database needs a package that is not installed.
        StoreUnavailableError: It cannot be reached, or belongs to another program.
        SchemaOutdatedError: Its schema is older, and `upgrade` is not set; or there is nothing yet,
            and `create` is not set.
        SchemaTooNewError: It was made by a newer Skillyard.
    """
    database = _open_database(url, patience, create=create, make_directories=make_directories)
    _engines.add(database.engine)
    try:
        ensure_schema(database, upgrade=upgrade, create=create)
    except BaseException:
        database.engine.dispose()
        raise
    return SqlStore(database)


def _open_database(url: str, patience: float, *, create: bool, make_directories: bool) -> Database:
    path = url.removeprefix(_SQLITE)
    if path != url and path not in {"", ":memory:"}:
        _require_whole(path)
        make_file(Path(path), create=create, make_directories=make_directories)
        return open_sqlite(Path(path), patience=patience)
    if url.startswith(_POSTGRESQL):
        return _open_postgresql(url, patience)
    raise refuse_url(reason="it is not the URL of a database")


def _require_whole(path: str) -> None:
    if not path.startswith("/"):
        raise refuse_url(
            reason="its path is relative, and would be another file in every directory",
            hint="Write `sqlite:////` and the whole path",
        )


def _open_postgresql(url: str, patience: float) -> Database:
    # Loading it takes a while, and most stores are files.
    from skillyard.adapters.db.postgresql import open_postgresql  # noqa: PLC0415

    return open_postgresql(url, patience=patience)


def _leave_connections_to_the_parent() -> None:
    # Not even closed: a connection belongs to the process that opened it.
    for engine in _engines:
        _inherited.append(engine.pool)
        engine.dispose(close=False)


os.register_at_fork(after_in_child=_leave_connections_to_the_parent)
