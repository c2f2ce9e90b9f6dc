"""`skillyard edit` as a user meets it, with small scripts as the editor."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, keep_plugins_skill, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-3")

TEXT = "---\nname: pdf\ndescription: Sorts things. Use when asked.\n---\n\nSort.\n"
NO_FRONT_MATTER = (
    "error: `pdf` cannot be read as a skill package: the file does not start with front matter"
    " (SY107)\n"
    "  SY107 SKILL.md:1:1: the file does not start with front matter\n"
    "\n"
    "hint: Start with `---`, `name: …`, `description: …` and `---`, each on its own line\n"
)


class Desk:
    """A store with one skill, and a person with an editor."""

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self.drafts = cwd / "drafts"
        self.drafts.mkdir()
        write_skill(cwd / "skills" / "pdf")
        skillyard("add", "skills", cwd=cwd)

    def edit(
        self, script: str, *options: str, answers: str | None = None, variable: str = "EDITOR"
    ) -> Ran:
        """Edit with a shell script that finds the file in `$1`."""
        editor = self.cwd / "editor"
        editor.write_text(f"#!/bin/sh\n{script}\n")
        editor.chmod(0o755)
        env = {"VISUAL": "", variable: shlex.quote(str(editor)), "TMPDIR": str(self.drafts)}
        ran = skillyard(
            "edit",
            "pdf",
            *options,
            cwd=self.cwd,
            env=env,
            stdin=answers or "",
            terminal=answers is not None,
        )
        return Ran(ran.status, ran.out, re.sub(r"/\S*/SKILL\.md", "DRAFT", ran.steady.err))

    def kept(self) -> list[str]:
        """Give the texts that were left behind."""
        return [one.read_text() for one in sorted(self.drafts.rglob("*")) if one.is_file()]

    def text(self) -> str:
        return skillyard("files", "cat", "pdf", "SKILL.md", cwd=self.cwd).out

    def told(self) -> dict[str, object]:
        shown = json.loads(skillyard("show", "pdf", "--json", cwd=self.cwd).out)
        return dict(shown)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk(tmp_path)
    # Python looks once where temporary files go.
    monkeypatch.setattr("tempfile.tempdir", str(made.drafts))
    return made


@pytest.mark.parametrize("variable", ["EDITOR", "VISUAL"])
def test_what_was_written_is_saved_as_a_new_version(variable: str, desk: Desk) -> None:
    ran = desk.edit('echo More. >> "$1"', "-m", "Say more", variable=variable)

    assert ran == Ran(0, "✓ pdf 1.0.1 saved\n", "")
    assert desk.text() == TEXT + "More.\n"
    assert desk.kept() == []
    history = json.loads(skillyard("history", "pdf", "--json", cwd=desk.cwd).out)
    assert [one["message"] for one in history["versions"]] == ["Say more", ""]


def test_the_file_has_its_name_in_a_directory_that_is_private(desk: Desk) -> None:
    skillyard("files", "put", "pdf", "references/a b.md", stdin="a\n", cwd=desk.cwd)
    look = 'basename "$1" >> "$1"; stat -c %a "$(dirname "$1")" >> "$1"'

    desk.edit(look, "--file", "references/a b.md")

    printed = skillyard("files", "cat", "pdf", "references/a b.md", cwd=desk.cwd)
    assert printed.out == "a\na b.md\n700\n"


def test_a_text_that_was_not_changed_is_no_new_version(desk: Desk) -> None:
    assert desk.edit("true") == Ran(0, "○ pdf 1.0.0 unchanged\n", "")
    assert desk.kept() == []


@pytest.mark.parametrize(
    ("script", "kept"), [("exit 3", []), ('echo More. >> "$1"; exit 3', [TEXT + "More.\n"])]
)
def test_an_editor_that_fails_saves_nothing_and_loses_nothing(
    script: str, kept: list[str], desk: Desk
) -> None:
    ran = desk.edit(script)

    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("error: the editor ended with status 3: nothing was saved\n")
    assert (desk.text(), desk.kept()) == (TEXT, kept)


def test_an_invalid_text_is_not_saved_and_not_lost(desk: Desk) -> None:
    ran = desk.edit('echo Oops. > "$1"')

    assert ran == Ran(
        1,
        "",
        NO_FRONT_MATTER + "note: your text is kept in DRAFT\n"
        "hint: Correct the file, then"
        " `skillyard files put pdf SKILL.md --base 1.0.0 --from DRAFT` saves it\n",
    )
    assert (desk.text(), desk.kept()) == (TEXT, ["Oops.\n"])


def test_a_person_may_edit_again(desk: Desk) -> None:
    once = 'if grep -q Oops "$1"; then cp good "$1"; else echo Oops > "$1"; fi'
    (desk.cwd / "good").write_text(TEXT + "Better.\n")

    ran = desk.edit(once, answers="\n")

    assert ran == Ran(0, "✓ pdf 1.0.1 saved\n", NO_FRONT_MATTER + "Edit again, or discard? [E/d] ")
    assert (desk.text(), desk.kept()) == (TEXT + "Better.\n", [])


def test_a_person_may_discard(desk: Desk) -> None:
    ran = desk.edit('echo Oops > "$1"', answers="d\n")

    asked = "Edit again, or discard? [E/d] "
    assert ran == Ran(1, "", NO_FRONT_MATTER + asked + "Nothing was saved\n")
    assert (desk.text(), desk.kept()) == (TEXT, [])


def test_a_person_who_leaves_loses_nothing(desk: Desk) -> None:
    ran = desk.edit('echo Oops > "$1"', answers="")

    assert ran.status == 130
    assert "note: your text is kept in DRAFT\n" in ran.err
    assert (desk.text(), desk.kept()) == (TEXT, ["Oops\n"])


@pytest.mark.requirement("STO-8")
def test_whoever_saves_second_is_told_who_was_first_and_keeps_the_text(desk: Desk) -> None:
    other = f"{shlex.quote(sys.executable)} -m skillyard --actor grace"

    ran = desk.edit(f'echo Mine. >> "$1"\necho hers | {other} files put pdf a.md >&2')

    assert ran == Ran(
        4,
        "",
        "error: `pdf` was changed since 1.0.0: grace made it 1.0.1 at TIME\n"
        "\n"
        "hint: Nothing was saved\n"
        "hint: `skillyard diff pdf 1.0.0 1.0.1` shows the change; start from it\n"
        "note: your text is kept in DRAFT\n"
        "hint: Merge first: bring the change into the file. Then"
        " `skillyard files put pdf SKILL.md --base 1.0.0 --from DRAFT` saves it,"
        " with the version that you merged in the place of 1.0.0\n",
    )
    assert desk.kept() == [TEXT + "Mine.\n"]
    assert (desk.told()["version"], desk.told()["updated_by"]) == ("1.0.1", "grace")


@pytest.mark.requirement("STO-8")
def test_the_command_that_is_hinted_at_after_a_conflict_overwrites_nobody(desk: Desk) -> None:
    other = f"{shlex.quote(sys.executable)} -m skillyard --actor grace"
    hers = "printf '%s\\n' '---' 'name: pdf' 'description: Hers. Use it.' '---' '' 'Hers.'"

    desk.edit(f'echo Mine. >> "$1"\n{hers} | {other} files put pdf SKILL.md >&2')
    [draft] = list(desk.drafts.rglob("SKILL.md"))
    put = ("files", "put", "pdf", "SKILL.md", "--from", draft)
    literal = skillyard(*put, "--base", "1.0.0", cwd=desk.cwd)
    merged = skillyard(*put, "--base", "1.0.1", cwd=desk.cwd)

    assert (literal.status, merged.status) == (4, 0)
    assert desk.text() == TEXT + "Mine.\n"


def test_a_skill_that_is_deleted_meanwhile_takes_no_text_with_it(desk: Desk) -> None:
    other = f"{shlex.quote(sys.executable)} -m skillyard delete pdf --yes >&2"

    ran = desk.edit(f'echo Mine. >> "$1"\n{other}')

    assert ran == Ran(
        3,
        "",
        "error: there is no skill `pdf`\n"
        "\n"
        "hint: It was deleted while you were editing; nothing was saved\n"
        "note: your text is kept in DRAFT\n",
    )
    assert desk.kept() == [TEXT + "Mine.\n"]


def test_an_editor_that_leaves_a_directory_is_told_once_and_leaves_nothing(desk: Desk) -> None:
    ran = desk.edit('rm "$1" && mkdir "$1"')

    assert (ran.status, ran.out) == (8, "")
    assert ran.err.count("error: ") == 1
    assert "Is a directory" in ran.err
    assert list(desk.drafts.iterdir()) == []


def test_a_dry_run_keeps_the_text_and_saves_nothing(desk: Desk) -> None:
    ran = desk.edit('echo More. >> "$1"', "--dry-run")

    assert (ran.status, ran.out) == (0, "Would save pdf 1.0.1\n")
    assert (desk.text(), desk.kept()) == (TEXT, [TEXT + "More.\n"])


@pytest.mark.parametrize(
    ("editor", "reason"),
    [
        (
            "/no-such-directory/editor",
            "`/no-such-directory/editor` cannot be run: No such file or directory",
        ),
        ("'open", "a quote in it is not closed"),
        (" ", "it is empty"),
    ],
)
def test_an_editor_that_cannot_be_run_is_a_matter_of_settings(
    editor: str, reason: str, desk: Desk
) -> None:
    ran = skillyard("edit", "pdf", cwd=desk.cwd, env={"EDITOR": editor, "VISUAL": ""})

    assert ran == Ran(
        9,
        "",
        f"error: the setting `EDITOR` from the environment cannot be used: {reason}\n"
        "\n"
        "hint: Set VISUAL or EDITOR to the command of your editor\n",
    )
    assert desk.kept() == []


def test_without_an_editor_it_says_what_to_set(desk: Desk) -> None:
    ran = skillyard("edit", "pdf", cwd=desk.cwd, env={"EDITOR": "", "VISUAL": ""})

    assert ran == Ran(
        9,
        "",
        "error: no editor is set: set VISUAL or EDITOR\n"
        "\n"
        "hint: On a terminal, `vi` is used without\n",
    )


def test_a_file_that_is_not_there_is_put_not_edited(desk: Desk) -> None:
    ran = skillyard("edit", "pdf", "--file", "a b.md", cwd=desk.cwd)

    assert ran.status == 3
    assert ran.err.endswith("hint: `skillyard files put pdf 'a b.md' --from FILE` adds it\n")


def test_a_failure_is_told_as_json_too(desk: Desk) -> None:
    ran = desk.edit('echo Oops. > "$1"', "--json")

    told = json.loads(ran.out)
    assert (ran.status, told["error"]["code"]) == (1, "invalid-package")
    assert [one["code"] for one in told["error"]["diagnostics"]] == ["SY107"]
    assert ran.err.startswith(NO_FRONT_MATTER)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["csv"], 3, "error: there is no skill `csv`\n"),
        (["pdf", "--file", "no.md"], 3, "error: `pdf` 1.0.0 has no file `no.md`\n"),
        (["csv", "--tag", "a"], 3, "error: there is no skill `csv`\n"),
        (["pdf", "--file", "SKILL.md", "--tag", "a"], 2, "error: --file opens an editor;"),
        (["pdf", "-m", "x", "--tag", "a"], 2, "error: --message is kept with a version;"),
        (["pdf", "--deprecate", "x", "--undeprecate"], 2, "error: --deprecate and --undeprecate"),
        (["pdf", "--tag", "A b"], 2, "error: the tag cannot be used: `A b` is not a tag\n"),
        (["pdf", "--category", "odd"], 2, "error: Invalid value for '--category'"),
        (["pdf", "--display-name", ""], 2, "error: the display name cannot be used: it is empty"),
        (["pdf", "--description", ""], 1, "error: `pdf` cannot be read as a skill package"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    arguments: list[str], status: int, said: str, desk: Desk
) -> None:
    ran = skillyard("edit", *arguments, cwd=desk.cwd, env={"EDITOR": "true", "VISUAL": ""})

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(said)
    assert desk.told()["revision"] == 1


@pytest.mark.requirement("STO-2")
def test_facts_are_changed_without_an_editor_and_without_a_version(desk: Desk) -> None:
    first = ["--tag", "b", "--tag", "a", "--confidence", "high", "--category", "ops"]
    skillyard("edit", "pdf", *first, cwd=desk.cwd)
    more = ["--no-tag", "b", "--tag", "c", "--display-name", "PDF", "--deprecate", "Use `csv`."]
    rest = ["--status", "draft", "--requires-tool", "Bash", "--invocation", "user-only"]

    ran = skillyard("edit", "pdf", *more, *rest, cwd=desk.cwd)
    same = skillyard("edit", "pdf", "--tag", "a", cwd=desk.cwd)
    told = desk.told()

    assert ran == Ran(
        0,
        "✓ pdf changed: display name, status, deprecated, tags, requires tools, invocation\n",
        "",
    )
    assert same == Ran(0, "○ pdf unchanged\n", "")
    expected = {
        "tags": ["a", "c"],
        "confidence": "high",
        "category": "ops",
        "display_name": "PDF",
        "deprecated": "Use `csv`.",
        "status": "draft",
        "requires_tools": ["Bash"],
        "invocation": "user-only",
        "version": "1.0.0",
        "revision": 3,
    }
    assert {name: told[name] for name in expected} == expected


def test_a_deprecation_and_a_tool_are_taken_back(desk: Desk) -> None:
    skillyard("edit", "pdf", "--deprecate", "No.", "--requires-tool", "Bash", cwd=desk.cwd)

    skillyard("edit", "pdf", "--undeprecate", "--no-requires-tool", "Bash", cwd=desk.cwd)

    assert (desk.told()["deprecated"], desk.told()["requires_tools"]) == (None, [])


def test_another_description_is_a_new_version(desk: Desk) -> None:
    arguments = ("--description", "Sorts: all. Use often.", "--tag", "a", "-m", "Better")

    ran = skillyard("edit", "pdf", *arguments, cwd=desk.cwd)

    assert ran == Ran(0, "✓ pdf 1.0.1 saved\n", "")
    assert (desk.told()["description"], desk.told()["tags"]) == ("Sorts: all. Use often.", ["a"])


def test_a_dry_run_of_facts_changes_nothing(desk: Desk) -> None:
    ran = skillyard("edit", "pdf", "--tag", "a", "--dry-run", cwd=desk.cwd)

    assert ran == Ran(0, "Would change pdf: tags\n", "")
    assert desk.told()["tags"] == []


def test_json_tells_the_skill_and_whether_it_changed(desk: Desk) -> None:
    told = json.loads(skillyard("edit", "pdf", "--tag", "a", "--json", cwd=desk.cwd).out)

    assert (told["changed"], told["dry_run"], told["tags"]) == (True, False, ["a"])
    assert (told["revision"], told["updated_by"], told["version"]) == (2, "ada", "1.0.0")


def test_a_plugins_skill_is_refused_before_the_editor_opens(tmp_path: Path) -> None:
    keep_plugins_skill(tmp_path)
    editor = {"EDITOR": "touch opened", "VISUAL": ""}

    ran = skillyard("edit", "acme/pdf", cwd=tmp_path, env=editor)

    assert ran == Ran(
        6,
        "",
        "error: `acme/pdf` is managed by the plugin `acme`\n"
        "\n"
        "hint: Edit the plugin's source to change it\n"
        "hint: `skillyard duplicate acme/pdf NEW-NAME` makes a skill of your own\n",
    )
    assert list(tmp_path.iterdir()) == []
