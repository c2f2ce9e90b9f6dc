"""What nobody needs is removed, and nothing else."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from skillyard.application.resolve import ResolveSkills
from skillyard.domain.audit import AuditFilter
from skillyard.domain.run import Run, RunStatus
from skillyard.domain.skill import InstallStrategy
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.integration.running.world import World

pytestmark = pytest.mark.requirement("DEL-13")

_DYING = """
import os, signal, sys
from pathlib import Path
from skillyard.yard import Skillyard
from skillyard.application.resolve import ResolveSkills
from skillyard.application.run_wish import RunAgent
root = Path(sys.argv[1])
with Skillyard.open(home=root / "home") as yard:
    wish = RunAgent(
        command=("codex",), project=str(root / "project"),
        environment={"HOME": str(root / "user"), "PATH": f"{root}/bin:/usr/bin:/bin",
                     "GIT_CONFIG_GLOBAL": "/dev/null"},
    )
    yard.run(wish, include_user=False, include_project=False)
"""


@pytest.fixture
def dying(world: World, sqlite_url: str) -> World:
    """Give a world with a store on the disk, whose program kills whoever started it."""
    Path(sqlite_url.removeprefix("sqlite:///")).rename(world.root / "home" / "skillyard.db")
    world.yard = Skillyard.open(home=world.root / "home")
    world.save(make_package("pdf"))
    return world


def run_and_die(world: World, script: str = "") -> None:
    world.do(f"{script}\nkill -9 $PPID")
    done = subprocess.run(
        [sys.executable, "-c", _DYING, str(world.root)],
        check=False,
        capture_output=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == -signal.SIGKILL, done.stderr


def test_a_run_whose_process_died_is_lost_and_cleaned_up(dying: World) -> None:
    run_and_die(dying)
    assert (dying.last().status, len(dying.left())) == (RunStatus.RUNNING, 1)

    tried = dying.yard.collect(dry_run=True)
    assert (len(tried.leftovers), len(dying.left())) == (1, 1)
    done = dying.yard.collect()

    run = dying.last()
    assert [one.run_id for one in done.leftovers] == [run.id]
    assert (run.status, run.exit_status, dying.left()) == (RunStatus.LOST, None, [])
    assert run.failure == "its processes ended without a word"
    assert run.ended_at is not None
    assert dying.yard.collect().leftovers == ()
    assert list((dying.runs / "locks").iterdir()) == []


def test_what_a_died_run_did_in_its_work_tree_is_saved(dying: World) -> None:
    dying.make_repository()
    run_and_die(dying, "echo done > done.txt")

    (removed,) = dying.yard.collect().leftovers

    assert dying.git("show", f"{removed.ref}:done.txt") == "done\n"
    assert dying.last().workspace_ref == removed.ref
    assert len(dying.git("worktree", "list").splitlines()) == 1


def test_the_end_of_another_run_leaves_it_alone(dying: World) -> None:
    run_and_die(dying)
    left = dying.left()

    dying.do("")
    dying.run(skills=ResolveSkills())

    assert dying.left() == left


def test_a_run_that_is_alive_is_not_touched(world: World) -> None:
    seen = []

    def look(_: object) -> None:
        seen.append((world.yard.collect().leftovers, len(world.left())))

    world.yard.run(world.wish(), include_user=False, include_project=False, tell=look)

    assert seen == [((), 1)]


def test_kept_roots_go_only_when_that_is_asked_for(world: World) -> None:
    run = world.run(keep=True)

    assert world.yard.collect().leftovers == ()
    assert [one.path for one in world.yard.collect(kept=True, dry_run=True).kept] == [run.root]
    assert world.left() == [Path(run.root).name]
    assert [one.path for one in world.yard.collect(kept=True).kept] == [run.root]

    assert (world.left(), world.last().is_kept) == ([], False)
    assert world.last().status is RunStatus.ENDED


@pytest.mark.requirement("STO-5")
def test_records_and_their_contents_go_after_so_many_days(world: World) -> None:
    old = world.run()
    world.yard.clock.advance(3 * 24 * 3600)  # type: ignore[attr-defined]
    new = world.run()
    world.yard.delete("pdf")
    digest = make_package("pdf").digest()

    assert world.yard.collect(purge_days=4).runs == ()
    tried = world.yard.collect(purge_days=2, dry_run=True)
    done = world.yard.collect(purge_days=2)

    assert (tried.runs, done.runs, done.packages.packages) == ((old.id,), (old.id,), 0)
    assert world.yard.list_runs() == [new]
    with world.yard.store.view() as view:
        assert view.packages.get(digest) == make_package("pdf")

    last = world.yard.collect(purge_days=0)
    (entry,) = world.yard.audit(AuditFilter(action="store"), most=1)
    assert (entry.action, entry.details) == ("store.purged", {"runs": "1", "packages": "1"})
    assert (last.runs, last.packages.packages) == ((new.id,), 1)
    with world.yard.store.view() as view:
        assert view.packages.find(digest) is None


@pytest.mark.requirement("STO-5")
def test_what_is_saved_stays_whatever_is_purged(world: World) -> None:
    world.run()

    world.yard.collect(purge_days=0)

    assert world.yard.package("pdf") == make_package("pdf")


def test_a_run_that_is_kept_is_not_forgotten(world: World) -> None:
    run = world.run(keep=True)

    assert world.yard.collect(purge_days=0).runs == ()
    assert world.last() == run
    assert world.yard.collect(kept=True, purge_days=0).runs == (run.id,)


def test_cached_packages_go_when_nobody_used_them_for_long(world: World) -> None:
    world.run()
    world.yard.clock.advance(29 * 24 * 3600)  # type: ignore[attr-defined]
    first = world.yard.collect().cache
    world.yard.clock.advance(2 * 24 * 3600)  # type: ignore[attr-defined]
    second = world.yard.collect().cache

    assert first is not None
    assert second is not None
    assert (first.packages, second.packages) == (0, 1)
    assert world.run().exit_status == 0


def test_what_a_run_that_is_alive_may_be_linked_to_stays_in_the_cache(world: World) -> None:
    seen = []

    def look(run: Run) -> None:
        linked = tuple(replace(one, strategy=InstallStrategy.LINK) for one in run.skills)
        with world.yard.store.begin() as transaction:
            transaction.runs.put(replace(run, skills=linked))
            transaction.commit()
        world.yard.clock.advance(31 * 24 * 3600)  # type: ignore[attr-defined]
        seen.append(world.yard.collect().cache)

    world.yard.run(world.wish(), include_user=False, include_project=False, tell=look)
    seen.append(world.yard.collect().cache)

    assert [one.packages for one in seen if one] == [0, 1]


def test_what_was_used_a_moment_ago_stays_in_the_cache(world: World) -> None:
    world.yard.cache_days = 0
    world.run()
    first = world.yard.collect().cache
    world.yard.clock.advance(3600)  # type: ignore[attr-defined]
    second = world.yard.collect().cache

    assert [one.packages for one in (first, second) if one] == [0, 1]


def test_a_root_whose_changes_cannot_be_saved_stays(dying: World) -> None:
    dying.make_repository()
    run_and_die(dying, "echo done > done.txt")
    objects = dying.project / ".git" / "objects"
    objects.rename(dying.root / "objects")

    (kept,) = dying.yard.collect().leftovers
    (dying.root / "objects").rename(objects)

    assert kept.problem
    assert len(dying.left()) == 1
    assert dying.yard.collect().leftovers == ()
    (removed,) = dying.yard.collect(kept=True).kept
    assert dying.git("show", f"{removed.ref}:done.txt") == "done\n"
