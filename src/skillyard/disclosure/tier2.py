"""Tier 2: the instructions of one skill, as an agent reads them when it activates the skill."""

import re
from dataclasses import dataclass
from typing import Final

from skillyard.disclosure.escaping import path_to_xml, show_hidden, to_deprecation, to_xml
from skillyard.disclosure.tokens import warn_of_size
from skillyard.domain.package import Package
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Candidate

_OWN_TAG: Final = re.compile(r"<(?=/?skill_(?:content|resources)\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenedSkill:
    """A skill's files, and the part of its SKILL.md behind the front matter."""

    package: Package
    instructions: str


def render_instructions(candidate: Candidate, opened: OpenedSkill) -> str:
    """Give the whole body of a SKILL.md, with the place and the paths of the other files.

    The body stays as it was written, but for the tags that stand around it here: those are
    escaped, so that it cannot pretend to be over. Beyond the advised size, a note says so.
    """
    lines = [f'<skill_content name="{to_xml(candidate.slug)}">', *_list_body(opened.instructions)]
    lines += _list_notes(candidate, opened.instructions)
    if files := list_supporting(opened.package):
        paths = (f"<file>{path_to_xml(path)}</file>" for path in files)
        lines += ["", "<skill_resources>", *paths, "</skill_resources>"]
    return "\n".join((*lines, "</skill_content>"))


def list_supporting(package: Package) -> tuple[str, ...]:
    """List the paths of a package besides SKILL.md, in order."""
    return tuple(path for path in package if path != SKILL_MD)


def escape_own_tags(text: str) -> str:
    """Escape the tags that stand around a skill, so that it cannot pretend to be over."""
    return _OWN_TAG.sub("&lt;", text)


def _list_body(instructions: str) -> list[str]:
    body = instructions.strip("\r\n")
    return [escape_own_tags(body), ""] if body else []


def _list_notes(candidate: Candidate, instructions: str) -> list[str]:
    notes = []
    if candidate.location:
        notes += [
            f"Skill directory: {show_hidden(candidate.location)}",
            "Relative paths in this skill are relative to the skill directory.",
        ]
    if candidate.deprecated is not None:
        notes.append(to_deprecation(candidate.deprecated))
    if warning := warn_of_size(instructions):
        notes.append(f"[Note: {warning}]")
    return [escape_own_tags(note) for note in notes]
