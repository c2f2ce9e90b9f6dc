"""Skills as directories, for programs that take a list of them."""

import pytest

from skillyard.domain.errors import InvalidInputError
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.integration.running.world import World, list_tree, make_agent

pytestmark = pytest.mark.requirement("INT-1")


def test_each_skill_has_a_directory_that_is_called_like_it(world: World) -> None:
    world.save(make_package("tables", files={"references/a.md": "A.\n"}))

    found = world.yard.skill_directories("coder", project=None, include_user=False)

    assert [one.name for one in found] == ["pdf", "tables"]
    assert list_tree(found[0]) == {
        "SKILL.md": ("-r--r--r--", make_package("pdf").skill_md),
    }
    assert found == world.yard.skill_directories("coder", project=None, include_user=False)


def test_what_was_changed_there_is_put_right(world: World) -> None:
    (directory,) = world.yard.skill_directories("coder", project=None, include_user=False)
    (directory / "SKILL.md").unlink()
    (directory / "more.md").write_text("x")

    world.yard.skill_directories("coder", project=None, include_user=False)

    assert [one.name for one in directory.iterdir()] == ["SKILL.md"]


def test_another_version_has_another_directory(world: World) -> None:
    before = world.yard.skill_directories("coder", project=None, include_user=False)
    world.save(make_package("pdf", body="New.\n"))

    after = world.yard.skill_directories("coder", project=None, include_user=False)

    assert before != after
    assert (before[0] / "SKILL.md").read_bytes() == make_package("pdf").skill_md


def test_the_skills_that_an_agent_does_not_have_are_named(world: World) -> None:
    world.save(make_package("tables"))
    world.yard.add_record(make_agent("other", allowlist=("tables",)))

    disabled = world.yard.disabled_skills("other", project=None, include_user=False)

    assert "pdf" in disabled
    assert {"hello-world", "skill-authoring"} <= set(disabled)
    assert "tables" not in disabled


def test_a_store_in_memory_needs_a_home_for_that() -> None:
    yard = Skillyard.in_memory()

    with pytest.raises(InvalidInputError, match="has no place for runs"):
        yard.skill_directories(project=None, include_user=False)
