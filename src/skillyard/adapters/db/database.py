"""What the two engines do differently."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """One database, and how its engine is talked to.

    `place` is where it is, for people. `begin` begins a transaction on a connection: one that only
    reads, or one that may write. `lock` makes the transaction the only one that changes the schema.
    `is_lost` tells whether the engine has given a transaction up after a failure: it would say yes
    to a commit that keeps nothing. `index_of` is the function that looks for a text in another.
    `mark` stands for a value in a statement.
    """

    engine: Engine
    name: str
    place: str
    begin: Callable[[Connection, bool], None]
    lock: Callable[[Connection], None]
    is_lost: Callable[[Connection], bool]
    index_of: str
    mark: str

    @property
    def is_postgresql(self) -> bool:
        """Whether it is PostgreSQL."""
        return self.engine.dialect.name == "postgresql"
