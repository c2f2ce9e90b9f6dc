"""Findings as workflow commands, which GitHub shows next to the lines that they are about."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.domain.text import visible
from skillyard.skillmd.reports.reported import ReportedPackage, inner_place

_COMMANDS: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}
_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def render_github(packages: Iterable[ReportedPackage]) -> Iterator[str]:
    """Yield one command for each finding, each of them exactly one line."""
    for package in packages:
        for one in package.diagnostics:
            properties = ",".join(
                f"{key}={value.translate(_PROPERTY)}"
                for key, value in _list_properties(package, one)
            )
            text = _render_message(package, one).translate(_DATA)
            yield f"::{_COMMANDS[one.severity]} {properties}::{text}"


def _list_properties(package: ReportedPackage, one: Diagnostic) -> list[tuple[str, str]]:
    place = [] if package.container else _list_positions(one)
    return [("file", visible(package.file_of(one))), *place, ("title", one.code)]


def _list_positions(one: Diagnostic) -> list[tuple[str, str]]:
    if one.span is None:
        return []
    line = ("line", str(one.span.line))
    # GitHub knows columns only where a finding stays on one line.
    if one.span.end_line != one.span.line:
        return [line, ("endLine", str(one.span.end_line))]
    return [line, ("col", str(one.span.column)), ("endColumn", str(one.span.end_column))]


def _render_message(package: ReportedPackage, one: Diagnostic) -> str:
    inside = f"{inner_place(one)}: " if package.container and one.path else ""
    message = visible(f"{inside}{one.message}")
    return f"{message}\n{visible(one.hint)}" if one.hint else message
