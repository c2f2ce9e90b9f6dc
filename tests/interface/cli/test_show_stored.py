"""`skillyard show` of a skill in the store."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.databases import spoil_content
from tests.interface.cli.running import (
    Ran,
    home_of,
    keep_plugins_skill,
    skillyard,
    steady,
    write_skill,
)

pytestmark = pytest.mark.requirement("INT-2", "STO-2")

SHOWN = """\
pdf
  Sorts things. Use when asked.

  Version      1.0.1 (2 versions)
  Digest       {digest}
  Saved        TIME by ada
  Message      More
  Title        PDF tools
  Status       disabled
  Deprecated   Use `csv`.
  Confidence   high
  Category     coding
  Tags         a b
  Tools        Bash
  Invocation   user-only
  Source       admin, by cli from skills/pdf
  Created      TIME by ada
  Changed      TIME by grace

Files (2, 78 bytes)
         68  SKILL.md
         10  scripts/run.sh *

Clients
  ✓ Claude Code     as pdf
  ✓ Codex           as pdf
  ✓ Gemini CLI      as pdf
  ✓ OpenCode        as pdf
  ✓ GitHub Copilot  as pdf

Assigned to nobody
"""


def keep_pdf(cwd: Path) -> None:
    write_skill(cwd / "skills" / "pdf")
    skillyard("add", "skills/pdf", "--category", "coding", "--tag", "a", "--tag", "b", cwd=cwd)
    put = ("files", "put", "pdf", "scripts/run.sh", "--executable", "-m", "More")
    skillyard(*put, stdin="#!/bin/sh\n", cwd=cwd)
    facts = ("--confidence", "high", "--display-name", "PDF tools", "--deprecate", "Use `csv`.")
    more = ("--requires-tool", "Bash", "--invocation", "user-only")
    skillyard("edit", "pdf", *facts, *more, cwd=cwd)
    skillyard("--actor", "grace", "disable", "pdf", cwd=cwd)


def test_a_skill_of_the_store_is_shown_with_everything_about_it(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    versions = json.loads(skillyard("history", "pdf", "--json", cwd=tmp_path).out)["versions"]

    ran = skillyard("show", "pdf", cwd=tmp_path)

    assert ran.steady == Ran(0, SHOWN.format(digest=versions[0]["digest"]), "")


def test_an_older_version_is_shown_as_such(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    ran = skillyard("show", "pdf", "--version", "1", cwd=tmp_path)

    assert ran.status == 0
    assert "  Version      1.0.0 (current: 1.0.1; 2 versions)\n" in ran.out
    assert "\nFiles (1, 68 bytes)\n         68  SKILL.md\n\nClients\n" in ran.out
    assert ran.out.endswith("\nAssigned to nobody\n")


def test_json_holds_facts_files_and_assignments(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "pdf")
    skillyard("add", "skills/pdf", cwd=tmp_path)
    skillyard("assign", "pdf", "--global", "--priority", "3", cwd=tmp_path)
    digest = skillyard("digest", "skills/pdf", cwd=tmp_path).out.split()[0]

    told = json.loads(steady(skillyard("show", "pdf", "--json", cwd=tmp_path).out))

    assert told.pop("assignments") == [
        {
            "subject": {"kind": "global", "name": ""},
            "priority": 3,
            "position": 0,
            "auto_inject": False,
            "enabled": True,
            "required": False,
            "opt_in": False,
            "constraint": None,
        }
    ]
    [file] = told.pop("files")
    assert (file["path"], file["size"], file["content_type"]) == ("SKILL.md", 68, "text/markdown")
    clients = told.pop("clients")
    assert {name: (one["loads"], one["name"]) for name, one in clients.items()} == dict.fromkeys(
        ("claude-code", "codex", "gemini-cli", "opencode", "copilot"), (True, "pdf")
    )
    assert told.pop("shown") == {
        "version": "1.0.0",
        "digest": digest,
        "created_at": "TIME",
        "created_by": "ada",
        "message": "",
        "base": None,
    }
    assert told == {
        "id": "ID",
        "slug": "pdf",
        "owner": "people",
        "display_name": "pdf",
        "description": "Sorts things. Use when asked.",
        "version": "1.0.0",
        "digest": digest,
        "status": "active",
        "enabled": True,
        "deprecated": None,
        "confidence": "medium",
        "category": "general",
        "tags": [],
        "requires_tools": [],
        "requires": [],
        "agents": None,
        "invocation": "auto",
        "install_strategy": None,
        "provider_hints": {},
        "metadata": {},
        "author": {"type": "system", "agent": None, "source": None},
        "source_kind": "admin",
        "plugin_id": None,
        "provenance": {"source_type": "cli", "source_ref": "skills/pdf"},
        "revision": 1,
        "created_at": "TIME",
        "created_by": "ada",
        "updated_at": "TIME",
        "updated_by": "ada",
        "versions": 1,
    }


def test_a_bare_name_is_the_stores_before_the_paths_and_says_so(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    before = skillyard("show", "pdf", cwd=tmp_path)
    skillyard("add", "pdf", cwd=tmp_path)

    stored = skillyard("show", "pdf", cwd=tmp_path)
    path = skillyard("show", "./pdf", cwd=tmp_path)

    assert "Clients\n" in before.out
    assert "Assigned to nobody\n" in stored.out
    assert stored.err == "note: this is the skill of the store; `./pdf` names the path\n\n"
    assert ("Clients\n" in path.out, path.err) == (True, "")


def test_looking_at_a_path_makes_no_store(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    home = tmp_path / "home"

    ran = skillyard("show", "pdf", cwd=tmp_path, home=home)

    assert (ran.status, ran.err, home.exists()) == (0, "", False)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["pfd"], 3, "error: there is no skill `pfd`\n\nhint: Did you mean `pdf`?\n"),
        (["other"], 3, "error: there is no skill `other`\n\nhint: `skillyard list` shows every"),
        (["pdf", "--version", "9"], 3, "error: `pdf` has no version 9.0.0\n\nhint: `skillyard his"),
        (["pdf", "--version", "x"], 2, "error: `x` is not a version\n"),
        (
            ["acme/pdf"],
            3,
            "error: there is no skill `acme/pdf`\n\nhint: Did you mean `pdf`?\nhint: There is no p",
        ),
        (
            ["acme/other"],
            3,
            "error: there is no skill `acme/other`\n\nhint: `skillyard list` shows every skill\n",
        ),
        (["PDF"], 3, "error: there is no skill `PDF`\n\nhint: Did you mean `pdf`?\n"),
        (["pdf.zip"], 2, "error: `pdf.zip` does not exist\n"),
        (["people/pdf"], 0, ""),
        (["./other"], 2, "error: `./other` does not exist\n"),
    ],
)
def test_what_is_not_there_is_told_with_a_hint(
    arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    write_skill(tmp_path / "skills" / "pdf")
    skillyard("add", "skills", cwd=tmp_path)

    ran = skillyard("show", *arguments, cwd=tmp_path)

    assert ran.status == status
    assert ran.err.startswith(said)


def test_a_name_is_not_looked_for_in_a_store_that_is_not_there(tmp_path: Path) -> None:
    home = tmp_path / "home"

    ran = skillyard("show", "PDF", cwd=tmp_path, home=home)

    assert (ran.status, home.exists()) == (3, False)


def test_a_skill_whose_content_is_damaged_is_shown_all_the_same(tmp_path: Path) -> None:
    content = (write_skill(tmp_path / "pdf") / "SKILL.md").read_bytes()
    skillyard("add", "pdf", cwd=tmp_path)
    url = f"sqlite:///{home_of(tmp_path)}/skillyard.db"
    spoil_content(url, sha256(content).hexdigest(), b"gone")

    ran = skillyard("show", "people/pdf", cwd=tmp_path)

    assert ran.status == 0
    assert "Clients\n  SKILL.md could not be read, so nobody can tell\n" in ran.out


@pytest.mark.parametrize("reference", ["pdf", "./pdf"])
def test_everything_fits_the_terminal(reference: str, tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)
    words = " ".join(["word"] * 30)
    skillyard("edit", "pdf", "--deprecate", words, cwd=tmp_path)

    ran = skillyard("show", reference, cwd=tmp_path, env={"COLUMNS": "80"})

    lines = ran.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[lines.index("  Digest") + 1].startswith("    sha256:")


def test_a_plugins_skill_is_named_by_its_owner(tmp_path: Path) -> None:
    keep_plugins_skill(tmp_path)

    ran = skillyard("show", "acme/pdf", cwd=tmp_path)

    assert ran.status == 0
    assert ran.out.startswith("acme/pdf\n  Fills in forms. Use when asked.\n")
    assert "  Source       plugin acme, by plugin\n" in ran.out


def test_a_path_is_shown_also_where_the_store_cannot_be_used(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    home = tmp_path / "home"
    home.mkdir()
    (home / "skillyard.db").write_bytes(b"no database " * 100)

    path = skillyard("show", "pdf", cwd=tmp_path, home=home)
    stored = skillyard("show", "csv", cwd=tmp_path, home=home)

    assert (path.status, path.out[:4], path.err) == (0, "pdf\n", "")
    assert (stored.status, stored.out) == (8, "")
