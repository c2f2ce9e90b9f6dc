"""Everything about one skill of the store, in words and as JSON."""

from collections.abc import Iterator

import click

from skillyard.application.catalogue import SkillDetails
from skillyard.cli.assignment_view import terms_to_json
from skillyard.cli.clients_view import Verdicts, render_clients
from skillyard.cli.facts_view import render_facts
from skillyard.cli.skills_view import (
    count,
    say_moment,
    to_json_file,
    to_json_skill,
    to_json_version,
)
from skillyard.domain.assignment import Assignment
from skillyard.domain.manifest import Author, Invocation
from skillyard.domain.skill import Skill, SkillStatus
from skillyard.domain.text import visible


def to_json_stored(details: SkillDetails, verdicts: Verdicts) -> dict[str, object]:
    """Give a skill at one of its versions as JSON can hold it."""
    return {
        **to_json_skill(details.skill),
        "versions": details.versions,
        "shown": to_json_version(details.version),
        "files": [to_json_file(one) for one in details.listing.files],
        "assignments": [terms_to_json(one) for one in details.assignments],
        "clients": {one.client_id: one.to_json() for _, one in verdicts},
    }


def render_stored(details: SkillDetails, verdicts: Verdicts, *, width: int) -> Iterator[str]:
    """Yield the lines that show a skill at one of its versions."""
    skill = details.skill
    yield click.style(visible(skill.reference), bold=True)
    yield click.wrap_text(
        visible(skill.facts.description), width, initial_indent="  ", subsequent_indent="  "
    )
    yield ""
    yield from render_facts(_facts(details).items(), width=width)
    yield ""
    yield from _files(details)
    yield ""
    yield from render_clients(verdicts)
    yield ""
    yield from _assignments(details)


def _facts(details: SkillDetails) -> dict[str, str | None]:
    skill, version = details.skill, details.version
    facts = skill.facts
    return {
        "Version": _say_version(details),
        "Digest": str(version.digest),
        "Saved": f"{say_moment(version.created_at)} by {version.created_by}",
        "Message": version.message,
        "Title": facts.display_name if facts.display_name != skill.slug else None,
        "Status": _say_status(skill),
        "Deprecated": facts.deprecated,
        "Confidence": facts.confidence.value,
        "Category": facts.category,
        "Tags": " ".join(facts.tags),
        "Needs": ", ".join(facts.requires),
        "Tools": " ".join(facts.requires_tools),
        "Agents": " ".join(facts.agents or ()),
        "Invocation": facts.invocation.value if facts.invocation is not Invocation.AUTO else None,
        "Layout": facts.install_strategy,
        "Author": _say_author(facts.author),
        "Source": _say_source(skill),
        "Created": f"{say_moment(skill.created_at)} by {skill.created_by}",
        "Changed": f"{say_moment(skill.updated_at)} by {skill.updated_by}",
    }


def _say_version(details: SkillDetails) -> str:
    current, shown = details.skill.current, details.version.version
    number = count(details.versions, "version")
    if current == shown:
        return f"{shown} ({number})"
    return f"{shown} (current: {current}; {number})"


def _say_status(skill: Skill) -> str:
    facts = skill.facts
    status = "" if facts.status is SkillStatus.ACTIVE and not facts.enabled else facts.status.value
    return ", ".join(one for one in (status, "" if facts.enabled else "disabled") if one)


def _say_author(author: Author) -> str | None:
    who = author.agent or author.source
    return f"{author.type} {who}" if who else None


def _say_source(skill: Skill) -> str:
    provenance = skill.provenance
    plugin = f" {skill.plugin_id}" if skill.plugin_id else ""
    where = f" from {provenance.ref}" if provenance.ref else ""
    return f"{skill.source_kind.value}{plugin}, by {provenance.door.value}{where}"


def _files(details: SkillDetails) -> Iterator[str]:
    files = details.listing.files
    yield f"Files ({len(files)}, {count(details.listing.size, 'byte')})"
    for one in files:
        yield f"  {one.size:>9,}  {visible(one.path)}{' *' * one.executable}"


def _assignments(details: SkillDetails) -> Iterator[str]:
    if not details.assignments:
        yield "Assigned to nobody"
        return
    yield f"Assigned to ({len(details.assignments)})"
    for one in details.assignments:
        said = ", ".join(_say_assignment(one))
        yield visible(f"  {one.subject}  {said}").rstrip()


def _say_assignment(assignment: Assignment) -> Iterator[str]:
    if assignment.priority:
        yield f"priority {assignment.priority}"
    if assignment.constraint:
        yield f"version {assignment.constraint}"
    flags = {
        "disabled": not assignment.enabled,
        "required": assignment.required,
        "auto-inject": assignment.auto_inject,
        "opt-in": assignment.opt_in,
    }
    yield from (name for name, is_set in flags.items() if is_set)
