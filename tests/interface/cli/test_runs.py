"""Past runs: listed, shown, verified, replayed, compared, and forgotten."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.clients import bin_of, install, run_client, runs_of
from tests.interface.cli.lines import do
from tests.interface.cli.running import steady, write_skill

pytestmark = pytest.mark.requirement("DEL-10", "INT-2")


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """Give a project with two past runs: of an agent with Codex, and of nobody with a tool."""
    project = tmp_path / "project"
    project.mkdir()
    install(project)
    install(project, "tool")
    write_skill(tmp_path / "given" / "pdf")
    off = "--disable-skill hello-world --disable-skill skill-authoring --disable-skill gh"
    do(project, "add ../given", f"agents add reviewer {off}", "assign pdf --agent reviewer")
    run_client(project, "run --agent reviewer --keep --receipt first.json -- codex exec hi")
    (bin_of(project) / "script").write_text("exit 3")
    run_client(project, "run --receipt second.json -- tool")
    return project


def test_runs_are_listed_from_the_newest_to_the_oldest(yard: Path) -> None:
    lines = run_client(yard, "runs list").out.splitlines()

    assert lines[0].split() == ["Run", "Began", "Agent", "Client", "Skills", "Status", "Command"]
    assert lines[1].split()[3:] == ["prompt", "2", "ended", "3", "tool"]
    assert lines[2].split()[3:] == [
        "reviewer", "codex", "1", "ended", "0", "codex", "exec", "hi",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("--agent reviewer", ["codex"]),
        ("--skill pdf", ["codex"]),
        ("--provider prompt", ["prompt"]),
        ("--status ended", ["prompt", "codex"]),
        ("--status lost", []),
        ("--most 1", ["prompt"]),
    ],
)
def test_a_list_can_be_cut_down(yard: Path, options: str, found: list[str]) -> None:
    told = json.loads(run_client(yard, f"runs list {options} --json").out)

    assert [one["provider"] for one in told["runs"]] == found
    assert told["more"] == ("most" in options)


def test_a_list_of_nothing_says_so(yard: Path) -> None:
    ran = run_client(yard, "runs list --status lost")

    assert (ran.status, ran.out, ran.err) == (0, "", "There are no runs like that\n")


def test_a_run_is_shown_with_all_that_is_known(yard: Path) -> None:
    shown = run_client(yard, "runs show first.json").out
    (root,) = runs_of(yard)

    assert steady(shown).startswith("ID\n  status     ended 0\n  agent      reviewer\n")
    for piece in (
        "client     codex, native",
        "command    codex exec hi",
        "workspace  an empty workspace",
        f"kept in {root}\n",
        "pdf    1.0.0    store   loaded    materialize  home/.codex/skills/pdf",
    ):
        assert piece in shown
    told = json.loads((yard / "first.json").read_text())
    assert json.loads(run_client(yard, f"runs show {told['id']} --json").out) == told
    assert run_client(yard, f"runs show {told['id'][:30]}").out == shown


def test_a_run_is_verified(yard: Path) -> None:
    (root,) = runs_of(yard)
    ran = run_client(yard, "runs verify first.json")
    assert ran.out.endswith(f": 1 skill intact in the store and in {root}\n")
    (root / "home" / ".codex" / "skills" / "pdf" / "SKILL.md").write_text("changed")

    ran = run_client(yard, "runs verify first.json")
    told = json.loads(run_client(yard, "runs verify first.json --json").out)

    assert (ran.status, ran.out) == (4, "")
    assert "is not as it was: pdf: SKILL.md is changed" in ran.err
    assert told["changes"] == [{"slug": "pdf", "path": "SKILL.md", "kind": "changed"}]
    assert (told["intact"], told["lost"], told["root"]) == (False, [], str(root))


def test_a_receipt_that_was_edited_is_told(yard: Path) -> None:
    told = json.loads((yard / "first.json").read_text())
    told["skills"][0]["version"] = "9.0.0"
    (yard / "edited.json").write_text(json.dumps(told))

    ran = run_client(yard, "runs verify edited.json")
    verified = json.loads(run_client(yard, "runs verify edited.json --json").out)

    assert (ran.status, ran.out) == (4, "")
    assert "is not as it was: skills is not what the store has of it" in ran.err
    assert (verified["intact"], len(verified["edited"])) == (False, 1)


def test_a_directory_that_is_not_there_is_said(yard: Path) -> None:
    ran = run_client(yard, "runs verify first.json --root nowhere")

    assert (ran.status, ran.out) == (2, "")
    assert "nowhere" in ran.err
    assert "does not exist" in ran.err


def test_a_receipt_with_half_a_character_is_refused(yard: Path) -> None:
    told = json.loads((yard / "first.json").read_text())
    told["skills"][0]["path"] = "\ud800"
    (yard / "odd.json").write_text(json.dumps(told))

    for line in ("verify odd.json", "replay odd.json --to again", "show odd.json"):
        ran = run_client(yard, f"runs {line}")
        assert (ran.status, "cannot be read as a receipt" in ran.err) == (2, True)
    assert not (yard / "again").exists()


@pytest.mark.requirement("STO-5")
def test_a_run_is_replayed_after_its_skill_is_gone(yard: Path) -> None:
    (root,) = runs_of(yard)
    skill = Path("home/.codex/skills/pdf/SKILL.md")
    write_skill(yard.parent / "given" / "pdf", "---\nname: pdf\ndescription: New.\n---\n\nNew.\n")
    do(yard, "add ../given", "archive pdf", "delete pdf --yes", "add ../given")

    ran = run_client(yard, "runs replay first.json --to again")

    assert ran.out == "Laid out 1 skill in again\n  home/.codex/skills/pdf\n"
    assert (yard / "again" / skill).read_bytes() == (root / skill).read_bytes()
    assert run_client(yard, "runs verify first.json --root again").status == 0
    assert run_client(yard, "runs replay first.json --to again").status == 4
    told = json.loads(run_client(yard, "runs replay first.json --to x --dry-run --json").out)
    assert (told["directories"], told["dry_run"]) == (["home/.codex/skills/pdf"], True)
    assert not (yard / "x").exists()


def test_what_is_gone_is_named(yard: Path) -> None:
    do(yard, "delete pdf --yes")
    run_client(yard, "gc --kept --purge-runs 0")

    ran = run_client(yard, "runs replay first.json --to again")

    assert (ran.status, (yard / "again").exists()) == (4, False)
    assert "pdf 1.0.0 (sha256:" in ran.err
    assert "is gone" in ran.err
    assert run_client(yard, "runs show last").status == 3


def test_runs_are_compared(yard: Path) -> None:
    same = run_client(yard, "runs diff first.json first.json")
    ran = run_client(yard, "runs diff first.json last")

    assert (same.status, same.out) == (0, "Both were given the same\n")
    assert ran.status == 1
    for line in (
        "agent: reviewer → none",
        "provider: codex → prompt",
        "mode: native → fallback",
        "command: codex exec hi → tool",
        "- pdf 1.0.0",
        "+ hello-world 1.0.0",
        "+ variable SKILLYARD_PROMPT_FILE",
    ):
        assert line in ran.out.splitlines()
    told = json.loads(run_client(yard, "runs diff first.json last --json").out)
    assert [one["slug"] for one in told["removed"]] == ["pdf"]
    assert (told["same"], told["added_variables"]) == (False, ["SKILLYARD_PROMPT_FILE"])


def test_a_newer_version_is_a_change(yard: Path) -> None:
    write_skill(yard.parent / "given" / "pdf", "---\nname: pdf\ndescription: New.\n---\n\nNew.\n")
    do(yard, "add ../given")
    run_client(yard, "run --agent reviewer -- codex exec hi")

    lines = run_client(yard, "runs diff first.json last").out.splitlines()

    assert "~ pdf 1.0.0 → 1.0.1 (version, digest, delivered)" in lines


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("runs show zzz", 3),
        ("runs show first.jso", 3),
        ("runs show bad.json", 2),
        ("runs show 0", 2),
    ],
)
def test_what_is_no_run_is_refused(yard: Path, line: str, status: int) -> None:
    (yard / "bad.json").write_text("{}")

    assert run_client(yard, line).status == status


@pytest.mark.requirement("DEL-13")
def test_kept_roots_and_old_runs_are_collected(yard: Path) -> None:
    (root,) = runs_of(yard)

    assert run_client(yard, "gc").out == ""
    assert run_client(yard, "gc --kept --dry-run").out == f"Would remove {root}\n"
    told = json.loads(run_client(yard, "gc --kept --purge-runs 0 --dry-run --json").out)
    assert (len(told["kept"]), len(told["runs"]), told["cache"]) == (1, 1, None)
    done = run_client(yard, "gc --kept --purge-runs 0")

    assert done.out.splitlines()[:2] == [f"Removed {root}", "Removed the records of 2 runs"]
    assert (runs_of(yard), run_client(yard, "runs list").out) == ([], "")
    assert run_client(yard, "show pdf").status == 0
