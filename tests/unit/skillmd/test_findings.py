"""Findings have the severity of their profile and stand in one order."""

import pytest

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.skillmd import rules
from skillyard.skillmd.findings import Findings
from skillyard.skillmd.rules import RULES, Profile

pytestmark = pytest.mark.requirement("PKG-4")


@pytest.mark.requirement("PKG-3")
@pytest.mark.parametrize(
    ("profile", "severities"),
    [
        (Profile.STRICT, [Severity.ERROR, Severity.NOTE]),
        (Profile.STANDARD, [Severity.WARNING, Severity.NOTE]),
        (Profile.LENIENT, [Severity.NOTE, Severity.NOTE]),
    ],
)
def test_the_profile_decides_how_bad_a_finding_is(
    profile: Profile, severities: list[Severity]
) -> None:
    findings = Findings(profile)

    findings.add(rules.UNKNOWN_FIELD, "a field")
    findings.add(rules.CARRIAGE_RETURNS, "line ends")

    assert [one.severity for one in findings.items] == severities


def test_a_finding_carries_what_it_was_given() -> None:
    findings = Findings(Profile.STANDARD)

    findings.add(rules.NAME_MISSING, "m", path="a", span=Span(1, 2, 3, 4), hint="h", fixable=True)

    assert findings.items == [
        Diagnostic(
            code="SY201",
            severity=Severity.ERROR,
            message="m",
            path="a",
            span=Span(1, 2, 3, 4),
            hint="h",
            fixable=True,
        )
    ]


def test_once_the_file_cannot_be_changed_nothing_is_fixable() -> None:
    findings = Findings(Profile.STANDARD)

    findings.add(rules.BYTE_ORDER_MARK, "before", fixable=True)
    findings.can_fix = False
    findings.add(rules.NAME_MISSING, "after", fixable=True)

    assert [(one.message, one.fixable) for one in findings.items] == [
        ("before", True),
        ("after", False),
    ]


def test_findings_stand_by_file_and_place_and_then_by_severity() -> None:
    findings = Findings(Profile.STANDARD)
    findings.add(rules.FILE_LARGE, "7", path="z")
    findings.add(rules.MANIFEST_DRIFT, "6", path="manifest.json")
    findings.add(rules.NAME_INVALID, "5", span=Span(3, 1, 3, 2))
    findings.add(rules.NAME_MISSING, "3", span=Span(2, 1, 2, 2))
    findings.add(rules.VALUE_NOT_TEXT, "4", span=Span(2, 1, 2, 2))
    findings.add(rules.NOT_UTF8, "2")
    findings.extend((Diagnostic(code="SY307", severity=Severity.ERROR, message="1", path=""),))

    assert [one.message for one in findings.ordered()] == list("1234567")


@pytest.mark.parametrize("rule", RULES, ids=lambda one: one.code)
def test_a_rule_is_never_worse_for_others_skills_than_for_ones_own(rule: rules.Rule) -> None:
    ranks = {Severity.ERROR: 3, Severity.WARNING: 2, Severity.NOTE: 1, None: 0}
    strict, standard, lenient = (ranks[rule.severity(one)] for one in Profile)

    assert strict >= standard >= lenient or rule.code == "SY313"


def test_codes_and_names_are_unique() -> None:
    assert len({one.code for one in RULES}) == len({one.name for one in RULES}) == len(RULES)
