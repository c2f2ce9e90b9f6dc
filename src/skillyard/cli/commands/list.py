"""`skillyard list`: list the skills of the store."""

from collections.abc import Sequence
from typing import Final

import click

from skillyard.cli.catalogue_view import identify_entry
from skillyard.cli.options import json_option
from skillyard.cli.skill_options import confidence_option
from skillyard.cli.store import opened_catalogue
from skillyard.cli.tables import drop_columns, render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.catalogue import EVERYTHING, CatalogueEntry, SkillFilter
from skillyard.domain.manifest import CATEGORIES, Confidence
from skillyard.domain.skill import SkillStatus, SourceKind
from skillyard.skillmd.reports.jsontext import render_line

_USED: Final = "✓"
_UNUSED: Final = "○"
_DEPRECATED: Final = "✗"
_HEADERS: Final = (
    "",
    "Skill",
    "Version",
    "Confidence",
    "Category",
    "Source",
    "Files",
    "Assigned",
    "Description",
)


# A narrow terminal does without some columns, so that there is room for the description.
_LEAST_WIDTHS: Final = {
    "Confidence": 72,
    "Category": 72,
    "Source": 96,
    "Files": 96,
    "Assigned": 72,
}
_MARKS: Final = (
    f"{_USED} active and enabled. {_DEPRECATED} the same, but deprecated."
    f" {_UNUSED} not used: disabled, a draft, or archived."
)


@click.command("list", epilog=_MARKS)
@click.option("-q", "--text", metavar="TEXT", help="In slug, display name or description.")
@click.option("--category", type=click.Choice(CATEGORIES), help="What it is about.")
@click.option("--tag", "tags", metavar="TAG", multiple=True, help="May be repeated: all of them.")
@click.option(
    "--source",
    type=click.Choice([one.value for one in SourceKind]),
    help="Who brought it into the store.",
)
@click.option(
    "--status",
    type=click.Choice([one.value for one in SkillStatus]),
    help="Where it is in its life.",
)
@confidence_option
@click.option("--enabled/--disabled", default=None, help="Those that may be used, or may not.")
@click.option("--archived", is_flag=True, help="Archived ones too.")
@click.option("--owner", metavar="NAME", help="`people`, or a plugin's id.")
@json_option
def command(
    *,
    text: str | None,
    category: str | None,
    tags: tuple[str, ...],
    source: str | None,
    status: str | None,
    confidence: Confidence | None,
    owner: str | None,
    enabled: bool | None,
    archived: bool,
    as_json: bool,
) -> None:
    """List the skills of the store."""
    wanted = SkillFilter(
        text=text,
        owner=owner,
        category=category,
        source_kind=SourceKind(source) if source else None,
        status=SkillStatus(status) if status else None,
        enabled=enabled,
        confidence=confidence,
        tags=tags,
        archived=archived,
    )
    with opened_catalogue() as catalogue:
        entries = catalogue.list_entries(wanted)
        is_empty = not entries and not catalogue.list_entries(EVERYTHING, most=1)
    if as_json:
        skills = [_to_json(one) for one in entries]
        click.echo(render_line({"skills": skills, "count": len(skills)}))
    elif entries:
        click.echo("\n".join(_render(entries)))
    else:
        _say_nothing_found(is_empty=is_empty)


def _say_nothing_found(*, is_empty: bool) -> None:
    if is_empty:
        click.echo("The store is empty\n", err=True)
        click.echo("hint: `skillyard add DIR` saves the skills in a directory", err=True)
        return
    click.echo("No skill matches\n", err=True)
    click.echo("hint: `skillyard list --archived` shows every skill", err=True)


def _render(entries: Sequence[CatalogueEntry]) -> list[str]:
    rows = [
        (
            _find_mark(one),
            one.reference,
            str(one.version),
            one.confidence.value,
            one.category,
            one.source_kind.value,
            str(one.files),
            str(one.assignments),
            _describe(one),
        )
        for one in entries
    ]
    width = find_width()
    headers, shown = drop_columns(_HEADERS, rows, width=width, least=_LEAST_WIDTHS)
    return render_table(
        headers,
        shown,
        width=width,
        flexible=("Description",),
        right=[one for one in ("Files", "Assigned") if one in headers],
    )


def _is_used(entry: CatalogueEntry) -> bool:
    return entry.enabled and entry.status is SkillStatus.ACTIVE


def _find_mark(entry: CatalogueEntry) -> str:
    if not _is_used(entry):
        return _UNUSED
    return _DEPRECATED if entry.deprecated else _USED


def _describe(entry: CatalogueEntry) -> str:
    """Give the description, and before it what the mark leaves open."""
    said = [] if entry.status is SkillStatus.ACTIVE else [entry.status.value]
    said += [] if entry.enabled else ["disabled"]
    said += ["deprecated"] if entry.deprecated else []
    return f"[{', '.join(said)}] {entry.description}" if said else entry.description


def _to_json(entry: CatalogueEntry) -> dict[str, object]:
    return {
        **identify_entry(entry),
        "deprecated": entry.deprecated,
        "confidence": entry.confidence.value,
        "category": entry.category,
        "tags": entry.tags,
        "source_kind": entry.source_kind.value,
        "files": entry.files,
        "size": entry.size,
        "assignments": entry.assignments,
        "updated_at": entry.updated_at.isoformat(),
    }
