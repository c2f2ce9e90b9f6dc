"""The report for code scanners, valid against the public schema."""

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from skillyard.skillmd import rules
from skillyard.skillmd.reports.reported import ReportedPackage
from skillyard.skillmd.reports.sarif import FINGERPRINT, render_sarif
from tests.interface.sarif_schema import sarif_schema
from tests.unit.skillmd.reports.examples import (
    ARCHIVE,
    BAD_NAME,
    DIGEST,
    EMPTY,
    GOOD,
    LONG_DESCRIPTION,
    NO_SKILL_MD,
    PACKAGES,
    PDF,
)

URI = re.compile(r"(?:file:///)?(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})*")


def log(packages: Iterable[ReportedPackage]) -> dict[str, Any]:
    text = "\n".join(render_sarif(packages, version="1.2.3"))
    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    value: dict[str, Any] = json.loads(text)
    sarif_schema().validate(value)
    return value


def results(*packages: ReportedPackage) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log(packages)["runs"][0]["results"]
    return found


def locations(package: ReportedPackage) -> list[Any]:
    return [one["locations"][0] for one in results(package)]


def test_a_log_has_one_run_of_skillyard() -> None:
    whole = log([GOOD])
    (run,) = whole.pop("runs")
    driver = run.pop("tool")["driver"]

    assert whole == {
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json",
        "version": "2.1.0",
    }
    assert run == {"columnKind": "unicodeCodePoints", "results": []}
    assert (driver["name"], driver["semanticVersion"]) == ("Skillyard", "1.2.3")


def test_every_rule_is_described() -> None:
    described = log([])["runs"][0]["tool"]["driver"]["rules"]

    assert [one["id"] for one in described] == [rule.code for rule in rules.RULES]
    assert described[0] == {
        "id": "SY101",
        "name": "SkillMdMissing",
        "shortDescription": {"text": "There is no SKILL.md"},
        "defaultConfiguration": {"level": "error"},
    }


def test_a_result_says_what_is_wrong_and_where() -> None:
    (result,) = results(replace(PDF, diagnostics=(BAD_NAME,)))

    assert rules.RULES[result.pop("ruleIndex")] is rules.NAME_INVALID
    assert result == {
        "ruleId": "SY202",
        "level": "error",
        "message": {
            "text": "`PDF-Tools` is not a skill name: only lower-case letters are allowed."
            " Use `pdf-tools`"
        },
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "skills/PDF-Tools/SKILL.md"},
                    "region": {"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 16},
                }
            }
        ],
        "partialFingerprints": {
            "skillyard/v1": "853f23f9161032951aca63317c2ac2d2439e181ebb4e8e7eb1631385aeb8703a"
        },
        "properties": {"package": "PDF-Tools", "digest": DIGEST, "fixable": True},
    }


def test_levels_are_those_of_the_findings() -> None:
    assert [one["level"] for one in results(PDF, EMPTY)] == ["error", "warning", "note", "error"]


def test_a_finding_about_the_whole_package_has_no_region() -> None:
    (result,) = results(EMPTY)

    assert result["message"] == {"text": "there is no SKILL.md"}
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "skills/empty"}}}
    ]
    assert result["properties"] == {"fixable": False}


def test_a_file_in_an_archive_is_a_logical_location() -> None:
    assert locations(replace(ARCHIVE, diagnostics=(BAD_NAME, NO_SKILL_MD))) == [
        {
            "physicalLocation": {"artifactLocation": {"uri": "pdf.zip"}},
            "logicalLocations": [{"fullyQualifiedName": "SKILL.md", "kind": "resource"}],
            "message": {"text": "SKILL.md:2:7"},
        },
        {"physicalLocation": {"artifactLocation": {"uri": "pdf.zip"}}},
    ]


@pytest.mark.parametrize(
    ("location", "uri"),
    [
        ("my skills/ü", "my%20skills/%C3%BC/SKILL.md"),
        ("a:b/100%", "a%3Ab/100%25/SKILL.md"),
        ("a\\b?#", "a%5Cb%3F%23/SKILL.md"),
        ("/srv/pdf", "file:///srv/pdf/SKILL.md"),
        ("../pdf", "../pdf/SKILL.md"),
        ("caf\udce9", "caf%E9/SKILL.md"),
        ("\ud800", "%ED%A0%80/SKILL.md"),
    ],
)
def test_paths_become_uris(location: str, uri: str) -> None:
    package = replace(PDF, location=location, diagnostics=(BAD_NAME,))

    assert locations(package)[0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_a_message_holds_no_links_and_no_placeholders() -> None:
    finding = replace(BAD_NAME, message="[click](https://example.org) {0} \x1b", hint="")

    assert results(replace(PDF, diagnostics=(finding,)))[0]["message"] == {
        "text": r"[click] (https://example.org) {{0}} \x1b"
    }


def test_a_code_without_a_rule_has_no_index() -> None:
    (result,) = results(replace(PDF, diagnostics=(replace(BAD_NAME, code="SY999"),)))

    assert result["ruleId"] == "SY999"
    assert "ruleIndex" not in result


def test_a_fingerprint_outlives_a_move_inside_the_file() -> None:
    moved = replace(BAD_NAME, span=LONG_DESCRIPTION.span, hint="Another hint", fixable=False)
    prints = [
        one["partialFingerprints"][FINGERPRINT]
        for one in results(
            replace(PDF, diagnostics=(BAD_NAME, moved, replace(BAD_NAME, message="other"))),
            replace(PDF, diagnostics=(BAD_NAME,), location="./skills/PDF-Tools/"),
            replace(PDF, diagnostics=(BAD_NAME,), location="elsewhere"),
        )
    ]

    assert prints[0] == prints[1] == prints[3]
    assert len(set(prints)) == 3


@given(PACKAGES)
def test_any_log_is_valid(packages: list[ReportedPackage]) -> None:
    found = results(*packages)

    assert len(found) == sum(len(one.diagnostics) for one in packages)
    for one in found:
        physical = one["locations"][0]["physicalLocation"]
        assert URI.fullmatch(physical["artifactLocation"]["uri"])
