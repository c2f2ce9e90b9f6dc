"""One finding about a package: what is wrong, where, and what to do."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad a finding is; only errors make a package unusable."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text file; lines and columns count from 1, columns in characters.

    The end is exclusive. A span of no width marks a point.
    """

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One finding.

    `path` is relative to the package; the empty path is the package as a whole. `span` is None
    where a finding has no place inside the file.
    """

    code: str
    severity: Severity
    message: str
    path: str = "SKILL.md"
    span: Span | None = None
    hint: str = ""
    fixable: bool = False

    @property
    def line(self) -> int | None:
        """The line that the finding starts on, from 1."""
        return self.span.line if self.span else None

    @property
    def column(self) -> int | None:
        """The column that the finding starts in, from 1."""
        return self.span.column if self.span else None


def has_errors(diagnostics: "tuple[Diagnostic, ...] | list[Diagnostic]") -> bool:
    """Tell whether any finding is an error."""
    return any(one.severity is Severity.ERROR for one in diagnostics)
