"""PostgreSQL: a server, through psycopg."""

import re
from typing import Final

from sqlalchemy import URL, Connection, create_engine, make_url
from sqlalchemy.exc import ArgumentError

from skillyard.adapters.db.catalogue import Spelling
from skillyard.adapters.db.database import Database
from skillyard.adapters.db.failures import OPTIONS_HINT, refuse_url
from skillyard.domain.errors import MissingDriverError

_DRIVER: Final = "postgresql+psycopg"
_SPELLING: Final = Spelling(mark="%s", index_of="strpos", joined="string_agg")
_CONNECT_SECONDS: Final = 10
_AFTER_USER: Final = re.compile(
    r"[^:]*://(?:[^:/]*(?P<password>:[^@]*)?@)?(?P<place>[^?]*)(?P<query>.*)"
)
# The driver's own arguments, which a URL cannot give.
_NO_OPTIONS: Final = frozenset(
    {"autocommit", "conninfo", "context", "cursor_factory", "prepare_threshold", "row_factory"}
)
# libpq's PQTRANS_INERROR; psycopg is not there to ask where it is not installed.
_FAILED: Final = 3
# What it sees is settled by the first statement.
_BEGIN_VIEW: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1"
# Any number will do, as long as it is always the same.
_SCHEMA_LOCK: Final = 0x736B696C6C796172


def open_postgresql(text: str, *, patience: float) -> Database:
    """Give the database that the URL `text` names.

    Raises:
        InvalidSettingError: It is no URL, or can be read in two ways.
        MissingDriverError: psycopg is not installed.
    """
    url = _parse(text)
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
    except (ArgumentError, TypeError, ValueError) as error:
        raise refuse_url(
            reason="one of its options has a wrong value", hint=OPTIONS_HINT
        ) from error
    return Database(
        engine=engine,
        name="PostgreSQL",
        place=place,
        begin=_begin,
        lock=_lock,
        is_lost=_is_lost,
        spelling=_SPELLING,
    )


def _parse(text: str) -> URL:
    _require_one_reading(text)
    try:
        url = make_url(text.replace("postgres://", "postgresql://", 1))
    except (ArgumentError, ValueError) as error:
        raise refuse_url(reason="it is not the URL of a database") from error
    said = (url.username, url.password, url.host, url.database, *map(str, url.query.values()))
    if any("\0" in one for one in said if one):
        raise refuse_url(reason="it holds a null character")
    if unknown := _NO_OPTIONS.intersection(url.query):
        raise refuse_url(reason=f"its option `{min(unknown)}` is not known", hint=OPTIONS_HINT)
    return url


def _require_one_reading(text: str) -> None:
    # An `@` in a password would put the rest of the password where the host is, and be printed.
    parts = _AFTER_USER.fullmatch(text)
    has_password = parts is not None and parts["password"]
    if (
        parts is None
        or "?" in (parts["password"] or "")
        or "@" in (parts["place"] + parts["query"] if has_password else parts["place"])
    ):
        raise refuse_url(
            reason="there is one `@` too many in it",
            hint="Write `%40` for an `@` in a name or a password",
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
        # The driver would begin a transaction by itself, and take one more turn for it.
        connection.execution_options(isolation_level="AUTOCOMMIT")
        connection.exec_driver_sql(_BEGIN_VIEW).close()
    else:
        connection.begin()


def _lock(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_SCHEMA_LOCK})").close()


def _is_lost(connection: Connection) -> bool:
    driver = connection.connection.driver_connection
    return driver is not None and driver.info.transaction_status == _FAILED
