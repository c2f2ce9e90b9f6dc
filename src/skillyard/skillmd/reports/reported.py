"""What a report is about: packages with their findings, and how many of each there are."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from skillyard.domain.diagnostic import Diagnostic, Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedPackage:
    """A package with everything that was found about it.

    `texts` holds, by package path, the files that findings with a span are about; a finding whose
    file is not there is reported without its source line. `container` means that `location` is an
    archive or a git tree: the files inside it are not files on disk. `verdict` is what one client
    will do with the package, as it appears in JSON.
    """

    location: str
    name: str | None
    digest: str | None
    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)
    container: bool = False
    verdict: Mapping[str, object] | None = field(default=None, hash=False)

    def file_of(self, one: Diagnostic) -> str:
        """Give the file on disk that a finding is in; for the package as a whole, its location."""
        location = self.location.removeprefix("./") or "."
        if self.container or not one.path:
            return location
        return one.path if location == "." else f"{location.rstrip('/')}/{one.path}"

    def place_of(self, one: Diagnostic) -> str:
        """Give a finding's place as a person reads it: `skills/pdf/SKILL.md:2:7`."""
        if self.container and one.path:
            return f"{self.file_of(one)}: {inner_place(one)}"
        return f"{self.file_of(one)}{_position(one)}"


def inner_place(one: Diagnostic) -> str:
    """Give a finding's place inside its package: `SKILL.md:2:7`."""
    return f"{one.path}{_position(one)}"


def _position(one: Diagnostic) -> str:
    return f":{one.span.line}:{one.span.column}" if one.span else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """How many packages were looked at, and how many findings of each kind there are."""

    packages: int = 0
    errors: int = 0
    warnings: int = 0
    notes: int = 0
    fixable: int = 0

    @classmethod
    def of(cls, packages: Iterable[ReportedPackage]) -> Self:
        """Count `packages`."""
        totals = cls()
        for package in packages:
            totals = totals.including(package)
        return totals

    def including(self, package: ReportedPackage) -> Self:
        """Give these totals and one package more."""
        severities = Counter(one.severity for one in package.diagnostics)
        return type(self)(
            packages=self.packages + 1,
            errors=self.errors + severities[Severity.ERROR],
            warnings=self.warnings + severities[Severity.WARNING],
            notes=self.notes + severities[Severity.NOTE],
            fixable=self.fixable + sum(one.fixable for one in package.diagnostics),
        )
