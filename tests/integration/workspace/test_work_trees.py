"""Work trees of git: what a run sees in them, and that the user's repository stays as it is."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.adapters.workspace.worktree import one_at_a_time
from skillyard.application.ports.workspace import ConcludedWorkspace
from skillyard.domain.client import SkillSettings
from skillyard.domain.errors import WorkspaceUnavailableError
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import (
    HIDE,
    PLACEHOLDERS,
    SKILL,
    Scene,
    files_in,
    picture,
)


def change(scene: Scene) -> None:
    """Let the user have changes of every kind, none of them committed."""
    scene.init({"a.txt": "one\n", "b.txt": "two\n", "gone.txt": "", "staged-gone.txt": "", "d": ""})
    scene.write(".gitignore", "*.log\n")
    scene.write("x.log", "ignored\n")
    scene.write("a.txt", "staged\n")
    scene.git("add", "a.txt")
    scene.write("a.txt", "staged, and more\n")
    scene.write("b.txt", "not staged\n").chmod(0o755)
    (scene.project / "gone.txt").unlink()
    scene.git("rm", "--quiet", "staged-gone.txt")
    (scene.project / "d").unlink()
    scene.write("d/now a directory", "x\n")
    scene.write("staged.txt", "new\n")
    scene.git("add", "staged.txt")
    (scene.project / "link").symlink_to("a.txt")
    (scene.project / "outwards").symlink_to("/nowhere")


@pytest.mark.requirement("DEL-5")
def test_a_run_sees_what_the_user_sees(scene: Scene) -> None:
    change(scene)

    made = scene.prepare()

    seen = files_in(scene.project)
    del seen["x.log"]
    assert files_in(made.path) == seen
    assert (Path(made.path) / "b.txt").stat().st_mode & 0o777 == 0o755
    assert (Path(made.path) / "outwards").readlink() == Path("/nowhere")
    assert scene.git("rev-parse", "HEAD", at=Path(made.path)) == scene.git("rev-parse", "HEAD")
    assert (made.directory, made.top) == (made.path, str(scene.project))


@pytest.mark.requirement("DEL-5")
def test_the_users_repository_is_unchanged_afterwards_file_by_file(scene: Scene) -> None:
    change(scene)
    before = picture(scene.project)

    made = scene.prepare()
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()

    assert picture(scene.project) == before
    left = [one.name for one in (scene.place / "runs/run-1").iterdir()]
    assert left == ["workspace.repository"]


@pytest.mark.requirement("DEL-4", "DEL-5")
def test_skills_are_hidden_and_git_does_not_miss_them(scene: Scene) -> None:
    scene.init(
        {
            ".claude/settings.json": "{}",
            ".claude/skills/pdf/SKILL.md": SKILL,
            "x/.agents/skills/a*b/SKILL.md": SKILL,
            "x/main.c": "",
        }
    )
    scene.write(".claude/skills/pdf/SKILL.md", "changed")
    scene.write(".agents/skills/mine/SKILL.md", SKILL)

    made = scene.prepare()

    assert files_in(made.path) == {".claude/settings.json": "{}", "x/main.c": ""}
    assert made.hidden == (".claude/skills", "x/.agents/skills")
    assert scene.status(made.path) == []
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()


def test_a_link_on_the_way_to_skills_is_hidden(scene: Scene) -> None:
    scene.init({"config/skills/pdf/SKILL.md": SKILL})
    (scene.project / ".claude").symlink_to("config")
    scene.commit({"other": ""})
    (scene.project / ".agents").symlink_to("config")

    made = scene.prepare()

    assert not (Path(made.path) / ".claude").is_symlink()
    assert not (Path(made.path) / ".agents").is_symlink()
    assert scene.status(made.path) == []
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()


@pytest.mark.requirement("DEL-4")
def test_directories_that_a_client_would_look_for_in_the_main_work_tree_are_there(
    scene: Scene,
) -> None:
    scene.init({".claude/skills/pdf/SKILL.md": SKILL})

    made = scene.prepare()

    below = sorted((Path(made.path) / ".claude").rglob("*"))
    assert [str(path.relative_to(made.path)) for path in below if path.is_file()] == [*PLACEHOLDERS]
    assert scene.status(made.path) == []


@pytest.mark.requirement("DEL-4")
def test_these_directories_outlive_what_git_does_in_the_work_tree(scene: Scene) -> None:
    scene.init({"a.txt": "old"})
    scene.commit({".claude/commands/mine.md": "mine", ".claude/skills/pdf/SKILL.md": SKILL})
    made = scene.prepare()
    work = Path(made.path)

    scene.git("checkout", "--quiet", "HEAD~1", at=work)
    scene.git("clean", "--quiet", "-fd", at=work)
    scene.git("stash", "--include-untracked", at=work)

    assert (work / ".claude/commands").is_dir()
    assert (work / ".claude/skills").is_dir()
    assert scene.status(work) == []
    scene.git("checkout", "--quiet", "main", "--detach", at=work)
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()


@pytest.mark.parametrize("content", ["/.gitignore\n", "*.log\n"])
def test_a_placeholder_is_no_change_even_where_the_project_has_such_a_file(
    scene: Scene, content: str
) -> None:
    scene.init({".claude/skills/.gitignore": content, ".claude/skills/pdf/SKILL.md": SKILL})
    made = scene.prepare()
    scene.git("add", "--force", ".claude/commands/.gitignore", at=Path(made.path))

    assert scene.workspaces.conclude(made, name="run-1", keep=True) == ConcludedWorkspace()
    scene.git("commit", "--quiet", "--message=x", at=Path(made.path))
    done = scene.workspaces.conclude(made, name="run-1")
    assert scene.git("diff", "main", done.ref) == ""


@pytest.mark.requirement("DEL-4")
@pytest.mark.parametrize("mode", [WorkspaceMode.WORKTREE, WorkspaceMode.COPY])
def test_what_a_hook_brought_back_is_hidden_again(scene: Scene, mode: WorkspaceMode) -> None:
    settings = [SkillSettings(file=".claude/settings.json", keys=("skillOverrides",))]
    directing = '{"skillOverrides": {"x": "off"}}'
    scene.init({".claude/skills/old/SKILL.md": SKILL, ".claude/settings.json": directing})
    (scene.project / ".claude/settings.json").unlink()
    shutil.rmtree(scene.project / ".claude/skills/old")
    scene.commit({".claude/skills/new/SKILL.md": SKILL, "a.txt": ""})
    made = scene.prepare(mode)
    work = Path(made.path)
    scene.git("checkout", "--quiet", "HEAD~1", at=work)
    (work / ".claude/skills/.gitignore").unlink(missing_ok=True)
    assert "SKILL.md" in {path.name for path in work.rglob("*")}

    notes = scene.workspaces.hide_again(made, hide=HIDE, settings=settings)

    assert [one.message.split("`")[1] for one in notes] == [".claude/settings.json"]
    assert files_in(work) == {}
    assert scene.status(work) == []
    if mode is WorkspaceMode.WORKTREE:
        assert (work / ".claude/skills").is_dir()
    done = scene.workspaces.conclude(made, name="run-1")
    assert done.ref == ("skillyard/run-1" if mode is WorkspaceMode.WORKTREE else "")
    if done.ref:
        # What a commit lacks was hidden from the run, and not removed by it.
        left = scene.git("diff", "--name-only", "main~1", done.ref)
        assert left == ".claude/skills/new/SKILL.md"


def test_in_place_and_without_a_repository_nothing_is_hidden_again(scene: Scene) -> None:
    scene.write(".claude/skills/pdf/SKILL.md", SKILL)
    place = scene.prepare(WorkspaceMode.IN_PLACE)
    empty = scene.prepare(WorkspaceMode.EMPTY, name="run-2")

    assert scene.workspaces.hide_again(place, hide=HIDE) == ()
    assert scene.workspaces.hide_again(empty, hide=HIDE) == ()

    assert (scene.project / ".claude/skills/pdf/SKILL.md").exists()


@pytest.mark.requirement("DEL-4")
def test_a_work_tree_is_the_root_of_a_repository(scene: Scene) -> None:
    scene.init()

    made = scene.prepare(name="../project/runs/run-1")

    assert scene.git("rev-parse", "--show-toplevel", at=Path(made.path)) == made.path


def test_a_subdirectory_of_a_repository_is_the_same_one_in_the_work_tree(scene: Scene) -> None:
    scene.init()
    (scene.project / "empty/deep").mkdir(parents=True)

    made = scene.prepare(project=scene.project / "src")
    other = scene.prepare(project=scene.project / "empty/deep", name="run-2")

    assert made.directory == f"{made.path}/src"
    assert files_in(made.directory) == {"b.txt": "two\n"}
    assert Path(other.directory).is_dir()
    assert other.directory == f"{other.path}/empty/deep"


def test_the_place_of_the_runs_is_never_carried_over(scene: Scene) -> None:
    scene.init()
    scene.write("own/store.db", "x")
    scene.write("own-not/file", "x")
    workspaces = GitWorkspaces(environment=scene.environment, apart=(scene.project / "own",))

    made = scene.prepare(workspaces=workspaces, name="../project/own/runs/run-1")

    assert sorted(files_in(made.path)) == ["a.txt", "own-not/file", "src/b.txt"]


def test_what_the_user_ignores_everywhere_is_not_carried_over(scene: Scene) -> None:
    scene.init()
    scene.write("ignore", "*.tmp\n", at=scene.home)
    scene.configure("core.excludesFile", str(scene.home / "ignore"))
    scene.write("x.tmp", "x")

    assert sorted(files_in(scene.prepare().path)) == ["a.txt", "src/b.txt"]


def test_a_user_who_does_not_look_at_other_files_has_none_carried_over(scene: Scene) -> None:
    scene.init()
    scene.git("config", "status.showUntrackedFiles", "no")
    scene.write("other", "x")
    scene.write("a.txt", "user\n")

    made = scene.prepare()

    assert files_in(made.path) == {"a.txt": "user\n", "src/b.txt": "two\n"}


def test_a_work_tree_is_added_while_no_other_run_removes_one(scene: Scene) -> None:
    scene.init()
    waiting = scene.place / "runs/run-1/workspace.repository"
    with ThreadPoolExecutor(1) as pool:
        with one_at_a_time(scene.project / ".git"):
            made = pool.submit(scene.prepare)
            while not waiting.exists():
                assert not made.done()
            # Nothing is there that the last one out could remove by mistake.
            assert not (scene.project / ".git/worktrees").exists()
        assert files_in(made.result(timeout=30).path)["a.txt"] == "one\n"


def test_submodules_and_repositories_inside_are_told(scene: Scene) -> None:
    scene.init()
    inner = scene.project / "inner"
    inner.mkdir()
    scene.git("init", "--quiet", at=inner)
    scene.commit({"file": "x"}, at=inner)
    scene.write(".gitmodules", '[submodule "s"]\n\tpath = s\n\turl = ../s\n')

    made = scene.prepare()

    assert [note.message for note in made.notes] == [
        "left out, because it leads out of the workspace or is no file: `inner`",
        "submodules are not in the work tree: their directories are empty",
    ]


def test_files_that_a_filter_would_make_are_told(scene: Scene) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\n"
    scene.init({".gitattributes": "*.bin filter=lfs\n", "x.bin": pointer})

    made = scene.prepare()

    assert files_in(made.path)["x.bin"] == pointer
    (note,) = made.notes
    assert "such as `x.bin`" in note.message


def test_too_much_that_is_not_committed_is_refused_and_nothing_is_left(scene: Scene) -> None:
    scene.init()
    with scene.write("huge", "").open("r+b") as file:
        file.truncate(5 * 1024**3)
    os.truncate(scene.project / "a.txt", 0)
    before = picture(scene.project / ".git")

    with pytest.raises(WorkspaceUnavailableError, match="its files are too large") as caught:
        scene.prepare()

    assert caught.value.hints[0].startswith("Let git ignore what is not needed")
    assert picture(scene.project / ".git") == before
    assert not (scene.place / "runs/run-1/workspace").exists()


@pytest.mark.parametrize("state", ["detached", "rebasing", "locked", "linked", "sparse"])
def test_a_repository_may_be_in_any_state(scene: Scene, state: str) -> None:
    scene.init()
    project = scene.project
    if state == "detached":
        scene.git("checkout", "--quiet", "--detach")
    if state == "locked":
        scene.write(".git/index.lock", "")
    if state == "sparse":
        scene.git("sparse-checkout", "set", "--no-cone", "/a.txt")
    if state == "linked":
        project = scene.place / "linked"
        scene.git("worktree", "add", "--quiet", str(project))
    if state == "rebasing":
        scene.commit({"a.txt": "ours\n"})
        scene.git("checkout", "--quiet", "-b", "side", "HEAD~1")
        scene.commit({"a.txt": "theirs\n"})
        with pytest.raises(Exception, match="rebase"):
            scene.git("rebase", "--quiet", "main")
    scene.write("new", "new\n", at=project)
    before = picture(scene.project)

    made = scene.prepare(project=project)
    seen = files_in(project)
    seen.pop(".git", None)

    assert files_in(made.path) == seen
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()
    assert picture(scene.project) == before


def test_any_name_is_carried_over(scene: Scene) -> None:
    scene.init()
    names = [b"line\nfeed", b"not \xff utf-8", b'"quoted"', b"-option", b"*", b":(top)x"]
    paths = [Path(os.fsdecode(os.fsencode(scene.project) + b"/" + name)) for name in names]
    for path in paths:
        path.write_text("x")
    scene.git("add", "--", str(paths[0]))
    before = picture(scene.project)

    made = scene.prepare()

    assert set(names) <= {os.fsencode(path.name) for path in Path(made.path).iterdir()}
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()
    assert picture(scene.project) == before


@pytest.mark.parametrize("name", ["with space", "col:on", 'quo"te', "line\nfeed", "not \udcff utf"])
def test_a_project_may_have_any_name(scene: Scene, name: str) -> None:
    project = scene.place / name
    scene.project.rename(project)
    scene.project = project
    scene.init()
    scene.write("new", "new\n")
    before = picture(project)

    made = scene.prepare(name=f"run of {name}")
    assert sorted(files_in(made.path)) == ["a.txt", "new", "src/b.txt"]
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()

    assert picture(project) == before


def test_two_runs_work_on_one_project_at_the_same_time(scene: Scene) -> None:
    scene.init()
    before = picture(scene.project)

    first, second = scene.prepare(name="run-1"), scene.prepare(name="run-2")
    scene.write("a.txt", "first\n", at=Path(first.path))
    assert files_in(second.path)["a.txt"] == "one\n"
    assert scene.workspaces.conclude(second, name="run-2") == ConcludedWorkspace()
    assert scene.workspaces.conclude(first, name="run-1").ref == "skillyard/run-1"

    after = picture(scene.project)
    added = {name for name in after if name not in before}
    assert all("skillyard" in name or name.startswith(".git/objects/") for name in added)
    assert {name: look for name, look in after.items() if name in before} == before


@pytest.mark.parametrize("state", ["bare", "no commit", "nothing"])
def test_without_a_commit_in_a_work_tree_the_reason_is_told(scene: Scene, state: str) -> None:
    if state != "nothing":
        scene.git("init", "--quiet", *(["--bare"] if state == "bare" else []))

    with pytest.raises(WorkspaceUnavailableError) as caught:
        scene.prepare()

    reason = "its repository has no commit" if state == "no commit" else "it is in no work tree"
    assert reason in caught.value.message
    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.EMPTY


def test_a_repository_that_cannot_be_written_is_told_and_nothing_is_left(scene: Scene) -> None:
    scene.init()
    scene.write(".git/worktrees", "in the way")
    before = picture(scene.project)

    with pytest.raises(WorkspaceUnavailableError, match="git says: ") as caught:
        scene.prepare()

    assert caught.value.hints == ("Choose another one with `--workspace`",)
    assert picture(scene.project) == before
