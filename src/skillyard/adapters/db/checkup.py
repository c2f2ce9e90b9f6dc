"""What a database finds wrong with its own files, its schema, its rows and their references."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Connection, Inspector, Row, Select, Table, UniqueConstraint, inspect, select

from skillyard.adapters.db.reach import REACH
from skillyard.adapters.db.rows import UNREADABLE, from_json_list, to_haystack
from skillyard.adapters.db.tables import METADATA, skill_agents, skill_tags, skills

_GUARDS: Final = (
    "versions_refuse_update",
    "packages_refuse_update",
    "package_files_refuse_update",
    "contents_refuse_update",
    "audit_refuse_update",
    "audit_refuse_delete",
)
_TRIGGERS: Final = {
    "sqlite": ("SELECT name FROM sqlite_schema WHERE type = 'trigger'", _GUARDS),
    "postgresql": (
        # One that is switched off guards nothing.
        (
            "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
            " WHERE NOT tgisinternal AND tgenabled IN ('O', 'A')"
            " AND relnamespace = current_schema()::regnamespace"
        ),
        (*_GUARDS, "audit_refuse_truncate"),
    ),
}

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
    "the skill `{}` is not found in the workspaces that it is used in": (
        f"WITH wanted(skill_id, workspace) AS ({REACH}),"  # noqa: S608 - our own
        " kept AS (SELECT w.skill_id, w.workspace FROM skill_workspaces w"
        " JOIN skills s ON s.id = w.skill_id WHERE s.confidence = 'high'),"
        " wrong AS (SELECT * FROM (SELECT * FROM wanted EXCEPT SELECT * FROM kept) lacking"
        " UNION SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM wanted) left_over)"
        " SELECT s.slug FROM skills s WHERE s.id IN (SELECT skill_id FROM wrong) ORDER BY s.slug"
    ),
}
_FOUND_BY: Final = select(
    skills.c.id,
    skills.c.slug,
    skills.c.display_name,
    skills.c.description,
    skills.c.tags,
    skills.c.agents,
    skills.c.haystack,
).order_by(skills.c.slug)
_TAGS: Final = select(skill_tags.c.skill_id, skill_tags.c.tag)
_AGENTS: Final = select(skill_agents.c.skill_id, skill_agents.c.agent)


def iter_faults(connection: Connection) -> Iterator[str]:
    """See `Store.iter_faults`.

    Where a table or a column is missing, the rows are not looked at: the questions would fail.
    """
    if connection.dialect.name == "sqlite":
        yield from _iter_sqlite_faults(connection)
    lacking = list(_iter_lacking_columns(inspect(connection)))
    yield from lacking
    if lacking:
        return
    yield from _iter_lacking_rules(inspect(connection))
    yield from _iter_lacking_triggers(connection)
    for sentence, statement in _LOOSE_ENDS.items():
        for (name,) in connection.exec_driver_sql(statement):
            yield sentence.format(name)
    yield from _iter_search_faults(connection)


def _iter_sqlite_faults(connection: Connection) -> Iterator[str]:
    for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if line != "ok":
            yield str(line)
    for table, _, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"a row of `{table}` refers to one of `{parent}` that is not there"


def _iter_lacking_columns(found: Inspector) -> Iterator[str]:
    there = set(found.get_table_names())
    for table in METADATA.sorted_tables:
        if table.name not in there:
            yield f"the database lacks the table `{table.name}`"
            continue
        columns = {one["name"] for one in found.get_columns(table.name)}
        for column in table.c:
            if column.name not in columns:
                yield f"the database lacks the column `{column.name}` of `{table.name}`"


def _iter_lacking_rules(found: Inspector) -> Iterator[str]:
    for table in METADATA.sorted_tables:
        for kind, wanted, there in _list_rules(table, found):
            for name in sorted(wanted - there):
                yield f"the database lacks the {kind} `{name}` of `{table.name}`"


def _list_rules(table: Table, found: Inspector) -> list[tuple[str, set[str], set[str]]]:
    """Give kinds of rules, each with the names that a table has to have, and those that it has."""
    name = table.name
    uniques = (one for one in table.constraints if isinstance(one, UniqueConstraint))
    checks = (one for one in table.constraints if str(one.name).startswith("ck_"))
    return [
        ("index", _names(table.indexes), _keys(found.get_indexes(name))),
        ("rule", _names(uniques), _keys(found.get_unique_constraints(name))),
        ("rule", _names(checks), _keys(found.get_check_constraints(name))),
        ("rule", _names(table.foreign_key_constraints), _keys(found.get_foreign_keys(name))),
    ]


def _names(things: Any) -> set[str]:  # noqa: ANN401 - constraints and indexes have a name in common
    return {str(one.name) for one in things}


def _keys(things: Any) -> set[str]:  # noqa: ANN401 - what was found is a list of mappings
    return {str(one["name"]) for one in things}


def _iter_lacking_triggers(connection: Connection) -> Iterator[str]:
    question, wanted = _TRIGGERS[connection.dialect.name]
    there = {name for (name,) in connection.exec_driver_sql(question)}
    for name in wanted:
        if name not in there:
            yield f"the database lacks the trigger `{name}`, or it is switched off"


def _iter_search_faults(connection: Connection) -> Iterator[str]:
    tags, agents = _group(connection, _TAGS), _group(connection, _AGENTS)
    for row in connection.execute(_FOUND_BY):
        yield from _iter_row_faults(row, tags[row.id], agents[row.id])


def _group(
    connection: Connection, statement: Select[*tuple[Any, ...]]
) -> defaultdict[str, set[str]]:
    """Give for each skill the words that it is found by."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for skill_id, word in connection.execute(statement):
        found[skill_id].add(word)
    return found


def _iter_row_faults(row: Row[*tuple[Any, ...]], tags: set[str], agents: set[str]) -> Iterator[str]:
    try:
        stated = set(from_json_list(row.tags))
        named = set() if row.agents is None else set(from_json_list(row.agents))
        haystack = to_haystack(row.slug, row.display_name, row.description)
    except UNREADABLE:  # it is found, and named, where the skill itself is read
        return
    if stated != tags:
        yield f"the skill `{row.slug}` is not found by the tags that it has"
    if named != agents:
        yield f"the skill `{row.slug}` is not found by the agents that it names"
    if haystack != row.haystack:
        yield f"the skill `{row.slug}` is not found by the words that it has"
