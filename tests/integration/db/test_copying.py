"""A whole store moves from one engine to the other."""

from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import select

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from skillyard.adapters.db.tables import METADATA
from skillyard.application.assign import AssignSkill
from skillyard.application.doctor import examine_store
from skillyard.application.exporting import render_export
from skillyard.bootstrap import copy_store
from skillyard.domain.assignment import GLOBAL, Subject, SubjectKind
from skillyard.domain.errors import InvalidSettingError, TargetExistsError
from skillyard.domain.facts import FactChanges
from skillyard.domain.records import Agent, Workspace
from skillyard.settings import Settings, read_settings
from skillyard.skillmd.bundles import Form
from tests.contract.use_cases.yards import make_yard, save
from tests.integration.db.behind import behind, run

ENGINES = [("sqlite", "postgres"), ("postgres", "sqlite"), ("sqlite", "sqlite")]


def fill(store: SqlStore) -> None:
    """Keep something in every table."""
    yard = make_yard(store)
    save(yard, files={"assets/logo.png": b"\x89PNG\x00\xff" * 300})
    save(yard, body="Two.\n", files={"a.md": "Ä\n"})
    save(yard, "forms")
    save(yard, "gone")
    yard.change("pdf", FactChanges(tags=("a", "b"), enabled=False, deprecated="Use forms"))
    yard.add_record(Workspace(name="w"))
    yard.add_record(Agent(name="coder", workspace="w", allowlist=("pdf",)))
    yard.assign(AssignSkill(reference="pdf", subject=GLOBAL, required=True))
    yard.assign(AssignSkill(reference="forms", subject=Subject(SubjectKind.AGENT, "coder")))
    yard.delete("gone")


def list_rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Give every row of every table, as both engines would give it."""
    with behind(url) as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
        }


def settings_of(url: str) -> Settings:
    return read_settings(
        environment={"SKILLYARD_DATABASE_URL": url, "HOME": "/nowhere"}, directory=Path("/")
    )


@pytest.fixture(params=ENGINES, ids="-to-".join)
def urls(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """Give a database with the schema of today, and one for the copy."""
    source, target = request.param
    first: str = request.getfixturevalue(f"{source}_url")
    if source == target:
        return first, f"sqlite:///{tmp_path}/copy.db"
    second: str = request.getfixturevalue(f"{target}_url")
    return first, second


@pytest.mark.requirement("STO-1")
def test_a_copy_holds_every_row_and_goes_on_where_the_store_was(urls: tuple[str, str]) -> None:
    source = open_store(urls[0])
    fill(source)

    copied = Counter(copy_store(settings_of(urls[0]), urls[1]))

    assert list_rows(urls[1]) == list_rows(urls[0])
    assert copied == {
        name: count
        for name, rows in list_rows(urls[0]).items()
        if (count := len(rows) - (name == "subjects"))
    }
    target = open_store(urls[1], upgrade=False)
    assert [fault for one in examine_store(store=target) for fault in one.faults] == []
    ours, theirs = make_yard(source), make_yard(target)
    assert list(ours.audit()) == list(theirs.audit())
    for slug in ("pdf", "forms"):
        assert render_export(slug, Form.JSON, store=source) == render_export(
            slug, Form.JSON, store=target
        )
    last = theirs.audit()[0].number
    save(theirs, "later")
    assert [one.number for one in theirs.audit(most=1)] == [(last or 0) + 1]
    source.close()
    target.close()


def test_numbers_that_were_given_are_not_given_again(urls: tuple[str, str]) -> None:
    source = open_store(urls[0])
    fill(source)
    with source.begin() as transaction:
        numbers = [one.number or 0 for one in transaction.outbox.list_pending()]
        transaction.outbox.mark_done(numbers)
        transaction.commit()
    source.close()

    list(copy_store(settings_of(urls[0]), urls[1]))

    target = open_store(urls[1])
    save(make_yard(target), "later")
    with target.view() as view:
        assert [one.number for one in view.outbox.list_pending()] == [max(numbers) + 1]
    target.close()


@pytest.mark.requirement("STO-1")
def test_a_database_that_holds_something_is_left_as_it_is(urls: tuple[str, str]) -> None:
    for url in urls:
        store = open_store(url)
        fill(store)
        store.close()
    before = list_rows(urls[1])

    for dry_run in (True, False):
        with pytest.raises(TargetExistsError):
            list(copy_store(settings_of(urls[0]), urls[1], dry_run=dry_run))

    assert list_rows(urls[1]) == before


@pytest.mark.requirement("STO-1")
def test_a_copy_that_fails_leaves_nothing(urls: tuple[str, str]) -> None:
    source = open_store(urls[0])
    fill(source)
    source.close()
    copying = copy_store(settings_of(urls[0]), urls[1])
    for _ in range(5):
        next(copying)
    copying.close()

    assert {name for name, rows in list_rows(urls[1]).items() if rows} == {"subjects"}


def test_a_dry_run_counts_and_makes_nothing(sqlite_url: str, tmp_path: Path) -> None:
    source = open_store(sqlite_url)
    fill(source)
    source.close()

    counted = Counter(
        copy_store(settings_of(sqlite_url), f"sqlite:///{tmp_path}/copy.db", dry_run=True)
    )

    assert counted["skills"] == 2
    assert not (tmp_path / "copy.db").exists()


def test_a_store_larger_than_a_batch_is_copied(sqlite_url: str, tmp_path: Path) -> None:
    store = open_store(sqlite_url)
    yard = make_yard(store)
    for number in range(45):
        save(yard, f"s{number}")
    store.close()
    run(
        sqlite_url,
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)"
        " INSERT INTO outbox (at, topic, data) SELECT i, 't', '{}' FROM n",
    )
    target = f"sqlite:///{tmp_path}/copy.db"

    list(copy_store(settings_of(sqlite_url), target))

    assert list_rows(target) == list_rows(sqlite_url)


def test_a_url_of_something_else_is_refused(sqlite_url: str) -> None:
    with pytest.raises(InvalidSettingError):
        list(copy_store(settings_of(sqlite_url), "sqlite:///copy.db"))
