"""`skillyard search` and `skillyard match` as a user meets them."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, home_of, skillyard, steady, write_skill

pytestmark = pytest.mark.requirement("INT-2", "DIS-7")

PDF = """\
---
name: pdf
description: Fills in forms. Use when asked about PDF files.
triggers:
  keywords: [fillable form]
  patterns: ["\\\\bacro ?form"]
---
# Steps

Open it with a xylophone.
"""
DEPLOY = """\
---
name: deploy
description: Ships a service to production. Use when asked to release.
---
# Steps

Do it.
"""


def fill(cwd: Path) -> None:
    write_skill(cwd / "pdf", PDF)
    write_skill(cwd / "deploy", DEPLOY)
    skillyard("add", "pdf", "deploy", cwd=cwd)


def slugs(ran: Ran) -> list[str]:
    return [one["slug"] for one in json.loads(ran.out)["skills"]]


def test_the_best_come_first_with_the_words_that_they_answer(tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("search", "release", "forms", cwd=tmp_path)

    assert ran == Ran(
        0,
        "Skill   Version  Fits     Description\n"
        "pdf     1.0.0    forms    Fills in forms. Use when asked about PDF files.\n"
        "deploy  1.0.0    release  Ships a service to production. Use when asked to release.\n",
        "",
    )


def test_a_narrow_terminal_does_without_the_reasons(tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("search", "forms", cwd=tmp_path, env={"COLUMNS": "40"})

    assert ran.out == "Skill  Description\npdf    Fills in forms. Use when asked a…\n"


def test_a_task_is_matched_by_triggers_too(tmp_path: Path) -> None:
    fill(tmp_path)
    task = "Make me an AcroForm"

    assert "pdf" in skillyard("match", task, cwd=tmp_path).out
    assert slugs(skillyard("match", "--json", "-", cwd=tmp_path, stdin=task)) == ["pdf"]
    assert slugs(skillyard("search", "--json", "acro form", cwd=tmp_path)) == ["pdf"]


def test_json_has_everything(tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("match", "a fillable form", "--most", "1", "--json", cwd=tmp_path)

    answer = json.loads(steady(ran.out))
    [skill] = answer["skills"]
    assert skill.pop("digest").startswith("sha256:")
    assert skill.pop("score") > 0
    assert answer == {
        "skills": [
            {
                "id": "ID",
                "slug": "pdf",
                "owner": "people",
                "display_name": "pdf",
                "description": "Fills in forms. Use when asked about PDF files.",
                "version": "1.0.0",
                "status": "active",
                "enabled": True,
                "words": ["fillable", "form"],
                "triggers": ["fillable form"],
            }
        ],
        "count": 1,
        "untried_patterns": 0,
    }


def test_nothing_that_fits_is_no_failure(tmp_path: Path) -> None:
    fill(tmp_path)

    ran = skillyard("search", "kangaroo", cwd=tmp_path)

    assert ran == Ran(
        0, "", "No skill fits\n\nhint: `skillyard list -q TEXT` looks for a part of a word\n"
    )
    assert json.loads(skillyard("search", "kangaroo", "--json", cwd=tmp_path).out) == {
        "skills": [],
        "count": 0,
        "untried_patterns": 0,
    }


def test_disabled_skills_are_searched_but_match_no_task(tmp_path: Path) -> None:
    fill(tmp_path)
    skillyard("disable", "pdf", cwd=tmp_path)

    assert slugs(skillyard("search", "xylophone", "--json", cwd=tmp_path)) == ["pdf"]
    assert slugs(skillyard("match", "xylophone", "--json", cwd=tmp_path)) == []


def test_a_change_is_found_at_once(tmp_path: Path) -> None:
    fill(tmp_path)
    assert slugs(skillyard("search", "kangaroo", "--json", cwd=tmp_path)) == []

    write_skill(tmp_path / "pdf", PDF.replace("xylophone", "kangaroo"))
    skillyard("add", "pdf", cwd=tmp_path)

    assert slugs(skillyard("search", "kangaroo", "--json", cwd=tmp_path)) == ["pdf"]
    assert slugs(skillyard("search", "xylophone", "--json", cwd=tmp_path)) == []


def test_the_index_is_private_and_may_be_deleted(tmp_path: Path) -> None:
    fill(tmp_path)
    skillyard("search", "forms", cwd=tmp_path)
    directory = home_of(tmp_path) / "search"

    assert directory.stat().st_mode & 0o077 == 0
    [index] = directory.glob("*.db")
    assert index.stat().st_mode & 0o077 == 0
    index.unlink()
    assert slugs(skillyard("search", "forms", "--json", cwd=tmp_path)) == ["pdf"]


@pytest.mark.parametrize("most", ["0", "1001", "x"])
def test_a_number_that_makes_no_sense_is_refused(most: str, tmp_path: Path) -> None:
    assert skillyard("search", "pdf", "--most", most, cwd=tmp_path).status == 2


@pytest.mark.parametrize("command", ["search", "match"])
def test_words_are_required(command: str, tmp_path: Path) -> None:
    assert skillyard(command, cwd=tmp_path).status == 2


def test_an_agent_is_shown_only_what_it_may_use(tmp_path: Path) -> None:
    fill(tmp_path)
    write_skill(tmp_path / "skills" / "kite", PDF.replace("name: pdf", "name: kite"))
    skillyard("agents", "add", "reviewer", cwd=tmp_path)
    skillyard("assign", "pdf", "--agent", "reviewer", cwd=tmp_path)
    task = "fill in the forms and release them"

    everything = skillyard("match", task, "--json", cwd=tmp_path)
    of_agent = skillyard("match", task, "--agent", "reviewer", "--json", cwd=tmp_path)
    without_project = skillyard(
        "match", task, "--agent", "reviewer", "--no-project", "--json", cwd=tmp_path
    )

    assert sorted(slugs(everything)) == ["deploy", "pdf"]
    assert sorted(slugs(of_agent)[:2]) == ["kite", "pdf"]
    assert slugs(without_project)[0] == "pdf"
    assert {"deploy", "kite"}.isdisjoint(slugs(without_project))


def test_the_skills_of_a_project_are_found_where_it_is_asked_for(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "kite", PDF.replace("name: pdf", "name: kite"))

    ran = skillyard("search", "forms", "--project", ".", "--most", "1", cwd=tmp_path)

    assert ran == Ran(
        0,
        "Skill  Version  Source   Fits   Description\n"
        "kite   1.0.0    project  forms  Fills in forms. Use when asked about PDF files.\n",
        "",
    )
    assert skillyard("search", "forms", cwd=tmp_path).out == ""


def test_json_of_what_an_agent_has_says_where_it_comes_from(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "kite", PDF.replace("name: pdf", "name: kite"))

    ran = skillyard("match", "a fillable form", "--project", ".", "--json", cwd=tmp_path)

    found, *_ = json.loads(ran.out)["skills"]
    assert (found["slug"], found["source"], found["disposition"]) == ("kite", "project", "loaded")
    assert found["absolutePath"] == str(tmp_path / "skills" / "kite")
    assert (found["words"], found["triggers"]) == (["fillable", "form"], ["fillable form"])
    assert found["score"] > 0


def test_an_agent_that_nobody_knows_has_no_skills_to_match(tmp_path: Path) -> None:
    ran = skillyard("match", "task", "--agent", "nobody", cwd=tmp_path)

    assert (ran.status, ran.out) == (3, "")
