"""The store, and its transactions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from skillyard.application.ports.store import StoreDescription, Transaction
from skillyard.domain.errors import StoreUnavailableError
from skillyard.testing.memory.assignments import MemoryAssignments
from skillyard.testing.memory.candidates import MemoryCandidates
from skillyard.testing.memory.logs import MemoryAuditLog, MemoryOutbox
from skillyard.testing.memory.packages import MemoryPackages
from skillyard.testing.memory.records import MemoryRecords
from skillyard.testing.memory.runs import MemoryRuns
from skillyard.testing.memory.skills import MemorySkills
from skillyard.testing.memory.state import PLACE, State, Work
from skillyard.testing.memory.versions import MemoryVersions


class MemoryTransaction:
    """See `Transaction`. Once it is committed, or left, it can no longer be used."""

    def __init__(self, work: Work, keep: Callable[[State], None]) -> None:
        self._work = work
        self._keep = keep
        self.skills = MemorySkills(work)
        self.versions = MemoryVersions(work)
        self.packages = MemoryPackages(work)
        self.assignments = MemoryAssignments(work)
        self.candidates = MemoryCandidates(work)
        self.records = MemoryRecords(work)
        self.runs = MemoryRuns(work)
        self.audit = MemoryAuditLog(work)
        self.outbox = MemoryOutbox(work)

    def commit(self) -> None:
        """See `Transaction.commit`."""
        self._keep(self._work.draft)
        self._work.end()


class MemoryStore:
    """See `Store`: lasts as long as the object does, and may be used from several threads.

    One transaction writes at a time, whatever it writes; another waits for `patience` seconds. A
    thread that begins a second one inside its first waits for itself, as with a database.
    """

    def __init__(self, *, patience: float = 5.0) -> None:
        self._state = State()
        self._writing = Lock()
        self._patience = patience

    @contextmanager
    def begin(self) -> Iterator[Transaction]:
        """See `Store.begin`."""
        if not self._writing.acquire(timeout=self._patience):
            reason = f"another transaction stayed open for {self._patience:g} seconds"
            raise StoreUnavailableError(PLACE, reason=reason)
        try:
            with self._open(self._state.copy(), can_write=True) as transaction:
                yield transaction
        finally:
            self._writing.release()

    @contextmanager
    def view(self) -> Iterator[Transaction]:
        """See `Store.view`."""
        with self._open(self._state, can_write=False) as transaction:
            yield transaction

    def describe(self) -> StoreDescription:
        """See `Store.describe`."""
        return StoreDescription(engine="memory", place=PLACE, schema="none")

    def iter_faults(self) -> Iterator[str]:
        """See `Store.iter_faults`."""
        return iter(())

    def rest(self) -> None:
        """See `Store.rest`; there is nothing to let go of."""

    def close(self) -> None:
        """See `Store.close`; there is nothing to let go of."""

    def spoil(self, sha256: str, content: bytes) -> None:
        """Put `content` in the place of the bytes kept under `sha256`, as a failing disk would."""
        with self._writing:
            spoilt = self._state.copy()
            spoilt.contents[sha256] = content
            self._keep(spoilt)

    @contextmanager
    def _open(self, state: State, *, can_write: bool) -> Iterator[Transaction]:
        work = Work(state, can_write=can_write)
        try:
            yield MemoryTransaction(work, self._keep)
        finally:
            work.end()

    def _keep(self, state: State) -> None:
        # States are replaced and never changed: whoever has one open goes on seeing it.
        self._state = state
