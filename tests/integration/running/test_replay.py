"""Past runs can be had again, byte for byte, whatever became of their skills."""

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from skillyard.application.save import SaveSkill
from skillyard.domain.errors import (
    AmbiguousRunError,
    MissingPathError,
    RunDriftError,
    RunNotFoundError,
    TargetExistsError,
    UnsafePathError,
)
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Invocation
from skillyard.domain.package import PackageFile
from skillyard.domain.receipt import parse_receipt
from skillyard.domain.run import ChangeKind, Run, SeenChange
from skillyard.domain.skill import InstallStrategy
from skillyard.domain.version import Version
from skillyard.testing.packages import make_package
from tests.integration.running.world import World, list_tree

pytestmark = pytest.mark.requirement("DEL-10")

RICH = make_package(
    "tables",
    files={"scripts/lay.sh": PackageFile(b"#!/bin/sh\n", executable=True), "assets/x": b"\0\xff"},
)


@pytest.fixture
def run(world: World) -> Run:
    """Give a run with three skills, which was kept: one is told to Codex in its own words."""
    world.save(RICH)
    world.save(make_package("hidden"))
    world.yard.change("hidden", for_people_only())
    world.save(make_package("spoken"))
    world.yard.change("spoken", as_text())
    return world.run(keep=True)


def test_a_run_is_had_again_as_it_was(world: World, run: Run) -> None:
    target = world.root / "again"

    replayed = world.yard.replay_run(run, target)

    assert replayed.directories == (
        "home/.codex/skills/pdf",
        "home/.codex/skills/tables",
        "home/.codex/skills/hidden",
        "private/skills/spoken",
    )
    skills = ".codex/skills"
    assert list_tree(target / "home" / skills) == list_tree(Path(run.root) / "home" / skills)
    spoken = target / "private" / "skills" / "spoken" / "SKILL.md"
    assert spoken.read_bytes() == make_package("spoken").skill_md
    assert world.yard.verify_run(run, root=target).changes == ()


@pytest.mark.requirement("STO-5")
def test_it_does_not_matter_what_became_of_the_skills(world: World, run: Run) -> None:
    world.yard.save(SaveSkill(package=make_package("pdf", body="New.\n")))
    world.yard.archive("hidden")
    world.yard.delete("tables")
    world.yard.save(SaveSkill(package=make_package("tables", body="Another one.\n")))
    world.yard.collect(purge_days=1)

    world.yard.replay_run(run, world.root / "again")

    before = list_tree(Path(run.root) / "home" / ".codex" / "skills")
    assert list_tree(world.root / "again" / "home" / ".codex" / "skills") == before
    assert "New." not in str(before)


def test_what_is_gone_is_named_and_nothing_is_written(world: World, run: Run) -> None:
    world.yard.delete("tables")
    world.yard.collect(kept=True)
    world.yard.clock.advance(1)  # type: ignore[attr-defined]
    world.yard.collect(purge_days=0)

    with pytest.raises(RunDriftError) as caught:
        world.yard.replay_run(run, world.root / "again")

    # What versions name is still there; what only the run named is not.
    assert [one.split()[0] for one in caught.value.lost] == ["tables", "hidden"]
    assert str(RICH.digest()) in caught.value.message
    assert not (world.root / "again").exists()
    assert world.yard.verify_run(run).lost == caught.value.lost


def test_nothing_is_laid_out_where_something_stands(world: World, run: Run) -> None:
    with pytest.raises(TargetExistsError):
        world.yard.replay_run(run, world.project.parent)
    with pytest.raises(TargetExistsError):
        world.yard.replay_run(run, world.project.parent, dry_run=True)

    world.yard.replay_run(run, world.root / "again", dry_run=True)
    assert not (world.root / "again").exists()


def test_a_kept_run_is_compared_with_its_record(world: World, run: Run) -> None:
    skills = Path(run.root) / "home" / ".codex" / "skills"
    assert world.yard.verify_run(run).root == run.root
    (skills / "tables" / "scripts" / "lay.sh").chmod(0o644)
    (skills / "pdf" / "SKILL.md").unlink()
    (skills / "pdf" / "extra").write_text("")

    verified = world.yard.verify_run(run)

    assert verified.changes == (
        SeenChange("pdf", "SKILL.md", ChangeKind.REMOVED),
        SeenChange("pdf", "extra", ChangeKind.ADDED),
        SeenChange("tables", "scripts/lay.sh", ChangeKind.CHANGED),
    )
    with pytest.raises(RunDriftError) as caught:
        verified.require_intact()
    assert caught.value.changed[0] == "pdf: SKILL.md is removed"
    assert caught.value.message.startswith(f"run `{run.id}` is not as it was: pdf: SKILL.md")


def test_a_run_is_found_by_its_id_a_part_of_it_or_as_the_last(world: World) -> None:
    first, last = world.run(), world.run()
    same = first.id[:-1]

    assert world.yard.get_run(first.id) == first
    assert world.yard.get_run(last.id.upper()) == last
    assert world.yard.get_run("last") == last
    with pytest.raises(AmbiguousRunError) as caught:
        world.yard.get_run(same)
    assert caught.value.ids == (last.id, first.id)
    for nothing in ("", "zzz", "\0", "\udcff"):
        with pytest.raises(RunNotFoundError):
            world.yard.get_run(nothing)


def test_there_is_no_last_run_before_the_first(world: World) -> None:
    with pytest.raises(RunNotFoundError):
        world.yard.get_run("last")


def test_a_skill_that_stood_nowhere_stands_apart(world: World, run: Run) -> None:
    nowhere = replace(run, skills=tuple(replace(one, path="") for one in run.skills[:1]))

    assert world.yard.replay_run(nowhere, world.root / "again").directories == ("prompt/pdf",)
    assert world.yard.verify_run(nowhere, root=world.root / "again").changes == ()
    assert world.yard.verify_run(nowhere).changes == ()


def test_a_receipt_is_as_good_as_the_record(world: World, run: Run) -> None:
    forget(world, run)

    verified = world.yard.verify_run(run)

    assert (verified.lost, verified.edited) == ((), ())


@pytest.mark.parametrize(
    ("changes", "edited"),
    [
        ({"manifest_hash": "sha256:0"}, "manifest_hash"),
        ({"provider": "gemini-cli"}, "provider"),
        ({"command": ("rm",)}, "command"),
        ({"exit_status": 3}, "exit_status"),
        ({"environment": {}}, "environment"),
    ],
)
def test_a_receipt_that_was_edited_is_not_intact(
    world: World, run: Run, changes: dict[str, Any], edited: str
) -> None:
    verified = world.yard.verify_run(replace(run, **changes))

    assert verified.edited == (f"{edited} is not what the store has of it",)
    with pytest.raises(RunDriftError, match=edited):
        verified.require_intact()


@pytest.mark.parametrize("has_record", [True, False])
def test_skills_of_a_receipt_that_were_edited_are_told(
    world: World, run: Run, *, has_record: bool
) -> None:
    if not has_record:
        forget(world, run)
    first, *rest = run.skills
    others = [
        (*rest,),
        (replace(first, version=Version(9)), *rest),
        (replace(first, digest=rest[0].digest), *rest),
        (*reversed(run.skills),),
    ]

    for skills in others:
        verified = world.yard.verify_run(replace(run, skills=skills))
        assert verified.edited == (
            "skills is not what the store has of it"
            if has_record
            else "manifest_hash does not fit its skills",
        )


def test_a_digest_that_the_store_does_not_have_is_lost(world: World, run: Run) -> None:
    forget(world, run)
    digest = make_package("pdf", body="Other.\n").digest()
    skills = (replace(run.skills[0], digest=digest), *run.skills[1:])

    assert world.yard.verify_run(replace(run, skills=skills)).lost == (
        f"pdf 1.0.0 ({digest}) is gone",
    )


def test_what_a_receipt_said_before_the_end_is_no_edit(world: World) -> None:
    world.do(f'cp "$SKILLYARD_RUN_ROOT/receipt.json" {world.root}/early.json')
    world.run()
    early = parse_receipt((world.root / "early.json").read_bytes(), name="early.json")

    assert early.exit_status is None
    assert world.yard.verify_run(early).edited == ()


def test_a_skill_that_was_left_out_is_no_edit(world: World) -> None:
    text = b"\xef\xbb\xbf---\nname: odd\ndescription: Odd. Use it.\n---\n\nDo.\n"
    world.save(make_package("odd", files={"SKILL.md": text}))
    run = world.run()
    assert [one.slug for one in run.skills] == ["pdf"]
    forget(world, run)

    assert world.yard.verify_run(run).edited == ()


def test_a_root_that_is_not_there_is_said(world: World, run: Run) -> None:
    with pytest.raises(MissingPathError, match="nowhere` is no directory"):
        world.yard.verify_run(run, root=world.root / "nowhere")
    (world.root / "link").symlink_to(run.root)
    assert world.yard.verify_run(run, root=world.root / "link").changes == ()


def test_skills_in_one_place_are_not_laid_out(world: World, run: Run) -> None:
    first, second, *_ = run.skills
    doubled = replace(run, skills=(first, replace(second, path=f"{first.path}/inner")))

    with pytest.raises(UnsafePathError):
        world.yard.replay_run(doubled, world.root / "again")
    assert not (world.root / "again").exists()


def test_a_receipt_that_is_laid_out_is_for_its_owner_only(world: World, run: Run) -> None:
    world.yard.replay_run(run, world.root / "again")

    assert stat.S_IMODE((world.root / "again" / "receipt.json").stat().st_mode) == 0o600


def forget(world: World, run: Run) -> None:
    with world.yard.store.begin() as transaction:
        transaction.runs.remove([run.id])
        transaction.commit()


def for_people_only() -> FactChanges:
    return FactChanges(invocation=Invocation.USER_ONLY)


def as_text() -> FactChanges:
    return FactChanges(install_strategy=InstallStrategy.PROMPT_FALLBACK)
