"""The clock of this machine."""

from datetime import UTC, datetime


class SystemClock:
    """Tells the real time."""

    def now(self) -> datetime:
        """See `Clock.now`."""
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)
