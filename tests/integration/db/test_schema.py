"""How a database gets its schema, and what becomes of one that has another."""

import subprocess
import sys
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

import skillyard.adapters.db
from skillyard.adapters.db import schema
from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.revisions import HEAD, REVISIONS
from skillyard.adapters.db.schema import run_migrations
from skillyard.adapters.db.store import SqlStore
from skillyard.adapters.db.tables import METADATA
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.errors import SchemaOutdatedError, SchemaTooNewError, StoreUnavailableError
from tests.integration.db.behind import ask, behind, run
from tests.integration.db.earlier import PACKAGE, fill

MIGRATIONS = Path(skillyard.adapters.db.__file__).parent / "migrations"


def list_tables(url: str) -> set[str]:
    with behind(url) as connection:
        return set(inspect(connection).get_table_names())


@pytest.mark.requirement("STO-1")
def test_the_migrations_make_the_tables_that_the_code_knows(url: str) -> None:
    with behind(url) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, METADATA) == []


@pytest.mark.requirement("STO-1")
def test_constraints_are_the_ones_that_the_code_knows(url: str) -> None:
    """Alembic compares neither checks nor what becomes of a row whose partner goes."""
    with behind(url) as connection:
        found = inspect(connection)
        for table in METADATA.tables.values():
            known = {
                (key.name, key.ondelete, tuple(key.column_keys))
                for key in table.foreign_key_constraints
            }
            assert known == {
                (key["name"], key["options"].get("ondelete"), tuple(key["constrained_columns"]))
                for key in found.get_foreign_keys(table.name)
            }
            checks = {one["name"] for one in found.get_check_constraints(table.name)}
            assert checks == {
                one.name for one in table.constraints if str(one.name).startswith("ck_")
            }


def test_texts_are_sorted_by_code_points_on_postgresql(postgres_url: str) -> None:
    other = (
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = 'public' AND table_name <> 'alembic_version'"
        " AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
    )

    assert ask(postgres_url, other) == []


def test_the_code_knows_every_revision_in_its_order() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    scripts = ScriptDirectory.from_config(config)

    assert [one.revision for one in scripts.walk_revisions()][::-1] == list(REVISIONS)
    assert scripts.get_current_head() == HEAD


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("revision", REVISIONS)
def test_what_an_earlier_schema_kept_is_there_after_the_upgrade(
    empty_url: str, revision: str
) -> None:
    with behind(empty_url) as connection:
        run_migrations(connection, revision)
        fill(connection, revision)

    store = open_store(empty_url)
    with store.view() as view:
        (entry,) = view.skills.list_entries(EVERYTHING)
        assert (entry.reference, entry.tags, entry.assignments) == ("pdf", ("forms",), 1)
        assert view.packages.get(entry.digest) == PACKAGE
        assert [str(one.version) for one in view.versions.list(entry.id)] == ["1.0.0"]
        (named,) = view.candidates.list_for((), agent="reviewer", widened=False)
        assert (named.ref, named.agents) == (entry.id, ("writer", "reviewer"))
    assert store.describe().schema == HEAD
    assert list(store.iter_faults()) == []
    store.close()


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE skills SET agents = 'notjson'",
        "UPDATE skills SET agents = '{\"reviewer\": 1}'",
        "UPDATE skills SET agents = '[1]'",
    ],
)
def test_names_that_cannot_be_read_do_not_stand_in_the_way_of_an_upgrade(
    empty_url: str, damage: str
) -> None:
    with behind(empty_url) as connection:
        run_migrations(connection, "0001")
        fill(connection, "0001")
    run(empty_url, damage)

    store = open_store(empty_url)

    assert store.describe().schema == HEAD
    assert ask(empty_url, "SELECT * FROM skill_agents") == []
    store.close()


@pytest.mark.requirement("STO-1")
def test_an_empty_database_gets_the_schema_when_it_is_opened(empty_url: str) -> None:
    store = open_store(empty_url)

    assert store.describe().schema == HEAD
    assert list_tables(empty_url) == {*METADATA.tables, "alembic_version"}
    store.close()


def test_an_empty_database_is_left_alone_where_nobody_wants_a_store(empty_url: str) -> None:
    with pytest.raises(SchemaOutdatedError) as caught:
        open_store(empty_url, create=False)

    assert (caught.value.found, caught.value.wanted) == ("none", HEAD)
    assert list_tables(empty_url) == set()


def test_making_a_store_is_no_upgrade(empty_url: str) -> None:
    open_store(empty_url, upgrade=False).close()

    assert list_tables(empty_url) == {*METADATA.tables, "alembic_version"}


def test_an_older_database_is_left_alone_where_nobody_wants_an_upgrade(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "HEAD", "9999")

    with pytest.raises(SchemaOutdatedError) as caught:
        open_store(url, upgrade=False)

    assert (caught.value.found, caught.value.wanted) == (HEAD, "9999")


def test_the_schema_of_today_needs_no_upgrade(url: str) -> None:
    open_store(url, upgrade=False).close()


def test_a_newer_database_is_refused_and_left_alone(url: str) -> None:
    run(url, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(SchemaTooNewError) as caught:
        open_store(url)

    assert (caught.value.found, caught.value.known) == ("9999", HEAD)
    assert ask(url, "SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE skills (id TEXT)"],
        [
            "CREATE TABLE alembic_version (version_num TEXT)",
            "INSERT INTO alembic_version VALUES ('a1b2')",
        ],
    ],
)
def test_the_database_of_another_program_is_refused_and_left_alone(
    empty_url: str, statements: list[str]
) -> None:
    run(empty_url, *statements)
    before = list_tables(empty_url)

    with pytest.raises(StoreUnavailableError, match="belongs to another program"):
        open_store(empty_url)

    assert list_tables(empty_url) == before


def test_a_file_with_other_tables_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/other.db"
    run(url, "CREATE TABLE bookmarks (id TEXT)")

    with pytest.raises(StoreUnavailableError, match="belongs to another program"):
        open_store(url)


def test_other_tables_may_stand_beside_ours_on_a_server(postgres_url: str) -> None:
    run(postgres_url, "CREATE TABLE bookmarks (id TEXT)")

    open_store(postgres_url).close()


def test_alembic_is_not_loaded_where_there_is_nothing_to_upgrade(sqlite_url: str) -> None:
    script = (
        "import sys\n"
        "from skillyard.adapters.db.opening import open_store\n"
        "store = open_store(sys.argv[1])\n"
        "with store.view() as view: assert view.skills.find('pdf') is None\n"
        "store.close()\n"
        "print(sorted({'alembic', 'psycopg', 'mako'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, sqlite_url], check=True, capture_output=True, text=True
    )

    assert done.stdout == "[]\n"


@pytest.mark.requirement("STO-1")
def test_many_that_start_at_once_on_an_empty_database_all_succeed(empty_url: str) -> None:
    script = (
        "import sys\n"
        "from skillyard.adapters.db.opening import open_store\n"
        "print('ready', flush=True)\n"
        "sys.stdin.readline()\n"
        "store = open_store(sys.argv[1])\n"
        "print(store.describe().schema)\n"
        "store.close()"
    )
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", script, empty_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    for one in starting:
        assert one.stdout
        one.stdout.readline()
    for one in starting:
        assert one.stdin
        one.stdin.write("\n")
        one.stdin.flush()

    assert [one.communicate() for one in starting] == [(f"{HEAD}\n", "")] * 6


def test_the_same_store_is_described_the_same_way(store: SqlStore) -> None:
    described = store.describe()

    assert described.engine.split()[0] in {"SQLite", "PostgreSQL"}
    assert described.engine.split()[1][0].isdigit()
    assert described == store.describe()
