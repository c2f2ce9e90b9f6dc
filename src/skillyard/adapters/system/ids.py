"""Identities that no other machine gives: UUIDs of version 7 (RFC 9562)."""

import secrets
import threading
import time
from uuid import UUID

_VERSION = 7 << 76
_VARIANT = 0b10 << 62
_COUNTS = 1 << 12


class TimeOrderedIds:
    """Gives UUIDs that sort by the moment at which they were given."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new_id(self) -> str:
        """See `IdSource.new_id`."""
        with self._lock:
            # Milliseconds and a count below them: it grows also where the clock stands still.
            self._last = max(self._last + 1, time.time_ns() // 1_000_000 * _COUNTS)
            moment, count = divmod(self._last, _COUNTS)
        number = moment << 80 | _VERSION | count << 64 | _VARIANT | secrets.randbits(62)
        return str(UUID(int=number))
