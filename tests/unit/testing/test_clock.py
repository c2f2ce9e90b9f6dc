"""The clock of tests."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from skillyard.application.ports.clock import Clock
from skillyard.testing.clock import FixedClock

NOON = datetime(2026, 5, 6, 12, tzinfo=UTC)


def test_it_stands_still() -> None:
    clock: Clock = FixedClock(NOON)

    assert (clock.now(), clock.now()) == (NOON, NOON)


def test_it_is_moved_by_seconds_in_whole_milliseconds() -> None:
    clock = FixedClock(NOON)

    assert clock.advance(90) == clock.now() == NOON + timedelta(seconds=90)
    assert clock.advance(0.0014) == NOON + timedelta(seconds=90, milliseconds=1)
    assert clock.advance(-90.001) == NOON


def test_it_is_set_to_any_moment() -> None:
    clock = FixedClock(NOON)
    clock.set(NOON - timedelta(days=1))

    assert clock.now() == NOON - timedelta(days=1)


def test_moments_are_in_utc_and_in_whole_milliseconds() -> None:
    elsewhere = timezone(timedelta(hours=2, microseconds=700))
    clock = FixedClock(datetime(2026, 5, 6, 14, 0, 0, 5_900, tzinfo=elsewhere))

    assert clock.now().isoformat() == "2026-05-06T12:00:00.005000+00:00"


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        FixedClock(datetime(2026, 5, 6))  # noqa: DTZ001 (what is refused)


def test_the_moment_that_nobody_chose_is_always_the_same() -> None:
    assert FixedClock().now() == FixedClock().now()
