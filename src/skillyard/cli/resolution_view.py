"""What was decided about skills, in words and as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click

from skillyard.application.resolve import ResolvedSkills
from skillyard.cli.colours import are_colours_unwanted
from skillyard.cli.tables import render_table
from skillyard.cli.terminal import find_width
from skillyard.domain.paths import SKILL_MD
from skillyard.domain.resolution import Candidate, Decision, Disposition, Layer
from skillyard.domain.text import visible

MARKS: Final = {
    Disposition.LOADED: "✓",
    Disposition.UNPROVEN: "○",
    Disposition.CUT: "○",
    Disposition.SHADOWED: "○",
    Disposition.EXCLUDED: "✗",
}
_HEADERS: Final = ("", "Skill", "Version", "Source", "Decision", "Reason")


def to_json_resolved(
    resolved: ResolvedSkills, *, skills: Sequence[Mapping[str, object]] | None = None
) -> dict[str, object]:
    """Give the answer as JSON can hold it; `skills` replaces the plain list of decisions."""
    resolution = resolved.resolution
    return {
        "manifest_hash": resolution.manifest_hash,
        "skills": [to_json_decision(one) for one in resolution.decisions]
        if skills is None
        else skills,
        "problems": list_problems(resolved),
    }


def to_json_decision(decision: Decision) -> dict[str, object]:
    """Give one decision as JSON can hold it."""
    digest = decision.offered.digest
    return {
        "slug": decision.slug,
        "version": str(decision.offered.version),
        "digest": str(digest) if digest else None,
        "source": decision.candidate.layer.value,
        "disposition": decision.disposition.value,
        "rule": decision.rule.value,
        "reason": decision.reason,
        "required": decision.is_required,
        "by": decision.by,
        **to_json_candidate(decision.candidate),
    }


def to_json_candidate(candidate: Candidate) -> dict[str, object]:
    """Give a candidate in the shape of a resolved skill."""
    files = [path for path in candidate.files if path != SKILL_MD]
    in_directory = candidate.layer.is_directory
    location = candidate.location or None
    return {
        "id": candidate.slug,
        "name": candidate.display_name or candidate.slug,
        "description": candidate.description,
        "sourceRef": candidate.owner if candidate.layer is Layer.PLUGIN else candidate.ref,
        "isDirectory": bool(files),
        "supportingFiles": [{"relativePath": path} for path in files],
        "sandboxPath": None if in_directory else location,
        "absolutePath": location if in_directory else None,
        "tags": candidate.tags,
        "category": candidate.category,
        "enabled": candidate.enabled,
        "requiresTools": candidate.requires_tools,
    }


def list_problems(resolved: ResolvedSkills) -> list[dict[str, object]]:
    """List what whoever asked should know, errors first."""
    told: list[dict[str, object]] = [
        {
            "kind": one.kind.value,
            "slug": one.slug,
            "message": one.message,
            "severity": "error" if one.is_error else "warning",
        }
        for one in resolved.resolution.problems
    ]
    for candidate, reason in resolved.broken:
        told.append(
            _warn("broken-skill", candidate.slug, f"{candidate.slug} is left out: {reason}")
        )
    for finding in resolved.findings:
        if finding.skipped:
            message = f"{finding.location} is left out: {finding.diagnostic.message}"
            told.append(_warn("skipped-directory", None, message))
    return sorted(told, key=lambda one: one["severity"] != "error")


def _warn(kind: str, slug: str | None, message: str) -> dict[str, object]:
    return {"kind": kind, "slug": slug, "message": message, "severity": "warning"}


def say_problems(resolved: ResolvedSkills) -> None:
    """Say on stderr what whoever asked should know."""
    for one in list_problems(resolved):
        is_error = one["severity"] == "error"
        label = click.style(str(one["severity"]), fg="red" if is_error else "yellow", bold=True)
        text = f"{label}: {visible(str(one['message']))}"
        click.echo(text, err=True, color=False if are_colours_unwanted() else None)


def render_decisions(decisions: Iterable[Decision]) -> list[str]:
    """Give the lines of a table, in the order of the decisions."""
    rows = [
        (
            MARKS[one.disposition],
            one.slug,
            str(one.offered.version),
            one.candidate.layer.value,
            one.disposition.value,
            one.reason,
        )
        for one in decisions
    ]
    return render_table(_HEADERS, rows, width=find_width(), flexible=("Reason",))


def render_summary(resolved: ResolvedSkills) -> Iterator[str]:
    """Yield how many skills there are of each kind, and the hash."""
    resolution = resolved.resolution
    counted = (
        f"{len(found)} {one.value}"
        for one in Disposition
        if (found := resolution.with_disposition(one))
    )
    yield ", ".join(counted) or "no skills"
    yield resolution.manifest_hash
