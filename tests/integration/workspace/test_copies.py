"""Copies of a project: what is in them, what is not, and what they have to do with git."""

import os
import socket
from pathlib import Path

import pytest

from skillyard.adapters.workspace.tree import stays_inside
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.domain.errors import WorkspaceUnavailableError
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import SKILL, Scene, files_in, picture

COPY = WorkspaceMode.COPY


@pytest.mark.requirement("DEL-5")
def test_a_copy_holds_the_project_as_it_stands(scene: Scene) -> None:
    scene.init()
    scene.write(".gitignore", "ignored\n")
    scene.write("ignored", "too\n")
    scene.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (scene.project / "empty").mkdir()
    (scene.project / "link").symlink_to("src/b.txt")
    os.utime(scene.project / "a.txt", ns=(1, 1_000_000_007))
    before = picture(scene.project)

    made = scene.prepare(COPY)

    copy = Path(made.path)
    assert (made.directory, made.top, made.notes) == (made.path, str(scene.project), ())
    assert picture(copy) == before == picture(scene.project)
    assert (copy / "a.txt").stat().st_mtime_ns == 1_000_000_007
    assert scene.status(copy) == ["?? .gitignore", "?? link", "?? run.sh"]


@pytest.mark.requirement("DEL-4", "DEL-5")
def test_skills_are_hidden_at_any_depth_and_git_does_not_miss_them(scene: Scene) -> None:
    scene.init(
        {
            ".claude/settings.json": "{}",
            ".claude/skills/pdf/SKILL.md": SKILL,
            "packages/x/.Agents/Skills/pdf/SKILL.md": SKILL,
            "packages/x/main.c": "",
        }
    )
    scene.write("packages/.claude/skills/mine/SKILL.md", SKILL)

    made = scene.prepare(COPY)

    assert list(files_in(made.path)) == [".claude/settings.json", "packages/x/main.c"]
    assert made.hidden == (".claude/skills", "packages/.claude/skills", "packages/x/.Agents/Skills")
    assert scene.status(made.path) == []


def test_a_link_on_the_way_to_skills_is_hidden(scene: Scene) -> None:
    scene.init({"config/skills/pdf/SKILL.md": SKILL})
    (scene.project / ".claude").symlink_to("config")
    (scene.project / ".agents").mkdir()
    (scene.project / ".agents/skills").symlink_to("../config/skills")

    made = scene.prepare(COPY)

    assert made.hidden == (".agents/skills", ".claude")
    assert not (Path(made.path) / ".claude").is_symlink()
    assert (Path(made.path) / "config/skills/pdf/SKILL.md").is_file()


def test_links_that_lead_out_and_special_files_are_left_out_and_told(scene: Scene) -> None:
    outside = scene.write("secret", "s", at=scene.place)
    (scene.project / "absolute").symlink_to(outside)
    (scene.project / "above").symlink_to("../secret")
    (scene.project / "loop").symlink_to("loop")
    (scene.project / "self").symlink_to(".")
    os.mkfifo(scene.project / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(scene.project / "socket"))

    made = scene.prepare(COPY)

    kept = sorted(path.name for path in Path(made.path).iterdir())
    assert kept == [".git", "loop", "self"]
    (note,) = made.notes
    assert note.message.endswith("`above`, `absolute`, `pipe`, `socket`")


@pytest.mark.parametrize(
    ("path", "target", "answer"),
    [
        ("a", "b", True),
        ("a", "b/c", True),
        ("d/a", "../b", True),
        ("a", "../b", False),
        ("d/a", "../../b", False),
        ("a", "/b", False),
        ("a", "", False),
        # `b` may be a link to a place where one step upwards leads out.
        ("d/a", "b/../../c", False),
        ("a", "b/..", False),
    ],
)
def test_a_link_stays_inside_whatever_links_it_meets(path: str, target: str, answer: bool) -> None:  # noqa: FBT001
    assert stays_inside(path, target) is answer


def test_a_copy_without_a_repository_is_the_root_of_one(scene: Scene) -> None:
    scene.write("a.txt", "a")

    made = scene.prepare(COPY)

    assert scene.git("rev-parse", "--show-toplevel", at=Path(made.path)) == made.path
    assert (made.top, made.notes) == ("", ())


def test_a_copy_of_a_linked_work_tree_has_nothing_to_do_with_its_repository(scene: Scene) -> None:
    scene.init()
    linked = scene.place / "linked"
    scene.git("worktree", "add", "--quiet", str(linked))
    before = picture(scene.project)

    made = scene.prepare(COPY, project=linked)
    scene.commit({"a.txt": "changed"}, at=Path(made.path))

    assert picture(scene.project) == before
    assert [note.message.split(":")[0] for note in made.notes] == [
        "left out, because it leads out of the workspace or is no file"
    ]


@pytest.mark.parametrize("setting", ["core.worktree", "commondir"])
def test_a_repository_that_acts_elsewhere_is_not_copied(scene: Scene, setting: str) -> None:
    scene.init()
    if setting == "commondir":
        scene.write(".git/commondir", f"{scene.project}/.git\n")
    else:
        scene.git("config", setting, str(scene.project))

    made = scene.prepare(COPY)
    scene.write("a.txt", "changed", at=Path(made.path))

    assert scene.git("rev-parse", "--show-toplevel", at=Path(made.path)) == made.path
    assert scene.status(scene.project) == []
    assert [note.message for note in made.notes] == [
        "the project's repository cannot be copied, so the copy has no history"
    ]


def test_locks_and_other_work_trees_of_the_repository_are_not_copied(scene: Scene) -> None:
    scene.init()
    scene.git("worktree", "add", "--quiet", str(scene.place / "linked"))
    scene.write(".git/index.lock", "")

    made = scene.prepare(COPY)

    scene.commit({"a.txt": "changed"}, at=Path(made.path))
    assert len(scene.git("worktree", "list", at=Path(made.path)).splitlines()) == 1


def test_the_place_of_the_runs_is_not_copied_into_itself(scene: Scene) -> None:
    own = scene.project / "own"
    scene.write("own/store.db", "x")
    scene.write("a.txt", "a")
    workspaces = GitWorkspaces(environment=scene.environment, apart=(own,))

    made = scene.prepare(COPY, name="../project/own/runs/run-1", workspaces=workspaces)

    assert files_in(made.path) == {"a.txt": "a"}


def test_the_root_of_the_run_is_not_copied_into_itself(scene: Scene) -> None:
    scene.write("a.txt", "a")

    made = scene.prepare(COPY, name="../project/run-1")

    assert files_in(made.path) == {"a.txt": "a"}


@pytest.mark.parametrize(
    ("most", "reason"),
    [({"most_files": 2}, "it has too many files"), ({"most_bytes": 2}, "its files are too large")],
)
def test_too_large_a_project_is_refused_with_a_hint(
    scene: Scene, most: dict[str, int], reason: str
) -> None:
    for name in ("a", "b", "c"):
        scene.write(name, "x")
    workspaces = GitWorkspaces(environment=scene.environment, **most)  # type: ignore[arg-type]

    with pytest.raises(WorkspaceUnavailableError, match=reason) as caught:
        scene.prepare(COPY, workspaces=workspaces)

    assert "--workspace" in caught.value.hints[0]


def test_directories_without_an_end_are_refused(scene: Scene) -> None:
    place = scene.project
    for _ in range(210):
        place /= "d"
    place.mkdir(parents=True)

    with pytest.raises(WorkspaceUnavailableError, match="nested too deeply"):
        scene.prepare(COPY)


def test_any_name_is_copied(scene: Scene) -> None:
    scene.init()
    names = [b"line\nfeed", b"not \xff utf-8", b'"quoted"', b"-option", b"*"]
    for name in names:
        Path(os.fsdecode(os.fsencode(scene.project) + b"/" + name)).write_text("x")

    made = scene.prepare(COPY)

    assert set(names) <= {os.fsencode(path.name) for path in Path(made.path).iterdir()}


def test_without_git_a_copy_says_what_is_missing(scene: Scene) -> None:
    scene.init({".claude/skills/pdf/SKILL.md": SKILL})
    scene.environment["PATH"] = str(scene.home)

    made = scene.prepare(COPY)

    assert [note.message for note in made.notes] == [
        "git is not installed: the copy's own git may name what is hidden"
    ]
