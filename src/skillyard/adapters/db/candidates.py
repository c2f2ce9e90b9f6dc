"""The skills that may be someone's: a few statements, each over an index.

They are plain SQL, the same for every engine but for two spellings.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from skillyard.adapters.db.catalogue import Question
from skillyard.adapters.db.reach import EVERYONE, SqlReach
from skillyard.adapters.db.rows import (
    UNREADABLE,
    from_digest,
    from_json_list,
    from_json_mapping,
    from_number,
    reading,
    unreadable,
)
from skillyard.adapters.db.session import Session
from skillyard.domain.assignment import Assignment, Subject, SubjectKind
from skillyard.domain.facts import is_storable
from skillyard.domain.manifest import Confidence, Invocation
from skillyard.domain.ranges import VersionRange
from skillyard.domain.resolution import NOWHERE, Candidate, Layer, Offered
from skillyard.domain.skill import PEOPLE, InstallStrategy, SkillStatus, SourceKind

# Looking a word up is quicker than asking its class.
_KINDS: Final = {str(one): one for one in SubjectKind}
_SOURCE_KINDS: Final = {str(one): one for one in SourceKind}
_STATUSES: Final = {str(one): one for one in SkillStatus}
_CONFIDENCES: Final = {str(one): one for one in Confidence}
_INVOCATIONS: Final = {str(one): one for one in Invocation}
_STRATEGIES: Final[Mapping[str | None, InstallStrategy | None]] = {
    None: None,
    **{str(one): one for one in InstallStrategy},
}

_FACTS: Final = """s.id, s.owner, s.slug, s.confidence, s.source_kind, s.display_name,
  s.description, s.category, s.status, s.deprecated, s.enabled, s.tags, s.requires_tools,
  s.requires, s.agents, s.provider_hints, s.install_strategy, s.invocation, s.metadata, s.current,
  s.digest,
  CASE WHEN s.confidence = 'high' THEN (
    SELECT JOINED(r.workspace, ',') FROM skill_workspaces r WHERE r.skill_id = s.id) END"""
_ASSIGNMENT: Final = """a.id, a.subject_kind, a.subject_name, a.priority, a.position, a.auto_inject,
  a.enabled, a.required, a.opt_in, a.accepted"""
_NO_ASSIGNMENT: Final = _ASSIGNMENT.replace("a.", "NULL AS ")
# Where the facts begin in a row, and where some of them are.
_REF: Final = 10
_SLUG: Final = 12
_PIN: Final = 9
_TO_SUBJECT: Final = "a.subject_kind = ? AND a.subject_name = ?"
# The skills that are picked out: each with an assignment or none, and the confidence that it needs.
_ASSIGNED: Final = f"""SELECT a.skill_id, NULL AS needed, {_ASSIGNMENT}
  FROM assignments a WHERE {_TO_SUBJECT}"""
_NAMING: Final = f"""SELECT n.skill_id, NULL AS needed, {_NO_ASSIGNMENT}
  FROM skill_agents n WHERE n.agent = ?"""
_REACHING: Final = f"""SELECT w.skill_id, 'high' AS needed, {_NO_ASSIGNMENT}
  FROM skill_workspaces w WHERE w.workspace = ?"""
_PICKED: Final = f"""SELECT {_ASSIGNMENT}, {_FACTS} FROM ({{}}) a
  JOIN skills s ON s.id = a.skill_id WHERE a.needed IS NULL OR a.needed = s.confidence"""
_NAMED: Final = f"SELECT {_NO_ASSIGNMENT}, {_FACTS} FROM skills s WHERE s.slug IN"
_GIVEN: Final = f"""SELECT {_ASSIGNMENT}, {_FACTS}
  FROM assignments a JOIN skills s ON s.id = a.skill_id WHERE {_TO_SUBJECT} AND a.skill_id IN"""
_VERSIONS: Final = "SELECT skill_id, version, digest FROM versions WHERE skill_id IN"
_CHUNK: Final = 500

_Row = tuple[Any, ...]
_Rows = tuple[_Row, ...]


class SqlCandidates:
    """See `Candidates`."""

    def __init__(self, session: Session, reach: SqlReach) -> None:
        self._session = session
        self._reach = reach

    def list_for(
        self, subjects: Collection[Subject], *, agent: str | None, widened: bool
    ) -> Sequence[Candidate]:
        """See `Candidates.list_for`."""
        self._reach.settle()
        possible = _list_possible(subjects)
        named = (agent,) if agent is not None and is_storable(agent) else ()
        # One statement, and each part of it one look into an index. Assignments come first: they
        # say of which type a column is.
        high = _list_places(possible) if widened else ()
        parts = [_ASSIGNED] * len(possible) + [_NAMING] * len(named) + [_REACHING] * len(high)
        words = (word for one in possible for word in (one.kind.value, one.name))
        picked = _PICKED.format(" UNION ALL ".join(parts))
        return self._to_candidates(self._ask(picked, (*words, *named, *high)) if parts else ())

    def list_named(
        self, slugs: Collection[str], *, subjects: Collection[Subject]
    ) -> Sequence[Candidate]:
        """See `Candidates.list_named`."""
        self._reach.settle()
        rows = list(self._ask_about(_NAMED, filter(is_storable, slugs)))
        refs = [row[_REF] for row in rows]
        for one in _list_possible(subjects):
            rows += self._ask_about(_GIVEN, refs, before=(one.kind.value, one.name))
        return self._to_candidates(rows)

    def _to_candidates(self, rows: Iterable[_Row]) -> Sequence[Candidate]:
        grouped = _group(rows)
        pinned = [ref for ref, found in grouped.items() if any(row[_PIN] for row in found)]
        others = self._find_versions(pinned)
        return [_to_candidate(grouped[ref], others.get(ref, ())) for ref in sorted(grouped)]

    def _find_versions(self, refs: Collection[str]) -> Mapping[str, tuple[Offered, ...]]:
        found: dict[str, tuple[Offered, ...]] = {}
        rows = self._ask_about(_VERSIONS, refs, end="ORDER BY skill_id, revision, version")
        for ref, number, digest in rows:
            with reading(f"version {number}"):
                offered = Offered(from_number(number), from_digest(digest))
            found[ref] = (*found.get(ref, ()), offered)
        return found

    def _ask_about(
        self,
        beginning: str,
        values: Iterable[str],
        *,
        before: tuple[str, ...] = (),
        end: str = "",
    ) -> Iterator[_Row]:
        remaining = iter(values)
        while chunk := tuple(islice(remaining, _CHUNK)):
            marks = ", ".join("?" * len(chunk))
            yield from self._ask(f"{beginning} ({marks}) {end}", (*before, *chunk))

    def _ask(self, statement: str, parameters: tuple[object, ...]) -> Sequence[_Row]:
        spelling = self._session.spelling
        spelt = statement.replace("?", spelling.mark).replace("JOINED", spelling.joined)
        return self._session.ask(Question(spelt, parameters))


def _list_possible(subjects: Iterable[Subject]) -> Sequence[Subject]:
    """Give the subjects that can be there, from the least specific to the most."""
    possible = {one for one in subjects if is_storable(one.name)}
    return sorted(possible, key=lambda one: (one.kind.specificity, one.name))


def _list_places(subjects: Sequence[Subject]) -> Sequence[str]:
    """Give where skills of high confidence may be used; someone without a workspace is nowhere."""
    workspaces = [one.name for one in subjects if one.kind is SubjectKind.WORKSPACE]
    is_someone = any(one.kind is not SubjectKind.GLOBAL for one in subjects)
    return (EVERYONE, *(workspaces or ([NOWHERE] if is_someone else [])))


def _group(rows: Iterable[_Row]) -> dict[str, _Rows]:
    """Give the rows of each skill: one for each of its assignments, or a single one without."""
    grouped: dict[str, _Rows] = {}
    for row in rows:
        known = grouped.get(row[_REF])
        if known is None:
            grouped[row[_REF]] = (row,)
        elif row[0] is not None:
            grouped[row[_REF]] = (*known, row) if known[0][0] is not None else (row,)
    return grouped


def _to_candidate(rows: _Rows, others: tuple[Offered, ...]) -> Candidate:
    try:
        return _read_candidate(rows, others)
    except UNREADABLE as error:
        raise unreadable(f"skill:{rows[0][_SLUG]}") from error


# Whoever asks again gets the same rows, mostly: to compare them is quicker than to read them.
@lru_cache(maxsize=4096)
def _read_candidate(rows: _Rows, others: tuple[Offered, ...]) -> Candidate:
    row = rows[0]
    return Candidate(
        ref=row[10],
        owner=row[11],
        layer=Layer.STORE if row[11] == PEOPLE else Layer.PLUGIN,
        slug=row[12],
        confidence=_CONFIDENCES[row[13]],
        source_kind=_SOURCE_KINDS[row[14]],
        display_name=row[15],
        description=row[16],
        category=row[17],
        status=_STATUSES[row[18]],
        deprecated=row[19],
        enabled=bool(row[20]),
        tags=from_json_list(row[21]),
        requires_tools=from_json_list(row[22]),
        requires=from_json_list(row[23]),
        agents=None if row[24] is None else from_json_list(row[24]),
        provider_hints=from_json_mapping(row[25]),
        install_strategy=_STRATEGIES[row[26]],
        invocation=_INVOCATIONS[row[27]],
        requires_commands=_list_commands(row[28]),
        offered=Offered(from_number(row[29]), from_digest(row[30])),
        assignments=_to_assignments(rows) if row[0] is not None else (),
        workspaces=_read_reach(row[31]) if row[13] == Confidence.HIGH else None,
        others=others,
    )


def _read_reach(joined: str | None) -> tuple[str, ...] | None:
    """Give the workspaces that a skill is used in, or None where it is for everyone."""
    names = () if joined is None else joined.split(",")
    return None if EVERYONE in names else tuple(sorted(names))


def _list_commands(metadata: str) -> tuple[str, ...]:
    return tuple(from_json_mapping(metadata).get("requires", "").split())


def _to_assignments(rows: _Rows) -> tuple[Assignment, ...]:
    # A database that joins gives its rows in any order.
    found = map(_to_assignment, rows)
    return tuple(sorted(found, key=lambda one: (one.subject.kind.specificity, one.subject.name)))


def _to_assignment(row: _Row) -> Assignment:
    return Assignment(
        id=row[0],
        skill_id=row[10],
        owner=row[11],
        slug=row[12],
        subject=_to_subject(row[1], row[2]),
        priority=row[3],
        position=row[4],
        auto_inject=bool(row[5]),
        enabled=bool(row[6]),
        required=bool(row[7]),
        opt_in=bool(row[8]),
        constraint=None if row[9] is None else VersionRange(row[9]),
    )


@lru_cache(maxsize=256)
def _to_subject(kind: str, name: str) -> Subject:
    return Subject(_KINDS[kind], name)
