"""What a skill is stored as for searching: terms with weights.

The weights follow from the text of that skill alone, so saving one skill changes no other.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from skillyard.ranking.words import count_terms

FULL: Final = 255
"""The largest weight."""

_SATURATION: Final = 1.5
_BODY_TERMS: Final = 160
_BODY_CHARACTERS: Final = 20_000
_HEADING_CHARACTERS: Final = 1_500
_HEADING: Final = re.compile(r"^#{1,6}[ \t]+(.+)$", re.MULTILINE)


class _Field(NamedTuple):
    """What one occurrence counts, how far length tells against it, and the length that is usual."""

    worth: float
    slope: float
    usual: float


_NAME: Final = _Field(5.0, 0.5, 3.0)
_DESCRIPTION: Final = _Field(4.0, 0.75, 30.0)
_LABELS: Final = _Field(3.0, 0.75, 8.0)
_HEADINGS: Final = _Field(1.0, 0.75, 45.0)
_BODY: Final = _Field(0.2, 0.75, 650.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillText:
    """What of a skill is searched; labels are its tags, keywords and triggers."""

    name: str
    description: str
    labels: Sequence[str] = ()
    body: str = ""


def weigh(skill: SkillText) -> Mapping[str, int]:
    """Give the terms of `skill`, each with a weight of 1 to 255; nothing but `skill` matters."""
    found: dict[str, float] = {}
    for field, text in _iter_fields(skill):
        counts = count_terms(text)
        length = sum(counts.values())
        scale = field.worth / (1 - field.slope + field.slope * length / field.usual)
        kept = _most_frequent(counts) if field is _BODY else counts.items()
        for term, times in kept:
            found[term] = found.get(term, 0.0) + times * scale
    return {term: round(FULL * one / (_SATURATION + one)) or 1 for term, one in found.items()}


def _iter_fields(skill: SkillText) -> Iterable[tuple[_Field, str]]:
    body = skill.body[:_BODY_CHARACTERS]
    yield _NAME, skill.name
    yield _DESCRIPTION, skill.description
    yield _LABELS, " . ".join(skill.labels)
    yield _HEADINGS, " . ".join(_HEADING.findall(body))[:_HEADING_CHARACTERS]
    yield _BODY, body


def _most_frequent(counts: Mapping[str, int]) -> Iterable[tuple[str, int]]:
    # A body is not worth more.
    if len(counts) <= _BODY_TERMS:
        return counts.items()
    least = sorted(counts.values(), reverse=True)[_BODY_TERMS - 1]
    above = [one for one in counts.items() if one[1] > least]
    equal = sorted(term for term, times in counts.items() if times == least)
    return [*above, *((term, least) for term in equal[: _BODY_TERMS - len(above)])]
