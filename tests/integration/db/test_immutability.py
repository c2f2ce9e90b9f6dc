"""What never changes is guarded by the database itself."""

import pytest
from sqlalchemy.exc import IntegrityError

from skillyard.adapters.db.store import SqlStore
from tests.integration.db.behind import ask, run
from tests.integration.db.samples import SKILL, fill


@pytest.mark.requirement("STO-3", "STO-7")
@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE versions SET message = 'other'", "a saved version never changes"),
        ("UPDATE packages SET size = 0", "a stored package never changes"),
        ("UPDATE package_files SET path = 'other'", "a stored package never changes"),
        ("UPDATE contents SET size = 0", "stored content never changes"),
        ("UPDATE audit SET actor = 'other'", "the audit log is append-only"),
        ("DELETE FROM audit", "the audit log is append-only"),
    ],
)
def test_rows_that_never_change_cannot_be_changed(
    url: str, store: SqlStore, statement: str, reason: str
) -> None:
    fill(store)

    with pytest.raises(IntegrityError, match=reason):
        run(url, statement)


@pytest.mark.requirement("STO-7")
def test_the_audit_log_cannot_be_emptied(postgres_url: str) -> None:
    with pytest.raises(IntegrityError, match="the audit log is append-only"):
        run(postgres_url, "TRUNCATE audit")


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM packages",
        "DELETE FROM contents",
        "UPDATE skills SET status = 'lost'",
        "UPDATE skills SET confidence = 'certain'",
        "UPDATE assignments SET subject_name = 'nobody'",
        "DELETE FROM workspaces",
        "INSERT INTO subjects (kind, name) VALUES ('planet', 'earth')",
    ],
)
def test_the_database_keeps_references_and_words_sound(
    url: str, store: SqlStore, statement: str
) -> None:
    fill(store)
    run(
        url,
        "INSERT INTO workspaces (name, description, revision) VALUES ('home', '', 1)",
        "INSERT INTO teams (name, description, workspace, revision) VALUES ('a', '', 'home', 1)",
    )

    with pytest.raises(IntegrityError):
        run(url, statement)

    assert ask(url, "SELECT id, status FROM skills") == [(SKILL.id, "active")]
