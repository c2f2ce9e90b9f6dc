"""What a person is told when a database refuses."""

import os
import re
import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from sqlalchemy import make_url

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from skillyard.domain.catalogue import EVERYTHING
from skillyard.domain.errors import (
    ConcurrentChangeError,
    CorruptedContentError,
    InvalidFactError,
    InvalidSettingError,
    MissingDriverError,
    SkillyardError,
    StoreUnavailableError,
)
from skillyard.domain.package import Package
from tests.integration.db.behind import ask, run
from tests.integration.db.samples import SKILL, VERSION, fill

NOBODY = 65534


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be a user whom permissions bind, if we are the one whom they do not."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def path_of(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))


def test_a_file_that_is_no_database_is_named_as_such(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("Buy milk, and more of it than the last time. " * 50)

    with pytest.raises(StoreUnavailableError, match="the file is not a database") as caught:
        open_store(f"sqlite:///{file}")

    assert caught.value.place == str(file)
    assert file.read_text().startswith("Buy milk")


def test_a_damaged_file_is_named_as_such(sqlite_url: str) -> None:
    file = path_of(sqlite_url)
    content = bytearray(file.read_bytes())
    content[100:8192] = b"\xff" * 8092
    file.write_bytes(content)

    with pytest.raises(StoreUnavailableError, match="the file is damaged"):
        open_store(sqlite_url)


def test_a_directory_that_is_closed_to_us_is_said(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)

    with as_nobody(), pytest.raises(StoreUnavailableError, match="permission denied"):
        open_store(f"sqlite:///{closed}/deeper/skillyard.db", make_directories=True)


def test_a_way_that_leads_through_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(StoreUnavailableError, match=r"is no directory"):
        open_store(f"sqlite:///{tmp_path}/file/skillyard.db", make_directories=True)


@pytest.mark.requirement("STO-1")
def test_a_locked_file_is_waited_for_and_then_given_up(sqlite_url: str) -> None:
    store = open_store(sqlite_url, patience=0.05)
    with closing(sqlite3.connect(path_of(sqlite_url), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreUnavailableError, match="locked for too long") as caught:
            store.begin().__enter__()
        with store.view() as view:
            assert view.skills.find("pdf") is None

    assert caught.value.hints == ("Nothing was done; run the command again",)
    with store.begin() as transaction:
        transaction.commit()
    store.close()


def test_a_full_disk_is_said(sqlite_url: str) -> None:
    """SQLite says the same where the file may have no more pages."""
    store = open_store(sqlite_url)
    large = Package.of({"SKILL.md": b"x" * 100_000})
    with store.begin() as transaction:
        connection = transaction._session.connection  # noqa: SLF001 - there is no other way in
        connection.exec_driver_sql("PRAGMA max_page_count = 1").close()
        with pytest.raises(StoreUnavailableError, match="the disk is full"):
            transaction.packages.add([large])
        with pytest.raises(StoreUnavailableError, match="it has undone the change"):
            transaction.commit()

    store.close()


def test_a_server_that_is_not_there_is_named_without_the_password(tmp_path: Path) -> None:
    url = f"postgresql://ada:hunter2@/skillyard?host={tmp_path}"

    with pytest.raises(StoreUnavailableError) as caught:
        open_store(url)

    assert caught.value.place == f"{tmp_path}/skillyard"
    assert "hunter2" not in f"{caught.value.message} {caught.value.hints}"


def test_a_missing_database_is_said(postgres_url: str) -> None:
    url = make_url(postgres_url).set(database="nowhere").render_as_string(hide_password=False)

    with pytest.raises(StoreUnavailableError, match="nowhere") as caught:
        open_store(url)

    assert "does not exist" in caught.value.message or "no such database" in caught.value.message


def test_a_user_who_is_not_let_in_is_told_so_without_the_password(postgres_url: str) -> None:
    stranger = make_url(postgres_url).set(username="stranger", password="hunter2")  # noqa: S106

    with pytest.raises(StoreUnavailableError) as caught:
        open_store(stranger.render_as_string(hide_password=False))

    assert "stranger" in caught.value.message
    assert "hunter2" not in f"{caught.value.message} {caught.value.hints}"


def test_a_connection_that_broke_while_nobody_used_it_is_made_anew(postgres_url: str) -> None:
    store = open_store(postgres_url)
    fill(store)
    disconnect_all(postgres_url)

    with store.view() as view:
        assert view.skills.find("pdf") == SKILL
    store.close()


def test_a_connection_that_breaks_in_a_transaction_undoes_it(postgres_url: str) -> None:
    store = open_store(postgres_url)
    with store.begin() as transaction:
        transaction.skills.add_if_absent(SKILL)
        disconnect_all(postgres_url)
        with pytest.raises(StoreUnavailableError):
            transaction.commit()

    with store.view() as view:
        assert view.skills.find("pdf") is None
    store.close()


def disconnect_all(url: str) -> None:
    ask(
        url,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )


def test_of_two_that_wait_for_each_other_one_is_told_and_the_other_goes_on(
    postgres_url: str,
) -> None:
    store = open_store(postgres_url)
    other = replace(SKILL, id="b", slug="other")
    with store.begin() as transaction:
        transaction.skills.add_if_absent(SKILL)
        transaction.skills.add_if_absent(other)
        transaction.commit()
    both_have_one = Barrier(2)

    def replace_both(first: str, second: str) -> str:
        skills = {"pdf": replace(SKILL, revision=2), "other": replace(other, revision=2)}
        try:
            with store.begin() as transaction:
                transaction.skills.replace(skills[first])
                both_have_one.wait(timeout=10)
                transaction.skills.replace(skills[second])
                transaction.commit()
        except SkillyardError as error:
            return error.message.split(": ")[-1]
        return "done"

    with ThreadPoolExecutor(2) as pool:
        answers = [
            pool.submit(replace_both, "pdf", "other"),
            pool.submit(replace_both, "other", "pdf"),
        ]
        found = sorted(one.result(timeout=20) for one in answers)
    store.close()

    assert found == ["done", "two changes waited for each other"]


def test_a_reference_that_leads_nowhere_is_a_concurrent_change(store: SqlStore) -> None:
    with pytest.raises(ConcurrentChangeError), store.begin() as transaction:
        transaction.versions.add_if_absent(VERSION)


def test_a_commit_after_a_failure_never_claims_success(store: SqlStore) -> None:
    with store.begin() as transaction:
        transaction.skills.add_if_absent(SKILL)
        with pytest.raises(ConcurrentChangeError):
            transaction.versions.add_if_absent(VERSION)
        try:
            transaction.commit()
        except StoreUnavailableError:
            kept = None
        else:
            kept = SKILL

    with store.view() as view:
        assert view.skills.find("pdf") == kept


def test_a_value_that_the_database_cannot_keep_is_the_callers_mistake(postgres_url: str) -> None:
    store = open_store(postgres_url)
    with pytest.raises(InvalidFactError), store.begin() as transaction:
        transaction.skills.add_if_absent(replace(SKILL, created_by="a\0b"))
    store.close()


def test_half_of_a_character_is_the_callers_mistake(store: SqlStore) -> None:
    with pytest.raises(InvalidFactError), store.begin() as transaction:
        transaction.skills.add_if_absent(replace(SKILL, created_by="a\udcff"))


def test_a_user_who_may_not_write_is_told_so(postgres_url: str) -> None:
    name = make_url(postgres_url).database
    run(
        postgres_url,
        f"DO $$ BEGIN CREATE ROLE {name}_reader LOGIN; END $$",
        f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}_reader",
    )
    reader = make_url(postgres_url).set(username=f"{name}_reader")
    store = open_store(reader.render_as_string(hide_password=False))
    with pytest.raises(StoreUnavailableError, match="this user may not do that there"):
        fill(store)
    store.close()
    run(postgres_url, f"DROP OWNED BY {name}_reader", f"DROP ROLE {name}_reader")


@pytest.mark.parametrize(
    "url", ["", "skills.db", "mysql://localhost/x", "sqlite://", "sqlite:///", "sqlite:///:memory:"]
)
def test_a_url_of_something_else_is_refused(url: str) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        open_store(url)

    assert caught.value.code == "invalid-setting"


def test_a_url_that_cannot_be_read_is_refused_without_the_password() -> None:
    with pytest.raises(InvalidSettingError) as caught:
        open_store("postgresql://ada:hunter2@localhost:port/x")

    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ada:p@hunter2@127.0.0.1:1/db",
        "postgresql://ada:p@hunter/2@127.0.0.1:1/db",
        "postgresql://ada:p@hunter?2@127.0.0.1:1/db",
        "postgresql://ada:p@hunter2:x@127.0.0.1:1/db",
        "postgresql://127.0.0.1:1/db?password=p@hunter2",
    ],
)
def test_a_url_with_an_at_sign_too_many_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidSettingError) as caught:
        open_store(url)

    assert caught.value.hints == ("Write `%40` for an `@` in a name or a password",)
    assert "hunter" not in caught.value.message


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("pasword=hunter2", "its option `pasword` is not known, or has a wrong value"),
        ("connect_timeout=hunter2", "its option `connect_timeout` is not known, or has a"),
        ("sslmode=hunter2", "its option `sslmode` is not known, or has a wrong value"),
        ("port=hunter2", "one of its options has a wrong value"),
        ("row_factory=hunter2", "its option `row_factory` is not known"),
        ("application_name=a%00hunter2", "it holds a null character"),
    ],
)
def test_a_wrong_option_is_named_without_its_value(query: str, reason: str) -> None:
    with pytest.raises(InvalidSettingError, match=re.escape(reason)) as caught:
        open_store(f"postgresql://ada@/db?{query}")

    assert "hunter2" not in f"{caught.value.message} {caught.value.hints}"


def test_a_table_that_is_missing_is_said_without_a_statement(url: str, store: SqlStore) -> None:
    run(url, "DROP TABLE assignments")

    with store.view() as view, pytest.raises(StoreUnavailableError) as caught:
        view.skills.list_entries(EVERYTHING)

    assert "SELECT" not in caught.value.message
    assert caught.value.hints == ("Run `skillyard doctor`",)


@pytest.mark.parametrize(
    "change",
    [
        "tags = 'notjson'",
        "tags = '5'",
        "tags = '[1]'",
        "metadata = '[]'",
        "\"current\" = 'xx'",
        "created_at = 999999999999999999",
    ],
)
def test_a_row_that_cannot_be_read_is_named(url: str, store: SqlStore, change: str) -> None:
    fill(store)
    run(url, f"UPDATE skills SET {change}")  # noqa: S608 - our own words

    with store.view() as view, pytest.raises(CorruptedContentError, match="skill:pdf"):
        view.skills.find("pdf")


@pytest.mark.parametrize("change", ["tags = 'notjson'", "\"current\" = 'xx'"])
def test_a_list_names_the_row_that_cannot_be_read(url: str, store: SqlStore, change: str) -> None:
    fill(store)
    run(url, f"UPDATE skills SET {change}")  # noqa: S608 - our own words

    with store.view() as view, pytest.raises(CorruptedContentError, match="skill:pdf"):
        view.skills.list_entries(EVERYTHING)


def test_text_in_the_place_of_bytes_is_damage(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    fill(store)
    run(
        sqlite_url,
        "DROP TRIGGER contents_refuse_update",
        "UPDATE contents SET body = CAST(body AS TEXT)",
    )

    with store.view() as view, pytest.raises(CorruptedContentError):
        view.packages.get(SKILL.digest)
    store.close()


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(MissingDriverError) as caught:
        open_store("postgresql://ada:hunter2@db.example.org:5433/skills")

    assert caught.value.hints == ("Install `skillyard[postgres]`",)
    assert "db.example.org:5433/skills" in caught.value.message
    assert "hunter2" not in caught.value.message
