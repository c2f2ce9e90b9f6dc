"""The versions of the skills."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Row, bindparam, func, select

from skillyard.adapters.db.inserting import if_absent
from skillyard.adapters.db.rows import (
    from_digest,
    from_moment,
    from_number,
    reading,
    to_digest,
    to_moment,
    to_number,
)
from skillyard.adapters.db.session import Session
from skillyard.adapters.db.tables import versions
from skillyard.domain.skill import Door, Provenance, SkillVersion, SourceKind
from skillyard.domain.version import Version

_IF_ABSENT: Final = if_absent("skill_id", "version")
_OF_SKILL: Final = select(versions).where(versions.c.skill_id == bindparam("skill_id"))
_ONE: Final = _OF_SKILL.where(versions.c.version == bindparam("version"))
# Of two numbers without leading zeros the longer one is higher. `/` comes right after `.`.
_HIGHEST: Final = (
    select(versions.c.version)
    .where(
        versions.c.skill_id == bindparam("skill_id"),
        versions.c.version >= bindparam("start"),
        versions.c.version < bindparam("end"),
        versions.c.version.not_like("%-%"),
    )
    .order_by(func.length(versions.c.version).desc(), versions.c.version.desc())
    .limit(1)
)


class SqlVersions:
    """See `Versions`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_if_absent(self, version: SkillVersion) -> SkillVersion:
        """See `Versions.add_if_absent`."""
        while True:
            row, what = _to_row(version), f"version {version.version}"
            if self._session.add(versions, row, conflict=_IF_ABSENT, what=what):
                return version
            # One that is removed between these two statements is no reason to fail.
            if (kept := self.find(version.skill_id, version.version)) is not None:
                return kept

    def find(self, skill_id: str, version: Version) -> SkillVersion | None:
        """See `Versions.find`."""
        row = self._session.row(_ONE, {"skill_id": skill_id, "version": to_number(version)})
        return _from_row(row) if row else None

    def find_highest(self, skill_id: str, line: Version) -> Version | None:
        """See `Versions.find_highest`."""
        start = f"{line.major}.{line.minor}"
        place = {"skill_id": skill_id, "start": f"{start}.", "end": f"{start}/"}
        if (row := self._session.row(_HIGHEST, place)) is None:
            return None
        with reading(f"version {row.version}"):
            return from_number(row.version)

    def list(self, skill_id: str) -> Sequence[SkillVersion]:
        """See `Versions.list`."""
        ordered = _OF_SKILL.order_by(versions.c.revision, versions.c.created_at, versions.c.version)
        return [_from_row(row) for row in self._session.rows(ordered, {"skill_id": skill_id})]


def _to_row(version: SkillVersion) -> Mapping[str, object]:
    return {
        "skill_id": version.skill_id,
        "version": to_number(version.version),
        "digest": to_digest(version.digest),
        "revision": version.revision,
        "created_at": to_moment(version.created_at),
        "created_by": version.created_by,
        "message": version.message,
        "base": to_number(version.base) if version.base else None,
        "source_kind": version.source_kind,
        "door": version.provenance.door,
        "ref": version.provenance.ref,
    }


def _from_row(row: Row[*tuple[Any, ...]]) -> SkillVersion:
    with reading(f"version {row.version}"):
        return _to_version(row)


def _to_version(row: Row[*tuple[Any, ...]]) -> SkillVersion:
    return SkillVersion(
        skill_id=row.skill_id,
        version=from_number(row.version),
        digest=from_digest(row.digest),
        revision=row.revision,
        created_at=from_moment(row.created_at),
        created_by=row.created_by,
        message=row.message,
        base=from_number(row.base) if row.base else None,
        source_kind=SourceKind(row.source_kind),
        provenance=Provenance(Door(row.door), row.ref),
    )
