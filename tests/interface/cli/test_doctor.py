"""`skillyard doctor`, `skillyard db`."""

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest

from tests.databases import spoil_content
from tests.interface.cli.running import home_of, skillyard, write_skill

pytestmark = pytest.mark.requirement("STO-1", "INT-2")


def database_of(directory: Path) -> Path:
    return home_of(directory) / "skillyard.db"


def test_a_whole_store_gets_a_clean_bill(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)

    ran = skillyard("doctor", cwd=tmp_path)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[1:] == ["Looked at 1 skill and 1 package", "✓ Nothing is wrong"]


def test_damage_is_named_and_is_exit_status_one(tmp_path: Path) -> None:
    content = (write_skill(tmp_path / "pdf") / "SKILL.md").read_bytes()
    skillyard("add", "pdf", cwd=tmp_path)
    url = f"sqlite:///{database_of(tmp_path)}"
    spoil_content(url, hashlib.sha256(content).hexdigest(), b"gone")

    ran = skillyard("doctor", cwd=tmp_path)
    said = json.loads(skillyard("doctor", "--json", cwd=tmp_path).out)

    assert ran.status == 1
    assert "SKILL.md" in ran.out
    assert "Restore the database from a backup" in ran.out
    assert (said["skills"], said["packages"], len(said["faults"])) == (1, 1, 2)


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    database_of(tmp_path).write_bytes(b"this is not a database, whatever its name says\n" * 100)

    ran = skillyard("doctor", cwd=tmp_path)

    assert (ran.status, ran.out) == (8, "")
    assert "cannot be used" in ran.err


def test_upgrading_a_database_that_is_up_to_date_changes_nothing(tmp_path: Path) -> None:
    ran = skillyard("db", "upgrade", cwd=tmp_path)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("the newest\n")


def test_a_database_is_made_when_it_is_upgraded_and_not_when_it_is_only_asked_for(
    tmp_path: Path,
) -> None:
    home = tmp_path / "home"

    dry = skillyard("db", "upgrade", "--dry-run", "--json", cwd=tmp_path, home=home)
    done = skillyard("db", "upgrade", "--json", cwd=tmp_path, home=home)

    assert (json.loads(dry.out)["before"], json.loads(dry.out)["dry_run"]) == ("none", True)
    assert json.loads(done.out)["before"] == "none"
    with sqlite3.connect(home / "skillyard.db") as connection:
        (found,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    connection.close()
    assert found == json.loads(done.out)["after"] == json.loads(dry.out)["after"]


def test_an_old_database_is_not_upgraded_by_itself_where_the_settings_forbid_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database_of(tmp_path)
    monkeypatch.setattr("skillyard.adapters.db.schema.HEAD", "9999")
    env = {"SKILLYARD_DATABASE_UPGRADE": "false"}

    refused = skillyard("show", "pdf", cwd=tmp_path, env=env)

    assert refused.status == 8
    assert "hint: Run `skillyard db upgrade`" in refused.err


def test_the_database_is_shown(tmp_path: Path) -> None:
    ran = skillyard("db", "show", cwd=tmp_path)
    told = json.loads(skillyard("db", "show", "--json", cwd=tmp_path).out)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        f"Engine    {told['engine']}\n"
        f"Database  {database_of(tmp_path)}\n"
        f"Schema    {told['schema']}\n"
    )
    assert told["database"] == str(database_of(tmp_path))
    assert told["engine"].startswith("SQLite ")
