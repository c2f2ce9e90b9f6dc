"""Look into a database, and change it, behind the back of the store."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, NullPool, create_engine


@contextmanager
def behind(url: str) -> Iterator[Connection]:
    """Give a connection that knows nothing of the store; what is done is kept."""
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            if engine.dialect.name == "sqlite":
                connection.exec_driver_sql("PRAGMA foreign_keys = ON")
            yield connection
    finally:
        engine.dispose()


def open_engine(url: str) -> Engine:
    """Give an engine that keeps no connection open."""
    return create_engine(url.replace("postgresql://", "postgresql+psycopg://"), poolclass=NullPool)


def run(url: str, *statements: str) -> None:
    """Run statements in one transaction."""
    with behind(url) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def ask(url: str, question: str) -> list[tuple[object, ...]]:
    """Give the rows of a question."""
    with behind(url) as connection:
        return [tuple(row) for row in connection.exec_driver_sql(question)]
