"""A receipt is enough to have a run's skills again, as its program saw them."""

from pathlib import Path

import pytest

from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.errors import RunDriftError
from skillyard.domain.package import PackageFile
from skillyard.domain.receipt import parse_receipt
from skillyard.domain.run import Run
from skillyard.testing.packages import make_package
from tests.integration.running.world import World, list_tree

pytestmark = pytest.mark.requirement("DEL-10", "STO-5")

SKILLS = Path("home/.codex/skills")
RICH = make_package(
    "tables",
    files={"scripts/lay.sh": PackageFile(b"#!/bin/sh\n", executable=True), "assets/x": b"\0\xff"},
)


@pytest.fixture
def receipt(world: World) -> Run:
    """Give the receipt of a run that is gone, of which its program has made a copy."""
    world.save(RICH)
    world.save(make_package("letters"))
    world.do(f'cp -rp "$HOME/.codex/skills" "{world.root}/copy"')
    run = world.run(receipt=world.root / "receipt.json")
    assert not Path(run.root).exists()
    return parse_receipt((world.root / "receipt.json").read_bytes(), name="receipt.json")


def change_everything(world: World) -> None:
    """Edit one skill, archive another, and delete the third and make it anew."""
    world.yard.save(SaveSkill(package=make_package("pdf", body="Edited.\n")))
    world.yard.archive("letters")
    world.yard.delete("tables")
    world.save(make_package("tables", body="Another one.\n"), GLOBAL)


def test_the_same_files_are_had_again_whatever_became_of_the_skills(
    world: World, receipt: Run
) -> None:
    seen = list_tree(world.root / "copy")
    assert set(seen) == {
        "letters/SKILL.md",
        "pdf/SKILL.md",
        "tables/SKILL.md",
        "tables/assets/x",
        "tables/scripts/lay.sh",
    }
    change_everything(world)

    world.yard.replay_run(receipt, world.root / "again")

    assert list_tree(world.root / "again" / SKILLS) == seen
    assert world.yard.verify_run(receipt, root=world.root / "again").changes == ()


def test_a_run_of_today_is_given_what_is_there_today(world: World, receipt: Run) -> None:
    change_everything(world)

    today = world.run()

    before = {one.slug: one.delivered for one in receipt.skills}
    after = {one.slug: one.delivered for one in today.skills}
    assert (set(before), set(after)) == ({"pdf", "tables", "letters"}, {"pdf", "tables"})
    assert all(before[slug] != after[slug] for slug in after)


def test_after_a_purge_it_is_said_what_is_gone(world: World, receipt: Run) -> None:
    change_everything(world)
    world.yard.clock.advance(1)  # type: ignore[attr-defined]
    assert world.yard.collect(purge_days=0).runs == (receipt.id,)

    with pytest.raises(RunDriftError) as caught:
        world.yard.replay_run(receipt, world.root / "again")

    # The others are versions of skills that are there; this one was the run's alone.
    assert caught.value.lost == (f"tables 1.0.0 ({RICH.digest()}) is gone",)
    assert receipt.id in caught.value.message
    assert not (world.root / "again").exists()
