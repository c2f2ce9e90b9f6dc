"""SQLite: one file, many readers, one writer at a time."""

import os
import sqlite3
import time
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, QueuePool, create_engine

from skillyard.adapters.db.database import Database
from skillyard.adapters.db.quick import SQLITE_SPELLING
from skillyard.adapters.db.revisions import HEAD, NOTHING
from skillyard.domain.errors import SchemaOutdatedError, StoreUnavailableError

_PAUSE: Final = 0.01
_ONLY_READS: Final = "skillyard_only_reads"


def open_sqlite(path: Path, *, patience: float) -> Database:
    """Give the database in a file that is there."""
    place = str(path)
    engine = create_engine(
        "sqlite://",
        creator=partial(_connect, place, patience),
        # Connections stay open: closing the last one moves the whole log into the file.
        poolclass=QueuePool,
        max_overflow=-1,
    )
    return Database(
        engine=engine,
        name="SQLite",
        place=place,
        begin=_begin,
        lock=_lock,
        is_lost=_is_lost,
        spelling=SQLITE_SPELLING,
    )


def make_file(path: Path, *, create: bool, make_directories: bool) -> None:
    """See to it that the file is there, for the user alone where it is made.

    Raises:
        SchemaOutdatedError: It is not there, and not to be made.
        StoreUnavailableError: It cannot be made, or its directory is not there.
    """
    try:
        if not create and not path.exists():
            raise SchemaOutdatedError(str(path), found=NOTHING, wanted=HEAD)
        for directory in reversed(path.parents) if make_directories else ():
            directory.mkdir(mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except FileNotFoundError as error:
        reason = f"there is no directory `{path.parent}`"
        raise StoreUnavailableError(
            str(path), reason=reason, hint="Make the directory, or name another database"
        ) from error
    except (FileExistsError, NotADirectoryError) as error:
        raise StoreUnavailableError(
            str(path),
            reason=_find_obstacle(path),
            hint="Name another home, or another database",
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreUnavailableError(str(path), reason=f"{reason[0].lower()}{reason[1:]}") from error


def _find_obstacle(path: Path) -> str:
    """Say what stands where the directory of a file should be."""
    found = next(one for one in path.parents if os.path.lexists(one))
    return f"`{found}` is no directory"


def _connect(place: str, patience: float) -> sqlite3.Connection:
    # Transactions begin where we say so: `isolation_level=None` keeps Python from beginning others.
    connection = sqlite3.connect(
        place, timeout=patience, isolation_level=None, check_same_thread=False
    )
    try:
        _set_up(connection, patience)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _set_up(connection: sqlite3.Connection, patience: float) -> None:
    _use_wal(connection, patience)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")


def _use_wal(connection: sqlite3.Connection, patience: float) -> None:
    # The mode stays with the file. SQLite does not wait while it changes, so we do.
    deadline = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE)
        else:
            return


def _begin(connection: Connection, only_reads: bool) -> None:  # noqa: FBT001 - see Database.begin
    # To say it again would make SQLite forget every statement that it has compiled.
    if connection.info.get(_ONLY_READS, False) != only_reads:
        connection.exec_driver_sql(f"PRAGMA query_only={only_reads:d}")
        connection.info[_ONLY_READS] = only_reads
    connection.exec_driver_sql("BEGIN DEFERRED" if only_reads else "BEGIN IMMEDIATE")
    if only_reads:
        # What it sees is settled by the first read.
        connection.exec_driver_sql("SELECT 1 FROM sqlite_schema LIMIT 1").close()


def _lock(connection: Connection) -> None:
    # Rows may lose their partners for a moment while a table is made anew.
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _is_lost(connection: Connection) -> bool:
    driver = connection.connection.driver_connection
    return driver is not None and not driver.in_transaction
