"""The clock and the identities of this machine."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from uuid import UUID

from skillyard.adapters.scanner.unscanned import NoScanner
from skillyard.adapters.system.clock import SystemClock
from skillyard.adapters.system.ids import TimeOrderedIds
from skillyard.testing.packages import make_package


def test_the_clock_shows_utc_in_whole_milliseconds() -> None:
    now = SystemClock().now()

    assert now.tzinfo is UTC
    assert now.microsecond % 1000 == 0


def test_ids_are_uuids_of_version_seven_in_the_order_of_giving() -> None:
    ids = TimeOrderedIds()

    given = [ids.new_id() for _ in range(10_000)]

    assert given == sorted(set(given))
    assert {UUID(one).version for one in given} == {7}


def test_threads_never_get_the_same_id() -> None:
    ids = TimeOrderedIds()
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: ids.new_id(), range(5_000)))

    assert len(set(given)) == len(given)


def test_without_a_scanner_nothing_was_looked_into() -> None:
    report = NoScanner().scan(make_package("pdf", files={"a.md": "A"}))

    assert report.uninspected == ("SKILL.md", "a.md")
    assert not report.is_complete
