"""Skills that are offered from elsewhere, in words and as JSON, before and after they come in."""

from collections.abc import Iterator

import click

from skillyard.application.importing import (
    ImportedSkill,
    ImportOutcome,
    ImportPlan,
    OfferedSkill,
    Standing,
)
from skillyard.cli.failures import to_json_error
from skillyard.cli.skills_view import (
    REFUSED,
    SAME,
    count,
    list_warnings,
    render_saved,
    say_line,
    to_json_saved,
)
from skillyard.domain.difference import ContentChange, FileDifference
from skillyard.domain.facts import UNSET
from skillyard.domain.manifest import Confidence
from skillyard.domain.scan import ScanReport
from skillyard.domain.text import visible
from skillyard.skillmd.reports.jsonreport import to_json_finding

_INDENT = "  "
UNSCANNED = "Not scanned: nobody has looked for dangers in these files"


def render_plan(plan: ImportPlan, *, width: int) -> Iterator[str]:
    """Yield the lines that show what would come in, and what cannot."""
    for offer in plan.offers:
        yield from _render_offer(offer, width)
        yield ""
    for refused in plan.refused:
        yield say_line(REFUSED, f"{refused.location} is left out: {refused.error.message}")


def _render_offer(offer: OfferedSkill, width: int) -> Iterator[str]:
    version = f" {offer.version}" if offer.version else ""
    yield click.style(visible(f"{offer.slug}{version}"), bold=True)
    yield click.wrap_text(
        visible(offer.description), width, initial_indent=_INDENT, subsequent_indent=_INDENT
    )
    yield visible(f"  From {offer.location}")
    if offer.standing is not Standing.UNCHANGED:
        yield f"  {_say_trust(offer)}"
    yield visible(f"  {_say_standing(offer)}")
    for one in offer.difference.files if offer.difference else ():
        yield visible(f"    {one.change.value:<7}  {one.path}  {_count_lines(one)}")
    yield from _render_files(offer)
    yield from _render_findings(offer)


def _say_standing(offer: OfferedSkill) -> str:
    if offer.known is None:
        return "New: there is no skill of that name"
    there = f"{offer.known.reference} {offer.known.current}"
    if offer.standing is Standing.UNCHANGED:
        return f"Unchanged: {there} holds the same"
    kind = offer.known.source_kind.value
    return f"There is one already: {there}, {kind}, last changed by {offer.known.updated_by}"


def _say_trust(offer: OfferedSkill) -> str:
    said = offer.wish.changes.confidence
    confidence = Confidence.LOW if said is UNSET else said
    return f"Comes in as an imported skill of {confidence.value} confidence"


def _count_lines(file: FileDifference) -> str:
    if file.content is ContentChange.TEXT:
        come = sum(line.startswith("+") for line in file.lines)
        return f"+{come} -{sum(line.startswith('-') for line in file.lines)}"
    return "mode" if file.content is ContentChange.NONE else file.content.value


def _render_files(offer: OfferedSkill) -> Iterator[str]:
    files = offer.package.files
    yield f"  Files ({len(files)}, {count(offer.package.size, 'byte')})"
    for path, file in files.items():
        mark = "  executable" if file.executable else ""
        yield f"    {len(file.content):>9,}  {visible(path)}{mark}"


def _render_findings(offer: OfferedSkill) -> Iterator[str]:
    for one in list_warnings(offer.diagnostics):
        label = click.style("warning", fg="yellow", bold=True)
        yield f"  {label}: {visible(f'{one.path}: {one.message} ({one.code})')}"
    yield f"  {say_scan(offer.scan)}"
    for one in offer.scan.findings:
        yield visible(f"    {one.severity.value}: {one.path}: {one.message} ({one.code})")


def say_scan(scan: ScanReport) -> str:
    """Say what a scan looked at; that nothing was found is said only if it saw everything."""
    if not scan.rules:
        return UNSCANNED
    said = [count(len(scan.findings), "finding")] if scan.findings else []
    if scan.uninspected:
        said.append(f"{count(len(scan.uninspected), 'file')} could not be looked into")
    return visible(f"Scanned with {scan.rules}: {', '.join(said) or 'no known pattern found'}")


def render_imported(imported: ImportedSkill, *, dry_run: bool) -> str:
    """Say in a line what became of an offer, or would become of it."""
    offered = imported.offer.slug
    other = f" (offered as {offered})" if imported.slug != offered else ""
    if imported.saved is not None:
        return f"{render_saved(imported.saved, dry_run=dry_run)}{visible(other)}"
    return say_line(SAME, f"{imported.slug} {imported.outcome.value}{other}")


def to_json_offer(offer: OfferedSkill) -> dict[str, object]:
    """Give an offer as JSON can hold it."""
    return {
        "path": offer.location,
        "offered_slug": offer.slug,
        "stated_version": str(offer.version) if offer.version else None,
        "description": offer.description,
        "digest": str(offer.package.digest()),
        "standing": offer.standing.value,
        "known": _to_json_known(offer),
        "difference": offer.difference.to_json() if offer.difference else None,
        "files": [
            {"path": path, "size": len(file.content), "executable": file.executable}
            for path, file in offer.package.files.items()
        ],
        "warnings": [to_json_finding(one) for one in list_warnings(offer.diagnostics)],
        "scan": _to_json_scan(offer.scan),
    }


def _to_json_known(offer: OfferedSkill) -> dict[str, object] | None:
    known = offer.known
    if known is None:
        return None
    return {"slug": known.slug, "version": str(known.current), "digest": str(known.digest)}


def _to_json_scan(scan: ScanReport) -> dict[str, object]:
    return {
        "rules": scan.rules or None,
        "complete": scan.is_complete,
        "uninspected": scan.uninspected,
        "findings": [to_json_finding(one) for one in scan.findings],
    }


def to_json_imported(imported: ImportedSkill) -> dict[str, object]:
    """Give what became of an offer as JSON can hold it."""
    saved = to_json_saved(imported.saved) if imported.saved else None
    return {
        **to_json_offer(imported.offer),
        "slug": imported.slug if imported.outcome is not ImportOutcome.SKIPPED else None,
        "outcome": imported.outcome.value,
        "saved": saved,
    }


def to_json_refused(plan: ImportPlan) -> list[dict[str, object]]:
    """Give what cannot come in as JSON can hold it."""
    return [{"path": one.location, "error": to_json_error(one.error)} for one in plan.refused]
