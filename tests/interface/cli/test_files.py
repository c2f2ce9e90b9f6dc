"""`skillyard files` as a user meets it."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from tests.interface.cli.running import Ran, on_terminal, skillyard, write_skill

pytestmark = pytest.mark.requirement("INT-2", "STO-3")


def keep_pdf(cwd: Path) -> None:
    write_skill(cwd / "skills" / "pdf")
    skillyard("add", "skills", cwd=cwd)


def files(cwd: Path) -> str:
    return skillyard("files", "list", "pdf", cwd=cwd).out


def test_files_are_put_listed_printed_and_removed(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    put = skillyard("files", "put", "pdf", "references/a.md", stdin="é\r\n", cwd=tmp_path)
    listed = skillyard("files", "list", "pdf", cwd=tmp_path)
    printed = skillyard("files", "cat", "pdf", "references/a.md", cwd=tmp_path)
    removed = skillyard("files", "remove", "pdf", "references/a.md", cwd=tmp_path)

    assert put == Ran(0, "✓ pdf 1.0.1 saved\n", "")
    assert listed == Ran(
        0, "       68  SKILL.md\n        4  references/a.md\n", "2 files, 72 bytes\n"
    )
    assert printed == Ran(0, "é\r\n", "")
    assert removed == Ran(0, "✓ pdf 1.0.2 saved\n", "")
    assert files(tmp_path) == "       68  SKILL.md\n"


def test_older_versions_keep_their_files(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    skillyard("files", "put", "pdf", "a.md", stdin="one", cwd=tmp_path)
    skillyard("files", "put", "pdf", "a.md", stdin="two", cwd=tmp_path)

    older = skillyard("files", "cat", "pdf", "a.md", "--version", "1.0.1", cwd=tmp_path)
    first = skillyard("files", "list", "pdf", "--version", "1", cwd=tmp_path)

    assert older == Ran(0, "one", "")
    assert first == Ran(0, "       68  SKILL.md\n", "1 file, 68 bytes\n")


def test_the_executable_bit_is_taken_from_the_file_or_said(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)

    def put(*options: str) -> str:
        arguments = ("files", "put", "pdf", "scripts/run.sh", *options)
        ran = skillyard(*arguments, stdin="#!/bin/sh\n# x\n", cwd=tmp_path)
        assert ran.status == 0, ran.err
        return files(tmp_path).splitlines()[-1]

    assert put("--from", "run.sh") == "       10  scripts/run.sh *"
    assert put() == "       14  scripts/run.sh *"
    assert put("--from", "run.sh", "--no-executable") == "       10  scripts/run.sh"
    assert put("--from", "-", "--executable") == "       14  scripts/run.sh *"


def test_json_tells_files_contents_and_versions(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    raw = b"\x00\xff"

    saved = json.loads(
        skillyard("files", "put", "pdf", "assets/a.bin", "--json", stdin=raw, cwd=tmp_path).out
    )
    listed = json.loads(skillyard("files", "list", "pdf", "--json", cwd=tmp_path).out)
    text = json.loads(skillyard("files", "cat", "pdf", "SKILL.md", "--json", cwd=tmp_path).out)
    binary = json.loads(
        skillyard("files", "cat", "pdf", "assets/a.bin", "--json", cwd=tmp_path).out
    )

    assert (saved["outcome"], saved["version"], saved["base"]) == ("saved", "1.0.1", "1.0.0")
    assert listed["files"][1] == {
        "path": "assets/a.bin",
        "size": 2,
        "content_type": "application/octet-stream",
        "executable": False,
        "sha256": sha256(raw).hexdigest(),
    }
    assert {name: listed[name] for name in ("slug", "owner", "version", "digest")} == {
        "slug": "pdf",
        "owner": "people",
        "version": "1.0.1",
        "digest": saved["digest"],
    }
    assert (text["encoding"], text["content"][:4], text["size"]) == ("utf-8", "---\n", 68)
    assert binary == {
        "path": "assets/a.bin",
        "size": 2,
        "executable": False,
        "encoding": "base64",
        "content": "AP8=",
    }


def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    put = skillyard("files", "put", "pdf", "a.md", "--dry-run", stdin="a", cwd=tmp_path)
    skillyard("files", "put", "pdf", "b.md", stdin="b", cwd=tmp_path)
    removed = skillyard("files", "remove", "pdf", "b.md", "--dry-run", cwd=tmp_path)

    assert put == Ran(0, "Would save pdf 1.0.1\n", "")
    assert removed == Ran(0, "Would save pdf 1.0.2\n", "")
    assert files(tmp_path) == "       68  SKILL.md\n        1  b.md\n"


def test_the_same_content_again_is_no_new_version(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    skillyard("files", "put", "pdf", "a.md", stdin="a", cwd=tmp_path)

    assert skillyard("files", "put", "pdf", "a.md", stdin="a", cwd=tmp_path) == Ran(
        0, "○ pdf 1.0.1 unchanged\n", ""
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["list", "csv"], 3, "error: there is no skill `csv`\n"),
        (["list", "pdf", "--version", "3"], 3, "error: `pdf` has no version 3.0.0\n"),
        (
            ["cat", "pdf", "no.md"],
            3,
            "error: `pdf` 1.0.0 has no file `no.md`\n\nhint: `skillyard files list pdf` shows",
        ),
        (["remove", "pdf", "no\x1b.md"], 3, "error: `pdf` 1.0.0 has no file `no\\x1b.md`\n"),
        (["cat", "pdf", "no\udcff"], 3, "error: `pdf` 1.0.0 has no file `no\\udcff`\n"),
        (["remove", "pdf", "SKILL.md"], 1, "error: `pdf` cannot be read as a skill package"),
        (["put", "pdf", "../evil.md"], 1, "error: `pdf` cannot be read as a skill package"),
        (["put", "pdf", "SKILL.md"], 1, "error: `pdf` cannot be read as a skill package"),
        (["put", "pdf", "a.md", "--base", "0.9"], 3, "error: `pdf` has no version 0.9.0\n"),
        (["put", "pdf", "a.md", "--from", "no"], 2, "error: Invalid value for '--from': File"),
    ],
)
def test_what_cannot_be_done_is_told(
    arguments: list[str], status: int, said: str, tmp_path: Path
) -> None:
    keep_pdf(tmp_path)

    ran = skillyard("files", *arguments, stdin="x", cwd=tmp_path)

    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(said)
    assert files(tmp_path) == "       68  SKILL.md\n"


@pytest.mark.requirement("STO-8")
def test_a_base_that_is_no_longer_current_is_a_conflict(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    skillyard("--actor", "grace", "files", "put", "pdf", "a.md", stdin="hers", cwd=tmp_path)

    put = ("files", "put", "pdf", "a.md", "--base", "1.0.0")
    ran = skillyard(*put, stdin="mine", cwd=tmp_path)
    removed = skillyard("files", "remove", "pdf", "a.md", "--base", "1.0.0", cwd=tmp_path)

    said = "error: `pdf` was changed since 1.0.0: grace made it 1.0.1 at TIME\n"
    assert (ran.status, ran.out) == (4, "")
    assert ran.steady.err.startswith(said)
    assert (removed.status, removed.out) == (3, "")
    assert skillyard("files", "cat", "pdf", "a.md", cwd=tmp_path).out == "hers"


@pytest.mark.requirement("TRU-7")
def test_a_terminal_is_shown_nothing_that_it_would_act_on(tmp_path: Path) -> None:
    keep_pdf(tmp_path)
    skillyard("files", "put", "pdf", "a.md", stdin="a\tb\r\n\x1b[31mc\n", cwd=tmp_path)
    skillyard("files", "put", "pdf", "assets/a.bin", stdin=b"\0\xff", cwd=tmp_path)

    text = on_terminal("files", "cat", "pdf", "a.md", cwd=tmp_path)
    status, said = on_terminal("files", "cat", "pdf", "assets/a.bin", cwd=tmp_path)

    assert text == (0, b"a\tb\r\n\\x1b[31mc\r\n")
    assert (status, b"it is not a text; send it to a file" in said) == (2, True)


def test_a_file_beyond_the_limit_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    keep_pdf(tmp_path)

    ran = skillyard("files", "put", "pdf", "a.md", "--from", "/dev/zero", cwd=tmp_path)

    assert (ran.status, ran.out) == (1, "")
    assert "(SY305)" in ran.err
