"""The system of record in a database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from sqlalchemy import Connection

from skillyard.adapters.db.assignments import SqlAssignments
from skillyard.adapters.db.candidates import SqlCandidates
from skillyard.adapters.db.checkup import iter_faults
from skillyard.adapters.db.copying import copy_rows, iter_row_names, keep_others_out, require_empty
from skillyard.adapters.db.database import Database
from skillyard.adapters.db.log import SqlAuditLog, SqlOutbox
from skillyard.adapters.db.packages import SqlPackages
from skillyard.adapters.db.reach import SqlReach
from skillyard.adapters.db.records import SqlRecords
from skillyard.adapters.db.revisions import NOTHING
from skillyard.adapters.db.runs import SqlRuns
from skillyard.adapters.db.schema import find_revision
from skillyard.adapters.db.session import Session, translated
from skillyard.adapters.db.skills import SqlSkills
from skillyard.adapters.db.versions import SqlVersions
from skillyard.application.ports.store import StoreDescription
from skillyard.domain.errors import StoreUnavailableError


class SqlTransaction:
    """See `Transaction`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._reach = SqlReach(session)

    @property
    def skills(self) -> SqlSkills:
        """See `Transaction.skills`."""
        return SqlSkills(self._session, self._reach)

    @property
    def versions(self) -> SqlVersions:
        """See `Transaction.versions`."""
        return SqlVersions(self._session)

    @property
    def packages(self) -> SqlPackages:
        """See `Transaction.packages`."""
        return SqlPackages(self._session)

    @property
    def assignments(self) -> SqlAssignments:
        """See `Transaction.assignments`."""
        return SqlAssignments(self._session, self._reach)

    @property
    def candidates(self) -> SqlCandidates:
        """See `Transaction.candidates`."""
        return SqlCandidates(self._session, self._reach)

    @property
    def records(self) -> SqlRecords:
        """See `Transaction.records`."""
        return SqlRecords(self._session, self._reach)

    @property
    def runs(self) -> SqlRuns:
        """See `Transaction.runs`."""
        return SqlRuns(self._session)

    @property
    def audit(self) -> SqlAuditLog:
        """See `Transaction.audit`."""
        return SqlAuditLog(self._session)

    @property
    def outbox(self) -> SqlOutbox:
        """See `Transaction.outbox`."""
        return SqlOutbox(self._session)

    def commit(self) -> None:
        """See `Transaction.commit`."""
        self._session.require_alive()
        self._reach.settle()
        self._session.commit()


class SqlStore:
    """The system of record in a database; several threads and processes may use it at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @contextmanager
    def begin(self) -> Iterator[SqlTransaction]:
        """See `Store.begin`."""
        with self._connect(only_reads=False) as connection:
            yield SqlTransaction(Session(connection, self._database))

    @contextmanager
    def view(self) -> Iterator[SqlTransaction]:
        """See `Store.view`."""
        with self._connect(only_reads=True) as connection:
            yield SqlTransaction(Session(connection, self._database))
            with translated(self._database.place):
                # There is nothing to keep, but an undone transaction takes with it what psycopg
                # has prepared.
                connection.commit()

    def describe(self) -> StoreDescription:
        """See `Store.describe`."""
        schema = find_revision(self._database) or NOTHING
        numbers = self._database.engine.dialect.server_version_info or ()
        version = ".".join(map(str, numbers))
        return StoreDescription(
            f"{self._database.name} {version}".strip(), self._database.place, schema
        )

    def iter_faults(self) -> Iterator[str]:
        """See `Store.iter_faults`."""
        with self._connect(only_reads=True) as connection:
            try:
                with translated(self._database.place):
                    yield from iter_faults(connection)
            except StoreUnavailableError as error:
                # Damage may be such that nothing more can be asked.
                yield error.message

    def copy_to(self, target: Self) -> Iterator[str]:
        """Copy everything into `target`, which is empty; yield a table's name for each row.

        It is one moment of this store, and one transaction there: what is not whole is undone.

        Raises:
            TargetExistsError: `target` holds something.
        """
        with (
            self._connect(only_reads=True) as source,
            target._connect(only_reads=False) as connection,
        ):
            with translated(target._database.place):
                keep_others_out(connection)
                require_empty(connection, target._database.place)
                yield from copy_rows(source, connection)
            Session(connection, target._database).commit()

    def iter_rows(self) -> Iterator[str]:
        """Yield a table's name for each row that `copy_to` would copy."""
        with self._connect(only_reads=True) as source, translated(self._database.place):
            yield from iter_row_names(source)

    def require_empty(self) -> None:
        """Raise `TargetExistsError` where something is kept here."""
        with self._connect(only_reads=True) as connection, translated(self._database.place):
            require_empty(connection, self._database.place)

    def rest(self) -> None:
        """See `Store.rest`; a file can be open as often as anybody likes."""
        if self._database.is_postgresql:
            self._database.engine.dispose()

    def close(self) -> None:
        """Let go of every connection; the store opens new ones when it is used again."""
        self._database.engine.dispose()

    @contextmanager
    def _connect(self, *, only_reads: bool) -> Iterator[Connection]:
        with translated(self._database.place):
            connection = self._database.engine.connect()
        try:
            with translated(self._database.place):
                self._database.begin(connection, only_reads)
            yield connection
        finally:
            # What was not committed is undone.
            connection.close()
