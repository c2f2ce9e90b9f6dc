"""Which schema a database has, and how it gets the one of today.

Alembic is imported only where there is something to do: it costs more than most commands.
"""

from pathlib import Path

from sqlalchemy import Connection, inspect
from sqlalchemy.exc import DBAPIError

from skillyard.adapters.db.database import Database
from skillyard.adapters.db.failures import is_missing_table
from skillyard.adapters.db.revisions import HEAD, NOTHING, REVISION_QUESTION, REVISIONS
from skillyard.adapters.db.session import translated
from skillyard.adapters.db.tables import METADATA
from skillyard.domain.errors import SchemaOutdatedError, SchemaTooNewError, StoreUnavailableError


def ensure_schema(database: Database, *, upgrade: bool, create: bool = True) -> None:
    """See to it that a database has the schema of today.

    An older one gets it if `upgrade` is set, one that holds nothing yet if `create` is.
    Of several programs that start at the same moment one upgrades, and the others wait for it.

    Raises:
        SchemaOutdatedError: It is older, and must not be upgraded here.
        SchemaTooNewError: It was made by a newer Skillyard.
        StoreUnavailableError: It belongs to another program, or cannot be reached.
    """
    if find_revision(database) == HEAD:
        return
    with translated(database.place), database.engine.connect() as connection:
        # It is set up in a way that must not come back to the pool.
        connection.detach()
        database.lock(connection)
        if not _is_current(connection, database, upgrade=upgrade, create=create):
            run_migrations(connection, HEAD)
        connection.commit()


def find_revision(database: Database) -> str | None:
    """Give the revision of a database, or None where it has none yet."""
    with translated(database.place), database.engine.connect() as connection:
        return _read_revision(connection)


def _read_revision(connection: Connection) -> str | None:
    try:
        result = connection.exec_driver_sql(REVISION_QUESTION)
    except DBAPIError as error:
        if not is_missing_table(error):
            raise
        return None
    return result.scalar()


def _is_current(connection: Connection, database: Database, *, upgrade: bool, create: bool) -> bool:
    tables = set(inspect(connection).get_table_names())
    found = _read_revision(connection) if "alembic_version" in tables else None
    if found == HEAD:
        return True
    _require_ours(database, found, tables)
    if not (upgrade if found else create):
        raise SchemaOutdatedError(database.place, found=found or NOTHING, wanted=HEAD)
    return False


def _require_ours(database: Database, found: str | None, tables: set[str]) -> None:
    if found in REVISIONS:
        return
    ours = tables & set(METADATA.tables)
    if found and ours:
        raise SchemaTooNewError(database.place, found=found, known=HEAD)
    # A PostgreSQL database may be shared, as long as the names do not meet.
    if found or (ours if database.is_postgresql else tables):
        raise StoreUnavailableError(
            database.place,
            reason="it belongs to another program",
            hint="Name a database of its own for Skillyard",
        )


def run_migrations(connection: Connection, revision: str) -> None:
    """Bring the schema to `revision`, in the transaction that is open."""
    from alembic import command  # noqa: PLC0415 - see above
    from alembic.config import Config  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    # The configuration reads a percent sign as the start of a reference.
    location = str(Path(__file__).parent / "migrations").replace("%", "%%")
    config.set_main_option("script_location", location)
    command.upgrade(config, revision)
