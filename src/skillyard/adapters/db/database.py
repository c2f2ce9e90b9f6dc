"""What the two engines do differently."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from skillyard.adapters.db.catalogue import Spelling


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """One database, and how its engine is talked to.

    `place` is where it is, for people. `begin` begins a transaction on a connection: one that only
    reads, or one that may write. `lock` makes the transaction the only one that changes the schema.
    `is_lost` tells whether the engine has given a transaction up after a failure: it would say yes
    to a commit that keeps nothing. `spelling` is how statements in plain SQL are written.
    """

    engine: Engine
    name: str
    place: str
    begin: Callable[[Connection, bool], None]
    lock: Callable[[Connection], None]
    is_lost: Callable[[Connection], bool]
    spelling: Spelling

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL."""
        return self.engine.dialect.name == "postgresql"
