"""What a database finds wrong with its own files and references."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection

_LOOSE_ENDS: Final = {
    "the skill `{}` has a current version that is not there": (
        "SELECT s.slug FROM skills s WHERE NOT EXISTS (SELECT 1 FROM versions v"
        " WHERE v.skill_id = s.id AND v.version = s.current AND v.digest = s.digest)"
        " ORDER BY s.slug"
    ),
    "the package of `{}` does not have as many files as it says": (
        "SELECT s.slug FROM skills s JOIN packages p ON p.digest = s.digest"
        " WHERE p.files <> (SELECT count(*) FROM package_files f WHERE f.digest = p.digest)"
        " ORDER BY s.slug"
    ),
    "the {} is no subject that skills can be assigned to": (
        "SELECT r.what FROM (SELECT 'workspace' AS kind, name, 'workspace `' || name || '`' AS what"
        " FROM workspaces UNION ALL SELECT 'team', name, 'team `' || name || '`' FROM teams"
        " UNION ALL SELECT 'agent', name, 'agent `' || name || '`' FROM agents"
        " UNION ALL SELECT 'node', name, 'node `' || name || '`' FROM nodes) r"
        " WHERE NOT EXISTS (SELECT 1 FROM subjects s WHERE s.kind = r.kind AND s.name = r.name)"
        " ORDER BY 1"
    ),
}


def iter_faults(connection: Connection) -> Iterator[str]:
    """See `Store.iter_faults`."""
    if connection.dialect.name == "sqlite":
        yield from _iter_sqlite_faults(connection)
    for sentence, statement in _LOOSE_ENDS.items():
        for (name,) in connection.exec_driver_sql(statement):
            yield sentence.format(name)


def _iter_sqlite_faults(connection: Connection) -> Iterator[str]:
    for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if line != "ok":
            yield str(line)
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of `{table}` refers to one of `{parent}` that is not there"
