"""`skillyard check` as a user meets it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interface.cli.running import skillyard, write_skill
from tests.interface.sarif_schema import sarif_schema

NAME_RULE = "only lower-case letters a-z, digits and single hyphens between them are allowed"

BROKEN = """\
---
name: PDF_Forms
description: Fills in forms. Use when: the task names a PDF
allowed-tools: Read, Bash(pdftk:*)
owner: team # keep me
---

# Body --- stays
"""

FIXED = """\
---
name: pdf-forms
description: "Fills in forms. Use when: the task names a PDF"
allowed-tools: Read Bash(pdftk:*)
metadata:
  owner: team # keep me
---

# Body --- stays
"""


@pytest.mark.requirement("PKG-4", "INT-2")
def test_a_clean_skill_exits_with_0(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")

    ran = skillyard("check", "sort", cwd=tmp_path)

    assert (ran.status, ran.out, ran.err) == (0, "Checked 1 package: no problems found\n", "")


@pytest.mark.requirement("PKG-4")
def test_every_finding_comes_in_one_pass_with_its_source_line(tmp_path: Path) -> None:
    text = "---\nname: Sort\ndescription: ''\ncompatibility: ''\n---\nSort.\n"
    write_skill(tmp_path / "sort", text)

    ran = skillyard("check", "sort", cwd=tmp_path)

    assert ran.status == 1
    assert [line for line in ran.out.splitlines() if line.startswith("error")] == [
        f"error[SY202]: `Sort` is not a skill name: {NAME_RULE}",
        "error[SY204]: `name` is `Sort`, but the directory is `sort`",
        "error[SY206]: `description` is empty",
        "error[SY210]: `compatibility` has 0 characters, 1 to 500 are allowed",
    ]
    assert "  --> sort/SKILL.md:2:7\n   |\n 2 | name: Sort\n   |       ^^^^\n" in ran.out


@pytest.mark.requirement("PKG-4")
def test_warnings_alone_exit_with_0(tmp_path: Path) -> None:
    text = "---\nname: sort\ndescription: Sorts.\nowner: team\n---\nSort.\n"
    write_skill(tmp_path / "sort", text)

    ran = skillyard("check", "sort", cwd=tmp_path)

    assert ran.status == 0
    assert "warning[SY215]: `owner` is not a field of any client" in ran.out


@pytest.mark.requirement("PKG-4", "SRC-4")
def test_a_directory_of_skills_is_walked_and_a_broken_one_hides_no_other(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "b")
    write_skill(tmp_path / "skills" / "a", "no front matter")
    write_skill(tmp_path / "skills" / "group" / "c")
    write_skill(tmp_path / "skills" / "node_modules" / "d")

    ran = skillyard("check", "skills", "--format", "json", cwd=tmp_path)

    packages = json.loads(ran.out)["packages"]
    assert [one["path"] for one in packages] == ["skills/a", "skills/b", "skills/group/c"]
    assert [[two["code"] for two in one["diagnostics"]] for one in packages] == [["SY107"], [], []]


@pytest.mark.requirement("INT-2", "PKG-4")
def test_json_has_the_shape_that_other_tools_rely_on(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort", "---\nname: sort\n---\nSort.\n")

    ran = skillyard("check", "sort", "--json", cwd=tmp_path)

    report = json.loads(ran.out)
    (package,) = report["packages"]
    assert ran.status == 1
    assert {key: package[key] for key in ("path", "name")} == {"path": "sort", "name": None}
    assert package["digest"].startswith("sha256:")
    (finding,) = package["diagnostics"]
    expected = {
        "code": "SY205",
        "severity": "error",
        "path": "SKILL.md",
        "line": 2,
        "column": 1,
        "message": "there is no `description`",
        "hint": "Add `description:` with what the skill does and when to use it",
    }
    assert {key: finding[key] for key in expected} == expected
    assert report["summary"] == {
        "packages": 1,
        "errors": 1,
        "warnings": 0,
        "notes": 0,
        "fixable": 0,
    }


@pytest.mark.requirement("PKG-4")
def test_sarif_is_valid_by_the_public_schema(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort", BROKEN)

    ran = skillyard("check", "sort", "--format", "sarif", cwd=tmp_path)

    log = json.loads(ran.out)
    assert list(sarif_schema().iter_errors(log)) == []
    assert {one["ruleId"] for one in log["runs"][0]["results"]} >= {"SY110"}


@pytest.mark.requirement("PKG-4")
def test_github_annotations_name_file_and_line(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort", "---\nname: other\ndescription: Sorts.\n---\nSort.\n")

    ran = skillyard("check", "sort", "--format", "github", cwd=tmp_path)
    absolute = skillyard("check", tmp_path / "sort", "--format", "github", cwd=tmp_path)

    assert ran.out.startswith("::error file=sort/SKILL.md,line=2,col=7,")
    assert ran.out.count("\n") == 1
    assert absolute.out == ran.out


@pytest.mark.requirement("PKG-4")
def test_fix_repairs_what_it_can_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    file = write_skill(tmp_path / "pdf-forms", BROKEN) / "SKILL.md"
    file.chmod(0o640)

    diff = skillyard("check", "pdf-forms", "--diff", cwd=tmp_path)
    untouched = file.read_text("utf-8")
    ran = skillyard("check", "pdf-forms", "--fix", cwd=tmp_path)
    again = skillyard("check", "pdf-forms", "--fix", cwd=tmp_path)

    assert untouched == BROKEN
    assert diff.out.startswith("--- a/pdf-forms/SKILL.md\n+++ b/pdf-forms/SKILL.md\n")
    assert file.read_text("utf-8") == FIXED
    assert file.stat().st_mode & 0o777 == 0o640
    assert (ran.status, ran.out) == (0, "Checked 1 package: no problems found\n")
    assert "Fixed 5 problems in 1 file" in ran.err
    assert "Nothing to fix" in again.err
    assert sorted(one.name for one in (tmp_path / "pdf-forms").iterdir()) == ["SKILL.md"]


@pytest.mark.requirement("PKG-4")
def test_a_bundle_cannot_be_fixed_in_place(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf-forms", BROKEN)
    skillyard("pack", "pdf-forms", "-o", "pdf.zip", cwd=tmp_path)

    ran = skillyard("check", "pdf.zip", "--fix", cwd=tmp_path)

    assert ran.status == 2
    assert "is not a directory, so nothing in it can be fixed" in ran.err


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere"], "`nowhere` does not exist"),
        (["--profile", "lax", "."], "there is no profile `lax`"),
        (["--format", "xml", "."], "Invalid value for '--format'"),
        (["--fix", "--diff", "."], "--fix and --diff exclude each other"),
        (["--explain", "SY999"], "there is no code `SY999`"),
        (["--profile", "client:emacs", "."], "there is no profile `client:emacs`"),
    ],
)
def test_bad_usage_exits_with_2_and_says_why(
    arguments: list[str], words: str, tmp_path: Path
) -> None:
    write_skill(tmp_path / "sort")

    ran = skillyard("check", *arguments, cwd=tmp_path)

    assert ran.status == 2
    assert words in ran.err
    assert ran.out == ""


@pytest.mark.requirement("INT-2")
def test_an_empty_directory_is_bad_usage_and_not_success(tmp_path: Path) -> None:
    ran = skillyard("check", cwd=tmp_path)

    assert ran.status == 2
    assert "error" in ran.err


@pytest.mark.requirement("PKG-3")
def test_the_profile_decides_what_an_unknown_field_is(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort", "---\nname: sort\ndescription: Sorts.\nowner: x\n---\nSort.\n")

    severities = {
        profile: json.loads(
            skillyard("check", "sort", "--profile", profile, "--json", cwd=tmp_path).out
        )["packages"][0]["diagnostics"][0]["severity"]
        for profile in ("strict", "standard", "lenient")
    }

    assert severities == {"strict": "error", "standard": "warning", "lenient": "note"}


@pytest.mark.requirement("PKG-3")
def test_a_client_profile_says_what_that_client_will_do(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort", "\ufeff---\nname: sort\ndescription: Sorts.\n---\nSort.\n")

    codex = skillyard("check", "sort", "--profile", "client:codex", cwd=tmp_path)
    claude = skillyard("check", "sort", "--profile", "client:claude-code", "--json", cwd=tmp_path)

    assert codex.status == 1
    assert "error[SY601]: Codex will not load it" in codex.out
    assert claude.status == 0
    assert json.loads(claude.out)["packages"][0]["client"]["name"] == "sort"


@pytest.mark.requirement("TRU-7")
def test_nothing_in_a_skill_reaches_the_terminal_as_a_control_sequence(tmp_path: Path) -> None:
    front = 'name: "\\e]0;owned\\a"\ndescription: "\\e[2J \\u202e \\r"\n\x9b31m: x\n'
    text = f"---\n{front}---\n\x1b[31m\n"
    write_skill(tmp_path / "sort", text)

    for form in ("text", "json", "sarif", "github"):
        ran = skillyard("check", "sort", "--format", form, cwd=tmp_path)
        assert not set(ran.out + ran.err) & set("\x1b\x07\x9b\r\u202e")


@pytest.mark.requirement("TRU-1")
def test_a_git_tree_is_checked_without_a_checkout(tmp_path: Path) -> None:
    write_skill(tmp_path / "repo" / "skills" / "sort")
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "skills"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path / "repo", check=True)
    (tmp_path / "repo" / "skills" / "sort" / "SKILL.md").write_text("not committed")

    ran = skillyard("check", "git:repo@HEAD:skills", "--json", cwd=tmp_path)

    assert ran.status == 0
    assert [one["path"] for one in json.loads(ran.out)["packages"]] == ["git:repo@HEAD:skills/sort"]


@pytest.mark.requirement("PKG-4")
def test_explain_prints_the_page_of_a_code(tmp_path: Path) -> None:
    ran = skillyard("check", "--explain", "sy202", cwd=tmp_path)

    assert ran.status == 0
    assert ran.out.startswith("# SY202 name-invalid\n")


@pytest.mark.requirement("INT-2")
def test_a_reader_that_leaves_early_is_no_failure(tmp_path: Path) -> None:
    for number in range(300):
        write_skill(tmp_path / "skills" / f"s{number}", "broken")

    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m skillyard check skills | head -1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


@pytest.mark.requirement("PKG-4", "PKG-7")
def test_a_package_that_was_not_read_whole_has_no_digest(tmp_path: Path) -> None:
    skill = write_skill(tmp_path / "sort")
    (skill / "link.md").symlink_to("SKILL.md")

    ran = skillyard("check", "sort", "--json", cwd=tmp_path)
    shown = skillyard("show", "sort", "--json", cwd=tmp_path)

    assert json.loads(ran.out)["packages"][0]["digest"] is None
    assert json.loads(shown.out)["digest"] is None


@pytest.mark.requirement("PKG-4")
def test_what_kept_a_bundle_from_being_read_is_the_only_finding(tmp_path: Path) -> None:
    (tmp_path / "cut.zip").write_bytes(b"PK\x03\x04")

    ran = skillyard("check", "cut.zip", "--json", cwd=tmp_path)

    assert [one["code"] for one in json.loads(ran.out)["packages"][0]["diagnostics"]] == ["SY402"]


@pytest.mark.requirement("PKG-4")
def test_nothing_in_a_bundle_is_called_fixable(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf-forms", BROKEN)
    skillyard("pack", "pdf-forms", "-o", "pdf.zip", cwd=tmp_path)

    ran = skillyard("check", "pdf.zip", "--json", cwd=tmp_path)
    diff = skillyard("check", "pdf.zip", "--diff", cwd=tmp_path)

    assert json.loads(ran.out)["summary"]["fixable"] == 0
    assert diff.out.startswith("--- a/pdf.zip/SKILL.md\n")


@pytest.mark.requirement("PKG-4")
def test_what_cannot_be_fixed_does_not_keep_the_rest_from_being(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_skill(
            tmp_path / "skills" / name, f"\ufeff---\nname: {name}\ndescription: S.\n---\nS.\n"
        )
    (tmp_path / "skills" / "b" / "SKILL.md").chmod(0o444)

    ran = skillyard("check", "skills", "--fix", cwd=tmp_path)

    texts = [(tmp_path / "skills" / name / "SKILL.md").read_text("utf-8") for name in "abc"]
    assert [text.startswith("\ufeff") for text in texts] == [False, True, False]
    assert ran.status == 8
    assert "`skills/b/SKILL.md` cannot be used: it is read-only" in ran.err
    assert "Fixed 2 problems in 2 files" in ran.err
    assert "Checked 3 packages: 1 warning" in ran.out


@pytest.mark.requirement("PKG-4")
def test_the_difference_is_a_patch(tmp_path: Path) -> None:
    text = "---\r\nname: Sort\r\ndescription: A \u200d b\r\n---\r\nno line end"
    file = write_skill(tmp_path / "sort") / "SKILL.md"
    file.write_bytes(text.encode())

    diff = skillyard("check", tmp_path / "sort", "--diff", cwd=tmp_path)
    fixed = skillyard("check", "sort", "--fix", cwd=tmp_path)
    after = file.read_bytes()
    file.write_bytes(text.encode())
    subprocess.run(
        ["git", "apply", f"-p{len(tmp_path.parts)}", "--whitespace=nowarn", "-"],
        cwd=tmp_path,
        input=diff.out.encode(),
        check=True,
    )

    assert (diff.status, fixed.status) == (1, 0)
    assert file.read_bytes() == after != text.encode()


@pytest.mark.requirement("PKG-4")
def test_a_name_is_not_taken_from_a_link_to_the_skill(tmp_path: Path) -> None:
    write_skill(tmp_path / "real" / "sort")
    (tmp_path / "alias").symlink_to("real/sort", target_is_directory=True)

    skillyard("check", "alias", "--fix", cwd=tmp_path)

    assert "name: sort" in (tmp_path / "real" / "sort" / "SKILL.md").read_text()


@pytest.mark.requirement("INT-2")
def test_a_bad_path_is_known_before_anything_is_printed(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")
    (tmp_path / "empty").mkdir()

    for bad in ("nowhere", "empty", ""):
        ran = skillyard("check", "sort", bad, cwd=tmp_path)
        told = json.loads(skillyard("check", "sort", bad, "--json", cwd=tmp_path).out)
        assert (ran.status, ran.out) == (2, "")
        assert (list(told), told["error"]["code"]) == (["error"], "missing-path")


@pytest.mark.requirement("INT-2")
def test_output_that_cannot_be_written_is_no_fault_of_ours(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")

    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m skillyard check sort > /dev/full"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    closed = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m skillyard check sort 2>&-"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, closed.returncode) == (8, 0)
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.requirement("PKG-4")
def test_a_difference_in_every_line_is_shown_without_comparing_all_with_all(tmp_path: Path) -> None:
    body = "".join(f"{number % 150:02x}{end}" for number in range(7000) for end in ("\n", "\r\n"))
    file = write_skill(tmp_path / "sort") / "SKILL.md"
    before = (file.read_text() + body).encode()
    file.write_bytes(before)

    diff = skillyard("check", "sort", "--diff", cwd=tmp_path)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff.out.encode(), check=True)

    assert file.read_bytes() == before.replace(b"\r\n", b"\n")


@pytest.mark.requirement("PKG-4", "INT-2")
@pytest.mark.parametrize(
    "command",
    [
        ["check", "pdf"],
        ["digest", "pdf"],
        ["pack", "pdf", "-o", "pdf.zip", "--force"],
        ["unpack", "large.zip", "-d", "out", "--dry-run"],
    ],
)
def test_the_limits_are_the_settings_unless_others_are_said(
    command: list[str], tmp_path: Path
) -> None:
    write_skill(tmp_path / "pdf")
    (tmp_path / "pdf" / "large.md").write_text("x" * 300_000)
    skillyard("pack", "pdf", "-o", "large.zip", "--limits", "wide", cwd=tmp_path)

    standard = skillyard(*command, cwd=tmp_path)
    (tmp_path / "skillyard.toml").write_text('limits = "wide"\n')
    wide = skillyard(*command, cwd=tmp_path)
    said = skillyard(*command, "--limits", "standard", cwd=tmp_path)

    assert (standard.status, wide.status, said.status) == (1, 0, 1)


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize("command", ["check", "digest", "show"])
def test_settings_that_cannot_be_read_are_said(command: str, tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    (tmp_path / "skillyard.toml").write_text("limits = ")

    ran = skillyard(command, "./pdf", cwd=tmp_path)

    assert (ran.status, ran.out) == (9, "")
    assert ran.err.startswith("error: the project file ")
