"""`skillyard import`, as a user runs it."""

import json
import re
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from skillyard.cli.import_view import say_scan
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.scan import ScanReport
from tests.corpus.hostile_archives import HostileArchive, list_hostile_archives
from tests.interface.cli.running import Ran, skillyard, write_skill

OTHER = "---\nname: pdf\ndescription: Sorts pages. Use when asked.\nversion: 1.1.0\n---\n\nSort.\n"
HOSTILE = list_hostile_archives()[::23]


@pytest.fixture
def offered(tmp_path: Path) -> Path:
    """Give a working directory with an empty store, and a skill that others wrote."""
    write_skill(tmp_path / "theirs" / "pdf", OTHER)
    scripts = tmp_path / "theirs" / "pdf" / "scripts"
    scripts.mkdir()
    (scripts / "sort.sh").write_text("#!/bin/sh\n")
    (scripts / "sort.sh").chmod(0o755)
    return tmp_path


@pytest.fixture
def taken(offered: Path) -> Path:
    """Give the same where the store has a skill of that name."""
    write_skill(offered / "mine" / "pdf")
    assert skillyard("add", "mine/pdf", cwd=offered).status == 0
    return offered


def list_skills(cwd: Path) -> list[tuple[str, str, str]]:
    told = json.loads(skillyard("list", "--json", cwd=cwd).out)
    return [(one["slug"], one["version"], one["source_kind"]) for one in told["skills"]]


def count_changes(cwd: Path) -> int:
    return len(json.loads(skillyard("audit", "--json", cwd=cwd).out)["entries"])


def without_hashes(text: str) -> str:
    return re.sub(r"[0-9a-f]{64}", "HASH", text)


ALARM = Diagnostic(code="X1", severity=Severity.ERROR, message="it phones home")


@pytest.mark.requirement("TRU-1")
@pytest.mark.parametrize(
    ("scan", "said"),
    [
        (ScanReport(), "Not scanned: nobody has looked for dangers in these files"),
        (ScanReport(rules="r1"), "Scanned with r1: no known pattern found"),
        (ScanReport(rules="r1", uninspected=("a",)), "Scanned with r1: 1 file could not be looked"),
        (ScanReport(rules="r1", findings=(ALARM,)), "Scanned with r1: 1 finding"),
        (ScanReport(rules="r1", findings=(ALARM,), uninspected=("a",)), ", 1 file could not be"),
        (ScanReport(findings=(ALARM,)), "Not scanned: "),
    ],
)
def test_nothing_is_called_safe(scan: ScanReport, said: str) -> None:
    assert said in say_scan(scan)


@pytest.mark.requirement("TRU-1", "PLG-5", "INT-2")
def test_a_person_sees_what_comes_in_and_is_asked(offered: Path) -> None:
    ran = skillyard("import", "theirs/pdf", cwd=offered, stdin="y\n", terminal=True)

    assert ran == snapshot(
        Ran(
            status=0,
            out="""\
pdf 1.1.0
  Sorts pages. Use when asked.
  From theirs/pdf
  Comes in as an imported skill of low confidence
  New: there is no skill of that name
  Files (2, 92 bytes)
           82  SKILL.md
           10  scripts/sort.sh  executable
  Not scanned: nobody has looked for dangers in these files

✓ pdf 1.1.0 created
1 created
""",
            err="Import 1 skill? [y/N] ",
        )
    )
    assert list_skills(offered) == [("pdf", "1.1.0", "imported")]


@pytest.mark.requirement("TRU-1", "PLG-5")
@pytest.mark.parametrize("answer", ["n\n", "\n", "what?\n"])
def test_anything_but_a_yes_is_a_no(offered: Path, answer: str) -> None:
    ran = skillyard("import", "theirs/pdf", cwd=offered, stdin=answer, terminal=True)

    assert ran.status == 1
    assert ran.err.endswith("Nothing was imported\n")
    assert list_skills(offered) == []


@pytest.mark.requirement("TRU-1", "PLG-5")
def test_without_anyone_to_ask_nothing_comes_in(offered: Path) -> None:
    ran = skillyard("import", "theirs/pdf", cwd=offered)

    assert ran.status == 6
    assert ran.err == snapshot("""\
error: importing pdf needs a confirmation

hint: Add `--yes` to give it
""")
    assert list_skills(offered) == []


@pytest.mark.requirement("PLG-5")
def test_a_script_says_yes_beforehand(offered: Path) -> None:
    ran = skillyard("import", "theirs/pdf", "--yes", "--confidence", "medium", cwd=offered)

    assert ran.status == 0
    assert "Not scanned: nobody has looked for dangers in these files" in ran.out
    assert "clean" not in ran.out
    assert "safe" not in ran.out
    shown = json.loads(skillyard("show", "pdf", "--json", cwd=offered).out)
    assert (shown["confidence"], shown["source_kind"]) == ("medium", "imported")
    assert shown["provenance"] == {"source_type": "import", "source_ref": "theirs/pdf"}


@pytest.mark.requirement("PLG-4")
def test_a_person_is_asked_what_to_do_where_a_name_is_taken(taken: Path) -> None:
    ran = skillyard("import", "theirs/pdf", cwd=taken, stdin="hm\nr\ny\n", terminal=True)

    assert ran == snapshot(
        Ran(
            status=0,
            out="""\
pdf 1.1.0
  Sorts pages. Use when asked.
  From theirs/pdf
  Comes in as an imported skill of low confidence
  There is one already: pdf 1.0.0, admin, last changed by ada
    changed  SKILL.md  +2 -1
    added    scripts/sort.sh  +1 -0
  Files (2, 92 bytes)
           82  SKILL.md
           10  scripts/sort.sh  executable
  Not scanned: nobody has looked for dangers in these files

✓ pdf-2 1.1.0 created (offered as pdf)
1 created
""",
            err="""\
There is a skill pdf already: (o)verwrite, (s)kip or (r)ename? Answer o, s or r
There is a skill pdf already: (o)verwrite, (s)kip or (r)ename? Import 1 skill? [y/N] \
""",
        )
    )
    assert list_skills(taken) == [("pdf", "1.0.0", "admin"), ("pdf-2", "1.1.0", "imported")]


@pytest.mark.requirement("PLG-4", "WIR-1")
@pytest.mark.parametrize(
    ("choice", "skills"),
    [
        ("overwrite", [("pdf", "1.1.0", "imported")]),
        ("skip", [("pdf", "1.0.0", "admin")]),
        ("rename", [("pdf", "1.0.0", "admin"), ("pdf-2", "1.1.0", "imported")]),
    ],
)
def test_a_script_says_beforehand_what_to_do(
    taken: Path, choice: str, skills: list[tuple[str, str, str]]
) -> None:
    ran = skillyard("import", "theirs/pdf", "--yes", "--on-conflict", choice, cwd=taken)

    assert ran.status == 0
    assert list_skills(taken) == skills


@pytest.mark.requirement("PLG-4")
@pytest.mark.parametrize("more", ["--yes", "--dry-run"])
def test_without_an_answer_a_taken_name_is_an_error(taken: Path, more: str) -> None:
    ran = skillyard("import", "theirs/pdf", more, cwd=taken)

    assert ran.status == 4
    assert ran.err == snapshot("""\
error: there is a skill `pdf` already

hint: Choose with `--on-conflict`: overwrite (a new version), skip, or rename
""")
    assert list_skills(taken) == [("pdf", "1.0.0", "admin")]


@pytest.mark.requirement("WIR-1")
def test_what_is_there_already_needs_no_answer(taken: Path) -> None:
    before = count_changes(taken)

    ran = skillyard("import", "mine/pdf", cwd=taken)

    assert (ran.status, ran.out.splitlines()[-2:]) == (0, ["○ pdf unchanged", "1 unchanged"])
    assert count_changes(taken) == before


@pytest.mark.requirement("TRU-1")
def test_a_broken_skill_is_named_and_the_others_come_in(offered: Path) -> None:
    write_skill(offered / "theirs" / "broken", "---\nname: broken\n---\n")

    ran = skillyard("import", "theirs", "--yes", cwd=offered)

    assert ran.status == 1
    assert "✗ theirs/broken is left out" in ran.out
    assert ran.out.endswith("✓ pdf 1.1.0 created\n1 created, 1 refused\n")
    assert ran.err == snapshot("""\
error: `theirs/broken` cannot be read as a skill package: there is no `description` (SY205)
  SY205 SKILL.md:2:1: there is no `description`

hint: Add `description:` with what the skill does and when to use it
""")
    assert list_skills(offered) == [("pdf", "1.1.0", "imported")]


@pytest.mark.requirement("INT-2")
def test_a_dry_run_shows_all_and_writes_nothing(offered: Path) -> None:
    before = count_changes(offered)

    ran = skillyard("import", "theirs/pdf", "--dry-run", cwd=offered)

    assert ran.status == 0
    assert ran.out.endswith("Would create pdf 1.1.0\nDry run: 1 created\n")
    assert (list_skills(offered), count_changes(offered)) == ([], before)


@pytest.mark.requirement("INT-2")
def test_json_tells_everything(taken: Path) -> None:
    write_skill(taken / "theirs" / "broken", "---\nname: broken\n---\n")

    ran = skillyard("import", "theirs", "--yes", "--on-conflict", "rename", "--json", cwd=taken)

    assert (ran.status, ran.err) == (1, "")
    assert json.loads(without_hashes(ran.out))["skills"] == snapshot(
        [
            {
                "path": "theirs/pdf",
                "offered_slug": "pdf",
                "stated_version": "1.1.0",
                "description": "Sorts pages. Use when asked.",
                "digest": "sha256:HASH",
                "standing": "taken",
                "known": {"slug": "pdf", "version": "1.0.0", "digest": "sha256:HASH"},
                "difference": {
                    "files": [
                        {
                            "path": "SKILL.md",
                            "change": "changed",
                            "before": {"size": 68, "sha256": "HASH", "executable": False},
                            "after": {"size": 82, "sha256": "HASH", "executable": False},
                            "content": "text",
                            "lines": [
                                "@@ -1,6 +1,7 @@",
                                " ---",
                                " name: pdf",
                                "-description: Sorts things. Use when asked.",
                                "+description: Sorts pages. Use when asked.",
                                "+version: 1.1.0",
                                " ---",
                                " ",
                                " Sort.",
                            ],
                        },
                        {
                            "path": "scripts/sort.sh",
                            "change": "added",
                            "before": None,
                            "after": {"size": 10, "sha256": "HASH", "executable": True},
                            "content": "text",
                            "lines": ["@@ -0,0 +1 @@", "+#!/bin/sh"],
                        },
                    ]
                },
                "files": [
                    {"path": "SKILL.md", "size": 82, "executable": False},
                    {"path": "scripts/sort.sh", "size": 10, "executable": True},
                ],
                "warnings": [],
                "scan": {
                    "rules": None,
                    "complete": False,
                    "uninspected": ["SKILL.md", "scripts/sort.sh"],
                    "findings": [],
                },
                "slug": "pdf-2",
                "outcome": "created",
                "saved": {
                    "slug": "pdf-2",
                    "owner": "people",
                    "outcome": "created",
                    "version": "1.1.0",
                    "digest": "sha256:HASH",
                    "base": None,
                    "notes": [],
                    "warnings": [],
                },
            }
        ]
    )
    assert [one["path"] for one in json.loads(ran.out)["left_out"]] == ["theirs/broken"]


@pytest.mark.requirement("INT-2")
def test_with_json_the_look_at_it_goes_to_the_person(offered: Path) -> None:
    ran = skillyard("import", "theirs/pdf", "--json", cwd=offered, stdin="y\n", terminal=True)

    assert json.loads(ran.out)["created"] == 1
    assert ran.err.startswith("pdf 1.1.0\n  Sorts pages.")


@pytest.mark.requirement("PLG-4")
def test_a_skill_can_be_given_another_name(offered: Path) -> None:
    ran = skillyard("import", "theirs/pdf", "--name", "pages", "--yes", cwd=offered)

    assert ran.status == 0
    assert list_skills(offered) == [("pages", "1.1.0", "imported")]


@pytest.mark.requirement("PKG-5")
def test_larger_skills_need_wider_limits(offered: Path) -> None:
    (offered / "theirs" / "pdf" / "references").mkdir()
    (offered / "theirs" / "pdf" / "references" / "long.md").write_text("x" * 300_000)

    refused = skillyard("import", "theirs/pdf", "--yes", cwd=offered)
    wide = skillyard("import", "theirs/pdf", "--yes", "--limits", "wide", cwd=offered)

    assert (refused.status, wide.status) == (1, 0)


@pytest.mark.requirement("WIR-1")
@pytest.mark.parametrize("name", ["pdf.json", "pdf.zip", "pdf.tar.gz", "out/pdf/"])
def test_an_export_of_one_home_is_imported_in_another(taken: Path, name: str) -> None:
    elsewhere = taken / "elsewhere"
    elsewhere.mkdir()
    edit = ("--category", "ops", "--tag", "pages", "--display-name", "Seiten sortieren")
    skillyard("edit", "pdf", *edit, cwd=taken)
    skillyard("export", "pdf", "-o", f"{elsewhere}/{name}", cwd=taken)

    imported = skillyard("import", name, "--yes", cwd=elsewhere)
    again = skillyard("export", "pdf", "-o", f"again/{name}", cwd=elsewhere)

    assert (imported.status, again.status) == (0, 0)
    if not name.endswith("/"):
        assert (elsewhere / "again" / name).read_bytes() == (elsewhere / name).read_bytes()


@pytest.mark.requirement("TRU-2")
@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: ascii(case.name))
def test_a_hostile_bundle_gets_one_clear_error(tmp_path: Path, case: HostileArchive) -> None:
    (tmp_path / f"bundle.{case.form}").write_bytes(case.build())

    ran = skillyard("import", f"bundle.{case.form}", "--yes", cwd=tmp_path)

    assert ran.status == 1
    assert [line.split()[0] for line in ran.err.splitlines() if line.startswith("  ")] == [
        case.code
    ]
    assert list_skills(tmp_path) == []
    assert [one.name for one in tmp_path.iterdir()] == [f"bundle.{case.form}"]


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("missing",), 2),
        (("theirs/pdf", "missing", "--yes"), 2),
        (("theirs/pdf", "--name", "Not One", "--yes"), 2),
        (("theirs/pdf", "--confidence", "high", "--yes"), 2),
    ],
)
def test_a_wrong_wish_is_explained(offered: Path, arguments: tuple[str, ...], status: int) -> None:
    ran: Ran = skillyard("import", *arguments, cwd=offered)

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith("error: ")
    assert list_skills(offered) == []


@pytest.mark.requirement("WIR-1", "INT-2")
@pytest.mark.parametrize("form", ["json", "zip", "tar.gz"])
def test_a_bundle_comes_in_through_standard_input(form: str, offered: Path) -> None:
    skillyard("pack", "theirs/pdf", "-o", f"pdf.{form}", cwd=offered)
    bundle = (offered / f"pdf.{form}").read_bytes()

    asked = skillyard("import", "-", cwd=offered, stdin=bundle)
    agreed = skillyard("import", "-", "--yes", cwd=offered, stdin=bundle)

    assert (asked.status, agreed.status) == (6, 0)
    assert agreed.out.endswith("✓ pdf 1.1.0 created\n1 created\n")
    assert list_skills(offered) == [("pdf", "1.1.0", "imported")]


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [
        (b"{" + b" " * 8 * 2**20, 1, "the archive is larger than 8,388,608 bytes"),
        (b"no bundle", 2, "`-` is in no form that Skillyard knows"),
        (b"", 2, "`-` is in no form that Skillyard knows"),
    ],
)
def test_what_is_no_bundle_does_not_come_in(
    sent: bytes, status: int, said: str, offered: Path
) -> None:
    ran = skillyard("import", "-", "--yes", cwd=offered, stdin=sent)

    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err


@pytest.mark.requirement("INT-2")
def test_what_is_elsewhere_is_not_fetched(offered: Path) -> None:
    ran = skillyard("import", "https://example.org/pdf.zip", "--yes", cwd=offered)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("error: `https://example.org/pdf.zip` is not fetched\n")
