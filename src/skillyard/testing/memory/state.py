"""What a store in memory holds, and the piece of work that looks at it or changes it."""

from dataclasses import dataclass, field, fields

from skillyard.domain.assignment import Assignment, Subject
from skillyard.domain.audit import AuditEntry, OutboxEvent
from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import StoreUnavailableError
from skillyard.domain.records import Record
from skillyard.domain.run import Run
from skillyard.domain.skill import PackageListing, Skill, SkillVersion, Tombstone
from skillyard.domain.version import Version

PLACE = "in memory"
"""Where the store is, for people."""


@dataclass(slots=True, kw_only=True)
class State:
    """Everything at one moment. Its values never change, so that a copy copies the tables only.

    `contents` are the bytes of files under their SHA-256. `numbers` are the last ones given.
    """

    skills: dict[str, Skill] = field(default_factory=dict)
    versions: dict[tuple[str, Version], SkillVersion] = field(default_factory=dict)
    tombstones: dict[int, Tombstone] = field(default_factory=dict)
    packages: dict[TreeDigest, PackageListing] = field(default_factory=dict)
    contents: dict[str, bytes] = field(default_factory=dict)
    assignments: dict[tuple[str, Subject], Assignment] = field(default_factory=dict)
    records: dict[tuple[type[Record], str], Record] = field(default_factory=dict)
    runs: dict[str, Run] = field(default_factory=dict)
    audit: dict[int, AuditEntry] = field(default_factory=dict)
    events: dict[int, OutboxEvent] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def copy(self) -> "State":
        """Give a state that can be changed without changing this one."""
        return State(**{one.name: getattr(self, one.name).copy() for one in fields(self)})

    def next_number(self, of: str) -> int:
        """Give the next number of the list that is called `of`."""
        self.numbers[of] = self.numbers.get(of, 0) + 1
        return self.numbers[of]


class Work:
    """A state, for as long as a transaction is open.

    To use a transaction that has ended is a mistake in the program that does it, and raises a
    RuntimeError. One that only reads refuses to write in the way of a database.
    """

    def __init__(self, state: State, *, can_write: bool) -> None:
        self._state: State | None = state
        self._can_write = can_write

    @property
    def seen(self) -> State:
        """What can be read."""
        if self._state is None:
            message = "the transaction has ended"
            raise RuntimeError(message)
        return self._state

    @property
    def draft(self) -> State:
        """What can be changed."""
        if not self._can_write:
            raise StoreUnavailableError(PLACE, reason="it may be read, but not written")
        return self.seen

    def end(self) -> None:
        """Let nobody see or change the state through this work any more."""
        self._state = None
