"""The text of INSERT statements, written once for each table.

SQLAlchemy would put it together anew for every row, which takes longer than the row. Both engines
write these statements alike, but for the mark where a value goes.
"""

from collections.abc import Iterable
from functools import lru_cache

from sqlalchemy import Table

IF_ABSENT = "ON CONFLICT DO NOTHING"


def if_absent(*key: str) -> str:
    """Say that a row is left out where one with this key is there; other conflicts still fail."""
    return f"ON CONFLICT ({_list(key)}) DO NOTHING"


def in_place_of(*key: str, changed: Iterable[str]) -> str:
    """Say that a row gives its values to the one with this key, if there is one."""
    values = ", ".join(f'"{name}" = excluded."{name}"' for name in changed)
    return f"ON CONFLICT ({_list(key)}) DO UPDATE SET {values}"


@lru_cache(maxsize=64)
def render_insert(table: Table, columns: tuple[str, ...], conflict: str, mark: str) -> str:
    """Write the statement that adds rows given as values in the order of `columns`."""
    marks = ", ".join(mark for _ in columns)
    return f'INSERT INTO "{table.name}" ({_list(columns)}) VALUES ({marks}) {conflict}'  # noqa: S608 - our own names


def _list(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
