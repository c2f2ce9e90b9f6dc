"""What a skill may be called.

A name is 1 to 64 ASCII lower-case letters and digits, in words joined by single hyphens.
"""

import re
import unicodedata
from typing import NewType

from skillyard.domain.errors import InvalidNameError
from skillyard.domain.limits import STANDARD

SkillName = NewType("SkillName", str)

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")


def is_name(text: str) -> bool:
    """Tell whether `text` is a skill name."""
    return len(text) <= STANDARD.name_characters and _NAME.fullmatch(text) is not None


def parse_name(text: str, *, new: bool = False) -> SkillName:
    """Check that `text` is a skill name; a `new` one also starts with a letter.

    Raises:
        InvalidNameError: It is not; the hint holds the nearest name where there is one.
    """
    problem = find_name_problem(text)
    if problem is None and new and text[0].isdigit():
        problem = "a new name starts with a letter"
    if problem is not None:
        raise InvalidNameError(text, reason=problem, suggestion=_suggest(text, new=new))
    return SkillName(text)


def find_name_problem(text: str) -> str | None:
    """Say what keeps `text` from being a name, or None."""
    if not text:
        return "it is empty"
    if len(text) > STANDARD.name_characters:
        return f"it has {len(text)} characters, at most {STANDARD.name_characters} are allowed"
    if _NAME.fullmatch(text) is None:
        return "only lower-case letters a-z, digits and single hyphens between them are allowed"
    return None


def sanitize_name(text: str) -> SkillName | None:
    """Give the name nearest to `text`, or None where nothing of it can be used.

    Letters are decomposed and stripped of their marks, lower-cased, and every run of anything
    but a-z and 0-9 becomes one hyphen; hyphens at the ends go, and so does what is beyond 64
    characters. A name is its own nearest name.
    """
    if is_name(text):
        return SkillName(text)
    decomposed = unicodedata.normalize("NFKD", text)
    letters = "".join(one for one in decomposed if not unicodedata.combining(one))
    words = _NOT_A_WORD.sub("-", letters.lower()).strip("-")
    name = words[: STANDARD.name_characters].rstrip("-")
    return SkillName(name) if name else None


def _suggest(text: str, *, new: bool) -> str | None:
    name = sanitize_name(text)
    if name and new and name[0].isdigit():
        return sanitize_name(f"skill-{name}")
    return name
