"""The ids of tests."""

from uuid import UUID

from skillyard.application.ports.ids import IdSource
from skillyard.testing.ids import CountingIds


def test_ids_are_uuids_of_which_later_ones_sort_behind_earlier_ones() -> None:
    source: IdSource = CountingIds()
    ids = [source.new_id() for _ in range(300)]

    assert ids == sorted(set(ids))
    assert {UUID(one).version for one in ids} == {7}
    assert [str(UUID(one)) for one in ids] == ids


def test_ids_are_the_same_in_every_run() -> None:
    assert CountingIds().new_id() == "00000000-0000-7000-8000-000000000001"
    assert CountingIds(255).new_id() == "00000000-0000-7000-8000-0000000000ff"
