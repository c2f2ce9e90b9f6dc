"""How far skills of high confidence reach: the workspaces that their enabled assignments lie in.

It follows from skills, assignments and records, and is kept beside them, so that whoever asks for
the skills of a workspace reads one index. Changes are noted, and made in the end, when everything
else in the transaction is done. On PostgreSQL those who get that far go one after the other: each
sees what all before it have committed, so that none misses a change of another. They write to this
table alone from there on, and wait for nobody.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from sqlalchemy import bindparam, delete, text

from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import skill_workspaces

EVERYONE: Final = "*"
"""What stands for the workspace where a skill is for everyone: no workspace has this name.

A skill that is used outside of every workspace has `NOWHERE`; one that is for nobody has no row.
"""

REACH: Final = """\
SELECT DISTINCT s.id, COALESCE(CASE COALESCE(a.subject_kind, 'global')
  WHEN 'global' THEN '*'
  WHEN 'workspace' THEN a.subject_name
  WHEN 'team' THEN t.workspace
  WHEN 'agent' THEN COALESCE(g.workspace, gt.workspace)
  WHEN 'node' THEN COALESCE(n.workspace, ng.workspace, nt.workspace) END, '')
FROM skills s
LEFT JOIN assignments a ON a.skill_id = s.id
LEFT JOIN teams t ON a.subject_kind = 'team' AND t.name = a.subject_name
LEFT JOIN agents g ON a.subject_kind = 'agent' AND g.name = a.subject_name
LEFT JOIN teams gt ON gt.name = g.team
LEFT JOIN nodes n ON a.subject_kind = 'node' AND n.name = a.subject_name
LEFT JOIN agents ng ON ng.name = n.agent
LEFT JOIN teams nt ON nt.name = ng.team
WHERE s.confidence = 'high' AND (a.id IS NULL OR a.enabled)"""

_ASSIGNED: Final = """\
SELECT a.skill_id FROM assignments a JOIN skills s ON s.id = a.skill_id
{} WHERE s.confidence = 'high' AND"""
_TO_IT: Final = _ASSIGNED.format("") + " a.subject_kind = '{}' AND a.subject_name = :name"
_TO_AGENTS: Final = (
    _ASSIGNED.format("JOIN agents g ON g.name = a.subject_name")
    + " a.subject_kind = 'agent' AND g.team = :name"
)
_TO_NODES: Final = _ASSIGNED.format("JOIN nodes n ON n.name = a.subject_name") + (
    " a.subject_kind = 'node' AND n.agent "
)
_OF_AGENT: Final = f"{_TO_NODES} = :name"
_OF_TEAM: Final = f"{_TO_NODES} IN (SELECT name FROM agents WHERE team = :name)"  # noqa: S608 - our own
# For each kind of record: the skills that are used elsewhere when one of them moves.
_MOVING: Final[Mapping[str, str]] = {
    "team": f"{_TO_IT.format('team')} UNION {_TO_AGENTS} UNION {_OF_TEAM}",
    "agent": f"{_TO_IT.format('agent')} UNION {_OF_AGENT}",
    "node": _TO_IT.format("node"),
}
_CHUNK: Final = 500
_LOCK: Final = text("LOCK TABLE skill_workspaces IN SHARE ROW EXCLUSIVE MODE")
_FORGET: Final = delete(skill_workspaces).where(
    skill_workspaces.c.skill_id.in_(bindparam("ids", expanding=True))
)
_FILL: Final = text(f"INSERT INTO skill_workspaces {REACH} AND s.id IN :ids").bindparams(
    bindparam("ids", expanding=True)
)


class SqlReach:
    """What has to be worked out anew before a transaction ends."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._skills: set[str] = set()
        self._moved: set[tuple[str, str]] = set()

    def note_skills(self, ids: Iterable[str]) -> None:
        """Note skills that came, went, or are assigned to others than before."""
        self._skills.update(ids)

    def note_moved(self, kind: str, name: str) -> None:
        """Note a record that may lie in another workspace than before."""
        self._moved.add((kind, name))

    def settle(self) -> None:
        """Work out anew what was noted, once everything that it follows from is written."""
        if not self._skills and not self._moved:
            return
        if self._session.is_postgresql:
            self._session.run(_LOCK)
        remaining = iter(sorted(self._skills.union(self._iter_moving())))
        while chunk := list(islice(remaining, _CHUNK)):
            self._session.run(_FORGET, {"ids": chunk})
            self._session.run(_FILL, {"ids": chunk})
        self._skills.clear()
        self._moved.clear()

    def _iter_moving(self) -> Iterator[str]:
        for kind, name in sorted(self._moved):
            for row in self._session.rows(text(_MOVING[kind]), {"name": name}):
                yield row.skill_id
