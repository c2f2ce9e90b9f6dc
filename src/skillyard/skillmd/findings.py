"""Collects the findings about one package under one profile."""

from collections.abc import Iterable

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.skillmd.rules import Profile, Rule


class Findings:
    """A list of diagnostics that asks each rule how bad it is under the profile.

    Once `can_fix` is off, what is reported from then on is not fixable: the file cannot be changed
    without a guess at what it means.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self.can_fix = True
        self.items: list[Diagnostic] = []

    def add(
        self,
        rule: Rule,
        message: str,
        *,
        path: str = "SKILL.md",
        span: Span | None = None,
        hint: str = "",
        fixable: bool = False,
    ) -> None:
        """Report a finding, unless the profile does not look."""
        severity = rule.severity(self.profile)
        if severity is not None:
            self.items.append(
                Diagnostic(
                    code=rule.code,
                    severity=severity,
                    message=message,
                    path=path,
                    span=span,
                    hint=hint,
                    fixable=fixable and self.can_fix,
                )
            )

    def extend(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        """Take over findings that have their severity already."""
        self.items.extend(diagnostics)

    def ordered(self) -> tuple[Diagnostic, ...]:
        """Give all findings in the order in which they are shown."""
        return order_findings(self.items)


def order_findings(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Order findings by file and place; those about the whole package come first."""
    return tuple(sorted(findings, key=_order))


_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def _order(one: Diagnostic) -> tuple[object, ...]:
    # SKILL.md is what people look at first.
    file_rank = 0 if not one.path else 1 if one.path == "SKILL.md" else 2
    place = (one.span.line, one.span.column) if one.span else (0, 0)
    return (file_rank, one.path, place, _RANK[one.severity], one.code, one.message)
