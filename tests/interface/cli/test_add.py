"""`skillyard add` as a user meets it."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from skillyard.application.save import SavedSkill, SaveSkill
from skillyard.yard import Skillyard
from tests.interface.cli.running import Ran, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-3")

BAD = "no front matter\n"
BAD_SAID = (
    "error: `skills/bad` cannot be read as a skill package: the file does not start with front"
    " matter (SY107)\n"
    "  SY107 SKILL.md:1:1: the file does not start with front matter\n"
    "\n"
    "hint: Start with `---`, `name: …`, `description: …` and `---`, each on its own line\n"
)


def skill_text(name: str, *, more: str = "", body: str = "Sort.") -> str:
    front = f"name: {name}\ndescription: Sorts things. Use when asked.\n{more}"
    return f"---\n{front}---\n\n{body}\n"


def versions(name: str, cwd: Path) -> list[str]:
    told = json.loads(skillyard("history", name, "--json", cwd=cwd).out)
    return [one["version"] for one in told["versions"]]


def test_skills_are_created_then_unchanged_then_saved_again(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "pdf")
    write_skill(tmp_path / "skills" / "csv")

    first = skillyard("add", "skills", cwd=tmp_path)
    again = skillyard("add", "skills", cwd=tmp_path)
    write_skill(tmp_path / "skills" / "pdf", skill_text("pdf", body="Sort more."))
    changed = skillyard("add", "skills/csv", "skills/pdf", "-m", "Sort more", cwd=tmp_path)

    assert first == Ran(0, "✓ csv 1.0.0 created\n✓ pdf 1.0.0 created\n2 created\n", "")
    assert again == Ran(0, "○ csv 1.0.0 unchanged\n○ pdf 1.0.0 unchanged\n2 unchanged\n", "")
    assert changed == Ran(0, "○ csv 1.0.0 unchanged\n✓ pdf 1.0.1 saved\n1 saved, 1 unchanged\n", "")
    assert versions("pdf", tmp_path) == ["1.0.1", "1.0.0"]


def test_a_refused_skill_is_told_with_its_findings_and_the_others_are_saved(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "bad", BAD)
    write_skill(tmp_path / "skills" / "pdf")

    ran = skillyard("add", "skills", cwd=tmp_path)

    assert ran == Ran(
        1, "✗ skills/bad refused\n✓ pdf 1.0.0 created\n1 created, 1 refused\n", BAD_SAID
    )
    assert versions("pdf", tmp_path) == ["1.0.0"]


def test_json_tells_everything_once(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "bad", BAD)
    write_skill(tmp_path / "skills" / "pdf", skill_text("pdf", more="version: '2'\ntags: [A b]\n"))

    ran = skillyard("add", "skills", "--json", cwd=tmp_path)
    told = json.loads(ran.out)

    bad, pdf = told.pop("skills")
    assert told == {"created": 1, "saved": 0, "unchanged": 0, "refused": 1, "dry_run": False}
    assert (ran.status, ran.err) == (1, "")
    assert (bad["path"], bad["outcome"], bad["error"]["code"]) == (
        "skills/bad",
        "refused",
        "invalid-package",
    )
    assert [one["code"] for one in bad["error"]["diagnostics"]] == ["SY107"]
    assert pdf.pop("digest").startswith("sha256:")
    assert [one["code"] for one in pdf.pop("warnings")] == ["SY219"]
    assert pdf == {
        "path": "skills/pdf",
        "slug": "pdf",
        "owner": "people",
        "outcome": "created",
        "version": "2.0.0",
        "base": None,
        "notes": ["the tags are kept as `a-b`"],
    }


def test_a_dry_run_says_the_same_and_saves_nothing(tmp_path: Path) -> None:
    write_skill(tmp_path / "csv")
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)
    write_skill(tmp_path / "pdf", skill_text("pdf", body="Sort more."))

    ran = skillyard("add", "csv", "pdf", "--dry-run", cwd=tmp_path)

    assert ran == Ran(
        0, "Would create csv 1.0.0\nWould save pdf 1.0.1\nDry run: 1 created, 1 saved\n", ""
    )
    assert versions("pdf", tmp_path) == ["1.0.0"]
    assert skillyard("show", "csv", "--version", "1", cwd=tmp_path).status == 3


def test_notes_and_a_count_of_warnings_go_to_stderr(tmp_path: Path) -> None:
    write_skill(tmp_path / "my skills" / "pdf", skill_text("pdf", more="tags: [A b]\n"))

    ran = skillyard("add", "my skills", cwd=tmp_path)

    assert ran == Ran(
        0,
        "✓ pdf 1.0.0 created\n1 created\n",
        "note: pdf: the tags are kept as `a-b`\n"
        "warning: 1 warning\n"
        "hint: Run `skillyard check 'my skills'` to see them\n",
    )


def test_two_skills_of_one_name_are_told(tmp_path: Path) -> None:
    write_skill(tmp_path / "a" / "pdf")
    write_skill(tmp_path / "b" / "pdf", skill_text("pdf", body="Other."))

    ran = skillyard("add", ".", cwd=tmp_path)

    assert ran == Ran(
        2,
        "✓ pdf 1.0.0 created\n✗ b/pdf refused\n1 created, 1 refused\n",
        "error: there are two different skills called `pdf`: a/pdf and b/pdf\n"
        "\n"
        "hint: Give one of them another name, or save only one of them\n",
    )


def test_a_bad_name_is_shown_with_its_place_and_how_it_is_repaired(tmp_path: Path) -> None:
    write_skill(tmp_path / "my skills" / "pdf-tools", skill_text("PDF Tools"))

    ran = skillyard("add", "my skills", "--limits", "wide", cwd=tmp_path)
    fix = "skillyard check --fix 'my skills/pdf-tools' --limits wide"
    fixed = skillyard(*shlex.split(fix)[1:], cwd=tmp_path)

    assert (ran.status, ran.out) == (1, "✗ my skills/pdf-tools refused\n1 refused\n")
    assert "\n  SY202 SKILL.md:2:7: `PDF Tools` is not a skill name: " in ran.err
    assert f"hint: `{fix}` repairs what can be repaired\n" in ran.err
    assert fixed.status == 0


def test_many_refused_skills_are_cut_short(tmp_path: Path) -> None:
    for number in range(23):
        write_skill(tmp_path / "skills" / f"bad-{number:02}", BAD)

    ran = skillyard("add", "skills", cwd=tmp_path)
    told = json.loads(skillyard("add", "skills", "--json", cwd=tmp_path).out)

    assert ran.out.count("✗ ") == ran.err.count("error: ") == 20
    assert ran.out.endswith("\n23 refused\n")
    assert ran.err.endswith("note: and 3 more refused; --json has all\n")
    assert (len(told["skills"]), told["refused"]) == (23, 23)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_whoever_stops_it_is_told_what_is_known_to_be_saved(
    form: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save_one_and_stop(
        yard: Skillyard, wishes: Iterator[SaveSkill], *, dry_run: bool
    ) -> Iterator[SavedSkill]:
        yield yard.save(next(wishes), dry_run=dry_run)
        raise KeyboardInterrupt

    monkeypatch.setattr(Skillyard, "save_all", save_one_and_stop)
    write_skill(tmp_path / "skills" / "csv")
    write_skill(tmp_path / "skills" / "pdf")

    ran = skillyard("add", "skills", *form, cwd=tmp_path)

    assert (ran.status, ran.err) == (130, "\ninterrupted\n")
    if form:
        told = json.loads(ran.out)
        assert (told["created"], told["interrupted"]) == (1, True)
    else:
        assert ran.out == "✓ csv 1.0.0 created\nNot finished: at least 1 created\n"


def test_what_is_elsewhere_is_not_fetched(tmp_path: Path) -> None:
    ran = skillyard("add", "https://example.org/pdf.zip", cwd=tmp_path)

    assert ran == Ran(
        2,
        "",
        "error: `https://example.org/pdf.zip` is not fetched\n"
        "\n"
        "hint: Download or clone it, look at it, and name the file or directory\n",
    )


def test_many_notes_are_cut_short(tmp_path: Path) -> None:
    for number in range(12):
        name = f"pdf-{number}"
        write_skill(tmp_path / "skills" / name, skill_text(name, more="category: odd\n"))

    ran = skillyard("add", "skills", cwd=tmp_path)

    notes = [line for line in ran.err.splitlines() if line.startswith("note: ")]
    assert len(notes) == 11
    assert notes[-1] == "note: and 2 more notes: see --json"


@pytest.mark.requirement("STO-2")
def test_options_state_facts_that_the_package_does_not(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    facts = ["--category", "coding", "--tag", "b", "--tag", "a", "--display-name", "PDF tools"]

    skillyard("add", "pdf", *facts, "--confidence", "high", "--version", "v2", cwd=tmp_path)
    told = json.loads(skillyard("show", "pdf", "--version", "2", "--json", cwd=tmp_path).out)

    kept = ("category", "tags", "display_name", "confidence", "version", "updated_by")
    assert {name: told[name] for name in kept} == {
        "category": "coding",
        "tags": ["b", "a"],
        "display_name": "PDF tools",
        "confidence": "high",
        "version": "2.0.0",
        "updated_by": "ada",
    }


@pytest.mark.requirement("STO-8")
def test_a_base_that_is_no_longer_current_is_a_conflict_that_names_the_winner(
    tmp_path: Path,
) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)
    write_skill(tmp_path / "pdf", skill_text("pdf", body="Mine."))
    skillyard("--actor", "grace", "add", "pdf", "--base", "1.0.0", cwd=tmp_path)
    write_skill(tmp_path / "pdf", skill_text("pdf", body="Yours."))

    ran = skillyard("add", "pdf", "--base", "1.0.0", cwd=tmp_path)

    assert ran.steady == Ran(
        4,
        "✗ pdf refused\n1 refused\n",
        "error: `pdf` was changed since 1.0.0: grace made it 1.0.1 at TIME\n"
        "\n"
        "hint: Nothing was saved\n"
        "hint: `skillyard diff pdf 1.0.0 1.0.1` shows the change; start from it\n",
    )
    assert versions("pdf", tmp_path) == ["1.0.1", "1.0.0"]


def test_a_taken_number_is_a_conflict_that_names_a_free_one(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)
    write_skill(tmp_path / "pdf", skill_text("pdf", body="Mine."))

    ran = skillyard("add", "pdf", "--version", "1.0.0", cwd=tmp_path)

    assert (ran.status, ran.out) == (4, "✗ pdf refused\n1 refused\n")
    assert "hint: Save it as 1.0.1, or leave the number out\n" in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "error: `nowhere` does not exist\n"),
        (["pdf", "nowhere"], "error: `nowhere` does not exist\n"),
        (["pdf", "--version", "x"], "error: `x` is not a version\n"),
        (["pdf", "--category", "odd"], "error: Invalid value for '--category'"),
        (["pdf", "csv", "--display-name", "Both"], "error: --base and --display-name are for one"),
        ([], "error: Missing argument 'PATH...'"),
    ],
)
def test_bad_input_saves_nothing(arguments: list[str], said: str, tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    write_skill(tmp_path / "csv")

    ran = skillyard("add", *arguments, cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert skillyard("list", "--json", cwd=tmp_path).out == '{"skills": [], "count": 0}\n'


def test_a_tag_that_is_none_is_refused_with_the_nearest(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")

    ran = skillyard("add", "pdf", "--tag", "A b", cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "✗ pdf refused\n1 refused\n")
    assert ran.err == "error: the tag cannot be used: `A b` is not a tag\n\nhint: Write `a-b`\n"


def test_bundles_are_added_too(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("pack", "pdf", "-o", "x.zip", cwd=tmp_path)

    ran = skillyard("add", "x.zip", cwd=tmp_path)

    assert ran == Ran(0, "✓ pdf 1.0.0 created\n1 created\n", "")


def test_larger_skills_need_wider_limits(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    (tmp_path / "pdf" / "large.md").write_text("x" * 300_000)

    standard = skillyard("add", "pdf", cwd=tmp_path)
    wide = skillyard("add", "pdf", "--limits", "wide", cwd=tmp_path)

    assert (standard.status, standard.out) == (1, "✗ pdf refused\n1 refused\n")
    assert wide == Ran(
        0,
        "✓ pdf 1.0.0 created\n1 created\n",
        "warning: 1 warning\nhint: Run `skillyard check pdf --limits wide` to see them\n",
    )
    for change in (
        ("files", "put", "pdf", "a.md"),
        ("files", "remove", "pdf", "a.md"),
        ("edit", "pdf", "--description", "Sorts more. Use often."),
        ("duplicate", "pdf", "pdf-two"),
    ):
        assert skillyard(*change, cwd=tmp_path).status == 1
        assert skillyard(*change, "--limits", "wide", cwd=tmp_path).status == 0


@pytest.mark.requirement("TRU-7")
def test_nothing_in_a_skill_acts_on_the_terminal(tmp_path: Path) -> None:
    hostile = '"\\e[31mred\\a ::error::x ##[error]y"'
    front = f"name: pdf\ndescription: {hostile}\ncategory: {hostile}\ntags: [{hostile}]\n"
    write_skill(tmp_path / "a\x1b[31mb" / "pdf", f"---\n{front}---\nSort.\n")

    added = skillyard("add", ".", cwd=tmp_path)
    ran = [
        added,
        skillyard("list", cwd=tmp_path),
        skillyard("show", "pdf", cwd=tmp_path),
        skillyard("list", "--json", cwd=tmp_path),
        skillyard("show", "pdf", "--json", cwd=tmp_path),
    ]

    assert added.out == "✓ pdf 1.0.0 created\n1 created\n"
    for one in ran:
        assert one.status == 0
        assert "\x1b" not in one.out + one.err
        assert "##[" not in one.out + one.err
