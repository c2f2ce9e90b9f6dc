"""A finding knows its place, and only errors make a package unusable."""

import pytest

from skillyard.domain.diagnostic import Diagnostic, Severity, Span, has_errors

pytestmark = pytest.mark.requirement("PKG-4")


def finding(severity: Severity) -> Diagnostic:
    return Diagnostic(code="SY000", severity=severity, message="something")


def test_a_finding_is_about_skill_md_unless_it_says_otherwise() -> None:
    assert Diagnostic(code="SY000", severity=Severity.NOTE, message="m") == Diagnostic(
        code="SY000",
        severity=Severity.NOTE,
        message="m",
        path="SKILL.md",
        span=None,
        hint="",
        fixable=False,
    )


def test_a_finding_gives_the_line_and_column_that_it_starts_at() -> None:
    one = Diagnostic(
        code="SY000", severity=Severity.ERROR, message="m", span=Span(line=3, column=7, end_line=4,
                                                                     end_column=1),
    )  # fmt: skip

    assert (one.line, one.column) == (3, 7)


def test_a_finding_without_a_place_has_no_line() -> None:
    assert (finding(Severity.ERROR).line, finding(Severity.ERROR).column) == (None, None)


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ([], False),
        ([Severity.NOTE, Severity.WARNING], False),
        ([Severity.NOTE, Severity.ERROR], True),
    ],
)
def test_only_errors_count_as_errors(severities: list[Severity], *, expected: bool) -> None:
    found = [finding(one) for one in severities]

    assert has_errors(found) is expected
    assert has_errors(tuple(found)) is expected
