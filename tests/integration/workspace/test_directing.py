"""Settings of a project that direct skills are hidden like the skills themselves."""

import json
import os
from pathlib import Path

import pytest

from skillyard.application.ports.workspace import ConcludedWorkspace, PreparedWorkspace
from skillyard.domain.client import SkillSettings
from skillyard.domain.delivery import FoundSettings, NoteKind
from skillyard.domain.run import WorkspaceMode
from tests.integration.workspace.repositories import HIDE, Scene, files_in

pytestmark = pytest.mark.requirement("DEL-5")

SETTINGS = (
    SkillSettings(file=".claude/settings.json", keys=("skillOverrides", "enabledPlugins")),
    SkillSettings(file="opencode.jsonc", keys=("permission.skill",)),
)
DIRECTING = json.dumps({"model": "x", "skillOverrides": {"pdf": "off"}})
HARMLESS = json.dumps({"model": "x"})
ISOLATED = (WorkspaceMode.COPY, WorkspaceMode.WORKTREE)


def prepare(
    scene: Scene, mode: WorkspaceMode = WorkspaceMode.WORKTREE, project: Path | None = None
) -> PreparedWorkspace:
    return scene.workspaces.prepare(
        mode,
        project=str(project or scene.project),
        target=str(scene.root()),
        hide=HIDE,
        name="run-1",
        settings=SETTINGS,
    )


@pytest.mark.parametrize("mode", ISOLATED)
@pytest.mark.parametrize("state", ["committed", "changed", "staged", "new"])
def test_settings_that_direct_skills_are_hidden_and_nothing_misses_them(
    scene: Scene, mode: WorkspaceMode, state: str
) -> None:
    scene.init({"a.txt": "one\n", "b.json": "{}"})
    if state != "new":
        content = DIRECTING if state == "committed" else HARMLESS
        scene.commit({".claude/settings.json": content})
    scene.write(".claude/settings.json", DIRECTING)
    if state == "staged":
        scene.git("add", ".claude/settings.json")

    made = prepare(scene, mode)

    assert list(files_in(made.path)) == ["a.txt", "b.json"]
    assert made.hidden == (".claude/settings.json",)
    (note,) = [one for one in made.notes if one.kind is NoteKind.HIDDEN]
    assert note.message == (
        "`.claude/settings.json` is hidden, because it directs which skills are seen "
        "(`skillOverrides`); `--workspace in-place` keeps it"
    )
    if mode is WorkspaceMode.WORKTREE:
        assert scene.status(made.path) == []
        assert scene.workspaces.conclude(made, name="run-1") == ConcludedWorkspace()
        assert not (scene.project / ".git/worktrees").exists()


@pytest.mark.parametrize("mode", ISOLATED)
def test_other_settings_stay(scene: Scene, mode: WorkspaceMode) -> None:
    files = {
        ".claude/settings.json": HARMLESS,
        "deep/.claude/settings.json": DIRECTING,
        "opencode.jsonc": '{"permission": {"bash": "ask"}, /* no "skill" here */}',
    }
    scene.init(files)

    made = prepare(scene, mode)

    assert files_in(made.path) == files
    assert made.hidden == ()
    assert made.notes == ()


def test_they_are_hidden_from_where_the_program_starts_up_to_the_root(scene: Scene) -> None:
    scene.init(
        {
            ".claude/settings.json": DIRECTING,
            "web/opencode.jsonc": '{"permission": {"skill": "deny"},}',
            "web/app/.claude/settings.json": DIRECTING,
            "web/app/main.ts": "",
            "web/other/.claude/settings.json": DIRECTING,
        }
    )

    made = prepare(scene, project=scene.project / "web/app")

    assert list(files_in(made.path)) == ["web/app/main.ts", "web/other/.claude/settings.json"]
    assert made.hidden == (
        ".claude/settings.json",
        "web/app/.claude/settings.json",
        "web/opencode.jsonc",
    )
    assert scene.status(made.path) == []


def test_a_run_that_writes_settings_of_its_own_keeps_them(scene: Scene) -> None:
    scene.init({".claude/settings.json": DIRECTING, "a.txt": ""})
    made = prepare(scene)
    scene.write(".claude/settings.json", HARMLESS, at=Path(made.path))

    done = scene.workspaces.conclude(made, name="run-1")

    assert scene.show(f"{done.ref}:.claude/settings.json") == HARMLESS


def test_what_a_run_changes_besides_is_saved_with_the_settings_as_they_were(scene: Scene) -> None:
    scene.init({".claude/settings.json": DIRECTING, "a.txt": ""})
    made = prepare(scene)
    scene.write("a.txt", "run", at=Path(made.path))

    done = scene.workspaces.conclude(made, name="run-1")

    assert scene.git("diff", "--name-only", "main", done.ref) == "a.txt"


@pytest.mark.parametrize("mode", ISOLATED)
def test_a_link_to_settings_is_hidden_and_what_it_leads_to_stays(
    scene: Scene, mode: WorkspaceMode
) -> None:
    (scene.project / ".claude").mkdir()
    (scene.project / ".claude/settings.json").symlink_to("../shared.json")
    scene.init({"shared.json": DIRECTING})

    made = prepare(scene, mode)

    assert list(files_in(made.path)) == ["shared.json"]
    assert scene.status(made.path) == []


def test_settings_that_are_too_large_to_be_looked_at_are_hidden(scene: Scene) -> None:
    scene.init({"opencode.jsonc": "{" + " " * 1024 * 1024 + "}"})

    assert prepare(scene).hidden == ("opencode.jsonc",)


def test_what_a_client_reads_in_the_main_work_tree_is_told(scene: Scene) -> None:
    scene.init({".gitignore": "local.json\n"})
    scene.write("local.json", DIRECTING)
    linked = scene.place / "linked"
    scene.git("worktree", "add", "--quiet", str(linked))
    local = SkillSettings(file="local.json", keys=("skillOverrides",), is_shared=True)

    for name, project in (("run-1", scene.project), ("run-2", linked)):
        made = scene.workspaces.prepare(
            WorkspaceMode.WORKTREE,
            project=str(project),
            target=str(scene.root(name)),
            hide=HIDE,
            name=name,
            settings=[local],
        )

        assert made.hidden == ()
        assert [(one.kind, one.message) for one in made.notes] == [
            (
                NoteKind.ALSO_SEEN,
                (
                    f"{scene.project}/local.json directs which skills are seen (`skillOverrides`), "
                    "also in a work tree; `--workspace copy` hides it"
                ),
            )
        ]


def test_in_place_they_are_found_and_stay(scene: Scene) -> None:
    scene.init({".claude/settings.json": DIRECTING, "web/opencode.jsonc": "{skill"})
    scene.write(".claude/settings.json", DIRECTING, at=scene.place)
    (scene.project / "web/.claude").mkdir()
    os.mkfifo(scene.project / "web/.claude/settings.json")

    found = scene.workspaces.find_settings(str(scene.project / "web"), SETTINGS)

    assert found == (
        FoundSettings(f"{scene.project}/web/opencode.jsonc", ("permission.skill",)),
        FoundSettings(f"{scene.project}/.claude/settings.json", ("skillOverrides",)),
    )
    assert prepare(scene, WorkspaceMode.IN_PLACE).hidden == ()
    assert (scene.project / ".claude/settings.json").is_file()


def test_without_a_repository_only_the_directory_itself_is_looked_at(scene: Scene) -> None:
    scene.write(".claude/settings.json", DIRECTING)
    (scene.project / "web").mkdir()

    assert scene.workspaces.find_settings(str(scene.project / "web"), SETTINGS) == ()
    assert len(scene.workspaces.find_settings(str(scene.project), SETTINGS)) == 1
