"""What a run did in its work tree is a branch afterwards."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from skillyard.application.ports.workspace import ConcludedWorkspace, PreparedWorkspace
from tests.integration.workspace.repositories import SKILL, Scene, files_in, picture


def conclude(scene: Scene, made: PreparedWorkspace) -> ConcludedWorkspace:
    return scene.workspaces.conclude(made, name="run-1")


def names(scene: Scene, one: str, other: str) -> list[str]:
    return scene.git("diff", "--name-status", "--no-renames", one, other).split("\n")


@pytest.mark.requirement("DEL-5")
def test_what_a_run_changed_is_one_commit_on_a_branch(scene: Scene) -> None:
    scene.init({"a.txt": "one\n", "gone": "", ".gitignore": "*.log\n"})
    made = scene.prepare()
    scene.write("a.txt", "run\n", at=Path(made.path))
    scene.write("new/file", "run\n", at=Path(made.path)).chmod(0o755)
    scene.write("x.log", "ignored\n", at=Path(made.path))
    (Path(made.path) / "gone").unlink()
    files = picture(scene.project / ".git/refs/heads")

    done = conclude(scene, made)

    assert done.ref == "skillyard/run-1"
    assert names(scene, "main", done.ref) == ["M\ta.txt", "D\tgone", "A\tnew/file"]
    assert scene.git("rev-list", "--count", f"main..{done.ref}") == "1"
    assert scene.git("log", "-1", "--format=%an <%ae>", done.ref) == "Ann Author <ann@example.org>"
    assert scene.status(scene.project) == []
    assert picture(scene.project / ".git/refs/heads")["main"] == files["main"]
    assert not (scene.project / ".git/worktrees").exists()
    assert scene.git("fsck", "--no-dangling") == ""


def test_the_notes_say_how_to_see_and_take_over_the_changes(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    scene.write("a.txt", "run\n", at=Path(made.path))
    base = scene.git("rev-parse", "HEAD")[:12]

    done = conclude(scene, made)

    see = f"git diff {base} skillyard/run-1"
    assert [note.message for note in done.notes] == [
        f"what the run changed is in the branch `skillyard/run-1`; to see it: `{see}`",
        "to take it over, in the root of the repository: `git merge skillyard/run-1`",
    ]
    scene.git("merge", "--quiet", done.ref)
    assert files_in(scene.project)["a.txt"] == "run\n"


@pytest.mark.requirement("DEL-5")
def test_the_users_own_changes_are_apart_and_the_command_of_the_note_works(scene: Scene) -> None:
    scene.init()
    scene.write("a.txt", "user\nuser\nuser\n")
    scene.write("user.txt", "user\n")
    made = scene.prepare()
    scene.write("a.txt", "user\nuser\nuser\nrun\n", at=Path(made.path))
    scene.write("bytes", b"\0\xff", at=Path(made.path))

    done = conclude(scene, made)

    assert names(scene, f"{done.ref}~1", done.ref) == ["M\ta.txt", "A\tbytes"]
    assert names(scene, "main", f"{done.ref}~1") == ["M\ta.txt", "A\tuser.txt"]
    command = done.notes[1].message.split("`")[1]
    assert command.endswith("| git apply")
    subprocess.run(["/bin/sh", "-c", command], cwd=scene.project, check=True)
    assert files_in(scene.project)["a.txt"] == "user\nuser\nuser\nrun\n"
    assert scene.status(scene.project) == [" M a.txt", "?? bytes", "?? user.txt"]


def test_commits_of_the_run_are_below_what_it_did_not_commit(scene: Scene) -> None:
    scene.init({"a.txt": "one\n", ".gitignore": "*.log\n"})
    made = scene.prepare()
    committed = scene.commit({"a.txt": "run\n", "forced.log": "x"}, at=Path(made.path))
    scene.write("later", "run\n", at=Path(made.path))

    done = conclude(scene, made)

    assert scene.git("rev-parse", f"{done.ref}~1") == committed
    assert names(scene, committed, done.ref) == ["A\tlater"]


def test_a_run_that_committed_everything_adds_no_commit(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    scene.git("switch", "--quiet", "-c", "feature", at=Path(made.path))
    committed = scene.commit({"a.txt": "run\n"}, at=Path(made.path))

    assert scene.git("rev-parse", conclude(scene, made).ref) == committed


def test_commits_of_the_run_and_changes_of_the_user_are_told_apart(scene: Scene) -> None:
    scene.init()
    scene.write("a.txt", "user\n")
    made = scene.prepare()
    committed = scene.commit({"run.txt": "run\n"}, at=Path(made.path))

    done = conclude(scene, made)

    assert scene.git("rev-parse", f"{done.ref}^1") == committed
    assert names(scene, f"{done.ref}^2", done.ref) == ["A\trun.txt"]


def test_a_change_in_the_second_of_the_start_is_seen_however_late_the_run_ends(
    scene: Scene,
) -> None:
    scene.init()
    long_ago = (1_000_000_000, 1_000_000_000)
    os.utime(scene.write("a.txt", "user\n"), long_ago)
    made = scene.prepare()
    os.utime(scene.write("a.txt", "runs\n", at=Path(made.path)), long_ago)
    os.utime(scene.project / ".git/worktrees/workspace/skillyard/index", long_ago)

    assert conclude(scene, made).ref == "skillyard/run-1"


@pytest.mark.parametrize("how", ["touched", "changed and back", "ignored", "stat"])
def test_what_is_the_same_in_the_end_is_no_change(scene: Scene, how: str) -> None:
    scene.init({"a.txt": "one\n", ".gitignore": "*.log\n"})
    scene.write("user.txt", "user\n")
    before = picture(scene.project)
    made = scene.prepare()
    work = Path(made.path)
    if how == "touched":
        (work / "a.txt").touch()
        (work / "user.txt").touch()
    if how == "changed and back":
        scene.write("a.txt", "two\n", at=work)
        scene.git("checkout", "--quiet", "a.txt", at=work)
    if how == "ignored":
        scene.write("x.log", "x", at=work)
    if how == "stat":
        scene.status(work)

    assert conclude(scene, made) == ConcludedWorkspace()
    assert picture(scene.project) == before


def test_what_is_hidden_is_in_the_branch_as_it_was(scene: Scene) -> None:
    scene.init({"a.txt": "one\n", ".claude/skills/pdf/SKILL.md": SKILL})
    made = scene.prepare()
    work = Path(made.path)
    # Whoever loses the marks of the index takes the files for removed, and commits that.
    scene.git("update-index", "--no-skip-worktree", ".claude/skills/pdf/SKILL.md", at=work)
    scene.commit({"a.txt": "run\n"}, at=work)

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == ["M\ta.txt"]


def test_a_skill_that_the_run_wrote_is_saved(scene: Scene) -> None:
    scene.init({".claude/skills/pdf/SKILL.md": SKILL})
    made = scene.prepare()
    scene.write(".claude/skills/pdf/SKILL.md", "better", at=Path(made.path))
    scene.write(".claude/skills/new/SKILL.md", SKILL, at=Path(made.path))

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == [
        "A\t.claude/skills/new/SKILL.md",
        "M\t.claude/skills/pdf/SKILL.md",
    ]


def test_skills_that_a_merge_of_the_run_brought_are_saved(scene: Scene) -> None:
    scene.init({".claude/skills/pdf/SKILL.md": SKILL})
    scene.git("checkout", "--quiet", "-b", "side")
    scene.commit({".claude/skills/pdf/SKILL.md": "newer", "side": ""})
    scene.git("checkout", "--quiet", "main")
    made = scene.prepare()
    scene.git("merge", "--quiet", "side", at=Path(made.path))

    done = conclude(scene, made)

    assert scene.show(f"{done.ref}:.claude/skills/pdf/SKILL.md") == "newer"
    assert names(scene, "side", done.ref) == [""]


def test_a_repository_that_the_run_made_is_saved_as_files(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    inner = Path(made.path) / "inner"
    inner.mkdir()
    scene.git("init", "--quiet", at=inner)
    scene.commit({"deep/file": "x"}, at=inner)

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == ["A\tinner/deep/file"]


def test_a_run_that_replaced_the_repository_loses_nothing(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    (Path(made.path) / ".git").unlink()
    (scene.place / "runs/run-1/workspace.repository").unlink()
    scene.git("init", "--quiet", at=Path(made.path))
    scene.commit({"a.txt": "run\n"}, at=Path(made.path))

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == ["M\ta.txt"]
    assert not Path(made.path).exists()


def test_without_an_identity_the_program_commits_under_its_own_name(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    (scene.home / ".gitconfig").unlink()
    scene.write("a.txt", "run\n", at=Path(made.path))

    done = conclude(scene, made)

    author = scene.git("log", "-1", "--format=%an <%ae>", done.ref)
    assert author == "Skillyard run <skillyard@localhost>"


@pytest.mark.parametrize("taken", ["skillyard", "skillyard/run-1"])
def test_a_name_that_is_taken_is_not_overwritten(scene: Scene, taken: str) -> None:
    scene.init()
    scene.git("branch", taken)
    made = scene.prepare()
    scene.write("a.txt", "run\n", at=Path(made.path))

    done = conclude(scene, made)

    assert done.ref == "skillyard-run-1"
    assert scene.git("rev-parse", taken) == scene.git("rev-parse", "main")


def test_a_work_tree_that_is_kept_is_saved_once(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    scene.write("a.txt", "run\n", at=Path(made.path))

    kept = scene.workspaces.conclude(made, name="run-1", keep=True)
    assert files_in(made.path)["a.txt"] == "run\n"
    again = scene.workspaces.abandon(made.path)

    assert kept.ref == again.ref == "skillyard/run-1"
    assert not Path(made.path).exists()


def test_files_that_the_run_took_its_own_rights_from_are_saved_and_removed(scene: Scene) -> None:
    scene.init()
    made = scene.prepare()
    scene.write("locked/file", "x", at=Path(made.path)).chmod(0)
    (Path(made.path) / "locked").chmod(0o500)

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == ["A\tlocked/file"]
    assert not Path(made.path).exists()


SAVE_AS_USER = """
import os, subprocess, sys
from pathlib import Path
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.run import WorkspaceMode

os.chdir(sys.argv[1])
if os.geteuid() == 0:  # after the imports, which may lie where nobody may read
    os.chown(".", 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
place = Path.cwd()
environment = {"HOME": str(place), "PATH": os.environ["PATH"]}
workspaces = GitWorkspaces(environment=environment)
(place / "project/known").mkdir(parents=True)
(place / "project/known/file").write_text("known")
target = place / "root/workspace"
target.mkdir(parents=True)

def git(*words):
    words = ["git", "-c", "user.name=x", "-c", "user.email=x@y.z", *words]
    done = subprocess.run(words, cwd="project", env=environment, check=True, capture_output=True)
    return done.stdout.decode().split()

git("init", "-q")
git("add", ".")
git("commit", "-qm", "x")
made = workspaces.prepare(
    WorkspaceMode.WORKTREE, project=str(place / "project"), target=str(target), hide=[], name="r"
)
(target / "d/inner").mkdir(parents=True)
(target / "d/inner/new").write_text("new")
(target / "d/inner").chmod(0)
(target / "d").chmod(0)
(target / "known").chmod(0)
done = workspaces.conclude(made, name="r")
assert git("ls-tree", "-r", "--name-only", done.ref) == ["d/inner/new", "known/file"], done
assert not target.exists()
"""


@pytest.mark.requirement("DEL-5")
def test_what_stands_in_a_directory_that_nobody_may_enter_is_saved() -> None:
    # Not below the directory of the test: only its owner may go there.
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            [sys.executable, "-c", SAVE_AS_USER, place],
            check=False,
            capture_output=True,
            text=True,
        )

    assert (done.returncode, done.stderr) == (0, "")


def test_large_changes_of_the_user_are_not_in_the_repository_afterwards(scene: Scene) -> None:
    scene.init()
    scene.configure("core.bigFileThreshold", "1m")
    scene.write("large", b"x" * 2 * 1024**2)
    before = picture(scene.project)

    assert conclude(scene, scene.prepare()) == ConcludedWorkspace()

    assert picture(scene.project) == before


def test_large_changes_of_a_run_are_saved(scene: Scene) -> None:
    scene.init()
    scene.configure("core.bigFileThreshold", "1m")
    scene.write("large", b"x" * 2 * 1024**2)
    made = scene.prepare()
    scene.write("larger", b"y" * 2 * 1024**2, at=Path(made.path))

    done = conclude(scene, made)

    assert names(scene, "main", done.ref) == ["A\tlarge", "A\tlarger"]
    assert scene.git("fsck", "--no-dangling") == ""
