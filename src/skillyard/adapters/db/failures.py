"""What the databases say when they refuse, in words that mean something to a person."""

import re
import sqlite3
from typing import Final

from sqlalchemy import exc
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError

from skillyard.domain.errors import (
    ConcurrentChangeError,
    InvalidFactError,
    InvalidSettingError,
    SkillyardError,
    StoreUnavailableError,
)

_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: "another program kept it locked for too long",
    sqlite3.SQLITE_LOCKED: "another program kept it locked for too long",
    sqlite3.SQLITE_READONLY: "it may be read, but not written",
    sqlite3.SQLITE_PERM: "the permission is missing",
    sqlite3.SQLITE_IOERR: "the disk failed, or is not there",
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is not a database",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened",
}
_POSTGRESQL: Final = {
    "25006": "it may be read, but not written",
    "28000": "it does not let this user in",
    "28P01": "the password is wrong, or the user is not known",
    "3D000": "there is no such database on that server",
    "40001": "another change got in the way",
    "40P01": "two changes waited for each other",
    "42501": "this user may not do that there",
    "53100": "the disk is full",
    "53200": "the server is out of memory",
    "53300": "the server has too many connections",
    "55P03": "another program kept it locked for too long",
    "57014": "the server gave up waiting",
    "57P01": "the server is stopping",
    "57P03": "the server is starting or stopping",
}
OPTIONS_HINT: Final = "Options are those of PostgreSQL's libpq, such as `sslmode=require`"
_MISSING: Final = frozenset({"42P01", "42703"})
_MISSING_WORDS: Final = ("no such table", "no such column", "has no column")
# What the driver says of a parameter; its value is not repeated.
_OPTION: Final = re.compile(
    r"connection option \"(\w+)\"|bad value for (\w+)|invalid (?!integer)(\w+) (?:value|number)"
)
_AGAIN: Final = frozenset({"40001", "40P01", "55P03", "57014"})


def translate(error: SQLAlchemyError, *, place: str, what: str) -> SkillyardError | None:
    """Give what a failure of the database means, or None where it is a mistake of the program.

    `what` names the thing that a violated constraint is about.
    """
    if isinstance(error, IntegrityError):
        return ConcurrentChangeError(what)
    if isinstance(error, DataError):
        return InvalidFactError([("value", f"it cannot be kept: {_first_line(error)}", "")])
    if isinstance(error, exc.TimeoutError):
        return StoreUnavailableError(place, reason="every connection is in use")
    if isinstance(error, DBAPIError) and (option := _find_option(error)):
        wrong = f"its option `{option}` is not known, or has a wrong value"
        return refuse_url(reason=wrong, hint=OPTIONS_HINT)
    reason = _find_reason(error) if isinstance(error, DBAPIError) else None
    return StoreUnavailableError(place, reason=reason, hint=_find_hint(error)) if reason else None


def refuse_url(*, reason: str, hint: str = "") -> InvalidSettingError:
    """Give the error for a URL that names no database; it repeats nothing of the URL."""
    known = "Write `sqlite:////PATH` or `postgresql://USER@HOST/NAME`"
    return InvalidSettingError("database", origin="its URL", reason=reason, hint=hint or known)


def is_missing_table(error: DBAPIError) -> bool:
    """Tell whether a statement failed because its table is not there."""
    return _find_state(error) == "42P01" or "no such table" in str(error.orig)


def _find_option(error: DBAPIError) -> str | None:
    # Only where a connection is being made: a statement is none of the user's.
    found = _OPTION.search(str(error.orig)) if error.statement is None else None
    return next(filter(None, found.groups())) if found and not _find_state(error) else None


def _find_reason(error: DBAPIError) -> str | None:
    if _is_missing(error):
        return "a table or a column that it needs is not there"
    known = _SQLITE.get(_find_sqlite_code(error)) or _POSTGRESQL.get(_find_state(error))
    if known is not None:
        return known
    # A mistake in a statement is ours, and no state that the database is in.
    is_ours = type(error).__name__ in {"ProgrammingError", "InterfaceError", "NotSupportedError"}
    is_ours = is_ours or _find_sqlite_code(error) == sqlite3.SQLITE_ERROR
    return None if is_ours else _first_line(error)


def _find_hint(error: SQLAlchemyError) -> str:
    if isinstance(error, DBAPIError) and _is_missing(error):
        return "Run `skillyard doctor`"
    again = isinstance(error, DBAPIError) and (
        _find_state(error) in _AGAIN or _find_sqlite_code(error) == sqlite3.SQLITE_BUSY
    )
    return "Nothing was done; run the command again" if again else ""


def _is_missing(error: DBAPIError) -> bool:
    words = str(error.orig)
    return _find_state(error) in _MISSING or any(one in words for one in _MISSING_WORDS)


def _find_sqlite_code(error: DBAPIError) -> int:
    # The lowest byte is the kind; the rest says more exactly where it happened.
    return int(getattr(error.orig, "sqlite_errorcode", 0)) & 0xFF


def _find_state(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


def _first_line(error: DBAPIError) -> str:
    lines = str(error.orig).strip().splitlines()
    return lines[0] if lines else type(error.orig).__name__
