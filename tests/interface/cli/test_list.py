"""`skillyard list` as a user meets it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, home_of, skillyard, steady, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-2")

TABLE = """\
   Skill       Version  Confidence  Category  Source  Files  Assigned  Description
✓  active      1.0.0    medium      coding    admin       1         0  Sorts things. Use when asked.
✗  deprecated  1.0.0    medium      coding    admin       1         0  [deprecated] Sorts things. U…
○  disabled    1.0.0    medium      coding    admin       1         0  [disabled] Sorts things. Use…
○  draft       1.0.0    medium      coding    admin       1         0  [draft] Sorts things. Use wh…
✓  long        1.0.0    high        general   admin       1         0  Sorts. Sorts. Sorts. Sorts.…
"""


def fill(cwd: Path) -> None:
    """Keep six skills, one for each thing that a list can show."""
    for name in ("active", "archived", "deprecated", "disabled", "draft"):
        write_skill(cwd / name)
        skillyard("add", name, "--category", "coding", "--tag", name, cwd=cwd)
    write_skill(cwd / "long", "---\nname: long\ndescription: " + "Sorts. " * 20 + "\n---\nSort.\n")
    skillyard("add", "long", "--confidence", "high", cwd=cwd)
    skillyard("archive", "archived", cwd=cwd)
    skillyard("edit", "deprecated", "--deprecate", "Use `active`.", cwd=cwd)
    skillyard("disable", "disabled", cwd=cwd)
    skillyard("edit", "draft", "--status", "draft", cwd=cwd)


def slugs(ran: Ran) -> list[str]:
    return [one["slug"] for one in json.loads(ran.out)["skills"]]


def test_the_table_fits_the_terminal_and_marks_what_is_used(tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("list", cwd=tmp_path)

    assert ran == Ran(0, TABLE, "")


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (
            "90",
            "✓  active      1.0.0    medium      coding           0  Sorts things. Use when asked.",
        ),
        ("72", "✓  active      1.0.0    medium      coding           0  Sorts things. U…"),
        ("40", "✓  active      1.0.0    Sorts things. U…"),
    ],
)
def test_a_narrow_terminal_does_without_some_columns(width: str, line: str, tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("list", cwd=tmp_path, env={"COLUMNS": width})

    assert ran.out.splitlines()[1] == line
    assert max(map(len, ran.out.splitlines())) <= int(width)


def test_filters_narrow_the_list(tmp_path: Path) -> None:
    fill(tmp_path)
    found = {
        "": "active deprecated disabled draft long",
        "--archived": "active archived deprecated disabled draft long",
        "--status archived": "archived",
        "--status draft": "draft",
        "--disabled": "disabled",
        "--enabled --category coding": "active deprecated draft",
        "--confidence high": "long",
        "--tag draft": "draft",
        "--tag draft --tag active": "",
        "-q SORTS.": "long",
        "--text isabl": "disabled",
        "--source imported": "",
        "--owner people -q long": "long",
        "--owner acme": "",
        "-q \udcff": "",
        "--tag \0": "",
    }

    ran = {one: skillyard("list", *one.split(), "--json", cwd=tmp_path) for one in found}

    assert {one: " ".join(slugs(told)) for one, told in ran.items()} == found


def test_json_gives_every_field(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", "--tag", "a", cwd=tmp_path)
    digest = skillyard("digest", "pdf", cwd=tmp_path).out.split()[0]

    ran = skillyard("list", "--json", cwd=tmp_path)

    assert json.loads(steady(ran.out)) == {
        "skills": [
            {
                "id": "ID",
                "slug": "pdf",
                "owner": "people",
                "display_name": "pdf",
                "description": "Sorts things. Use when asked.",
                "version": "1.0.0",
                "digest": digest,
                "status": "active",
                "enabled": True,
                "deprecated": False,
                "confidence": "medium",
                "category": "general",
                "tags": ["a"],
                "source_kind": "admin",
                "files": 1,
                "size": 68,
                "assignments": 0,
                "updated_at": "TIME",
            }
        ],
        "count": 1,
    }


def test_an_empty_store_says_what_to_do(tmp_path: Path) -> None:
    assert skillyard("list", cwd=tmp_path) == Ran(
        0, "", "The store is empty\n\nhint: `skillyard add DIR` saves the skills in a directory\n"
    )


def test_a_filter_that_finds_nothing_says_so(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)
    skillyard("archive", "pdf", cwd=tmp_path)

    assert skillyard("list", cwd=tmp_path) == Ran(
        0, "", "No skill matches\n\nhint: `skillyard list --archived` shows every skill\n"
    )


def test_a_pipe_gets_whole_descriptions(tmp_path: Path) -> None:
    fill(tmp_path)
    environment = {name: one for name, one in os.environ.items() if name != "COLUMNS"}

    done = subprocess.run(
        [sys.executable, "-m", "skillyard", "list", "-q", "long"],
        cwd=tmp_path,
        env=environment | {"SKILLYARD_HOME": str(home_of(tmp_path))},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[1].endswith("  " + ("Sorts. " * 20).strip())


def test_listing_loads_nothing_that_only_saving_needs(tmp_path: Path) -> None:
    look = (
        "import sys; from skillyard.cli.commands import list;"
        " print([one for one in ('yaml', 'skillyard.yard', 'sqlalchemy') if one in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", look], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert done.stdout == "[]\n"


def test_a_shell_completes_slugs(tmp_path: Path) -> None:
    fill(tmp_path)
    home = str(home_of(tmp_path))
    environment = os.environ | {"_SKILLYARD_COMPLETE": "bash_complete", "COMP_CWORD": "4"}

    def complete(words: str) -> str:
        done = subprocess.run(
            [Path(sys.executable).with_name("skillyard")],
            cwd=tmp_path,
            env=environment | {"COMP_WORDS": words},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    assert complete(f"skillyard --home {home} show d") == (
        "plain,deprecated\nplain,disabled\nplain,draft\n"
    )
    assert complete("skillyard --database-url odd://x show d") == "\n"
