"""Foretell how much of each skill a client's list of skills shows to the model.

- Claude Code keeps as many whole descriptions as fit, those of the most used skills first, and the
  names of all. One that is too long does not keep a shorter one behind it out.
- Codex shortens all descriptions together, one character at a time, and drops skills only where
  even the names are too many; the first names stay.
- GitHub Copilot shows whole entries up to the first that does not fit, then names only.
- The others show everything.

Only in Claude Code can the order be influenced: it is told that the important ones are used most.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from skillyard.domain.client import Catalogue, CatalogueStyle, Client, Length, LengthUnit
from skillyard.domain.delivery import Note, NoteKind

_UTF16: Final = Length(0, LengthUnit.UTF16_UNITS)
_TOKEN_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A skill that the model may call on: its directory, its name and its description."""

    directory: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class ForetoldEntry:
    """What the model is shown of a skill; None where it is not even told the name."""

    skill: ListedSkill
    description: str | None

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing is missing."""
        return self.description == self.skill.description


@dataclass(frozen=True, slots=True)
class ForetoldCatalogue:
    """The list of skills as the model will see it, in the order in which they were given."""

    entries: tuple[ForetoldEntry, ...]
    notes: tuple[Note, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Tell whether nothing is missing of any skill."""
        return not self.notes


def foretell_catalogue(
    client: Client, skills: Sequence[ListedSkill], *, window: int | None = None
) -> ForetoldCatalogue:
    """Foretell what is shown of `skills`, which come in the order of their importance.

    `window` is the context window in tokens; None means the usual one of the client.
    """
    catalogue = client.delivery.catalogue
    if catalogue is None:
        return ForetoldCatalogue(tuple(ForetoldEntry(one, one.description) for one in skills))
    limit = catalogue.limit(window)
    shown = _foretell(catalogue.style, skills, limit)
    entries = tuple(ForetoldEntry(one, shown[one]) for one in skills)
    notes = tuple(_note(client, catalogue, limit, one) for one in entries if not one.is_whole)
    return ForetoldCatalogue(entries, notes)


Shown = dict[ListedSkill, str | None]


def _foretell(style: CatalogueStyle, skills: Sequence[ListedSkill], limit: int) -> Shown:
    by_name = sorted(skills, key=lambda one: (one.name, one.directory))
    match style:
        case CatalogueStyle.NAMES_STAY:
            return _keep_names(skills, limit)
        case CatalogueStyle.ALL_SHORTENED:
            return _shorten_all(by_name, limit)
        case CatalogueStyle.FIRST_ONES:
            return _keep_first(by_name, limit)


def _keep_names(skills: Sequence[ListedSkill], limit: int) -> Shown:
    names = {one: _UTF16.of(_title(one)) + len("- ") for one in skills}
    # A description has `: ` before it; a line feed stands between two entries.
    costs = {one: len(": ") + _UTF16.of(one.description) for one in skills}
    left = limit - sum(names.values()) - max(0, len(skills) - 1)
    if sum(costs.values()) <= left:
        return {one: one.description for one in skills}
    shown: Shown = {}
    for one in skills:
        fits = costs[one] <= left
        shown[one] = one.description if fits else ""
        left -= costs[one] if fits else 0
    return shown


def _title(skill: ListedSkill) -> str:
    if skill.name == skill.directory:
        return skill.directory
    return f"{skill.directory} ({skill.name})"


def _shorten_all(skills: Sequence[ListedSkill], limit: int) -> Shown:
    if sum(_cost(one, one.description) for one in skills) <= limit:
        return {one: one.description for one in skills}
    least = [_cost(one, "") for one in skills]
    if sum(least) <= limit:
        return _share_out(skills, limit - sum(least))
    shown: Shown = {}
    for one, cost in zip(skills, least, strict=True):
        shown[one] = "" if cost <= limit else None
        limit -= cost if cost <= limit else 0
    return shown


def _share_out(skills: Sequence[ListedSkill], left: int) -> Shown:
    """Give each in turn one character more of its description, until no more fits."""
    lengths = dict.fromkeys(skills, 0)
    sizes = {one: _size(one, "") for one in skills}
    waiting = [one for one in skills if one.description]
    while waiting:
        served = []
        for one in waiting:
            # The first character brings the blank before it.
            size = sizes[one] + len(one.description[lengths[one]].encode()) + (not lengths[one])
            cost = _tokens(size) - _tokens(sizes[one])
            if cost <= left:
                left -= cost
                sizes[one] = size
                lengths[one] += 1
                served.append(one)
        # Who was refused is asked again as long as anyone was served: the next byte may be free.
        waiting = [one for one in waiting if lengths[one] < len(one.description)] if served else []
    return {one: one.description[: lengths[one]] for one in skills}


def _size(skill: ListedSkill, description: str) -> int:
    says = f"{description} " if description else ""
    line = f"- {skill.name}: {says}(file: r0/{skill.directory}/SKILL.md)\n"
    return len(line.encode())


def _cost(skill: ListedSkill, description: str) -> int:
    return _tokens(_size(skill, description))


def _tokens(size: int) -> int:
    return -(-size // _TOKEN_BYTES)


def _keep_first(skills: Sequence[ListedSkill], limit: int) -> Shown:
    shown: Shown = {}
    for one in skills:
        limit -= _UTF16.of(_entry(one)) + 1
        shown[one] = one.description if limit >= 0 else ""
    return shown


def _entry(skill: ListedSkill) -> str:
    name, says = html.escape(skill.name), html.escape(skill.description)
    return (
        f"<skill>\n  <name>{name}</name>\n  <description>{says}</description>\n"
        "  <location>user</location>\n</skill>"
    )


def _note(client: Client, catalogue: Catalogue, limit: int, entry: ForetoldEntry) -> Note:
    skill = entry.skill
    unit = "tokens" if catalogue.style is CatalogueStyle.ALL_SHORTENED else "characters"
    because = f"because the list of all skills takes more than {limit:,} {unit}"
    if entry.description:
        length, whole = len(entry.description), len(skill.description)
        says = f"{length:,} of the {whole:,} characters of its description"
        message = f"{client.title} shows the model {says}, {because}"
        return Note(kind=NoteKind.SHORTENED, slug=skill.directory, message=message)
    says = "shows the model its name only" if entry.description == "" else "does not list it"
    message = f"{client.title} {says}, {because}"
    return Note(kind=NoteKind.CUT, slug=skill.directory, message=message)
