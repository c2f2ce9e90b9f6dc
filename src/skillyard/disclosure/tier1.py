"""Tier 1: the names, descriptions and places of skills, as an agent reads them at its start.

There are three forms. `xml` has one line for each fact. `markdown` is a section of a prompt, with
headings and labels for the sources. `reference` is what the reference library prints, to the byte,
and for that reason has neither marks nor blocks nor unproven skills.

A skill that only a user may call on is in none of them. No text of a skill closes a tag, starts a
section or hides a character: see `escaping`.
"""

import html
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from skillyard.disclosure.escaping import (
    name_to_markdown,
    path_to_markdown,
    path_to_xml,
    to_deprecation,
    to_lines,
    to_markdown,
    to_sentence,
    to_xml,
)
from skillyard.disclosure.injection import INJECTED, render_injected
from skillyard.disclosure.listing import (
    LISTED,
    Shown,
    entrypoint_of,
    is_told,
    list_shadowed,
    list_told,
)
from skillyard.disclosure.sources import SANDBOX, SOURCES, label_of, source_of
from skillyard.domain.resolution import Candidate, Decision, Disposition, Resolution


class Form(StrEnum):
    """How tier 1 is written."""

    XML = "xml"
    MARKDOWN = "markdown"
    REFERENCE = "reference"


_INTRODUCTION: Final = """\
## Available Skills

You have the following skills installed in your sandbox. Each skill directory contains a SKILL.md \
with full instructions and may include supporting files (references, scripts, templates). Use \
`read_file` to read the SKILL.md for any skill you want to use."""
_UNPROVEN: Final = "Unproven skills (not loaded; use use_skill to look one up):"
_HEADINGS: Final = tuple(dict.fromkeys(one.heading for one in SOURCES))


def render_xml(resolution: Resolution, *, limit: int = LISTED, injected: int = INJECTED) -> str:
    """Give `<available_skills>`, the blocks that are always shown, and `<unproven_skills>`.

    At most `limit` skills are listed in each list, and the blocks take at most `injected`
    characters. Without a skill, the first element is empty and the others are left out.
    """
    listed = Shown.of(resolution.loaded, limit)
    unproven = Shown.of(resolution.unproven, limit)
    lines = ["<available_skills>"]
    lines += [render_entry(one.candidate) for one in listed.entries]
    lines += ["</available_skills>", *listed.notes]
    if blocks := render_injected(resolution, limit=injected):
        lines.append(blocks)
    if list_told(resolution.unproven):
        lines.append("<unproven_skills>")
        lines += [_render_unproven_entry(one.candidate) for one in unproven.entries]
        lines += ["</unproven_skills>", *unproven.notes]
    return "\n".join(lines)


def render_entry(candidate: Candidate) -> str:
    """Give the `<skill>` element of the XML form; nothing where the model is not told of it."""
    if not is_told(candidate):
        return ""
    lines = ["<skill>", *_iter_facts(candidate)]
    if path := entrypoint_of(candidate):
        lines.append(f"<location>{path_to_xml(path)}</location>")
    if candidate.deprecated is not None:
        lines.append(f"<deprecated>{to_xml(candidate.deprecated)}</deprecated>")
    return "\n".join((*lines, "</skill>"))


def _render_unproven_entry(candidate: Candidate) -> str:
    return "\n".join(("<skill>", *_iter_facts(candidate), "</skill>"))


def _iter_facts(candidate: Candidate) -> Iterator[str]:
    yield f"<name>{to_xml(candidate.slug)}</name>"
    yield f"<description>{to_xml(candidate.description)}</description>"


def render_reference(resolution: Resolution, *, limit: int = LISTED) -> str:
    """Give `<available_skills>` as the reference library prints it.

    It is the same to the byte where no text holds a hidden character, no place one that XML
    escapes, and no more than `limit` skills are loaded.
    """
    listed = Shown.of(resolution.loaded, limit)
    lines = ["<available_skills>"]
    for one in listed.entries:
        lines += _iter_reference(one.candidate)
    return "\n".join((*lines, "</available_skills>", *listed.notes))


def _iter_reference(candidate: Candidate) -> Iterator[str]:
    yield from ("<skill>", "<name>", to_xml(candidate.slug), "</name>", "<description>")
    yield html.escape(to_lines(candidate.description))
    yield from ("</description>", "<location>", path_to_xml(entrypoint_of(candidate)))
    yield from ("</location>", "</skill>")


def render_markdown(
    resolution: Resolution,
    *,
    limit: int = LISTED,
    injected: int = INJECTED,
    skills_path: str | None = None,
) -> str:
    """Give the section "Available Skills"; empty where there is nothing to name.

    `skills_path` is where the sandbox holds its skills. A skill of the project that is shadowed is
    named as well, with its own path. At most `limit` skills are listed in each list, and the blocks
    that are always shown take at most `injected` characters.
    """
    listed = Shown.of((*resolution.loaded, *list_shadowed(resolution)), limit)
    groups = list(_iter_groups(listed.entries, skills_path))
    parts = [*groups, *listed.notes, render_injected(resolution, limit=injected)]
    parts.append(_render_unproven(resolution, limit))
    named = list(filter(None, parts))
    return "\n\n".join((_INTRODUCTION, *named)) if named else ""


def _iter_groups(entries: Sequence[Decision], skills_path: str | None) -> Iterator[str]:
    for heading in _HEADINGS:
        lines = [
            _render_line(one) for one in entries if source_of(one.candidate).heading == heading
        ]
        if lines:
            yield "\n".join((f"{_complete(heading, skills_path)}:", *lines))


def _complete(heading: str, skills_path: str | None) -> str:
    if heading != SANDBOX or skills_path is None:
        return heading
    return f"{heading} (in {path_to_markdown(skills_path.rstrip('/') + '/')})"


def _render_line(decision: Decision) -> str:
    candidate = decision.candidate
    words = [_render_name(candidate)]
    if candidate.deprecated is not None:
        words.append(to_deprecation(candidate.deprecated))
    if path := entrypoint_of(candidate):
        words.append(f"Read: {path_to_markdown(path)}")
    shadowed = ", shadowed" if decision.disposition is Disposition.SHADOWED else ""
    return f"{' '.join(words)} [{label_of(candidate)}{shadowed}]"


def _render_name(candidate: Candidate) -> str:
    description = to_sentence(to_markdown(candidate.description))
    behind = f" — {description}" if description else ""
    return f"- **{name_to_markdown(candidate.slug)}**{behind}"


def _render_unproven(resolution: Resolution, limit: int) -> str:
    if not list_told(resolution.unproven):
        return ""
    unproven = Shown.of(resolution.unproven, limit)
    lines = [_render_name(one.candidate) for one in unproven.entries]
    return "\n".join((_UNPROVEN, *lines, *unproven.notes))
