"""Skills of the store in words and as JSON."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import click

from skillyard.application.save import Outcome, SavedSkill
from skillyard.cli.options import echo_json
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.skill import Skill, SkillVersion, StoredFile
from skillyard.domain.text import visible
from skillyard.skillmd.reports.jsonreport import to_json_finding

DONE: Final = "✓"
SAME: Final = "○"
REFUSED: Final = "✗"
_COLOURS: Final = {DONE: "green", REFUSED: "red"}


def say_line(mark: str, text: str) -> str:
    """Give a line with a coloured mark before what was done; `text` is made safe to print."""
    return f"{click.style(mark, fg=_COLOURS.get(mark))} {visible(text)}"


def say_moment(moment: datetime) -> str:
    """Give a moment as people read it; the Z says that it is in UTC."""
    return f"{moment:%Y-%m-%d %H:%M}Z"


def count(number: int, thing: str) -> str:
    """Say how many things there are."""
    return f"{number:,} {thing}{'s' * (number != 1)}"


def to_json_skill(skill: Skill) -> dict[str, object]:
    """Give a skill as JSON can hold it."""
    facts = skill.facts
    return {
        "id": skill.id,
        "slug": skill.slug,
        "owner": skill.owner,
        "display_name": facts.display_name,
        "description": facts.description,
        "version": str(skill.current),
        "digest": str(skill.digest),
        "status": facts.status.value,
        "enabled": facts.enabled,
        "deprecated": facts.deprecated,
        "confidence": facts.confidence.value,
        "category": facts.category,
        "tags": facts.tags,
        "requires_tools": facts.requires_tools,
        "requires": facts.requires,
        "agents": facts.agents,
        "invocation": facts.invocation.value,
        "install_strategy": facts.install_strategy,
        "provider_hints": facts.provider_hints,
        "metadata": facts.metadata,
        "author": {
            "type": facts.author.type,
            "agent": facts.author.agent,
            "source": facts.author.source,
        },
        "source_kind": skill.source_kind.value,
        "plugin_id": skill.plugin_id,
        "provenance": {
            "source_type": skill.provenance.door.value,
            "source_ref": skill.provenance.ref,
        },
        "revision": skill.revision,
        "created_at": skill.created_at.isoformat(),
        "created_by": skill.created_by,
        "updated_at": skill.updated_at.isoformat(),
        "updated_by": skill.updated_by,
    }


def to_json_version(version: SkillVersion) -> dict[str, object]:
    """Give a version as JSON can hold it."""
    return {
        "version": str(version.version),
        "digest": str(version.digest),
        "created_at": version.created_at.isoformat(),
        "created_by": version.created_by,
        "message": version.message,
        "base": str(version.base) if version.base else None,
    }


def to_json_file(file: StoredFile) -> dict[str, object]:
    """Give a file, without its content, as JSON can hold it."""
    return {
        "path": file.path,
        "size": file.size,
        "content_type": file.content_type,
        "executable": file.executable,
        "sha256": file.sha256,
    }


def to_json_saved(saved: SavedSkill) -> dict[str, object]:
    """Give what saving came to as JSON can hold it."""
    return {
        "slug": saved.skill.slug,
        "owner": saved.skill.owner,
        "outcome": saved.outcome.value,
        "version": str(saved.version.version),
        "digest": str(saved.version.digest),
        "base": str(saved.version.base) if saved.version.base else None,
        "notes": saved.notes,
        "warnings": [to_json_finding(one) for one in list_warnings(saved.diagnostics)],
    }


def list_warnings(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Give the findings that a person should see to, though they keep nothing from being saved."""
    return [one for one in diagnostics if one.severity is Severity.WARNING]


_WISHES: Final = {Outcome.CREATED: "create", Outcome.SAVED: "save"}


def render_saved(saved: SavedSkill, *, dry_run: bool) -> str:
    """Say in a line what saving came to, or would come to."""
    name = f"{saved.skill.reference} {saved.version.version}"
    if saved.outcome is Outcome.UNCHANGED:
        return say_line(SAME, f"{name} unchanged")
    if dry_run:
        return visible(f"Would {_WISHES[saved.outcome]} {name}")
    return say_line(DONE, f"{name} {saved.outcome}")


def echo_saved(saved: SavedSkill, *, dry_run: bool, as_json: bool) -> None:
    """Print what saving one skill came to; notes and warnings go to stderr."""
    if as_json:
        echo_json({**to_json_saved(saved), "dry_run": dry_run})
        return
    click.echo(render_saved(saved, dry_run=dry_run))
    if saved.outcome is Outcome.UNCHANGED:
        return
    for note in saved.notes:
        say_note(note)
    for one in list_warnings(saved.diagnostics):
        say_warning(f"{one.path}: {one.message} ({one.code})")


def say_note(text: str) -> None:
    """Say on stderr something that is good to know."""
    click.echo(f"note: {visible(text)}", err=True)


def say_warning(text: str) -> None:
    """Say on stderr something that should be seen to."""
    label = click.style("warning", fg="yellow", bold=True)
    click.echo(f"{label}: {visible(text)}", err=True)


def say_hint(text: str) -> None:
    """Say on stderr what to do next."""
    click.echo(f"hint: {visible(text)}", err=True)
