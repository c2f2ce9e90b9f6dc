"""What `use_skill` says: where a skill is and which files it has, never what stands in them."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from skillyard.disclosure.escaping import show_hidden, to_deprecation, to_line
from skillyard.disclosure.listing import entrypoint_of, list_told
from skillyard.domain.limits import STANDARD
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Candidate, Decision, Disposition, Resolution
from skillyard.domain.text import shorten

SKILLS_PATH: Final = "/home/sprite/.skills"
"""Where a sandbox holds its skills, unless it says otherwise."""

NAMED: Final = 500
"""The most names that an answer lists: many, because a prompt that cut its own list points here."""

NO_SKILLS: Final = (
    "No skills available. Skills can be installed by an admin from the skill catalog, contributed"
    " by plugins, or discovered from SKILL.md files in project repos."
)


def describe_use_skill(skills_path: str = SKILLS_PATH) -> str:
    """Give the description of the tool, as an agent reads it."""
    return (
        "Look up a skill by name and get its location and file listing. For sandbox-installed"
        " skills, returns the path to the skill directory in"
        f" {show_hidden(skills_path.rstrip('/'))}/. For project skills, returns the path in the"
        " project tree. Use read_file to load the SKILL.md and any supporting files you need."
    )


def list_reachable(resolution: Resolution) -> tuple[Decision, ...]:
    """List the skills that can be looked up: loaded ones, then unproven ones."""
    return (*resolution.loaded, *resolution.unproven)


def find_skill(resolution: Resolution, name: str) -> Decision | None:
    """Give the skill of that slug or display name, in any letter case; a slug comes first."""
    wanted = name.strip().casefold()
    reachable = list_reachable(resolution)
    by_slug = (one for one in reachable if one.slug.casefold() == wanted)
    by_name = (one for one in reachable if one.candidate.display_name.casefold() == wanted)
    return next(by_slug, None) or (next(by_name, None) if wanted else None)


def answer_use_skill(resolution: Resolution, name: str) -> str:
    """Give what `use_skill` answers for a name.

    A skill that only a user may call on is found, because the user may have named it; it is not
    among the names that are told.
    """
    found = find_skill(resolution, name)
    if found is not None:
        return _render(found)
    told = [one.slug for one in list_told(list_reachable(resolution))]
    return _render_missing(name, told) if told else NO_SKILLS


def _render(decision: Decision) -> str:
    candidate = decision.candidate
    lines = [f"Skill: {to_line(candidate.slug)}"]
    if path := entrypoint_of(candidate):
        lines.append(f"Location: {show_hidden(path.removesuffix(SKILL_MD))}")
        lines.append(f"Entrypoint: {show_hidden(path)}")
    lines += [*_list_marks(decision), "", "Files:", *_list_files(candidate), ""]
    return "\n".join((*lines, "Use read_file to load the SKILL.md for full instructions."))


def _list_marks(decision: Decision) -> list[str]:
    marks = []
    if decision.disposition is Disposition.UNPROVEN:
        marks.append("Unproven: nothing has shown yet that this skill works.")
    if decision.candidate.deprecated is not None:
        marks.append(to_deprecation(decision.candidate.deprecated))
    return marks


def _list_files(candidate: Candidate) -> list[str]:
    others = (path for path in candidate.files if path != SKILL_MD)
    return [f"  {SKILL_MD} (entrypoint)", *(f"  {show_hidden(path)}" for path in others)]


def _render_missing(name: str, names: Sequence[str]) -> str:
    said = f'Skill "{shorten(to_line(name))}" not found. Available skills: {_join(names)}'
    near = _find_near(name, names)
    return f"{said}. Did you mean {' or '.join(near)}?" if near else said


def _join(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(map(to_line, names[:NAMED]))}{more}"


def _find_near(name: str, names: Iterable[str]) -> list[str]:
    # What is longer than any name is near to none, and would take long to compare.
    if len(name) > STANDARD.display_name_characters:
        return []
    wanted = "-".join(name.casefold().split())
    return [to_line(one) for one in get_close_matches(wanted, list(names))]
