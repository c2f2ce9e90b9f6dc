"""`skillyard delete` as a user meets it."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, keep_plugins_skill, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-5")


def keep_two(cwd: Path) -> None:
    for name in ("csv", "pdf"):
        write_skill(cwd / name)
    skillyard("add", "csv", "pdf", cwd=cwd)
    skillyard("files", "put", "pdf", "a.md", stdin="a\n", cwd=cwd)


def kept(cwd: Path) -> list[str]:
    told = json.loads(skillyard("list", "--archived", "--json", cwd=cwd).out)
    return [one["slug"] for one in told["skills"]]


def test_a_confirmed_skill_is_gone(tmp_path: Path) -> None:
    keep_two(tmp_path)

    ran = skillyard("delete", "pdf", "--yes", cwd=tmp_path)

    assert ran == Ran(0, "✓ pdf 1.0.1 (2 versions) deleted\n", "")
    assert kept(tmp_path) == ["csv"]


@pytest.mark.parametrize(
    ("answer", "status", "out", "err", "left"),
    [
        ("y\n", 0, "✓ pdf 1.0.1 (2 versions) deleted\n✓ csv 1.0.0 (1 version) deleted\n", "", []),
        ("\n", 1, "", "Nothing was deleted\n", ["csv", "pdf"]),
        ("no\n", 1, "", "Nothing was deleted\n", ["csv", "pdf"]),
        ("", 130, "", "interrupted\n", ["csv", "pdf"]),
    ],
)
def test_a_person_is_asked_once_for_all(
    answer: str, status: int, out: str, err: str, left: list[str], tmp_path: Path
) -> None:
    keep_two(tmp_path)

    ran = skillyard("delete", "pdf", "csv", "pdf", stdin=answer, terminal=True, cwd=tmp_path)

    question = "Delete pdf 1.0.1 (2 versions); csv 1.0.0 (1 version)? [y/N] "
    assert ran == Ran(status, out, question + err)
    assert kept(tmp_path) == left


def test_without_a_person_and_without_yes_nothing_is_deleted(tmp_path: Path) -> None:
    keep_two(tmp_path)

    ran = skillyard("delete", "pdf", stdin="y\n", cwd=tmp_path)

    assert ran == Ran(
        6, "", "error: deleting pdf needs a confirmation\n\nhint: Add `--yes` to give it\n"
    )
    assert kept(tmp_path) == ["csv", "pdf"]


def test_a_dry_run_asks_nothing_and_deletes_nothing(tmp_path: Path) -> None:
    keep_two(tmp_path)
    skillyard("assign", "pdf", "--global", cwd=tmp_path)

    ran = skillyard("delete", "pdf", "--dry-run", cwd=tmp_path)

    assert ran == Ran(0, "Would delete pdf 1.0.1 (2 versions, assigned to global)\n", "")
    assert kept(tmp_path) == ["csv", "pdf"]


def test_json_tells_what_is_gone(tmp_path: Path) -> None:
    keep_two(tmp_path)
    digest = skillyard("digest", "csv", cwd=tmp_path).out.split()[0]

    ran = skillyard("delete", "csv", "--yes", "--json", cwd=tmp_path)

    assert json.loads(ran.out) == {
        "skills": [
            {
                "slug": "csv",
                "owner": "people",
                "version": "1.0.0",
                "digest": digest,
                "versions": 1,
                "subjects": [],
            }
        ],
        "dry_run": False,
    }


def test_if_one_is_not_there_none_is_deleted(tmp_path: Path) -> None:
    keep_two(tmp_path)

    ran = skillyard("delete", "pdf", "cvs", "--yes", cwd=tmp_path)

    assert ran == Ran(3, "", "error: there is no skill `cvs`\n\nhint: Did you mean `csv`?\n")
    assert kept(tmp_path) == ["csv", "pdf"]


def test_a_plugins_skill_is_not_deleted_nor_any_other(tmp_path: Path) -> None:
    keep_two(tmp_path)
    keep_plugins_skill(tmp_path)

    ran = skillyard("delete", "csv", "acme/pdf", "--yes", cwd=tmp_path)

    assert ran == Ran(
        6,
        "",
        "error: `acme/pdf` is managed by the plugin `acme`\n"
        "\n"
        "hint: Edit the plugin's source to change it\n"
        "hint: `skillyard duplicate acme/pdf NEW-NAME` makes a skill of your own\n",
    )
    assert kept(tmp_path) == ["csv", "pdf", "pdf"]
