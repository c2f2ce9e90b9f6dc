"""What was decided about skills, in words and as JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import click

from skillyard.application.ports.discovery import LocatedFinding
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
BROKEN: Final = "broken"
"""What is said in the place of a decision where a directory cannot be read."""
_LINKED: Final = "linked-skill"
_SEVERITIES: Final = ("error", "warning", "note")
_COLOURS: Final = {"error": "red", "warning": "yellow"}
_HEADERS: Final = ("", "Skill", "Version", "Source", "Decision", "Reason")


def to_json_resolved(
    resolved: ResolvedSkills, *, skills: Sequence[Mapping[str, object]] | None = None
) -> dict[str, object]:
    """Give the answer as JSON can hold it; `skills` replaces the plain list of decisions."""
    if skills is None:
        decided = map(to_json_decision, resolved.resolution.decisions)
        skills = [*decided, *(to_json_broken(*one) for one in resolved.broken)]
    return {
        "manifest_hash": resolved.resolution.manifest_hash,
        "skills": skills,
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


def to_json_broken(candidate: Candidate, reason: str) -> dict[str, object]:
    """Give a candidate that cannot be read in the shape of a decision."""
    return {
        "slug": candidate.slug,
        "version": str(candidate.offered.version),
        "digest": None,
        "source": candidate.layer.value,
        "disposition": BROKEN,
        "rule": "unreadable",
        "reason": reason,
        "required": False,
        "by": None,
        **to_json_candidate(candidate),
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
    """List what whoever asked should know: errors, then warnings, then notes."""
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
        message = finding.diagnostic.message
        if finding.skipped:
            message = f"{finding.location} is left out: {message}"
            told.append(_warn("skipped-directory", None, message))
        elif finding.elsewhere:
            message = f"{finding.location} is left out: {message}"
            told.append({**_warn(_LINKED, None, message), "severity": "note"})
    return sorted(told, key=lambda one: _SEVERITIES.index(str(one["severity"])))


def _warn(kind: str, slug: str | None, message: str) -> dict[str, object]:
    return {"kind": kind, "slug": slug, "message": message, "severity": "warning"}


def say_problems(resolved: ResolvedSkills) -> None:
    """Say on stderr what whoever asked should know; notes are for those who read the JSON."""
    for one in list_problems(resolved):
        severity = str(one["severity"])
        if severity in _COLOURS:
            say(severity, str(one["message"]))


def say_warnings(resolved: ResolvedSkills) -> None:
    """Say on stderr what is no error: the errors are what the command fails with."""
    for one in list_problems(resolved):
        if one["severity"] == "warning":
            say("warning", str(one["message"]))


def say_links(findings: Sequence[LocatedFinding]) -> None:
    """Say on stderr in one line that links lead to skills which count where they stand."""
    links = [one for one in findings if one.elsewhere]
    if len(links) == 1:
        say("note", f"{links[0].location} is left out: {links[0].diagnostic.message}")
    elif links:
        first = f"{links[0].location} to {links[0].elsewhere}"
        say("note", f"{len(links)} links to skills that count where they stand: {first}, …")


def say(severity: str, message: str) -> None:
    """Say something on stderr, with its severity before it."""
    label = click.style(severity, fg=_COLOURS.get(severity, "cyan"), bold=True)
    text = f"{label}: {visible(message)}"
    click.echo(text, err=True, color=False if are_colours_unwanted() else None)


def render_decisions(
    decisions: Iterable[Decision], broken: Iterable[tuple[Candidate, str]] = ()
) -> list[str]:
    """Give the lines of a table, in the order of the decisions, and then those that are broken."""
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
    rows += [
        ("✗", one.slug, str(one.offered.version), one.layer.value, BROKEN, reason)
        for one, reason in broken
    ]
    return render_table(_HEADERS, rows, width=find_width(), flexible=("Reason",))


def render_summary(resolved: ResolvedSkills) -> Iterator[str]:
    """Yield how many skills there are of each kind, and the hash."""
    resolution = resolved.resolution
    counts = [(len(resolution.with_disposition(one)), one.value) for one in Disposition]
    counted = (
        f"{number} {what}" for number, what in (*counts, (len(resolved.broken), BROKEN)) if number
    )
    yield ", ".join(counted) or "no skills"
    yield resolution.manifest_hash
