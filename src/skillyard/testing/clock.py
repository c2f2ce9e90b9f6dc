"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta

_START = datetime(2026, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class FixedClock:
    """See `Clock`: shows one moment, in UTC and whole milliseconds, until it is moved.

    A moment of another time zone is turned into UTC. One without a time zone is refused: it says
    no moment.
    """

    def __init__(self, start: datetime = _START) -> None:
        self._now = _to_moment(start)

    def now(self) -> datetime:
        """See `Clock.now`."""
        return self._now

    def set(self, moment: datetime) -> None:
        """Show `moment` from now on; it may lie before the one that was shown."""
        self._now = _to_moment(moment)

    def advance(self, seconds: float) -> datetime:
        """Move on by `seconds`, rounded to milliseconds, and give the moment that is shown now."""
        self._now += round(seconds * 1000) * _MILLISECOND
        return self._now


def _to_moment(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        message = f"{moment.isoformat()} has no time zone"
        raise ValueError(message)
    return moment.astimezone(UTC).replace(microsecond=moment.microsecond // 1000 * 1000)
