"""Semantic versions, as skills carry them."""

import re
from dataclasses import dataclass, replace
from functools import total_ordering

from skillyard.domain.errors import InvalidVersionError

_NUMBER = r"(?:0|[1-9][0-9]{0,8})"
_LARGEST = 999_999_999
_IDENTIFIERS = r"[0-9A-Za-z-]{1,64}(?:\.[0-9A-Za-z-]{1,64}){0,9}"
_SHAPE = re.compile(
    # Behind fewer than three numbers a pre-release starts with a letter: `2026-01-01` is a date.
    rf"v?(?P<major>{_NUMBER})(?:\.(?P<minor>{_NUMBER}))?(?:\.(?P<patch>{_NUMBER}))?"
    rf"(?:-(?P<pre>(?(patch)|(?=[A-Za-z])){_IDENTIFIERS}))?(?:\+(?P<build>{_IDENTIFIERS}))?",
    re.ASCII,
)


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """A semantic version; compared by precedence, so build metadata does not count."""

    major: int
    minor: int = 0
    patch: int = 0
    pre: tuple[str, ...] = ()
    build: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Version":
        """Read a version; `v1` and `1.2` are filled up with zeros.

        Raises:
            InvalidVersionError: It is no version.
        """
        match = _SHAPE.fullmatch(text.strip())
        if match is None or _has_padded_number(match["pre"]):
            raise InvalidVersionError(text)
        return cls(
            int(match["major"]),
            int(match["minor"] or 0),
            int(match["patch"] or 0),
            tuple(match["pre"].split(".")) if match["pre"] else (),
            tuple(match["build"].split(".")) if match["build"] else (),
        )

    def without_build(self) -> "Version":
        """Give the version without its build metadata, which distinguishes nothing."""
        return replace(self, build=())

    def next_patch(self) -> "Version":
        """Give the next release: of the same major and minor number, as long as it has one.

        Raises:
            InvalidVersionError: There is no higher version.
        """
        if self.pre:
            return Version(self.major, self.minor, self.patch)
        if self.patch < _LARGEST:
            return Version(self.major, self.minor, self.patch + 1)
        if self.minor < _LARGEST:
            return Version(self.major, self.minor + 1)
        return Version.parse(f"{self.major + 1}")

    def __str__(self) -> str:
        pre = f"-{'.'.join(self.pre)}" if self.pre else ""
        build = f"+{'.'.join(self.build)}" if self.build else ""
        return f"{self.major}.{self.minor}.{self.patch}{pre}{build}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key() == other._key()

    def __lt__(self, other: "Version") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        # A release stands above its pre-releases; numbers stand below words (semver 11).
        pre = tuple((0, int(one), "") if one.isdigit() else (1, 0, one) for one in self.pre)
        return (self.major, self.minor, self.patch, not self.pre, pre)


def find_version(text: str) -> Version | None:
    """Read a version, or give None where `text` is none."""
    try:
        return Version.parse(text)
    except InvalidVersionError:
        return None


def _has_padded_number(pre: str | None) -> bool:
    return any(
        one.isdigit() and len(one) > 1 and one[0] == "0" for one in (pre.split(".") if pre else ())
    )
