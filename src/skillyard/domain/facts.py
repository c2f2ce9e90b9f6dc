"""What may be said about a skill or a record, and how a wish to change it is written down.

Every problem of a set of facts is found, not only the first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Final, NamedTuple

from skillyard.domain.errors import InvalidFactError
from skillyard.domain.limits import (
    ENTRIES,
    ENTRY_CHARACTERS,
    MESSAGE_CHARACTERS,
    STANDARD,
    Limits,
)
from skillyard.domain.manifest import CATEGORIES, Author, Confidence, Invocation
from skillyard.domain.names import find_name_problem, sanitize_name
from skillyard.domain.skill import InstallStrategy, SkillFacts, SkillStatus
from skillyard.domain.text import shorten, visible

_TAG: Final = re.compile(r"[a-z0-9-]+", re.ASCII)
_RECORD_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,127}", re.ASCII)
# A null, or half of a pair of surrogates: databases refuse the one, encodings the other.
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")
_HALF: Final = re.compile("[\ud800-\udfff]")


class Unset(Enum):
    """Stands for a fact that is left as it is."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class FactChanges:
    """What a person wants to be known about a skill from now on; the rest stays as it is."""

    display_name: str | Unset = UNSET
    category: str | Unset = UNSET
    status: SkillStatus | Unset = UNSET
    deprecated: str | Unset | None = UNSET
    enabled: bool | Unset = UNSET
    confidence: Confidence | Unset = UNSET
    author: Author | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    requires_tools: tuple[str, ...] | Unset = UNSET
    requires: tuple[str, ...] | Unset = UNSET
    agents: tuple[str, ...] | Unset | None = UNSET
    provider_hints: Mapping[str, str] | Unset = UNSET
    install_strategy: InstallStrategy | Unset | None = UNSET
    invocation: Invocation | Unset = UNSET
    metadata: Mapping[str, str] | Unset = UNSET

    def said(self) -> dict[str, object]:
        """Give the facts that are to change, by name."""
        values = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in values if value is not UNSET}

    def apply(self, facts: SkillFacts) -> SkillFacts:
        """Give `facts` with the changes made."""
        # Nearly always there are none, and looking for them takes as long as a write to the store.
        return facts if self == NO_CHANGES else replace(facts, **self.said())  # type: ignore[arg-type]


NO_CHANGES: Final = FactChanges()


class FactProblem(NamedTuple):
    """One thing that cannot be said: what, why not, and what to do."""

    what: str
    reason: str
    hint: str = ""


def require_facts(facts: SkillFacts, *, limits: Limits = STANDARD) -> SkillFacts:
    """Give `facts` back if they may be kept.

    Raises:
        InvalidFactError: They may not; it names every problem.
    """
    problems = tuple(iter_problems(facts, limits=limits))
    if problems:
        raise InvalidFactError(problems)
    return facts


def iter_problems(facts: SkillFacts, *, limits: Limits = STANDARD) -> Iterator[FactProblem]:
    """Yield everything that keeps `facts` from being kept."""
    yield from iter_text_problems(
        "display name", facts.display_name, limits.display_name_characters
    )
    yield from iter_text_problems("description", facts.description, limits.description_characters)
    if facts.category not in CATEGORIES:
        known = ", ".join(CATEGORIES)
        said = visible(shorten(facts.category))
        yield FactProblem("category", f"there is no `{said}`", f"Choose one of {known}")
    yield from _tag_problems(facts.tags, limits)
    for slug in facts.requires:
        if problem := find_name_problem(slug):
            said = visible(shorten(slug))
            yield FactProblem("required skill", f"`{said}` is not a skill name: {problem}")
    for name in facts.agents or ():
        yield from _iter_record_name_problems("agent", name)
    if facts.deprecated is not None:
        yield from iter_text_problems("deprecation message", facts.deprecated, MESSAGE_CHARACTERS)
    for text in filter(None, (facts.author.agent, facts.author.source)):
        yield from iter_text_problems("author", text, ENTRY_CHARACTERS)
    yield from iter_entry_problems("required tools", facts.requires_tools)
    yield from iter_entry_problems("metadata", facts.metadata)
    yield from iter_entry_problems("provider hints", facts.provider_hints)


def iter_entry_problems(
    what: str, entries: Sequence[str] | Mapping[str, str]
) -> Iterator[FactProblem]:
    """Yield what keeps texts from being kept: they are too many, too long, or none."""
    if len(entries) > ENTRIES:
        reason = f"there are {len(entries):,} entries, at most {ENTRIES} are allowed"
        yield FactProblem(what, reason, "Leave some out")
    values = entries.values() if isinstance(entries, Mapping) else ()
    texts = (*entries, *values)
    if any(len(text) > ENTRY_CHARACTERS for text in texts):
        reason = f"an entry has more than {ENTRY_CHARACTERS:,} characters"
        yield FactProblem(what, reason, "Make it shorter")
    held = next(filter(None, map(_NO_TEXT.search, texts)), None)
    if held:
        yield FactProblem(what, f"an entry holds {_name(held[0])}", "Leave it out")


def iter_text_problems(what: str, text: str, most: int) -> Iterator[FactProblem]:
    """Yield what keeps `text` from being kept: it is empty, too long, or holds no characters."""
    if not text.strip():
        yield FactProblem(what, "it is empty", f"Write 1 to {most:,} characters")
    elif len(text) > most:
        reason = f"it has {len(text):,} characters, at most {most:,} are allowed"
        yield FactProblem(what, reason, "Make it shorter")
    elif held := _NO_TEXT.search(text):
        yield FactProblem(what, f"it holds {_name(held[0])}", "Leave it out")


def is_storable(text: str) -> bool:
    """Tell whether every database can keep `text`, and look for it."""
    return _NO_TEXT.search(text) is None


def _name(character: str) -> str:
    return f"U+{ord(character):04X}, which no text may hold"


def require_text(what: str, text: str, *, most: int = ENTRY_CHARACTERS) -> None:
    """Make sure that `text`, where there is any, can be kept.

    Raises:
        InvalidFactError: It cannot.
    """
    problems = tuple(iter_text_problems(what, text, most)) if text else ()
    if problems:
        raise InvalidFactError(problems)


def require_storable(what: str, text: str) -> None:
    """Make sure that every database can keep `text`, however long it is.

    Raises:
        InvalidFactError: They cannot.
    """
    _require_none(what, _NO_TEXT.search(text))


def require_encodable(what: str, text: str) -> None:
    """Make sure that `text` can be the text of a file.

    Raises:
        InvalidFactError: It cannot.
    """
    _require_none(what, _HALF.search(text))


def _require_none(what: str, held: re.Match[str] | None) -> None:
    if held:
        raise InvalidFactError([FactProblem(what, f"it holds {_name(held[0])}", "Leave it out")])


def _tag_problems(tags: tuple[str, ...], limits: Limits) -> Iterator[FactProblem]:
    if len(tags) > limits.tags:
        reason = f"there are {len(tags)}, at most {limits.tags} are allowed"
        yield FactProblem("tags", reason, "Keep the most telling ones")
    for tag in tags:
        if _TAG.fullmatch(tag) is None:
            nearest = sanitize_name(tag)
            hint = f"Write `{nearest}`" if nearest else "Use a-z, 0-9 and hyphens"
            yield FactProblem("tag", f"`{visible(shorten(tag))}` is not a tag", hint)
        else:
            yield from iter_text_problems("tag", tag, limits.name_characters)


def normalize_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Give the nearest tags that may be kept, each once, in the order of `tags`."""
    nearest = (tag if _TAG.fullmatch(tag) else sanitize_name(tag) for tag in tags)
    return tuple(dict.fromkeys(str(tag) for tag in nearest if tag))


def require_record_name(kind: str, name: str) -> str:
    """Give `name` back if a record may have it.

    Raises:
        InvalidFactError: It may not.
    """
    problems = tuple(_iter_record_name_problems(kind, name))
    if problems:
        raise InvalidFactError(problems)
    return name


def _iter_record_name_problems(kind: str, name: str) -> Iterator[FactProblem]:
    if _RECORD_NAME.fullmatch(name) is None:
        yield FactProblem(
            f"{kind}'s name",
            f"`{visible(shorten(name))}` is not a name" if name else "it is empty",
            "Use 1 to 128 of A-Z, a-z, 0-9, `.`, `_`, `@` and `-`, a letter or digit first",
        )
