"""What is remembered of runs, and what stays because of them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from types import MappingProxyType
from typing import Any

import pytest

from skillyard.application.ports.store import RemovedPackages, Store
from skillyard.domain.delivery import Note, NoteKind
from skillyard.domain.errors import ConcurrentChangeError, CorruptedContentError
from skillyard.domain.run import ChangeKind, Run, RunFilter, RunStatus, SeenChange
from skillyard.testing.packages import make_package
from tests.contract.making import (
    AT,
    LATER,
    OTHER_PDF,
    PDF,
    fill,
    make_id,
    make_run,
    make_run_skill,
    make_skill,
    make_tombstone,
)

EVERYTHING = RunFilter()
WHOLE = make_run(
    skills=(
        make_run_skill(delivered=OTHER_PDF.digest()),
        make_run_skill("csv", path=""),
    ),
    files=("home/.codex/config.toml",),
    environment=MappingProxyType({"HOME": "/srv/run/home", "Ä": "\udcff"}),
    notes=(Note(kind=NoteKind.ALTERED, message="„so“", slug="pdf"),),
    command=("codex", "\udcff", "a\nb"),
    started_at=AT,
    ended_at=LATER,
    status=RunStatus.ENDED,
    exit_status=137,
    changes=(SeenChange("pdf", "SKILL.md", ChangeKind.CHANGED),),
    workspace_ref="skillyard/run-1",
    is_kept=True,
)


def put(store: Store, *runs: Run) -> None:
    with store.begin() as transaction:
        transaction.packages.add([PDF, OTHER_PDF])
        for run in runs:
            transaction.runs.put(run)
        transaction.commit()


def list_ids(store: Store, wanted: RunFilter = EVERYTHING, **options: int | str) -> list[str]:
    before, most = options.get("before"), options.get("most")
    with store.view() as view:
        found = view.runs.list(
            wanted,
            before=None if before is None else str(before),
            most=None if most is None else int(most),
        )
    return [one.id for one in found]


@pytest.mark.requirement("DEL-10")
@pytest.mark.parametrize("run", [make_run(), WHOLE], ids=["begun", "whole"])
def test_all_that_is_known_of_a_run_comes_back(store: Store, run: Run) -> None:
    put(store, run)

    with store.view() as view:
        assert view.runs.find(run.id) == run
        assert view.runs.list(EVERYTHING) == [run]
        assert view.runs.find(make_id("nobody")) is None


@pytest.mark.requirement("DEL-10")
def test_what_is_put_later_takes_the_place_of_what_was_known(store: Store) -> None:
    begun = make_run(skills=(make_run_skill(), make_run_skill("csv")))
    ended = replace(begun, status=RunStatus.ENDED, exit_status=0, skills=begun.skills[:1])

    put(store, begun)
    put(store, ended)

    with store.view() as view:
        assert view.runs.list(EVERYTHING) == [ended]
        assert view.runs.list(RunFilter(skill="csv")) == []


def test_runs_are_listed_from_the_newest_to_the_oldest(store: Store) -> None:
    runs = [make_run(number) for number in (3, 1, 4, 2)]
    put(store, *runs)
    ids = [make_run(number).id for number in (4, 3, 2, 1)]

    assert list_ids(store) == ids
    assert list_ids(store, most=2) == ids[:2]
    assert list_ids(store, before=ids[1]) == ids[2:]
    assert list_ids(store, before=ids[0], most=1) == ids[1:2]


def test_runs_are_found_by_what_they_were(store: Store) -> None:
    runs = [
        make_run(1, agent=None, status=RunStatus.LOST),
        make_run(2, provider="claude-code", skills=(make_run_skill("csv"),)),
        make_run(0x30, skills=()),
    ]
    put(store, *runs)
    first, second, third = (one.id for one in runs)

    assert list_ids(store, RunFilter(agent="reviewer")) == [third, second]
    assert list_ids(store, RunFilter(agent="nobody")) == []
    assert list_ids(store, RunFilter(skill="pdf")) == [first]
    assert list_ids(store, RunFilter(status=RunStatus.LOST)) == [first]
    assert list_ids(store, RunFilter(provider="claude-code", skill="csv")) == [second]
    assert list_ids(store, RunFilter(id_prefix=third[:-1])) == [third]
    assert list_ids(store, RunFilter(id_prefix="")) == [third, second, first]
    assert list_ids(store, RunFilter(id_prefix="0000000")) == [third, second, first]
    assert list_ids(store, RunFilter(id_prefix="1")) == []


def test_runs_are_forgotten_one_by_one(store: Store) -> None:
    put(store, make_run(1), make_run(2), make_run(3))

    with store.begin() as transaction:
        assert transaction.runs.remove([make_run(1).id, make_run(3).id, "x"]) == 2
        assert transaction.runs.remove([]) == 0
        transaction.commit()

    assert list_ids(store) == [make_run(2).id]


@pytest.mark.requirement("DEL-10")
@pytest.mark.parametrize("field", ["digest", "delivered"])
def test_a_run_names_only_packages_that_are_there(store: Store, field: str) -> None:
    gone: Any = make_package("gone").digest()
    run = make_run(skills=(replace(make_run_skill(), **{field: gone}),))

    with store.begin() as transaction:
        transaction.packages.add([PDF])
        with pytest.raises(ConcurrentChangeError):
            transaction.runs.put(run)
        transaction.commit()

    assert list_ids(store) == []


@pytest.mark.requirement("STO-5", "DEL-10")
def test_what_a_run_was_given_stays_when_the_skill_goes(store: Store) -> None:
    skill = make_skill()
    fill(store, skill)
    put(store, make_run(skills=(make_run_skill(delivered=OTHER_PDF.digest()),)))

    with store.begin() as transaction:
        transaction.skills.remove(skill, make_tombstone(skill))
        assert transaction.packages.remove_unused() == RemovedPackages(0, 0)
        transaction.commit()

    with store.view() as view:
        assert view.packages.get(PDF.digest()) == PDF
        assert view.packages.get(OTHER_PDF.digest()) == OTHER_PDF


@pytest.mark.requirement("STO-5")
def test_what_nobody_names_any_more_can_be_removed(store: Store) -> None:
    shared = make_package("shared", files={"a.md": "Once.\n"})
    lone = make_package("lone", files={"a.md": "Once.\n"})
    fill(store, make_skill())
    with store.begin() as transaction:
        transaction.packages.add([shared, lone])
        transaction.runs.put(
            make_run(
                skills=(make_run_skill(digest=shared.digest(), delivered=shared.digest()),),
            )
        )
        transaction.commit()
    own = len(lone.skill_md or b"") + len(OTHER_PDF.skill_md or b"")

    with store.begin() as transaction:
        assert transaction.packages.remove_unused() == RemovedPackages(2, own)
        assert transaction.packages.remove_unused() == RemovedPackages(0, 0)
        transaction.commit()

    with store.view() as view:
        assert set(view.packages.iter_digests()) == {PDF.digest(), shared.digest()}
        assert view.packages.get(shared.digest()) == shared
        with pytest.raises(CorruptedContentError):
            view.packages.get(lone.digest())


@pytest.mark.parametrize("name", ["r\0", "r\udcff"], ids=["nul", "surrogate"])
def test_a_run_that_cannot_be_is_not_found(store: Store, name: str) -> None:
    put(store, make_run())

    with store.view() as view:
        assert view.runs.find(name) is None
        assert view.runs.list(RunFilter(agent=name)) == []
        assert view.runs.list(RunFilter(skill=name)) == []
        assert view.runs.list(RunFilter(id_prefix=name)) == []


@pytest.mark.requirement("STO-5")
@pytest.mark.parametrize("is_named_first", [True, False])
def test_a_run_that_is_recorded_has_its_packages_whoever_removes_them_meanwhile(
    store: Store, *, is_named_first: bool
) -> None:
    with store.begin() as transaction:
        transaction.packages.add([PDF])
        transaction.commit()
    may_remove, is_removed = Event(), Event()

    def remove() -> str:
        may_remove.wait(timeout=5)
        try:
            with store.begin() as transaction:
                transaction.packages.remove_unused()
                transaction.commit()
        except ConcurrentChangeError as error:
            return error.code
        finally:
            is_removed.set()
        return "removed"

    def record() -> str:
        with store.begin() as transaction:
            transaction.packages.add([PDF])
            if is_named_first:
                transaction.runs.put(make_run())
            may_remove.set()
            # A store that lets the other one pass has removed the package by now.
            is_removed.wait(timeout=0.3)
            try:
                transaction.runs.put(make_run())
            except ConcurrentChangeError as error:
                return error.code
            transaction.commit()
        return "recorded"

    with ThreadPoolExecutor(1) as pool:
        removing = pool.submit(remove)
        answer = record()
        assert {answer, removing.result(timeout=10)} & {"recorded", "removed"}

    with store.view() as view:
        is_recorded = view.runs.find(make_run().id) is not None
        assert is_recorded is (answer == "recorded")
        assert not is_recorded or view.packages.get(PDF.digest()) == PDF
