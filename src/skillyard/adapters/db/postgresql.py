"""PostgreSQL: a server, through psycopg."""

from typing import Final

from sqlalchemy import URL, Connection, create_engine

from skillyard.adapters.db.database import Database
from skillyard.domain.errors import MissingDriverError

_DRIVER: Final = "postgresql+psycopg"
_CONNECT_SECONDS: Final = 10
# libpq's PQTRANS_INERROR; psycopg is not there to ask where it is not installed.
_FAILED: Final = 3
# Any number will do, as long as it is always the same.
_SCHEMA_LOCK: Final = 0x736B696C6C796172


def open_postgresql(url: URL, *, patience: float) -> Database:
    """Give the database that `url` names.

    Raises:
        MissingDriverError: psycopg is not installed.
    """
    place = _name_place(url)
    try:
        engine = create_engine(
            url.set(drivername=_DRIVER),
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,
            pool_timeout=patience,
            connect_args=_to_arguments(url, patience),
        )
    except ImportError as error:
        raise MissingDriverError(place, extra="postgres") from error
    return Database(
        engine=engine,
        name="PostgreSQL",
        place=place,
        begin=_begin,
        lock=_lock,
        is_lost=_is_lost,
        index_of="strpos",
        mark="%s",
    )


def _name_place(url: URL) -> str:
    """Say which database it is, without user and password."""
    host = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"{host}{port}/{url.database or ''}"


def _to_arguments(url: URL, patience: float) -> dict[str, object]:
    defaults: dict[str, object] = {
        "application_name": "skillyard",
        "connect_timeout": _CONNECT_SECONDS,
        "options": f"-c lock_timeout={round(patience * 1000)}",
    }
    return {name: value for name, value in defaults.items() if name not in url.query}


def _begin(connection: Connection, only_reads: bool) -> None:  # noqa: FBT001 - see Database.begin
    if only_reads:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        # What it sees is settled by the first statement.
        connection.exec_driver_sql("SELECT 1").close()
    else:
        connection.begin()


def _lock(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})").close()


def _is_lost(connection: Connection) -> bool:
    driver = connection.connection.driver_connection
    return driver is not None and driver.info.transaction_status == _FAILED
