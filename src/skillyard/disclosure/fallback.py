"""Skills as prompt text, for a program that knows nothing of skills.

- Each skill stands between tags that its text cannot close, with its instructions whole or cut at a
  line. Other files are listed, and never copied into the text.
- A skill takes so many characters at most, and all of them together so many; what is cut is said
  in the text itself, and in notes.
- The same skills give the same text every time.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from skillyard.disclosure.escaping import (
    name_to_markdown,
    path_to_markdown,
    path_to_xml,
    show_hidden,
    to_block,
    to_deprecation,
    to_line,
    to_markdown,
    to_sentence,
    to_xml,
)
from skillyard.disclosure.tier2 import escape_own_tags
from skillyard.domain.delivery import Note, NoteKind
from skillyard.domain.paths import SKILL_MD

EACH: Final = 12_000
"""The most characters that one skill takes."""
ALL: Final = 32_000
"""The most characters that the whole text takes."""

_FILES: Final = 100
_NAMES: Final = 20
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEAD: Final = """\
# Skills

Each skill below is a set of instructions for one kind of task. When a task calls for a skill, \
follow its instructions."""
_UNPROVEN: Final = """\
## Unproven skills

Nothing has proven these skills yet. Read one only if you are asked to use it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSkill:
    """A skill that is given as text.

    `instructions` is the part of its SKILL.md behind the front matter, `files` are the paths of its
    other files, and `directory` is where all of them stand, or empty where they stand nowhere.
    """

    slug: str
    description: str
    instructions: str = ""
    files: tuple[str, ...] = ()
    directory: str = ""
    deprecated: str | None = None


@dataclass(frozen=True, slots=True)
class FallbackText:
    """The text, and a note on every skill that is not whole in it."""

    text: str
    notes: tuple[Note, ...] = ()


def render_fallback(
    skills: Sequence[PromptSkill],
    unproven: Sequence[PromptSkill] = (),
    *,
    each: int = EACH,
    total: int = ALL,
) -> FallbackText:
    """Give the text of `skills`, in order, and the names of those that nothing has proven.

    Empty where there are none of either.
    """
    if not skills and not unproven:
        return FallbackText("")
    sections = [_HEAD] if skills else ["# Skills"]
    # Whatever comes, the line about what was left out has its room.
    reserved = max((len(_leave_out(skills[place:])) for place in range(len(skills))), default=0)
    room = total - len(sections[0]) - reserved - len("\n\n\n")
    notes: list[Note] = []
    for place, skill in enumerate(skills):
        section = _fit(skill, min(each, room - len("\n\n")))
        if section is None:
            sections.append(_leave_out(skills[place:]))
            notes += [_left_out(one, total) for one in skills[place:]]
            room = 0
            break
        sections.append(section.text)
        room -= len(section.text) + len("\n\n")
        notes += [section.note] if section.note else []
    sections += _list_unproven(unproven, room)
    return FallbackText("\n\n".join(sections) + "\n", tuple(notes))


class _Section(NamedTuple):
    text: str
    note: Note | None = None


def _fit(skill: PromptSkill, room: int) -> _Section | None:
    """Give the section of a skill in so much room, or None where nothing of it has any."""
    body = escape_own_tags(skill.instructions.strip("\r\n"))
    whole = _render(skill, body)
    if len(whole) <= room:
        return _Section(whole)
    lines = body.split("\n")
    spare = room - len(_render(skill, f"{_cut_line(skill, lines, 0)}\n\n~~~\n"))
    if spare < 0:
        return None
    ends = accumulate(len(line) + 1 for line in lines)
    kept = sum(1 for end in ends if end <= spare - _longest_fence(lines))
    note = Note(
        kind=NoteKind.SHORTENED,
        slug=skill.slug,
        message=f"the text holds {kept:,} of the {len(lines):,} lines of its instructions",
    )
    return _Section(_render(skill, _cut(skill, lines, kept)), note)


def _cut(skill: PromptSkill, lines: list[str], kept: int) -> str:
    shown = lines[:kept]
    closing = _open_fence(shown)
    return "\n".join((*shown, *([closing] if closing else []), "", _cut_line(skill, lines, kept)))


def _cut_line(skill: PromptSkill, lines: list[str], kept: int) -> str:
    where = f"; all of them are in {show_hidden(skill.directory)}/{SKILL_MD}"
    return escape_own_tags(
        f"[Cut: {kept:,} of {len(lines):,} lines are shown{where if skill.directory else ''}]"
    )


def _open_fence(lines: list[str]) -> str:
    """Give the fence that the lines leave open, or nothing."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line[found.end() :].strip():
            fence = ""
    return fence


def _longest_fence(lines: list[str]) -> int:
    found = (_FENCE.match(line) for line in lines)
    return max((len(one[1]) + 1 for one in found if one), default=0)


def _render(skill: PromptSkill, body: str) -> str:
    lines = [f'<skill_content name="{to_xml(skill.slug)}">']
    lines += [to_block(to_sentence(to_line(skill.description))), ""]
    lines += [body, ""] if body else []
    lines += [escape_own_tags(one) for one in _list_notes(skill)]
    lines += _list_files(skill)
    while not lines[-1]:
        lines.pop()
    return "\n".join((*lines, "</skill_content>"))


def _list_notes(skill: PromptSkill) -> list[str]:
    notes = [] if skill.deprecated is None else [to_deprecation(skill.deprecated), ""]
    if skill.directory:
        notes += [
            f"Skill directory: {show_hidden(skill.directory)}",
            "Relative paths in this skill are relative to the skill directory.",
            "",
        ]
    return notes


def _list_files(skill: PromptSkill) -> list[str]:
    if not skill.files:
        return []
    listed = [f"<file>{path_to_xml(path)}</file>" for path in skill.files[:_FILES]]
    more = len(skill.files) - len(listed)
    listed += [f"[{more:,} more files]"] if more else []
    return ["<skill_resources>", *listed, "</skill_resources>"]


def _leave_out(skills: Sequence[PromptSkill]) -> str:
    names = ", ".join(to_markdown(one.slug) for one in skills[:_NAMES])
    more = f" and {len(skills) - _NAMES:,} more" if len(skills) > _NAMES else ""
    return f"[Left out, because there is no room: {names}{more}]"


def _left_out(skill: PromptSkill, total: int) -> Note:
    message = f"the text has no room for it: all skills take {total:,} characters at most"
    return Note(kind=NoteKind.CUT, slug=skill.slug, message=message)


def _list_unproven(skills: Sequence[PromptSkill], room: int) -> list[str]:
    if not skills:
        return []
    lines = [_entry(one) for one in skills]
    ends = accumulate(len(line) + 1 for line in lines)
    spare = room - len(_UNPROVEN) - len("\n\n\n\n[1,000 more]")
    kept = sum(1 for end in ends if end <= spare)
    if not kept:
        return []
    more = [f"[{len(lines) - kept:,} more]"] if kept < len(lines) else []
    return [_UNPROVEN, "\n".join((*lines[:kept], *more))]


def _entry(skill: PromptSkill) -> str:
    says = to_sentence(to_markdown(skill.description))
    path = path_to_markdown(f"{skill.directory}/{SKILL_MD}")
    return f"- **{name_to_markdown(skill.slug)}** — {says} Read: {path}"
