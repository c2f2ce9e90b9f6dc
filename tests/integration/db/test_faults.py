"""What a store finds wrong with itself."""

from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from tests.integration.db.behind import open_engine, run
from tests.integration.db.samples import fill


def test_a_sound_store_has_no_faults(store: SqlStore) -> None:
    fill(store)

    assert list(store.iter_faults()) == []


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("DELETE FROM versions", "the skill `pdf` has a current version that is not there"),
        (
            "DELETE FROM package_files WHERE path = 'run'",
            "the package of `pdf` does not have as many files as it says",
        ),
        (
            "INSERT INTO nodes (name, description, revision) VALUES ('a', '', 1)",
            "the node `a` is no subject that skills can be assigned to",
        ),
    ],
)
def test_rows_that_do_not_fit_together_are_found(
    url: str, store: SqlStore, statement: str, fault: str
) -> None:
    fill(store)
    run(url, statement)

    assert list(store.iter_faults()) == [fault]


def test_a_reference_that_leads_nowhere_is_found(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    fill(store)
    engine = open_engine(sqlite_url)
    with engine.begin() as connection:
        # Nothing watches over references on this connection.
        connection.exec_driver_sql("DELETE FROM contents")

    assert (
        list(store.iter_faults())
        == ["a row of `package_files` refers to one of `contents` that is not there"] * 2
    )
    store.close()


def test_damage_to_the_file_is_found(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    fill(store)
    store.close()
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    content = file.read_bytes()
    # The page that holds the skill, and not the one that names the tables.
    at = content.index(b"\x1ffill in forms.") // 4096 * 4096
    file.write_bytes(content[:at] + b"\xff" * 4096 + content[at + 4096 :])

    store = open_store(sqlite_url)
    *_, last = store.iter_faults()
    assert "the file is damaged" in last
    store.close()
