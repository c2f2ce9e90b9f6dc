"""`skillyard history` as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, skillyard, steady, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-3", "STO-7")


def keep_three_versions(cwd: Path) -> None:
    write_skill(cwd / "pdf")
    skillyard("add", "pdf", cwd=cwd)
    skillyard("files", "put", "pdf", "a.md", "-m", "Say \x1b[31ma", stdin="a\n", cwd=cwd)
    skillyard("--actor", "grace", "files", "put", "pdf", "a.md", stdin="b\n", cwd=cwd)
    skillyard("rollback", "pdf", "1.0.1", cwd=cwd)


def test_every_version_is_listed_the_latest_first(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)
    told = json.loads(skillyard("history", "pdf", "--json", cwd=tmp_path).out)
    third, second, first = (one["digest"][:19] for one in told["versions"])

    ran = skillyard("history", "pdf", cwd=tmp_path)

    assert ran.steady == Ran(
        0,
        "   Version  Saved              By     From   Digest               Message\n"
        f"   1.0.2    TIME  grace  1.0.1  {third}\n"
        f"✓  1.0.1    TIME  ada    1.0.0  {second}  Say \\x1b[31ma\n"
        f"   1.0.0    TIME  ada           {first}\n",
        "",
    )


@pytest.mark.parametrize(("width", "has_digest"), [("100", True), ("80", False), ("60", False)])
def test_a_narrow_terminal_is_shown_less(width: str, *, has_digest: bool, tmp_path: Path) -> None:
    keep_three_versions(tmp_path)

    ran = skillyard("history", "pdf", cwd=tmp_path, env={"COLUMNS": width})

    assert max(map(len, ran.out.splitlines())) <= int(width)
    assert ("sha256:" in ran.out) is has_digest


def test_json_tells_who_saved_what_from_where(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)
    digest = skillyard("digest", "pdf", cwd=tmp_path).out.split()[0]

    told = json.loads(steady(skillyard("history", "pdf", "--json", cwd=tmp_path).out))

    versions = told.pop("versions")
    assert told == {"slug": "pdf", "owner": "people", "current": "1.0.1"}
    assert [(one["version"], one["base"], one["created_by"]) for one in versions] == [
        ("1.0.2", "1.0.1", "grace"),
        ("1.0.1", "1.0.0", "ada"),
        ("1.0.0", None, "ada"),
    ]
    assert versions[-1] == {
        "version": "1.0.0",
        "digest": digest,
        "created_at": "TIME",
        "created_by": "ada",
        "message": "",
        "base": None,
    }


def test_an_unknown_skill_is_not_found(tmp_path: Path) -> None:
    assert skillyard("history", "pdf", cwd=tmp_path) == Ran(
        3, "", "error: there is no skill `pdf`\n\nhint: `skillyard list` shows every skill\n"
    )
