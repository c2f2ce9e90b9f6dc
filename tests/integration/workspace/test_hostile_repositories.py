"""Repositories that try to run code, and such as git does not trust."""

import os
from pathlib import Path

import pytest

from skillyard.adapters.workspace.git import Git
from skillyard.adapters.workspace.workspaces import GitWorkspaces
from skillyard.application.ports.workspace import ConcludedWorkspace
from skillyard.domain.errors import GitUnavailableError, WorkspaceUnavailableError
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import GIT, SKILL, Scene, files_in

HOOKS = [
    "post-checkout",
    "post-commit",
    "post-index-change",
    "pre-commit",
    "prepare-commit-msg",
    "reference-transaction",
]


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def set_traps(scene: Scene) -> Path:
    """Let everything that can be configured to run a program leave a mark."""
    mark = scene.place / "mark"
    trap = script(scene.place / "trap", f"echo $0 >> {mark}\ncat")
    for name in HOOKS:
        script(scene.project / ".git/hooks" / name, f"echo {name} >> {mark}")
    for key in ("clean", "smudge", "process"):
        scene.git("config", f"filter.evil.{key}", str(trap))
    scene.git("config", "filter.evil.required", "true")
    scene.git("config", "filter.a=b.c.smudge", str(trap))
    scene.git("config", "core.fsmonitor", str(trap))
    scene.git("config", "core.sshCommand", str(trap))
    scene.git("config", "core.editor", str(trap))
    scene.git("config", "core.pager", str(trap))
    scene.git("config", "commit.gpgSign", "true")
    scene.git("config", "gpg.program", str(trap))
    scene.git("config", "diff.external", str(trap))
    mark.unlink(missing_ok=True)
    return mark


@pytest.mark.parametrize("mode", [WorkspaceMode.WORKTREE, WorkspaceMode.COPY])
def test_nothing_that_a_repository_configures_is_run(scene: Scene, mode: WorkspaceMode) -> None:
    scene.init(
        {
            ".gitattributes": "*.txt filter=evil diff=evil\n*.x filter=a=b.c\n",
            "a.txt": "one\n",
            "b.x": "two\n",
            ".claude/skills/pdf/SKILL.md": SKILL,
        }
    )
    mark = set_traps(scene)
    scene.write("a.txt", "user\n")
    scene.write("new.txt", "user\n")

    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.WORKTREE
    made = scene.prepare(mode)
    assert files_in(made.path)["a.txt"] == "user\n"
    scene.write("a.txt", "run\n", at=Path(made.path))
    done = scene.workspaces.conclude(made, name="run-1")

    assert not mark.exists(), mark.read_text()
    assert done.ref == ("skillyard/run-1" if mode is WorkspaceMode.WORKTREE else "")


def test_attributes_that_name_a_missing_filter_do_no_harm(scene: Scene) -> None:
    scene.init({".gitattributes": "* filter=missing\n", "a.txt": "one\n"})

    made = scene.prepare()

    assert files_in(made.path)["a.txt"] == "one\n"
    assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()


def test_what_the_run_configures_is_not_run_at_its_end(scene: Scene) -> None:
    scene.init({".gitattributes": "*.txt filter=evil\n", "a.txt": "one\n"})
    made = scene.prepare()
    mark = set_traps(scene)
    scene.write("a.txt", "run\n", at=Path(made.path))

    done = scene.workspaces.conclude(made, name="run-1")

    assert not mark.exists(), mark.read_text()
    assert scene.git("cat-file", "blob", f"{done.ref}:a.txt") == "run"


def test_variables_of_the_user_do_not_lead_git_elsewhere(scene: Scene) -> None:
    scene.init()
    other = scene.place / "other"
    other.mkdir()
    scene.git("init", "--quiet", at=other)
    scene.environment |= {"GIT_DIR": str(other / ".git"), "GIT_INDEX_FILE": str(other / "index")}

    workspaces = GitWorkspaces(environment=scene.environment)

    assert workspaces.choose(str(scene.project)) is WorkspaceMode.WORKTREE
    assert files_in(scene.prepare(workspaces=workspaces).path)["a.txt"] == "one\n"


def test_a_repository_of_somebody_else_is_refused_with_the_way_to_trust_it(scene: Scene) -> None:
    scene.init()
    # It is how git itself is tested for repositories of other users.
    variable = "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"
    script(scene.place / "bin/git", f'{variable} exec {GIT} "$@"')
    scene.environment["PATH"] = f"{scene.place / 'bin'}:{os.environ['PATH']}"

    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.WORKTREE
    with pytest.raises(WorkspaceUnavailableError, match="dubious ownership") as caught:
        scene.prepare()

    hint = f"If you trust it: `git config --global --add safe.directory {scene.project}`"
    assert caught.value.hints == (hint,)
    scene.configure("safe.directory", str(scene.project))
    assert files_in(scene.prepare(name="run-2").path)["a.txt"] == "one\n"


def test_a_repository_whose_files_are_elsewhere_is_no_workspace(scene: Scene) -> None:
    scene.init()
    scene.git("config", "core.worktree", str(scene.home))

    assert scene.workspaces.choose(str(scene.project)) is WorkspaceMode.EMPTY


def test_without_git_there_is_no_work_tree(scene: Scene) -> None:
    scene.init()
    scene.environment["PATH"] = str(scene.home)

    with pytest.raises(GitUnavailableError, match="not installed"):
        scene.prepare()


def test_git_that_does_not_end_is_ended(scene: Scene) -> None:
    script(scene.place / "bin/git", "exec sleep 60")
    git = Git({"PATH": f"{scene.place / 'bin'}:/bin:/usr/bin"}, str(scene.place), patience=0.05)

    with pytest.raises(GitUnavailableError, match="took too long"):
        git.get("status")


def test_git_that_cannot_be_started_is_told(scene: Scene) -> None:
    (scene.place / "bin").mkdir()
    program = scene.place / "bin/git"
    program.write_text("#!/missing/interpreter\n")
    program.chmod(0o755)

    with pytest.raises(GitUnavailableError):
        Git({"PATH": str(program.parent)}, str(scene.place)).get("status")


def test_links_do_not_lead_what_is_carried_over_out_of_the_work_tree(scene: Scene) -> None:
    outside = scene.place / "outside"
    outside.mkdir()
    scene.init()
    (scene.project / "d").symlink_to(outside)
    scene.commit({"other": ""})
    (scene.project / "d").unlink()
    scene.write("d/file", "x")

    made = scene.prepare()

    assert files_in(made.path)["d/file"] == "x"
    assert list(outside.iterdir()) == []
