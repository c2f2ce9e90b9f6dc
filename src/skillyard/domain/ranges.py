"""Which versions an assignment accepts.

- `1.2.3`, `=1.2.3`: that version. `1.2` is the version 1.2.0 here as everywhere, and no range.
- `^1.2`: from 1.2.0 on, as long as the first number that is not zero stays the same. Where all are
  zero, the last one written stays: `^0` is all of 0, `^0.0` is all of 0.0.
- `~1.2`: from 1.2.0 on, with the same minor number; `~1`: with the same major number.
- `1.x`, `1.2.x`: the same as `~1`, `~1.2`. The `x` may be a `*`.
- `>1.2`, `>=1.2`, `<2`, `<=2`: compared with the version, filled up with zeros.
- Blanks between these join them: all must hold. `||` separates alternatives.
- `*`: every release.

A pre-release is admitted only where the range names a pre-release of the same three numbers.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final, Self

from skillyard.domain.errors import InvalidRangeError
from skillyard.domain.text import shorten
from skillyard.domain.version import Version, find_version

# The longest version fits, so that every version can be pinned.
MOST_CHARACTERS: Final = 1000

_TERM: Final = re.compile(r"(?P<sign>\^|~|>=|<=|>|<|=)?(?P<version>v?[0-9][0-9A-Za-z.+-]*)")
_ANY_OF: Final = re.compile(r"(?P<version>v?[0-9]+(?:\.[0-9]+)?)\.[xX*]")
_GAP: Final = re.compile(r"(?<=[\^~<>=]) +(?=[0-9v])")


@dataclass(frozen=True, slots=True)
class _Bound:
    """One comparison."""

    sign: str
    version: Version

    def admits(self, version: Version) -> bool:
        match self.sign:
            case ">=":
                return version >= self.version
            case ">":
                return version > self.version
            case "<=":
                return version <= self.version
            case "<":
                return version < self.version
            case _:
                return version == self.version


@dataclass(frozen=True, slots=True)
class VersionRange:
    """A range, as it was written.

    Raises:
        InvalidRangeError: The text is no range.
    """

    text: str

    def __post_init__(self) -> None:
        _parse(self.text)

    @classmethod
    def exactly(cls, version: Version) -> Self:
        """Give the range that admits one version."""
        return cls(str(version.without_build()))

    def admits(self, version: Version) -> bool:
        """Tell whether `version` is in the range."""
        return any(_admits(bounds, version) for bounds in _parse(self.text))

    def __str__(self) -> str:
        return self.text


def _admits(bounds: tuple[_Bound, ...], version: Version) -> bool:
    if version.pre and not any(_names_pre_release(one.version, version) for one in bounds):
        return False
    return all(one.admits(version) for one in bounds)


def _names_pre_release(bound: Version, version: Version) -> bool:
    numbers = (version.major, version.minor, version.patch)
    return bool(bound.pre) and (bound.major, bound.minor, bound.patch) == numbers


@lru_cache(maxsize=1024)
def _parse(text: str) -> tuple[tuple[_Bound, ...], ...]:
    # Of all blanks and line ends, only the plain blank is printable.
    if len(text) > MOST_CHARACTERS or not text.isprintable():
        raise InvalidRangeError(shorten(text))
    return tuple(_parse_alternative(part, text) for part in text.split("||"))


def _parse_alternative(part: str, text: str) -> tuple[_Bound, ...]:
    words = _GAP.sub("", part).split()
    if words == ["*"]:
        return ()
    terms = [_find_term(word) for word in words]
    if not terms or () in terms:
        raise InvalidRangeError(shorten(text))
    return tuple(chain.from_iterable(terms))


def _find_term(word: str) -> tuple[_Bound, ...]:
    """Give the bounds that one word stands for; none where it is no term."""
    any_of = _ANY_OF.fullmatch(word)
    match = any_of or _TERM.fullmatch(word)
    version = find_version(match["version"]) if match else None
    if match is None or version is None:
        return ()
    sign = "~" if any_of else match["sign"] or "="
    if sign not in "^~":
        return (_Bound(sign, version),)
    return _Bound(">=", version), _Bound("<", _end(sign, version, _count_numbers(match["version"])))


def _count_numbers(text: str) -> int:
    return re.split("[-+]", text, maxsplit=1)[0].count(".") + 1


def _end(sign: str, version: Version, written: int) -> Version:
    """Give the lowest version behind the range, below all the pre-releases of what follows it."""
    numbers = (version.major, version.minor, version.patch)[:written]
    last = min(1, written - 1)
    if sign == "^":
        last = next((place for place, one in enumerate(numbers) if one), written - 1)
    kept = numbers[:last]
    major, minor, patch, *_ = *kept, numbers[last] + 1, 0, 0
    return Version(major, minor, patch, pre=("0",))
