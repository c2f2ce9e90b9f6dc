"""Findings as JSON of a fixed shape; keys are added over time, never renamed or removed.

Values are given as they are, unlike in the report for people; the encoding alone keeps them from
acting on a terminal.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from skillyard.domain.diagnostic import Diagnostic
from skillyard.skillmd.reports.jsontext import iter_elements, render_value
from skillyard.skillmd.reports.reported import ReportedPackage, Totals


def render_json(packages: Iterable[ReportedPackage], *, profile: str) -> Iterator[str]:
    """Yield one JSON document, a package at a time.

    A finding without a place has null for its lines and columns; one without a hint has an empty
    text. `client` is there only for packages that have a verdict.
    """
    totals = Totals()

    def iter_counted() -> Iterator[object]:
        nonlocal totals
        for package in packages:
            totals = totals.including(package)
            yield _to_object(package)

    yield "{"
    yield f'  "profile": {render_value(profile)},'
    yield '  "packages": ['
    yield from iter_elements(iter_counted(), depth=2)
    yield "  ],"
    yield f'  "summary": {render_value(asdict(totals), depth=1)}'
    yield "}"


def _to_object(package: ReportedPackage) -> dict[str, object]:
    client = {} if package.verdict is None else {"client": package.verdict}
    return {
        "path": package.location,
        "name": package.name,
        "digest": package.digest,
        "diagnostics": [to_json_finding(one) for one in package.diagnostics],
        **client,
    }


def to_json_finding(one: Diagnostic) -> dict[str, object]:
    """Give one finding as it stands in every JSON output."""
    return {
        "code": one.code,
        "severity": one.severity,
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "end_line": one.span.end_line if one.span else None,
        "end_column": one.span.end_column if one.span else None,
        "message": one.message,
        "hint": one.hint,
        "fixable": one.fixable,
    }
