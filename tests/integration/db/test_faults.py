"""What a store finds wrong with itself."""

from dataclasses import replace
from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.store import SqlStore
from skillyard.application.doctor import StoreFault, examine_store
from tests.contract.use_cases.yards import make_yard, save
from tests.integration.db.behind import open_engine, run
from tests.integration.db.samples import SKILL, VERSION, fill


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
        ("DELETE FROM skill_tags", "the skill `pdf` is not found by the tags that it has"),
        (
            "DELETE FROM skill_agents WHERE agent = 'writer'",
            "the skill `pdf` is not found by the agents that it names",
        ),
        (
            "INSERT INTO skill_agents SELECT id, 'other' FROM skills",
            "the skill `pdf` is not found by the agents that it names",
        ),
        (
            "UPDATE skills SET confidence = 'high'",
            "the skill `pdf` is not found in the workspaces that it is used in",
        ),
        (
            "UPDATE skills SET haystack = 'x'",
            "the skill `pdf` is not found by the words that it has",
        ),
        ("DROP TABLE skill_tags", "the database lacks the table `skill_tags`"),
        (
            "ALTER TABLE audit RENAME COLUMN details TO lost",
            "the database lacks the column `details` of `audit`",
        ),
        (
            "DROP INDEX ix_skill_workspaces_workspace_skill_id",
            (
                "the database lacks the index `ix_skill_workspaces_workspace_skill_id`"
                " of `skill_workspaces`"
            ),
        ),
        (
            "DROP INDEX ix_versions_digest",
            "the database lacks the index `ix_versions_digest` of `versions`",
        ),
    ],
)
def test_rows_that_do_not_fit_together_are_found(
    url: str, store: SqlStore, statement: str, fault: str
) -> None:
    fill(store)
    run(url, statement)

    assert list(store.iter_faults()) == [fault]


@pytest.mark.parametrize(
    ("engine", "statement", "trigger"),
    [
        ("sqlite", "DROP TRIGGER audit_refuse_delete", "audit_refuse_delete"),
        ("postgres", "DROP TRIGGER audit_refuse_truncate ON audit", "audit_refuse_truncate"),
        (
            "postgres",
            "ALTER TABLE contents DISABLE TRIGGER contents_refuse_update",
            "contents_refuse_update",
        ),
    ],
)
def test_a_trigger_that_guards_nothing_is_found(
    request: pytest.FixtureRequest, engine: str, statement: str, trigger: str
) -> None:
    url: str = request.getfixturevalue(f"{engine}_url")
    run(url, statement)
    store = open_store(url)

    assert list(store.iter_faults()) == [
        f"the database lacks the trigger `{trigger}`, or it is switched off"
    ]
    store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE skills SET tags = 'notjson'",
        "UPDATE skills SET \"current\" = 'xx'",
        "UPDATE skills SET created_at = 999999999999999999",
        "UPDATE assignments SET accepted = 'nonsense'",
        (
            "INSERT INTO agents (name, description, disabled_skills, lightweight, revision)"
            " VALUES ('a', '', 'notjson', false, 1)"
        ),
        (
            "INSERT INTO audit (at, actor, door, action, target, details)"
            " VALUES (1, '', '', '', '', 'notjson')"
        ),
        "ALTER TABLE packages RENAME TO lost",
        "DROP TABLE skill_tags",
    ],
)
@pytest.mark.requirement("STO-1")
def test_the_doctor_goes_on_behind_what_cannot_be_read(
    url: str, store: SqlStore, statement: str
) -> None:
    fill(store)
    with_skill(store, "later")
    run(url, statement)

    examined = list(examine_store(store=store))

    faults = [fault for one in examined for fault in one.faults]
    assert faults
    assert not [one for one in faults if "SELECT" in one.message]
    if "packages" not in statement:
        assert [one.kind for one in examined].count("skill") == 2
        assert examined[-1].kind == "log"


def with_skill(store: SqlStore, slug: str) -> None:
    """Keep another skill, with the same content."""
    with store.begin() as transaction:
        transaction.skills.add_if_absent(replace(SKILL, id="f", slug=slug))
        transaction.versions.add_if_absent(replace(VERSION, skill_id="f"))
        transaction.commit()


def test_the_doctor_finds_text_in_the_place_of_bytes(sqlite_url: str) -> None:
    store = open_store(sqlite_url)
    fill(store)
    run(
        sqlite_url,
        "DROP TRIGGER contents_refuse_update",
        "UPDATE contents SET body = CAST(body AS TEXT)",
    )

    faults = [fault for one in examine_store(store=store) for fault in one.faults]

    assert str(SKILL.digest) in [one.place for one in faults]
    store.close()


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


@pytest.mark.requirement("STO-1")
@pytest.mark.parametrize("lost", ["1.0.0", "1.0.1"])
def test_a_version_that_was_deleted_is_missed(url: str, store: SqlStore, lost: str) -> None:
    yard = make_yard(store)
    for body in ("One.\n", "Two.\n", "Three.\n"):
        save(yard, body=body)
    run(url, f"DELETE FROM versions WHERE version = '{lost}'")  # noqa: S608 - our own words

    faults = [fault for one in examine_store(store=store) for fault in one.faults]

    assert faults == [StoreFault("pdf", f"the version {lost} was saved, and is not there")]
