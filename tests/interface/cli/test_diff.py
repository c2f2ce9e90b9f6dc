"""`skillyard diff` as a user meets it."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, on_terminal, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-4")

PATCH = """\
diff --git pdf@1.0.0/SKILL.md pdf@1.0.2/SKILL.md
--- pdf@1.0.0/SKILL.md
+++ pdf@1.0.2/SKILL.md
@@ -3,4 +3,4 @@
 description: Sorts things. Use when asked.
 ---
{blank}
-Sort.
+Sort more.
diff --git pdf@1.0.0/a.md pdf@1.0.2/a.md
new file mode 100644
--- /dev/null
+++ pdf@1.0.2/a.md
@@ -0,0 +1 @@
+one
""".replace("{blank}", " ")


def keep_three_versions(cwd: Path) -> None:
    write_skill(cwd / "pdf")
    skillyard("add", "pdf", cwd=cwd)
    skillyard("files", "put", "pdf", "a.md", stdin="one\n", cwd=cwd)
    text = (cwd / "pdf" / "SKILL.md").read_text().replace("Sort.", "Sort more.")
    skillyard("files", "put", "pdf", "SKILL.md", stdin=text, cwd=cwd)


def test_two_versions_are_compared_as_a_patch(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)

    assert skillyard("diff", "pdf", "1.0.0", "1.0.2", cwd=tmp_path) == Ran(0, PATCH, "")
    assert skillyard("diff", "pdf", "v1", cwd=tmp_path) == Ran(0, PATCH, "")


def test_git_takes_the_patch(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)
    patch = skillyard("diff", "pdf", "1", cwd=tmp_path).out

    subprocess.run(["git", "apply", "-"], input=patch, text=True, cwd=tmp_path / "pdf", check=True)

    assert skillyard("add", "pdf", cwd=tmp_path).out == "○ pdf 1.0.2 unchanged\n1 unchanged\n"


def test_without_versions_the_current_one_is_compared_with_its_base(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)

    ran = skillyard("diff", "pdf", "--stat", cwd=tmp_path)

    assert ran == Ran(0, "changed  SKILL.md  +1 -1\n1 file between 1.0.1 and 1.0.2\n", "")


def test_a_summary_names_each_file(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)
    skillyard("files", "put", "pdf", "assets/x.bin", stdin=b"\0\xff", cwd=tmp_path)
    skillyard("files", "put", "pdf", "a.md", "--executable", stdin="one\n", cwd=tmp_path)

    ran = skillyard("diff", "pdf", "1.0.2", "--stat", cwd=tmp_path)

    assert ran == Ran(
        0,
        "changed  a.md          mode\n"
        "added    assets/x.bin  binary\n"
        "2 files between 1.0.2 and 1.0.4\n",
        "",
    )


def test_json_tells_every_file_and_line(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)

    told = json.loads(skillyard("diff", "pdf", "1", "1.0.1", "--json", cwd=tmp_path).out)

    assert (told["slug"], told["owner"]) == ("pdf", "people")
    assert [told[one]["version"] for one in ("before", "after")] == ["1.0.0", "1.0.1"]
    [file] = told["files"]
    assert (file["path"], file["change"], file["lines"]) == (
        "a.md",
        "added",
        ["@@ -0,0 +1 @@", "+one"],
    )


def test_equal_versions_say_so(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)

    ran = skillyard("diff", "pdf", "1.0.1", "1.0.1", cwd=tmp_path)

    assert ran == Ran(0, "", "pdf holds the same in 1.0.1 and 1.0.1\n")


@pytest.mark.requirement("TRU-7")
def test_a_terminal_gets_colours_and_no_escapes_from_the_files(tmp_path: Path) -> None:
    keep_three_versions(tmp_path)
    skillyard("files", "put", "pdf", "a.md", stdin="\x1b]0;owned\x07\n", cwd=tmp_path)

    status, out = on_terminal("diff", "pdf", cwd=tmp_path)

    assert status == 0
    assert b"\x1b[31m-one\x1b[0m" in out
    assert b"\x1b[32m+\\x1b]0;owned\\x07\x1b[0m" in out


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["csv"], 3, "error: there is no skill `csv`\n"),
        (["pdf", "7"], 3, "error: `pdf` has no version 7.0.0\n\nhint: `skillyard history pdf`"),
        (["pdf", "latest"], 2, "error: `latest` is not a version\n\nhint: Write three numbers"),
    ],
)
def test_what_is_not_there_is_told(
    arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    keep_three_versions(tmp_path)

    ran = skillyard("diff", *arguments, cwd=tmp_path)

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(said)


def test_before_the_first_version_there_is_nothing(tmp_path: Path) -> None:
    write_skill(tmp_path / "pdf")
    skillyard("add", "pdf", cwd=tmp_path)

    ran = skillyard("diff", "pdf", cwd=tmp_path)

    assert ran == Ran(0, "", "pdf 1.0.0 is the first version: there is nothing before it\n")
