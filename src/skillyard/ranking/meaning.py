"""What a text is about, as a direction: texts that are about the same have near directions.

Every common term has a direction; which ones are near was learned from public skills, and is data.
A text has the direction of the sum of its terms. All of it is whole numbers, so that every machine
finds the same.
"""

import math
import struct
import zlib
from collections.abc import Mapping
from functools import lru_cache
from operator import mul
from typing import Final, Self

from skillyard.ranking.weigh import SkillText
from skillyard.ranking.words import count_terms

MOST_TERMS: Final = 400
"""Of a text with more terms, the first count."""

_UNIT: Final = 127
LIKENESS: Final = _UNIT * _UNIT
"""What two texts of the same direction have, about; those with nothing in common have 0."""

# A byte below zero is written as one above it, for whole numbers are added that hold many.
_ZERO: Final = 128
_CACHED: Final = 16_384


class Meanings:
    """The directions of terms, as they were learned.

    `data` is a line with the number of dimensions, a line with the terms and blanks between them,
    and for each of them one byte for each dimension, less 128. `name` tells it from others.
    """

    def __init__(self, data: bytes) -> None:
        size, terms, rows = data.split(b"\n", 2)
        self.name = f"{zlib.crc32(data):08x}"
        self._size = int(size)
        self._rows = memoryview(rows)
        self._places = {term: at for at, term in enumerate(terms.decode().split())}
        self._lanes = struct.Struct(f"<{self._size}I")
        self._read_row = lru_cache(maxsize=_CACHED)(self._read)

    @classmethod
    def nothing(cls) -> Self:
        """Give one that knows no term."""
        return cls(b"0\n\n")

    def find(self, terms: Mapping[str, int]) -> bytes:
        """Give the direction of a text with these terms, each with how often it stands there.

        It is empty where no term is known.
        """
        sums, weights, known = 0, 0, self._places.keys() & terms.keys()
        for term in [one for one in terms if one in known][:MOST_TERMS]:
            weight = _count(terms[term])
            sums += weight * self._read_row(term)
            weights += weight
        return self._point(sums, _ZERO * weights) if weights else b""

    def find_skill(self, skill: SkillText) -> bytes:
        """Give the direction of a skill: of its name, twice, and of its description."""
        terms = {term: 2 * times for term, times in count_terms(skill.name).items()}
        for term, times in count_terms(skill.description).items():
            terms[term] = terms.get(term, 0) + times
        return self.find(terms)

    def _read(self, term: str) -> int:
        # Many small numbers in one large number: the sum of rows is a sum of large numbers.
        start = self._places[term] * self._size
        row = self._rows[start : start + self._size]
        return int.from_bytes(self._lanes.pack(*row), "little")

    def _point(self, sums: int, zero: int) -> bytes:
        lanes = self._lanes.unpack(sums.to_bytes(self._lanes.size, "little"))
        values = [one - zero for one in lanes]
        length = math.isqrt(sum(map(mul, values, values))) or 1
        units = ((2 * _UNIT * one + length) // (2 * length) for one in values)
        return bytes(min(max(one, -_UNIT), _UNIT) + _ZERO for one in units)


@lru_cache
def _count(times: int) -> int:
    """Give what a term counts, in tenths: each further occurrence adds less."""
    return round(10 * (1 + math.log(min(times, 1000))))


def to_values(direction: bytes) -> list[int]:
    """Give a direction as numbers, to compare it with many."""
    return [one - _ZERO for one in direction]


def compare(values: list[int], direction: bytes) -> int:
    """Give how alike two directions are, as a part of `LIKENESS`; below 0 where they differ.

    A text without a direction is like nothing.
    """
    # The second has its zero elsewhere: what that adds is the same for all.
    return sum(map(mul, values, direction)) - _ZERO * sum(values) if direction else 0
