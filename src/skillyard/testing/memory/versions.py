"""The versions of the skills."""

from collections.abc import Sequence
from dataclasses import dataclass

from skillyard.domain.errors import ConcurrentChangeError
from skillyard.domain.skill import SkillVersion
from skillyard.domain.version import Version
from skillyard.testing.memory.freezing import freeze_version
from skillyard.testing.memory.state import Work


@dataclass(frozen=True, slots=True)
class MemoryVersions:
    """See `Versions`."""

    work: Work

    def add_if_absent(self, version: SkillVersion) -> SkillVersion:
        """See `Versions.add_if_absent`."""
        draft = self.work.draft
        if version.skill_id not in draft.skills or version.digest not in draft.packages:
            raise ConcurrentChangeError(str(version.version))
        place = (version.skill_id, version.version)
        return draft.versions.setdefault(place, freeze_version(version))

    def find(self, skill_id: str, version: Version) -> SkillVersion | None:
        """See `Versions.find`."""
        return self.work.seen.versions.get((skill_id, version))

    def find_highest(self, skill_id: str, line: Version) -> Version | None:
        """See `Versions.find_highest`."""
        numbers = (one.version for one in self.list(skill_id))
        wanted = (line.major, line.minor, ())
        return max(
            (one for one in numbers if (one.major, one.minor, one.pre) == wanted), default=None
        )

    def list(self, skill_id: str) -> Sequence[SkillVersion]:
        """See `Versions.list`."""
        found = [one for one in self.work.seen.versions.values() if one.skill_id == skill_id]
        return sorted(found, key=lambda one: one.revision)
