"""Findings for people: each with its place, its source line and what to do.

Everything that comes from a package passes through `visible`, so no package can colour, move or
forge a line of the report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.text import visible
from skillyard.skillmd.reports.excerpt import Excerpt, cut_excerpt
from skillyard.skillmd.reports.reported import ReportedPackage, Totals

FIX: Final = "run again with `--fix`"

_LEAST_ROOM: Final = 30
_BOLD: Final = "1"
_BLUE: Final = "1;34"
_COLOURS: Final[Mapping[Severity, str]] = {
    Severity.ERROR: "1;31",
    Severity.WARNING: "1;33",
    Severity.NOTE: "1;36",
}


def render_text(
    packages: Iterable[ReportedPackage], *, colour: bool = False, width: int = 100
) -> Iterator[str]:
    """Yield the lines of a report, with an empty one after each finding.

    A package without findings gives no lines. Source lines are cut to `width` cells; messages and
    hints are left to the terminal to wrap.
    """
    for package in packages:
        lines = {path: text.split("\n") for path, text in package.texts.items()}
        for one in package.diagnostics:
            look = _Look(colour, width, len(str(one.line or 1)))
            excerpt = _find_excerpt(one.span, lines.get(one.path, ()), look.room)
            yield from _render_finding(package, one, excerpt, look)
            yield ""


def render_totals(totals: Totals) -> str:
    """Say in one line what was checked, and what was found."""
    counts = ((totals.errors, "error"), (totals.warnings, "warning"), (totals.notes, "note"))
    found = ", ".join(_count(number, noun) for number, noun in counts if number)
    fixable = f" ({totals.fixable:,} can be fixed with --fix)" if totals.fixable else ""
    return f"Checked {_count(totals.packages, 'package')}: {found or 'no problems found'}{fixable}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


@dataclass(frozen=True, slots=True)
class _Look:
    """How one finding is laid out; `digits` is the width of its line number."""

    colour: bool
    width: int
    digits: int

    @property
    def room(self) -> int:
        return max(_LEAST_ROOM, self.width - self.digits - len("  | "))

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if self.colour else text

    def gutter(self, label: str, sign: str) -> str:
        return self.paint(f" {label:>{self.digits}} {sign}", _BLUE)


def _find_excerpt(span: Span | None, lines: Sequence[str], room: int) -> Excerpt | None:
    if span is None or not 1 <= span.line <= len(lines):
        return None
    line = lines[span.line - 1].removesuffix("\r")
    stop = span.end_column - 1 if span.end_line == span.line else len(line)
    return cut_excerpt(line, start=span.column - 1, stop=stop, room=room)


def _render_finding(
    package: ReportedPackage, one: Diagnostic, excerpt: Excerpt | None, look: _Look
) -> Iterator[str]:
    style = _COLOURS[one.severity]
    heading = look.paint(f"{one.severity.value}[{one.code}]", style)
    yield heading + look.paint(f": {visible(one.message)}", _BOLD)
    arrow = look.paint(f"{' ' * look.digits} -->", _BLUE)
    yield f"{arrow} {visible(package.place_of(one))}"
    if excerpt is not None:
        yield look.gutter("", "|")
        yield f"{look.gutter(str(one.line), '|')} {excerpt.source}".rstrip()
        blanks = excerpt.marker.rstrip("^")
        yield f"{look.gutter('', '|')} {blanks}{look.paint(excerpt.marker.lstrip(), style)}"
    if one.hint:
        yield f"{look.gutter('', '=')} {look.paint('hint', _BOLD)}: {visible(one.hint)}"
    if one.fixable:
        yield f"{look.gutter('', '=')} {look.paint('fix', _BOLD)}: {FIX}"
