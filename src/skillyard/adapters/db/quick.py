"""The list of skills straight from a SQLite file.

Loading SQLAlchemy takes longer than listing ten thousand skills. So a command that only lists asks
the file itself, with the statement that the store uses too, where nothing stands in the way: the
file is there, and its schema is of today. Everything else is for the store to do, or to explain.
"""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from skillyard.adapters.db.catalogue import Spelling, ask_entries, to_entry
from skillyard.adapters.db.revisions import HEAD, REVISION_QUESTION
from skillyard.domain.catalogue import CatalogueEntry, SkillFilter
from skillyard.domain.errors import StoreUnavailableError

SQLITE_SPELLING: Final = Spelling(mark="?", index_of="instr", joined="group_concat")
SQLITE_URL: Final = "sqlite:///"


class QuickCatalogue:
    """See `Catalogue`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection

    def list_entries(
        self, wanted: SkillFilter, *, after: tuple[str, str] | None = None, most: int | None = None
    ) -> Sequence[CatalogueEntry]:
        """See `Skills.list_entries`."""
        asked = ask_entries(wanted, after=after, most=most, spelling=SQLITE_SPELLING)
        try:
            rows = self._connection.execute(*asked).fetchall()
        except UnicodeEncodeError:
            # Half of a character: no skill holds it.
            return ()
        except sqlite3.Error as error:
            raise StoreUnavailableError(str(self._path), reason=str(error)) from error
        return [to_entry(row) for row in rows]

    def close(self) -> None:
        """See `Catalogue.close`."""
        self._connection.close()


def find_quick_catalogue(url: str) -> QuickCatalogue | None:
    """Give the list of skills of the SQLite file at `url`, or None where the store has to do it."""
    if not url.startswith(SQLITE_URL):
        return None
    path = Path(url.removeprefix(SQLITE_URL))
    with suppress(sqlite3.Error, OSError, ValueError):
        return _open(path)
    return None


def _open(path: Path) -> QuickCatalogue | None:
    if not path.is_file():
        return None
    place = quote(str(path.absolute()))
    connection = sqlite3.connect(f"file:{place}?mode=rw", uri=True, isolation_level=None)
    try:
        connection.execute("PRAGMA query_only=1")
        with closing(connection.execute(REVISION_QUESTION)) as answer:
            if answer.fetchone() == (HEAD,):
                return QuickCatalogue(path, connection)
    except sqlite3.Error:
        connection.close()
        raise
    connection.close()
    return None
