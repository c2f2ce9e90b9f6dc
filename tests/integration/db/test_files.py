"""The SQLite file: where it lies, who may read it, and how it is used."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.domain.errors import (
    InvalidSettingError,
    SchemaOutdatedError,
    StoreUnavailableError,
)
from tests.integration.db.samples import SKILL, fill


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_and_its_directories_are_the_users_alone(tmp_path: Path) -> None:
    file = tmp_path / "data" / "skillyard" / "store.db"

    store = open_store(f"sqlite:///{file}", make_directories=True)
    fill(store)

    assert [mode_of(one) for one in (file, *file.parents[:2])] == [0o600, 0o700, 0o700]
    assert {mode_of(one) for one in file.parent.iterdir()} == {0o600}
    store.close()


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "schön.db", "%20"])
def test_every_file_name_is_taken_as_it_is(tmp_path: Path, name: str) -> None:
    open_store(f"sqlite:///{tmp_path}/{name}").close()

    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_a_path_that_is_relative_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidSettingError, match="its path is relative") as caught:
        open_store("sqlite:///here.db")

    assert caught.value.hints == ("Write `sqlite:////` and the whole path",)
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="there is no directory") as caught:
        open_store(f"sqlite:///{tmp_path}/none/store.db")

    assert caught.value.hints == ("Make the directory, or name another database",)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["file", "file/home", "file/deep/home"])
def test_a_home_that_cannot_be_made_says_what_stands_in_its_way(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnavailableError) as caught:
        open_store(f"sqlite:///{tmp_path}/{place}/store.db", make_directories=True)

    assert caught.value.message.endswith(f"cannot be used: `{tmp_path}/file` is no directory")
    assert caught.value.hints == ("Name another home, or another database",)


def test_a_file_that_is_not_there_is_not_made_where_nobody_wants_it(tmp_path: Path) -> None:
    with pytest.raises(SchemaOutdatedError) as caught:
        open_store(f"sqlite:///{tmp_path}/store.db", create=False)

    assert caught.value.found == "none"
    assert list(tmp_path.iterdir()) == []


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
