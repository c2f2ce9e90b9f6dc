"""Choose the number of a version: the one asked for, the one stated, or the next free one."""

from dataclasses import dataclass
from typing import Final

from skillyard.application.ports.store import Versions
from skillyard.domain.errors import InvalidInputError, InvalidVersionError, VersionExistsError
from skillyard.domain.manifest import Manifest
from skillyard.domain.skill import Skill
from skillyard.domain.version import Version, find_version

FIRST: Final = Version(1)
# A package that stated the highest number of all would leave none for those after it.
_HIGHEST_PART: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number that a person asks for, and the one that the package, or its bundle, states."""

    wanted: Version | None
    stated: Version | None

    @classmethod
    def of(cls, manifest: Manifest, *, wanted: Version | None, stated: Version | None) -> "Numbers":
        """Give the numbers as they are kept; what a bundle states counts before the manifest.

        Raises:
            InvalidVersionError: The number that is asked for is none.
        """
        # Read again: a program can make a version that is none.
        asked = Version.parse(str(wanted)).without_build() if wanted else None
        said = find_version(str(stated) if stated else manifest.version or "")
        return cls(asked, said.without_build() if said else None)

    @property
    def believed(self) -> Version | None:
        """The stated number, unless it is so high that nobody can have counted to it."""
        said = self.stated
        if said is None or max(said.major, said.minor, said.patch) > _HIGHEST_PART:
            return None
        return said

    def list_notes(self, saved: Version) -> tuple[str, ...]:
        """Say why a version is saved under another number than the stated one."""
        if self.stated in (None, saved):
            return ()
        why = "" if self.believed else f", which has a part above {_HIGHEST_PART:,}"
        return (f"the package says version {self.stated}{why}, and is saved as {saved}",)


def first_number(numbers: Numbers) -> Version:
    """Give the number of a new skill's first version."""
    return numbers.wanted or numbers.believed or FIRST


def next_number(
    skill: Skill, numbers: Numbers, *, versions: Versions, from_others: bool
) -> Version:
    """Give the number of a known skill's next version.

    A stated number has to be new, and above the current one. What comes `from_others` has to state
    one above all that there are.

    Raises:
        VersionExistsError: The number that is asked for is taken.
        InvalidInputError: No number is left behind the current one.
    """
    if numbers.wanted is not None:
        if versions.find(skill.id, numbers.wanted) is None:
            return numbers.wanted
        free = str(_next_free(skill, versions))
        raise VersionExistsError(skill.reference, str(numbers.wanted), free=free)
    stated = numbers.believed
    if stated is not None and _is_next(skill, stated, versions, from_others=from_others):
        return stated
    return _next_free(skill, versions)


def _is_next(skill: Skill, stated: Version, versions: Versions, *, from_others: bool) -> bool:
    if stated <= skill.current or versions.find(skill.id, stated) is not None:
        return False
    return not from_others or all(stated > one.version for one in versions.list(skill.id))


def _next_free(skill: Skill, versions: Versions) -> Version:
    try:
        number = skill.current.next_patch()
        while versions.find(skill.id, number) is not None:
            number = (versions.find_highest(skill.id, number) or number).next_patch()
    except InvalidVersionError:
        message = f"`{skill.reference}` is at {skill.current}, and no number is left behind it"
        raise InvalidInputError(message, hints=["Name a free one with `--version`"]) from None
    return number
