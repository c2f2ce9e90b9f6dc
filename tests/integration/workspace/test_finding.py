"""What a client finds on the disk by itself is foretold."""

from pathlib import Path

import pytest

from skillyard.application.ports.workspace import SkillSearch, Walk
from skillyard.domain.delivery import FoundDirectory
from tests.integration.workspace.repositories import SKILL, Scene

CLAUDE = ".claude/skills"


def found(scene: Scene, start: Path, search: SkillSearch) -> list[tuple[str, tuple[str, ...]]]:
    directories = scene.workspaces.find_skills(str(start), search)
    return [(str(Path(one.path).relative_to(scene.place)), one.names) for one in directories]


def skill(scene: Scene, path: str) -> None:
    scene.write(f"{path}/SKILL.md", SKILL, at=scene.place)


@pytest.mark.requirement("DEL-5")
def test_the_way_upwards_ends_at_the_root_of_the_repository(scene: Scene) -> None:
    scene.init()
    skill(scene, f"{CLAUDE}/above")
    skill(scene, f"project/{CLAUDE}/pdf")
    skill(scene, f"project/{CLAUDE}/csv")
    skill(scene, f"project/src/{CLAUDE}/near")
    scene.write(f"project/{CLAUDE}/none/readme", "", at=scene.place)

    seen = found(scene, scene.project / "src", SkillSearch(relative=(CLAUDE,), walk=Walk.ON_UP))

    assert seen == [(f"project/src/{CLAUDE}", ("near",)), (f"project/{CLAUDE}", ("csv", "pdf"))]


def test_without_a_repository_some_clients_look_on_and_others_do_not(scene: Scene) -> None:
    skill(scene, f"{CLAUDE}/above")
    skill(scene, f"project/{CLAUDE}/pdf")
    below = scene.project / "below"
    below.mkdir()
    # Neither an empty directory nor a file makes a repository.
    (scene.project / ".git").mkdir()
    (below / ".git").write_text("gitdir: nowhere")

    on_up = found(scene, below, SkillSearch(relative=(CLAUDE,), walk=Walk.ON_UP))
    assert on_up == [(f"project/{CLAUDE}", ("pdf",)), (CLAUDE, ("above",))]
    assert found(scene, below, SkillSearch(relative=(CLAUDE,), walk=Walk.TO_ROOT)) == []


def test_a_client_that_never_walks_sees_one_directory(scene: Scene) -> None:
    scene.init()
    skill(scene, f"project/{CLAUDE}/pdf")
    search = SkillSearch(relative=(CLAUDE,), walk=Walk.NEVER)

    assert found(scene, scene.project / "src", search) == []
    assert found(scene, scene.project, search) == [(f"project/{CLAUDE}", ("pdf",))]


def test_places_of_the_machine_and_links_count_once(scene: Scene) -> None:
    skill(scene, "etc/skills/managed")
    (scene.project / ".agents").mkdir()
    (scene.project / ".agents/skills").symlink_to(scene.place / "etc/skills")
    machine = str(scene.place / "etc/skills")
    search = SkillSearch(relative=(".agents/skills",), absolute=(machine,), walk=Walk.NEVER)

    assert scene.workspaces.find_skills(str(scene.project), search) == (
        FoundDirectory(machine, ("managed",)),
    )


def test_skills_at_any_depth_are_found_for_clients_that_look_deeper(scene: Scene) -> None:
    skill(scene, f"project/{CLAUDE}/pdf")
    skill(scene, f"project/{CLAUDE}/pdf/inner")
    skill(scene, f"project/{CLAUDE}/group/csv")
    (scene.project / CLAUDE / "loop").symlink_to(".")
    deep = SkillSearch(relative=(CLAUDE,), walk=Walk.NEVER, is_deep=True)

    assert found(scene, scene.project, deep) == [
        (f"project/{CLAUDE}", ("group/csv", "pdf", "pdf/inner"))
    ]


def test_commands_are_named_by_their_files(scene: Scene) -> None:
    scene.write(".claude/commands/review.md", "Review.")
    scene.write(".claude/commands/notes.txt", "")
    search = SkillSearch(relative=(".claude/commands",), walk=Walk.NEVER)

    assert found(scene, scene.project, search) == [("project/.claude/commands", ("review",))]


def test_what_a_linked_work_tree_lacks_may_be_read_from_the_main_one(scene: Scene) -> None:
    scene.init()
    linked = scene.place / "linked"
    scene.git("worktree", "add", "--quiet", str(linked))
    skill(scene, f"project/{CLAUDE}/pdf")
    search = SkillSearch(relative=(CLAUDE,), walk=Walk.ON_UP)
    falling = SkillSearch(relative=(CLAUDE,), walk=Walk.ON_UP, falls_back=True)

    assert found(scene, linked, search) == []
    assert found(scene, linked, falling) == [(f"project/{CLAUDE}", ("pdf",))]
    (linked / CLAUDE).mkdir(parents=True)
    assert found(scene, linked, falling) == []
