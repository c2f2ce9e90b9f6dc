"""A directory holds someone's skills, and stays somebody's own otherwise."""

import json
from pathlib import Path
from typing import Any

import pytest

from skillyard.application.deliver import Delivered, DeliverSkills
from skillyard.application.resolve import ResolveSkills
from skillyard.domain.errors import (
    ChangedByHandError,
    InvalidInputError,
    TargetExistsError,
    UnsafePathError,
)
from skillyard.testing.packages import make_package
from tests.integration.running.world import World, list_tree

pytestmark = pytest.mark.requirement("DEL-1", "INT-2")

TWO = make_package("tables", files={"references/a.md": "A.\n"})


def deliver(world: World, **how: Any) -> Delivered:  # noqa: ANN401
    wish = DeliverSkills(
        provider=how.pop("provider", "claude-code"),
        target=world.root / "there",
        skills=ResolveSkills(agent="coder"),
        force=how.pop("force", False),
    )
    return world.yard.deliver(wish, project=None, include_user=False, **how)


def steps(done: Delivered) -> dict[str, str]:
    return {one.slug: one.kind.value for one in done.steps}


@pytest.fixture
def there(world: World) -> Path:
    world.save(TWO)
    return world.root / "there" / ".claude" / "skills"


@pytest.mark.parametrize(
    ("provider", "directory"),
    [
        ("claude-code", ".claude/skills"),
        ("codex", ".agents/skills"),
        ("gemini-cli", ".gemini/skills"),
        ("opencode", ".opencode/skills"),
        ("copilot", ".github/skills"),
        ("agents-dir", ".agents/skills"),
    ],
)
def test_skills_stand_where_a_client_reads_those_of_a_project(
    world: World, provider: str, directory: str
) -> None:
    done = deliver(world, provider=provider)

    assert done.directory == world.root / "there" / directory
    skill = world.root / "there" / directory / "pdf" / "SKILL.md"
    assert skill.read_bytes() == make_package("pdf").skill_md
    index = json.loads((world.root / "there" / directory / ".skillyard.json").read_text())
    assert [(one["slug"], one["digest"]) for one in index["skills"]] == [
        ("pdf", str(make_package("pdf").digest()))
    ]


def test_delivering_again_brings_it_up_to_date(world: World, there: Path) -> None:
    assert steps(deliver(world)) == {"pdf": "add", "tables": "add"}
    before = list_tree(there)
    assert steps(deliver(world)) == {"pdf": "keep", "tables": "keep"}
    assert list_tree(there) == before

    world.save(make_package("pdf", body="New.\n"))
    world.yard.delete("tables")
    world.save(make_package("other"))

    assert steps(deliver(world)) == {"other": "add", "pdf": "update", "tables": "remove"}
    assert sorted(one.name for one in there.iterdir()) == [".skillyard.json", "other", "pdf"]
    assert "New." in (there / "pdf" / "SKILL.md").read_text()


def test_what_somebody_else_put_there_is_never_touched(world: World, there: Path) -> None:
    (there / "pdf").mkdir(parents=True)
    (there / "pdf" / "SKILL.md").write_text("mine\n")
    (there / "own").mkdir()

    done = deliver(world, force=True)

    assert (steps(done), done.foreign) == ({"pdf": "foreign", "tables": "add"}, ("pdf",))
    assert (there / "pdf" / "SKILL.md").read_text() == "mine\n"
    world.yard.delete("pdf")
    world.yard.delete("tables")
    assert steps(deliver(world, force=True)) == {"tables": "remove"}
    assert sorted(one.name for one in there.iterdir()) == [".skillyard.json", "own", "pdf"]


def test_a_link_in_the_place_of_a_skill_is_somebody_elses(world: World, there: Path) -> None:
    there.mkdir(parents=True)
    (world.root / "elsewhere").mkdir()
    (there / "pdf").symlink_to(world.root / "elsewhere")

    assert deliver(world, force=True).foreign == ("pdf",)
    assert (there / "pdf").is_symlink()


@pytest.mark.parametrize("gone", [False, True])
def test_what_was_changed_by_hand_is_kept_unless_forced(
    world: World, there: Path, *, gone: bool
) -> None:
    deliver(world)
    (there / "tables" / "SKILL.md").write_text("by hand\n")
    (there / "tables" / "note.md").write_text("by hand\n")
    if gone:
        world.yard.delete("tables")
    else:
        world.save(make_package("tables", body="New.\n"))
    world.save(make_package("pdf", body="New.\n"))
    before = list_tree(there)

    with pytest.raises(ChangedByHandError) as caught:
        deliver(world)

    assert caught.value.paths == ("tables/SKILL.md", "tables/note.md")
    assert list_tree(there) == before
    assert steps(deliver(world, force=True))["tables"] == ("remove" if gone else "update")
    assert not (there / "tables" / "note.md").exists()


def test_what_is_by_hand_as_it_should_be_is_no_change(world: World, there: Path) -> None:
    deliver(world)
    new = make_package("pdf", body="New.\n")
    world.save(new)
    (there / "pdf" / "SKILL.md").write_bytes(new.skill_md or b"")

    assert steps(deliver(world))["pdf"] == "keep"


def test_a_skill_that_was_removed_by_hand_comes_back(world: World, there: Path) -> None:
    deliver(world)
    (there / "pdf" / "SKILL.md").unlink()
    (there / "pdf").rmdir()

    assert steps(deliver(world))["pdf"] == "add"
    assert (there / "pdf" / "SKILL.md").read_bytes() == make_package("pdf").skill_md


def test_what_was_changed_by_hand_is_as_it_was_when_forced(world: World, there: Path) -> None:
    deliver(world)
    before = list_tree(there)
    (there / "pdf" / "SKILL.md").write_text("by hand\n")
    (there / "tables" / "references" / "a.md").unlink()

    assert steps(deliver(world, force=True)) == {"pdf": "update", "tables": "update"}
    assert list_tree(there) == before
    assert steps(deliver(world)) == {"pdf": "keep", "tables": "keep"}


@pytest.mark.parametrize("link", [".claude", ".claude/skills"])
def test_nothing_is_written_through_a_link(world: World, link: str) -> None:
    elsewhere = world.root / "elsewhere"
    (elsewhere / "skills").mkdir(parents=True)
    place = world.root / "there" / link
    place.parent.mkdir(parents=True)
    place.symlink_to(elsewhere)

    for dry_run in (True, False):
        with pytest.raises(UnsafePathError, match=f"{link}` is refused: it is a link"):
            deliver(world, force=True, dry_run=dry_run)

    assert list_tree(elsewhere) == {}


def test_the_target_itself_may_be_a_link(world: World) -> None:
    (world.root / "real").mkdir()
    (world.root / "there").symlink_to("real")

    assert steps(deliver(world)) == {"pdf": "add"}
    assert (world.root / "real" / ".claude" / "skills" / "pdf" / "SKILL.md").exists()


def test_what_is_like_that_already_is_taken_over(world: World, there: Path) -> None:
    deliver(world)
    index = (there / ".skillyard.json").read_bytes()
    (there / ".skillyard.json").unlink()
    (there / "tables" / "SKILL.md").write_text("mine\n")

    done = deliver(world)

    assert steps(done) == {"pdf": "keep", "tables": "foreign"}
    (there / "tables" / "SKILL.md").write_bytes(TWO.skill_md or b"")
    assert steps(deliver(world)) == {"pdf": "keep", "tables": "keep"}
    assert (there / ".skillyard.json").read_bytes() == index


def test_a_dry_run_says_the_same_and_does_nothing(world: World, there: Path) -> None:
    assert steps(deliver(world, dry_run=True)) == {"pdf": "add", "tables": "add"}
    assert not (world.root / "there").exists()
    deliver(world)
    (there / "pdf" / "SKILL.md").write_text("by hand\n")
    world.save(make_package("pdf", body="New.\n"))
    with pytest.raises(ChangedByHandError):
        deliver(world, dry_run=True)


def test_what_is_no_index_is_left_alone(world: World, there: Path) -> None:
    there.mkdir(parents=True)
    (there / ".skillyard.json").write_text("{}")

    with pytest.raises(TargetExistsError):
        deliver(world, force=True)


def test_prompt_text_is_nothing_that_stands_in_a_directory(world: World) -> None:
    with pytest.raises(InvalidInputError, match="there is no client `prompt`"):
        deliver(world, provider="prompt")


def test_a_delivery_that_was_killed_is_finished_by_the_next(
    world: World, there: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deliver(world)
    world.save(make_package("pdf", body="New.\n"))
    world.save(make_package("tables", body="New.\n"))
    world.save(make_package("zebra"))
    shelf = type(world.yard.outside.shelf)
    replace_package, put_package = shelf.replace_package, shelf.put_package

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for name in ("replace_package", "put_package"):
        monkeypatch.setattr(shelf, name, die)
        with pytest.raises(KeyboardInterrupt):
            deliver(world)
        monkeypatch.setattr(shelf, "replace_package", replace_package)

    monkeypatch.setattr(shelf, "put_package", put_package)
    assert steps(deliver(world)) == {"pdf": "keep", "tables": "keep", "zebra": "add"}
    assert len(json.loads((there / ".skillyard.json").read_text())["skills"]) == 3
