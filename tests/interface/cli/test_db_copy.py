"""`skillyard db copy`."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import skillyard, write_skill

pytestmark = pytest.mark.requirement("STO-1", "INT-2")


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Give a directory whose store has one skill."""
    work = tmp_path / "work"
    write_skill(work / "pdf")
    skillyard("add", "pdf", cwd=work)
    return work


def test_a_store_moves_with_one_command(filled: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/copy.db"

    ran = skillyard("db", "copy", "--to", url, cwd=filled)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        (
            "Copied 7 rows: 1 of audit, 1 of contents, 1 of outbox, 1 of package_files,"
            " 1 of packages, 1 of skills, 1 of versions"
        ),
        "✓ Nothing is wrong with the copy",
    ]
    here = skillyard("audit", "--json", cwd=filled)
    there = skillyard("audit", "--json", cwd=filled, env={"SKILLYARD_DATABASE_URL": url})
    assert there == here


def test_a_dry_run_copies_nothing(filled: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/copy.db"

    ran = skillyard("db", "copy", "--to", url, "--dry-run", "--json", cwd=filled)

    said = json.loads(ran.out)
    assert (ran.status, said["rows"]["skills"], said["dry_run"]) == (0, 1, True)
    assert not (tmp_path / "copy.db").exists()


def test_a_store_that_is_there_is_not_copied_over(filled: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/copy.db"
    skillyard("db", "copy", "--to", url, cwd=filled)

    ran = skillyard("db", "copy", "--to", url, cwd=filled)

    assert (ran.status, ran.out) == (4, "")
    assert "name an empty database" in ran.err


@pytest.mark.parametrize("url", ["sqlite:///copy.db", "postgresql://a:p@hunter2@127.0.0.1:1/db"])
def test_a_url_that_cannot_be_used_is_exit_status_nine(filled: Path, url: str) -> None:
    ran = skillyard("db", "copy", "--to", url, cwd=filled)

    assert (ran.status, ran.out) == (9, "")
    assert "hunter2" not in ran.err
