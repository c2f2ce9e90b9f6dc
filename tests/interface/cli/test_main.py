"""The front door: help, version, and what happens when something goes wrong."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from skillyard import __version__
from skillyard.cli import failures
from skillyard.cli.main import COMMANDS
from tests.interface.cli.running import home_of, skillyard, write_skill


@pytest.mark.requirement("INT-2")
def test_help_names_every_command(tmp_path: Path) -> None:
    ran = skillyard("--help", cwd=tmp_path)

    assert ran.status == 0
    named = re.findall(r"^  ([a-z]+)  ", ran.out, re.MULTILINE)
    assert named == list(COMMANDS)


@pytest.mark.requirement("INT-2")
def test_the_version_is_the_packages(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skillyard", "--version"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == f"skillyard, version {__version__}\n"


@pytest.mark.requirement("INT-2")
def test_an_unknown_command_is_bad_usage_with_a_suggestion(tmp_path: Path) -> None:
    ran = skillyard("chekc", cwd=tmp_path)

    assert ran.status == 2
    assert ran.err == (
        "error: there is no command `chekc`\n"
        "\n"
        "Usage: skillyard [OPTIONS] COMMAND [ARGS]...\n"
        "hint: Did you mean `skillyard check`?\n"
        "hint: Run `skillyard --help` for what it takes\n"
    )


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("agents lst", "skillyard agents list"),
        ("team", "skillyard teams"),
        ("help", "skillyard --help"),
        ("version", "skillyard --version"),
        ("files help", "skillyard files --help"),
        ("config shwo", "skillyard config show"),
    ],
)
def test_a_mistyped_command_is_answered_with_what_was_meant(
    said: str, meant: str, tmp_path: Path
) -> None:
    ran = skillyard(*said.split(), cwd=tmp_path)

    assert (ran.status, ran.out) == (2, "")
    assert f"hint: Did you mean `{meant}`?\n" in ran.err


@pytest.mark.requirement("INT-2")
def test_a_command_like_no_other_is_answered_without_a_guess(tmp_path: Path) -> None:
    assert "Did you mean" not in skillyard("xyzzy", cwd=tmp_path).err


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize("group", ["", "agents", "files", "config", "db"])
def test_a_group_alone_prints_its_help(group: str, tmp_path: Path) -> None:
    ran = skillyard(*group.split(), cwd=tmp_path)
    asked = skillyard(*group.split(), "--help", cwd=tmp_path)

    assert (ran.status, ran.out, ran.err) == (2, "", asked.out)


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        ("show nosuch", 3, "skill-not-found"),
        ("history nosuch", 3, "skill-not-found"),
        ("rollback nosuch 1", 3, "skill-not-found"),
        ("rollback nosuch x", 2, "invalid-version"),
        ("agents show nosuch", 3, "record-not-found"),
        ("assign nosuch --global", 3, "skill-not-found"),
        ("assign nosuch", 2, "usage"),
        ("audit --most many", 2, "usage"),
        ("digest nosuch", 2, "missing-path"),
        ("check nosuch", 2, "missing-path"),
        ("check nosuch --profile odd", 2, "invalid-profile"),
        ("delete nosuch", 3, "skill-not-found"),
        ("import nosuch", 2, "missing-path"),
    ],
)
def test_a_program_is_told_of_a_failure_in_json(
    line: str, status: int, code: str, tmp_path: Path
) -> None:
    plain = skillyard(*line.split(), cwd=tmp_path)
    ran = skillyard(*line.split(), "--json", cwd=tmp_path)

    error = json.loads(ran.out)["error"]
    assert (plain.status, plain.out, ran.status, ran.err) == (status, "", status, plain.err)
    assert (error["code"], set(error)) == (code, {"code", "message", "hints"})
    assert ran.err.startswith(f"error: {error['message']}\n")


@pytest.mark.requirement("INT-2")
def test_where_there_is_no_room_it_says_so(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "skillyard", "show", "sort"],
            cwd=tmp_path,
            env=os.environ | {"SKILLYARD_HOME": str(tmp_path / "home")},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 8
    assert done.stderr == (
        "error: `output` cannot be used: No space left on device\n"
        "\n"
        "hint: Free some space, and run the command again\n"
    )


@pytest.mark.requirement("INT-2")
def test_a_mistake_of_ours_is_said_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SKILLYARD_DEBUG", raising=False)

    status = failures.report_failure(ZeroDivisionError("one\x1b[31m"))

    assert status == 70
    assert capsys.readouterr().err == (
        "error: something went wrong inside skillyard: one\\x1b[31m\n"
        "\nhint: Set SKILLYARD_DEBUG=1 to see where, and report it\n"
    )


@pytest.mark.requirement("INT-2")
def test_a_mistake_of_ours_shows_its_traceback_when_asked_to(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILLYARD_DEBUG", "1")

    failures.report_failure(ZeroDivisionError("one"))

    assert "ZeroDivisionError: one" in capsys.readouterr().err


@pytest.mark.requirement("INT-2")
def test_completion_knows_the_commands(tmp_path: Path) -> None:
    asked = {
        "_SKILLYARD_COMPLETE": "bash_complete",
        "COMP_WORDS": "skillyard unp",
        "COMP_CWORD": "1",
    }
    done = subprocess.run(
        [Path(sys.executable).with_name("skillyard")],
        cwd=tmp_path,
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout == "plain,unpack\n"


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    no_color: str, *, coloured: bool, tmp_path: Path
) -> None:
    write_skill(tmp_path / "sort", "---\nname: other\ndescription: Sorts.\n---\nSort.\n")
    environment = {key: one for key, one in os.environ.items() if key != "NO_COLOR"}
    if no_color:
        environment["NO_COLOR"] = no_color
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "skillyard", "check", "sort"],
        cwd=tmp_path,
        env=environment | {"TERM": "xterm"},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs)
    out = b""
    try:
        while piece := os.read(ours, 4096):
            out += piece
    except OSError:  # the other end is closed
        pass
    os.close(ours)

    assert child.wait(timeout=30) == 1
    assert b"SY204" in out
    assert (b"\x1b[" in out) is coloured


@pytest.mark.requirement("TRU-7")
def test_a_usage_error_shows_hostile_arguments_as_escapes(tmp_path: Path) -> None:
    ran = skillyard("show", "ok", "\x1b[31mx", cwd=tmp_path)

    assert ran.status == 2
    assert ran.err.startswith("error: Got unexpected extra argument (\\x1b[31mx)\n")


@pytest.mark.requirement("TRU-7")
def test_nothing_in_a_skill_is_a_command_to_the_log_of_a_build(tmp_path: Path) -> None:
    front = 'name: "::stop-commands::x"\ndescription: "::add-mask::a ##[error]b"\n'
    write_skill(tmp_path / "sort", f"---\n{front}---\nSort.\n")

    for arguments in (["show", "sort"], ["show", "sort", "--json"], ["check", "sort"]):
        ran = skillyard(*arguments, cwd=tmp_path)
        assert "##[" not in ran.out
        assert not any(line.lstrip().startswith("::") for line in ran.out.splitlines())


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize("path", ["a" * 300, "a/" * 3000])
def test_a_path_that_cannot_be_is_bad_usage(path: str, tmp_path: Path) -> None:
    for command in ("check", "show", "digest"):
        assert skillyard(command, path, cwd=tmp_path).status == 2


@pytest.mark.requirement("INT-2")
def test_a_terminal_that_cannot_show_a_character_is_no_failure(tmp_path: Path) -> None:
    write_skill(tmp_path / "sort")

    done = subprocess.run(
        [sys.executable, "-m", "skillyard", "show", "sort"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0
    assert b"\\u2713 Codex" in done.stdout


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize("command", ["list", "resolve", "run -- true", "check ."])
def test_a_working_directory_that_is_gone_is_said(tmp_path: Path, command: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    line = f"rmdir {here}; exec {sys.executable} -m skillyard {command}"
    done = subprocess.run(
        ["/bin/sh", "-c", line],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
        env={"SKILLYARD_HOME": str(tmp_path / "home"), "HOME": str(tmp_path), "PATH": "/bin"},
    )

    assert done.returncode == 8
    assert done.stderr == (
        "error: `.` cannot be used: the working directory does not exist any more\n"
        "\n"
        "hint: Change to a directory that exists, and run the command again\n"
    )


@pytest.mark.requirement("INT-2")
@pytest.mark.parametrize("where", [">&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/null 2>/dev/full"])
@pytest.mark.parametrize(("command", "status"), [("--version", 0), ("list", 0), ("show none", 3)])
def test_a_closed_stream_is_one_that_nobody_reads(
    tmp_path: Path, where: str, command: str, status: int
) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m skillyard {command} {where}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"SKILLYARD_HOME": str(home_of(tmp_path)), "HOME": str(tmp_path), "PATH": "/bin"},
    )

    assert (done.returncode, "Traceback" in done.stderr) == (status, False)
