"""`skillyard run`: the program's status is ours, and its output is its own."""

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.interface.cli.clients import bin_of, install, run_client, runs_of
from tests.interface.cli.lines import do
from tests.interface.cli.running import Ran, home_of, skillyard, steady, write_skill

pytestmark = pytest.mark.requirement("DEL-15", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give the directory of a project beside a store with one skill, and a client."""
    project = tmp_path / "project"
    project.mkdir()
    install(project)
    write_skill(tmp_path / "given" / "pdf")
    off = "--disable-skill hello-world --disable-skill skill-authoring --disable-skill gh"
    do(project, "add ../given", f"agents add reviewer {off}", "assign pdf --agent reviewer")
    return project


def said(ran: Ran) -> str:
    """Give what was said on stderr, without what differs from run to run."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}", "ID", steady(ran.err))


def test_a_program_is_run_and_its_status_is_ours(yard: Path) -> None:
    (bin_of(yard) / "script").write_text("exit 42")

    ran = run_client(yard, "run --agent reviewer -- codex exec 'Say hello' --json")

    assert (ran.status, ran.out) == (42, "")
    assert (bin_of(yard) / "arguments").read_text() == "exec\nSay hello\n--json\n"
    assert (bin_of(yard) / "skills").read_text() == "./.codex/skills/pdf/SKILL.md\n"
    assert said(ran) == (
        "run ID: codex, 1 skill, an empty workspace\nrun ID: ended with status 42\n"
    )
    assert runs_of(yard) == []


def test_the_command_may_stand_without_a_stroke_before_it(yard: Path) -> None:
    ran = run_client(yard, "run --agent reviewer --quiet codex --help")

    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert (bin_of(yard) / "arguments").read_text() == "--help\n"


def test_a_receipt_is_json_with_all_that_is_known(yard: Path) -> None:
    run_client(yard, "run --agent reviewer --receipt receipt.json -- codex")

    told = json.loads((yard / "receipt.json").read_text())
    assert (told["status"], told["exit_status"], told["mode"]) == ("ended", 0, "native")
    assert (told["provider"], told["agent"], told["command"]) == ("codex", "reviewer", ["codex"])
    (skill,) = told["skills"]
    assert (skill["slug"], skill["version"], skill["source"]) == ("pdf", "1.0.0", "store")
    assert skill["digest"] == skill["delivered"]
    assert told == json.loads(run_client(yard, "runs show last --json").out)


@pytest.mark.requirement("DEL-13")
def test_a_kept_run_says_where_it_is(yard: Path) -> None:
    ran = run_client(yard, "run --agent reviewer --keep -- codex")

    (root,) = runs_of(yard)
    assert f"ended with status 0, kept in {root}" in ran.err
    assert (root / "receipt.json").exists()


def test_a_dry_run_prints_the_plan_and_makes_nothing(yard: Path) -> None:
    line = "run --agent reviewer --dry-run --hook init=true --env A=b"

    ran = run_client(yard, f"{line} -- codex exec hi", MY_TOKEN="x")  # noqa: S106

    assert ran.status == 0
    assert ran.out.startswith("Would run codex (native) with 1 skill in an empty workspace\n")
    for piece in (
        "pdf    1.0.0    store   loaded    materialize  home/.codex/skills/pdf",
        "files      home/.codex/config.toml",
        "held back  MY_TOKEN, SKILLYARD_ACTOR, SKILLYARD_HOME",
        "hooks      init=true",
        "command    codex exec hi",
    ):
        assert piece in ran.out
    told = json.loads(run_client(yard, f"{line} --json -- codex exec hi").out)
    assert (told["provider"], told["workspace"], told["hooks"]) == ("codex", "empty", ["init=true"])
    assert [one["path"] for one in told["skills"]] == [".codex/skills/pdf"]
    assert told["environment"]["HOME"] == "<run>/home"
    assert (told["environment"]["A"], told["dry_run"]) == ("b", True)
    assert not (home_of(yard) / "runs").exists()
    assert not (bin_of(yard) / "arguments").exists()
    assert run_client(yard, "runs list").out == ""


@pytest.mark.parametrize(("mode", "status"), [(None, 127), (0o644, 126)])
def test_a_program_that_cannot_be_started_has_the_status_of_the_shell(
    yard: Path, mode: int | None, status: int
) -> None:
    if mode is not None:
        install(yard, "tool", mode=mode)

    ran = run_client(yard, "run --agent reviewer -- tool")

    assert ran.status == status
    assert "error: `tool` cannot be started" in ran.err
    assert "not-started" in run_client(yard, "runs list").out


def test_json_is_what_receipts_are_for(yard: Path) -> None:
    ran = run_client(yard, "run --agent reviewer --json -- codex")

    assert ran.status == 2
    assert "--receipt FILE writes the JSON" in ran.err


@pytest.mark.requirement("DEL-11")
def test_each_way_of_a_skill_that_cannot_be_delivered(yard: Path) -> None:
    text = "\ufeff---\nname: odd\ndescription: Odd. Use it.\n---\n\nDo.\n"
    write_skill(yard.parent / "more" / "odd", text)
    do(yard, "add ../more", "assign odd --agent reviewer")

    left_out = run_client(yard, "run --agent reviewer -- codex")
    as_text = run_client(yard, "run --agent reviewer --on-invalid fallback -- codex")
    failed = run_client(yard, "run --agent reviewer --on-invalid fail -- codex")
    by_setting = run_client(yard, "run --agent reviewer -- codex", SKILLYARD_RUN_ON_INVALID="fail")
    do(yard, "assign odd --agent reviewer --required")
    required = run_client(yard, "run --agent reviewer -- codex")

    assert (left_out.status, as_text.status) == (0, 0)
    assert "note: odd: Codex will not load it" in left_out.err
    assert "codex, 1 skill" in left_out.err
    assert "codex, 2 skills" in as_text.err
    assert (failed.status, by_setting.status, required.status) == (5, 5, 5)
    assert "error: the skills cannot be delivered: `odd`" in failed.err
    assert "`odd` is required" in required.err


@pytest.mark.requirement("DEL-12")
def test_a_hook_that_fails_is_told(yard: Path) -> None:
    ran = run_client(yard, "run --agent reviewer --hook 'init=exit 3' -- codex")

    assert ran.status == 5
    assert "error: the run was not started: the hook `init` ended with status 3" in ran.err
    assert "hint: Run it with `--keep` to have its output" in ran.err
    assert not (bin_of(yard) / "arguments").exists()


@pytest.mark.requirement("DEL-5")
def test_what_was_done_in_a_work_tree_is_said(yard: Path) -> None:
    (yard / "code").write_text("x")
    make_repository(yard)
    (bin_of(yard) / "script").write_text("echo y > new")

    ran = run_client(yard, "run --agent reviewer -- codex", GIT_CONFIG_GLOBAL="/dev/null")

    assert f"a work tree of {yard}\n" in ran.err
    assert "changes are in the branch skillyard/run-" in ran.err


def test_a_lock_is_run_exactly(yard: Path) -> None:
    run_client(yard, "lock --agent reviewer -o skills.lock")
    do(yard, "unassign pdf --agent reviewer")

    ran = run_client(yard, "run --lock skills.lock -- codex")

    assert "codex, 1 skill" in ran.err
    assert (bin_of(yard) / "skills").read_text() == "./.codex/skills/pdf/SKILL.md\n"


@pytest.mark.parametrize(
    "line",
    [
        "run",
        "run --agent reviewer",
        "run --env A -- codex",
        "run --env 1=2 -- codex",
        "run --pass a-b -- codex",
        "run --hook later=x -- codex",
        "run --workspace elsewhere -- codex",
        "run --provider nobody -- codex",
        "run --lock nowhere.lock -- codex",
        "run --env HOME=/ -- codex",
    ],
)
def test_what_cannot_be_meant_is_refused(yard: Path, line: str) -> None:
    assert run_client(yard, line).status == 2
    assert not (bin_of(yard) / "arguments").exists()


def test_an_agent_that_does_not_exist_is_an_error(yard: Path) -> None:
    ran = run_client(yard, "run --agent nobody -- codex")

    assert (ran.status, "there is no agent `nobody`" in ran.err) == (3, True)


def test_what_the_program_prints_goes_where_ours_would(yard: Path) -> None:
    (bin_of(yard) / "script").write_text("echo out; echo err >&2; cat")
    done = subprocess.run(
        [sys.executable, "-m", "skillyard", "run", "-q", "--", str(bin_of(yard) / "codex")],
        cwd=yard,
        input="typed\n",
        capture_output=True,
        check=False,
        text=True,
        env={"SKILLYARD_HOME": str(home_of(yard)), "HOME": str(yard), "PATH": "/usr/bin:/bin"},
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "out\ntyped\n", "err\n")


def start(yard: Path, line: str, *, program: str = "") -> subprocess.CompletedProcess[str]:
    """Run `skillyard run` by a shell, which redirects as `line` says."""
    command = program or str(bin_of(yard) / "codex")
    whole = f"{sys.executable} -m skillyard run --no-user {line.replace('COMMAND', command)}"
    return subprocess.run(
        ["/bin/sh", "-c", whole],
        cwd=yard,
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
        env={"SKILLYARD_HOME": str(home_of(yard)), "HOME": str(yard), "PATH": "/usr/bin:/bin"},
    )


@pytest.mark.parametrize("where", ["2>/dev/full", "2>&-", ">&-", ">&- 2>&-", ">&- 2>&- <&-"])
def test_what_nobody_reads_changes_nothing(yard: Path, where: str) -> None:
    (bin_of(yard) / "script").write_text("exit 42")

    done = start(yard, f"-- COMMAND {where}")

    assert (done.returncode, (bin_of(yard) / "arguments").exists()) == (42, True)
    assert "Traceback" not in done.stderr
    assert start(yard, f"-- COMMAND {where}", program="/nowhere/tool").returncode == 127


def test_a_reader_of_notes_who_is_gone_changes_nothing(yard: Path) -> None:
    (bin_of(yard) / "script").write_text("exit 42")
    reader, writer = os.pipe()
    os.close(reader)

    done = subprocess.run(
        [sys.executable, "-m", "skillyard", "run", "--", str(bin_of(yard) / "codex")],
        cwd=yard,
        stderr=writer,
        check=False,
        timeout=60,
        env={"SKILLYARD_HOME": str(home_of(yard)), "HOME": str(yard), "PATH": "/usr/bin:/bin"},
    )
    os.close(writer)

    assert (done.returncode, (bin_of(yard) / "arguments").exists()) == (42, True)


def test_what_the_program_says_is_said_though_ours_cannot_be(yard: Path) -> None:
    (bin_of(yard) / "script").write_text("echo out; readlink /proc/self/fd/2")

    done = start(yard, "-- COMMAND 2>/dev/full")

    assert (done.returncode, done.stdout) == (0, "out\n/dev/full\n")


def test_a_receipt_is_for_its_owner_and_holds_no_secret(yard: Path) -> None:
    (yard / "receipt.json").touch(mode=0o644)
    line = (
        "run --agent reviewer --receipt receipt.json --env DATABASE_URL=postgres://ada:pw1@host/db"
        " --env MIRROR=https://pw2@host/x --env MY_TOKEN=pw3 --env PLAIN=yes"
        " -- codex https://ada:pw4@host/ --url=ftp://a:pw5@b MY_API_KEY=pw6 mail@host"
    )

    run_client(yard, line)

    written = (yard / "receipt.json").read_text()
    shown = run_client(yard, "runs show last --json").out
    assert [one for one in ("pw1", "pw2", "pw3", "pw4", "pw5", "pw6") if one in written] == []
    assert json.loads(shown) == json.loads(written)
    told = json.loads(written)
    assert told["environment"]["DATABASE_URL"] == "postgres://***@host/db"
    assert (told["environment"]["MY_TOKEN"], told["environment"]["PLAIN"]) == ("***", "yes")
    assert told["command"][1:] == [
        "https://***@host/", "--url=ftp://***@b", "MY_API_KEY=***", "mail@host",
    ]  # fmt: skip
    assert stat.S_IMODE((yard / "receipt.json").stat().st_mode) == 0o600
    assert "https://ada:pw4@host/" in (bin_of(yard) / "arguments").read_text()


@pytest.mark.parametrize("kind", ["link", "dangling", "text"])
def test_a_receipt_takes_the_place_of_receipts_only(yard: Path, kind: str) -> None:
    place, other = yard / "receipt.json", yard / "other"
    other.write_text("mine")
    if kind == "text":
        place.write_text("mine")
    else:
        place.symlink_to(other if kind == "link" else "nowhere")
    line = (
        f"run --agent reviewer --receipt receipt.json --hook 'pre_init=touch {yard}/ran' -- codex"
    )

    ran = run_client(yard, line)

    assert ran.status == 4
    assert "receipt.json` already exists" in ran.err
    assert (other.read_text(), (yard / "ran").exists()) == ("mine", False)
    assert run_client(yard, "runs list").out == ""


def test_a_receipt_replaces_an_older_one(yard: Path) -> None:
    line = "run --agent reviewer --receipt new/receipt.json -- codex"

    assert [run_client(yard, line).status for _ in range(2)] == [0, 0]


def test_a_path_that_is_no_text_is_shown_in_one_way(yard: Path) -> None:
    odd = yard / "odd\udcff"
    odd.mkdir()
    make_repository(odd, "--allow-empty")

    ran = skillyard_in(yard, "run", "--agent", "reviewer", "--project", str(odd), "--", "codex")
    shown = run_client(yard, "runs show last")
    dry = skillyard_in(
        yard, "run", "--agent", "reviewer", "--dry-run", "--project", str(odd), "--", "codex"
    )

    for text in (ran.err, shown.out, dry.out):
        assert "odd\\xff" in text
        assert "udcff" not in text


def skillyard_in(yard: Path, *arguments: str) -> Ran:
    path = f"{bin_of(yard)}:/usr/bin:/bin"
    env = {"HOME": str(home_of(yard) / "user"), "PATH": path, "GIT_CONFIG_GLOBAL": "/dev/null"}
    return skillyard(*arguments, cwd=yard, env=env)


@pytest.mark.parametrize("options", ["", "--dry-run"])
def test_an_empty_command_is_said(yard: Path, options: str) -> None:
    ran = run_client(yard, f"run --agent reviewer {options} -- ''")

    assert ran.status == 2
    assert "error: the command is empty" in ran.err


def test_a_dry_run_names_the_logins_that_there_are(yard: Path) -> None:
    line = "run --agent reviewer --dry-run"
    assert "logins" not in run_client(yard, f"{line} -- codex").out
    assert json.loads(run_client(yard, f"{line} --json -- codex").out)["logins"] == []
    login = home_of(yard) / "user" / ".codex" / "auth.json"
    login.parent.mkdir(parents=True)
    login.write_text("{}")

    assert "logins     ~/.codex/auth.json\n" in run_client(yard, f"{line} -- codex").out
    told = json.loads(run_client(yard, f"{line} --json -- codex").out)["logins"]
    assert [one["source"] for one in told] == ["~/.codex/auth.json"]
    elsewhere = run_client(yard, f"{line} -- codex", CODEX_HOME=str(yard)).out
    assert "logins" not in elsewhere


def make_repository(place: Path, *options: str) -> None:
    for line in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@y.z", "commit", "-qm", "x", *options],
    ):
        subprocess.run(["git", *line], cwd=place, check=True, capture_output=True)
