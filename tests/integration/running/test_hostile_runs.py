"""Whatever a program or a hook does in its run, nothing is lost, and nothing is smuggled in."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from skillyard.domain.delivery import NoteKind
from skillyard.domain.errors import HookAddedSkillsError
from skillyard.domain.hook import Hook, Stage
from skillyard.domain.run import ChangeKind, Run, RunStatus, SeenChange, WorkspaceMode
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.integration.running.world import World

SPOILING = {
    "the repository is moved": 'mv "$USER_PROJECT" "$USER_PROJECT-moved"',
    "what git knows is removed": 'rm -rf "$(git rev-parse --git-dir)"',
    "the note is emptied": ': > "$(git rev-parse --git-dir)/skillyard/start"',
    "the files are moved": "cd ..; mv workspace ws2",
}
SUPERVISE = """
import sys
from pathlib import Path
from skillyard.yard import Skillyard
from skillyard.application.run_wish import RunAgent
from skillyard.domain.hook import Hook, Stage
root = Path(sys.argv[1])
with Skillyard.open(home=root / "home") as yard:
    wish = RunAgent(
        command=("codex",), project=str(root / "project"), keep=sys.argv[2] == "keep",
        hooks=tuple(Hook(Stage(one), two) for one, two in (x.split("=", 1) for x in sys.argv[3:])),
        environment={"HOME": str(root / "user"), "PATH": f"{root}/bin:/usr/bin:/bin"},
    )
    yard.run(wish, include_user=False, include_project=False)
"""


@pytest.fixture
def stored(world: World, sqlite_url: str) -> World:
    """Give a world with a store on the disk."""
    Path(sqlite_url.removeprefix("sqlite:///")).rename(world.root / "home" / "skillyard.db")
    world.yard = Skillyard.open(home=world.root / "home")
    world.save(make_package("pdf"))
    return world


def supervise(world: World, *hooks: str, keep: bool = False) -> int:
    """Run the program in a process of its own, and give its status."""
    words = [str(world.root), "keep" if keep else "", *hooks]
    done = subprocess.run(
        [sys.executable, "-c", SUPERVISE, *words],
        check=False,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    return done.returncode


def give_login(world: World) -> None:
    login = world.root / "user" / ".codex" / "auth.json"
    login.parent.mkdir()
    login.write_text('{"OPENAI_API_KEY": "secret"}')


def notes_of(run: Run, kind: NoteKind) -> list[str]:
    return [one.message for one in run.notes if one.kind is kind]


# What was done


@pytest.mark.requirement("DEL-5", "DEL-13")
@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING)
def test_work_that_cannot_be_saved_stays_where_it_is(world: World, spoil: str) -> None:
    world.make_repository()
    world.do(f"echo done > done.txt; USER_PROJECT={world.project}; {spoil}")

    run = world.run()

    assert run.is_kept
    assert [one.read_text() for one in Path(run.root).rglob("done.txt")] == ["done\n"]
    assert any(run.root in one for one in notes_of(run, NoteKind.WORKSPACE))
    assert world.yard.collect().leftovers == ()
    (kept,) = world.yard.collect(kept=True).kept
    assert kept.problem
    assert [one.read_text() for one in Path(run.root).rglob("done.txt")] == ["done\n"]


@pytest.mark.requirement("DEL-5", "DEL-13")
@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING)
def test_work_of_a_killed_run_that_cannot_be_saved_stays_where_it_is(
    stored: World, spoil: str
) -> None:
    stored.make_repository()
    spoil = spoil.replace("cd ..;", "cd ..; rm workspace.repository;")
    script = f"echo done > done.txt; USER_PROJECT={stored.project}; {spoil}; kill -9 $PPID"
    stored.do(script)
    assert supervise(stored) == -signal.SIGKILL

    (kept,) = stored.yard.collect().leftovers

    run = stored.last()
    assert kept.problem
    assert (run.status, run.is_kept) == (RunStatus.LOST, True)
    assert any(run.root in one for one in notes_of(run, NoteKind.WORKSPACE))
    assert [one.read_text() for one in Path(run.root).rglob("done.txt")] == ["done\n"]


def test_a_run_that_changed_nothing_leaves_nothing(world: World) -> None:
    world.make_repository()

    run = world.run()

    assert (run.is_kept, run.workspace_ref, world.left()) == (False, "", [])


def test_a_kept_run_that_removed_its_own_directory_is_not_kept(world: World) -> None:
    world.do('rm -rf "$SKILLYARD_RUN_ROOT"')

    run = world.run(keep=True)

    assert (run.is_kept, world.left()) == (False, [])
    assert notes_of(run, NoteKind.WORKSPACE) == [
        "its directory is not there any more: the run removed or moved it"
    ]
    assert list((world.runs / "locks").iterdir()) == []
    assert world.yard.collect(purge_days=0).runs == (run.id,)


def test_a_kept_directory_that_the_user_removed_is_forgotten(world: World) -> None:
    run = world.run(keep=True, host="")
    subprocess.run(["rm", "-rf", run.root], check=True)

    assert world.yard.collect(purge_days=0).runs == (run.id,)


def test_what_is_kept_on_another_machine_stays_known(world: World) -> None:
    run = world.run(keep=True, host="another")
    subprocess.run(["rm", "-rf", run.root], check=True)

    assert world.yard.collect(purge_days=0).runs == ()
    assert world.last().is_kept


# Logins


@pytest.mark.requirement("DEL-6", "DEL-13")
def test_no_login_stays_in_the_kept_root_of_a_killed_run(stored: World) -> None:
    give_login(stored)
    stored.do("kill -9 $PPID")
    assert supervise(stored, keep=True) == -signal.SIGKILL
    root = stored.runs / stored.left()[0]
    assert (root / "home/.codex/auth.json").exists()

    assert stored.yard.collect().leftovers == ()

    run = stored.last()
    assert (run.status, run.is_kept, run.root) == (RunStatus.LOST, True, str(root))
    assert run.failure == "its processes ended without a word"
    assert not (root / "home/.codex/auth.json").exists()
    assert (root / "home/.codex/config.toml").exists()
    assert not list((stored.runs / "locks").glob("*.logins"))


@pytest.mark.requirement("DEL-6")
def test_no_login_stays_where_the_program_moved_its_directory(world: World) -> None:
    give_login(world)
    world.do('mv "$HOME/.codex" "$HOME/c2"; ln -s c2 "$HOME/.codex"; cp "$HOME/c2/auth.json" x')

    run = world.run(keep=True)

    contents = [one.read_text() for one in Path(run.root).rglob("*") if one.is_file()]
    assert contents
    assert not [one for one in contents if "secret" in one]


# Skills that nobody chose


@pytest.mark.requirement("DEL-4", "DEL-10")
@pytest.mark.parametrize(
    ("stage", "script", "path"),
    [
        (
            "pre_init",
            "cd; mkdir -p .codex/skills/evil; echo > .codex/skills/evil/SKILL.md",
            "evil/SKILL.md",
        ),
        (
            "init",
            "cd; mkdir -p .agents/skills/evil; echo > .agents/skills/evil/SKILL.md",
            "evil/SKILL.md",
        ),
        ("post_init", 'cd "$CODEX_HOME/skills"; mkdir evil; echo > evil/x', "evil/x"),
        ("post_init", 'echo x >> "$CODEX_HOME/skills/pdf/SKILL.md"', "pdf/SKILL.md"),
        ("post_init", 'rm -r "$CODEX_HOME/skills/pdf"', "pdf/SKILL.md"),
        ("init", 'mkdir "$HOME/x"; ln -s x "$HOME/.agents"', ".agents/skills"),
        ("init", "mkdir -p .agents/skills/evil; : > .agents/skills/evil/SKILL.md", "evil"),
    ],
)
def test_after_a_hook_that_adds_or_changes_skills_nothing_is_started(
    world: World, stage: str, script: str, path: str
) -> None:
    with pytest.raises(HookAddedSkillsError) as caught:
        world.run(hooks=(Hook(Stage(stage), script),))

    (found,) = caught.value.paths
    assert found.endswith(path)
    assert (caught.value.stage, world.was_started) == (stage, False)
    assert world.last().status is RunStatus.NOT_STARTED
    assert world.left() == []


@pytest.mark.requirement("DEL-10")
def test_skills_that_the_program_added_are_recorded(world: World) -> None:
    world.do('mkdir -p "$CODEX_HOME/skills/new/a"; cd "$CODEX_HOME/skills"; echo > new/a/b; echo>c')

    run = world.run()

    assert run.changes == (
        SeenChange("c", ".codex/skills/c", ChangeKind.ADDED),
        SeenChange("new", "a/b", ChangeKind.ADDED),
    )


@pytest.mark.requirement("DEL-4")
@pytest.mark.parametrize("mode", [WorkspaceMode.WORKTREE, WorkspaceMode.COPY])
def test_skills_that_a_hook_checks_out_are_hidden_from_the_program(
    world: World, mode: WorkspaceMode
) -> None:
    skill = world.project / ".agents/skills/mine/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_bytes(make_package("mine").skill_md or b"")
    world.make_repository()
    who = ("-c", "user.name=x", "-c", "user.email=x@y.z")
    world.git("rm", "-rq", ".agents")
    world.git(*who, "commit", "-qm", "y")
    world.do('find . -name SKILL.md > "$here/seen.skills"; ls -d .claude/* >> "$here/seen.skills"')

    run = world.run(workspace=mode, hooks=(Hook(Stage.INIT, "git checkout -q HEAD~1"),))

    shown = [".claude/commands", ".claude/skills"] if mode is WorkspaceMode.WORKTREE else []
    assert world.seen("skills") == shown
    assert run.exit_status == 0 or mode is WorkspaceMode.COPY


# Interruptions


@pytest.mark.requirement("DEL-12", "DEL-13")
@pytest.mark.parametrize(
    ("number", "status"), [("INT", -signal.SIGINT), ("TERM", 143), ("HUP", 129)]
)
@pytest.mark.parametrize("stage", ["pre_init", "init", "post_init"])
def test_a_run_that_is_interrupted_in_a_hook_says_so(
    stored: World, stage: str, number: str, status: int
) -> None:
    assert supervise(stored, f"{stage}=kill -{number} $PPID; exec sleep 60") == status

    run = stored.last()
    assert not stored.was_started
    assert (run.status, run.exit_status) == (RunStatus.NOT_STARTED, None)
    assert run.failure == f"it was interrupted in the hook `{stage}`"
    assert "pdf" in [one.slug for one in run.skills]
    assert stored.left() == []
    assert list((stored.runs / "locks").iterdir()) == []


@pytest.mark.requirement("DEL-12")
def test_what_the_program_did_is_kept_when_a_hook_of_the_end_is_interrupted(stored: World) -> None:
    stored.make_repository()
    stored.do("echo done > done.txt")

    assert supervise(stored, "post_run=kill -TERM $PPID; exec sleep 60") == 0

    run = stored.last()
    assert (run.status, run.exit_status) == (RunStatus.ENDED, 0)
    assert stored.git("show", f"{run.workspace_ref}:done.txt") == "done\n"
    (note,) = notes_of(run, NoteKind.HOOK)
    assert note.endswith("it was interrupted")


def test_a_run_that_a_hook_stopped_has_its_skills_in_its_record(world: World) -> None:
    with pytest.raises(Exception, match="status 3"):
        world.run(hooks=(Hook(Stage.INIT, "exit 3"),))

    run = world.last()
    assert [one.slug for one in run.skills] == ["pdf"]
    world.yard.delete("pdf")
    world.yard.collect()
    with world.yard.store.view() as view:
        assert view.packages.get(run.skills[0].digest) == make_package("pdf")
