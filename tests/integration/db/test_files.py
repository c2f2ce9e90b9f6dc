"""The SQLite file: where it lies, who may read it, and how it is used."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.domain.errors import StoreUnavailableError
from tests.integration.db.samples import SKILL, fill


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_its_directories_are_the_users_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "skillyard" / "store.db"

    store = open_store(f"sqlite:///{file}")
    fill(store)

    assert [mode_of(one) for one in (file, *file.parents[:2])] == [0o600, 0o700, 0o700]
    assert {mode_of(one) for one in file.parent.iterdir()} == {0o600}
    store.close()


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "schön.db", "%20"])
def test_every_file_name_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    open_store(f"sqlite:///{tmp_path}/{name}").close()

    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_path_may_be_relative(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    open_store("sqlite:///here.db").close()

    assert (tmp_path / "here.db").exists()


@pytest.mark.requirement("STO-1")
def test_the_file_is_written_ahead_and_every_commit_reaches_the_disk(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    with store.begin() as transaction:
        connection = transaction._session.connection  # noqa: SLF001 - there is no other way in
        found = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        ]
    store.close()

    assert found == ["wal", 2, 1, 30_000]


def test_a_closed_store_leaves_one_file_and_opens_again(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    fill(store)
    store.close()

    assert [one.name for one in tmp_path.iterdir()] == ["store.db"]
    with store.view() as view:
        assert view.skills.find("pdf") == SKILL
    store.close()


@pytest.mark.requirement("STO-1")
def test_a_view_cannot_write_whatever_it_runs(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    with store.view() as view, pytest.raises(StoreUnavailableError, match="not written"):
        view.skills.add_if_absent(SKILL)
    fill(store)
    store.close()


def test_what_is_read_of_the_file_is_plain_sql(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    fill(store)
    store.close()

    with closing(sqlite3.connect(sqlite_url.removeprefix("sqlite:///"))) as connection:
        found = connection.execute("SELECT slug, tags, created_at FROM skills").fetchall()

    assert found == [("pdf", '["forms"]', 1_767_323_045_678)]
