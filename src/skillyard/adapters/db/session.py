"""Statements in one transaction, and what their failures mean."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any, Final

from sqlalchemy import Connection, CursorResult, Executable, Row, Select, Table
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from skillyard.adapters.db.catalogue import Question
from skillyard.adapters.db.database import Database
from skillyard.adapters.db.failures import translate
from skillyard.adapters.db.inserting import render_insert
from skillyard.adapters.db.rows import unreadable
from skillyard.domain.errors import InvalidFactError, StoreUnavailableError

Parameters = Mapping[str, object] | Sequence[Mapping[str, object]]
_WRITTEN: Final = "what was to be written"


@contextmanager
def translated(place: str, *, what: str = _WRITTEN) -> Iterator[None]:
    """Turn failures of the database into errors of ours."""
    try:
        yield
    except SQLAlchemyError as error:
        meaning = translate(error, place=place, what=what)
        if meaning is None:
            raise
        raise meaning from error
    except UnicodeEncodeError as error:
        # Half of a character: it comes from a file name that is not UTF-8, or with JSON.
        raise InvalidFactError([("text", "it holds half of a character", "")]) from error


def _read_all(
    found: CursorResult[*tuple[Any, ...]], statement: Executable
) -> Sequence[Row[*tuple[Any, ...]]]:
    try:
        return found.all()
    except (TypeError, ValueError) as error:
        # Text where bytes belong, say: nobody here has written it.
        raise unreadable(_name_table(statement)) from error


def _name_table(statement: Executable) -> str:
    froms = statement.get_final_froms() if isinstance(statement, Select) else ()
    return next((one.name for one in froms if isinstance(one, Table)), "database")


class Session:
    """One open transaction. `what` names the thing that a violated constraint is about."""

    def __init__(self, connection: Connection, database: Database) -> None:
        self.connection = connection
        self.spelling = database.spelling
        self._place = database.place
        self.is_postgresql = database.is_postgresql
        self._mark = database.spelling.mark
        self._is_lost = database.is_lost
        self._driver_error = database.engine.dialect.loaded_dbapi.Error

    def run(
        self, statement: Executable, parameters: Parameters | None = None, *, what: str = _WRITTEN
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement that gives no rows."""
        with translated(self._place, what=what):
            return self.connection.execute(statement, parameters)

    def count(
        self, statement: Executable, parameters: Parameters | None = None, *, what: str = _WRITTEN
    ) -> int:
        """Run a statement that changes or removes rows; give how many."""
        return self.run(statement, parameters, what=what).rowcount

    def add(
        self, table: Table, *rows: Mapping[str, object], conflict: str = "", what: str = _WRITTEN
    ) -> int:
        """Add rows that have the same columns; give how many were added.

        `conflict` says what happens where a row is there already, see `inserting`.
        """
        if not rows:
            return 0
        statement = render_insert(table, tuple(rows[0]), conflict, self._mark)
        values = [tuple(row.values()) for row in rows]
        with translated(self._place, what=what):
            parameters = values if len(values) > 1 else values[0]
            return self.connection.exec_driver_sql(statement, parameters).rowcount

    def ask(self, question: Question) -> Sequence[tuple[Any, ...]]:
        """Give every row that answers a question in plain SQL.

        The driver is asked: to learn the names of the columns would cost as much as short answers.
        """
        try:
            with translated(self._place):
                return self._fetch(question)
        except InvalidFactError:
            return ()

    def _fetch(self, question: Question) -> Sequence[tuple[Any, ...]]:
        driver = self.connection.connection
        with closing(driver.cursor()) as cursor:
            try:
                cursor.execute(*question)
                return cursor.fetchall()
            except self._driver_error as error:
                raise self._wrap(error, question) from error

    def _wrap(self, error: Any, question: Question) -> SQLAlchemyError:  # noqa: ANN401 - the driver's
        """Give what SQLAlchemy would have raised, and let go of a connection that is lost."""
        is_lost = self.connection.dialect.is_disconnect(error, self.connection.connection, None)
        if is_lost:
            self.connection.invalidate(error)
        wrapped: SQLAlchemyError = DBAPIError.instance(
            question.statement,
            question.parameters,
            error,
            self._driver_error,
            connection_invalidated=is_lost,
            dialect=self.connection.dialect,
        )
        return wrapped

    def rows(
        self, statement: Executable, parameters: Parameters | None = None
    ) -> Sequence[Row[*tuple[Any, ...]]]:
        """Give every row.

        None match a value that the database cannot hold: looking for one is no error.
        """
        try:
            with translated(self._place):
                found = self.connection.execute(statement, parameters)
                return _read_all(found, statement)
        except InvalidFactError:
            return ()

    def row(
        self, statement: Executable, parameters: Parameters | None = None
    ) -> Row[*tuple[Any, ...]] | None:
        """Give the only row, or None."""
        rows = self.rows(statement, parameters)
        return rows[0] if rows else None

    @contextmanager
    def attempt(self, *, several: bool = False) -> Iterator[None]:
        """Keep the transaction usable after a constraint was violated in here.

        PostgreSQL gives a transaction up at the first failure, SQLite only the statement: where
        there are `several`, it has to be told to undo those before it.
        """
        is_nested = several or self.is_postgresql
        with self.connection.begin_nested() if is_nested else nullcontext():
            yield

    def require_alive(self) -> None:
        """Raise `StoreUnavailableError` where the transaction was given up after a failure."""
        if self._is_lost(self.connection):
            raise StoreUnavailableError(self._place, reason="it has undone the change")

    def commit(self) -> None:
        """Make the transaction last, and let go of the connection: nothing comes after it."""
        self.require_alive()
        with translated(self._place):
            self.connection.commit()
            self.connection.close()
