"""The report for programs, in its fixed shape."""

import json
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from inline_snapshot import snapshot

from skillyard.skillmd.reports.jsonreport import render_json
from skillyard.skillmd.reports.reported import ReportedPackage, Totals
from tests.unit.skillmd.reports.examples import BAD_NAME, EMPTY, GOOD, PACKAGES, PDF


def test_a_report_has_every_package_with_its_findings() -> None:
    packages = [replace(PDF, diagnostics=(BAD_NAME,)), EMPTY]

    assert "\n".join(render_json(packages, profile="standard")) == snapshot("""\
{
  "profile": "standard",
  "packages": [
    {
      "path": "skills/PDF-Tools",
      "name": "PDF-Tools",
      "digest": "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "diagnostics": [
        {
          "code": "SY202",
          "severity": "error",
          "path": "SKILL.md",
          "line": 2,
          "column": 7,
          "end_line": 2,
          "end_column": 16,
          "message": "`PDF-Tools` is not a skill name: only lower-case letters are allowed",
          "hint": "Use `pdf-tools`",
          "fixable": true
        }
      ]
    },
    {
      "path": "skills/empty",
      "name": null,
      "digest": null,
      "diagnostics": [
        {
          "code": "SY101",
          "severity": "error",
          "path": "",
          "line": null,
          "column": null,
          "end_line": null,
          "end_column": null,
          "message": "there is no SKILL.md",
          "hint": "",
          "fixable": false
        }
      ]
    }
  ],
  "summary": {
    "packages": 2,
    "errors": 2,
    "warnings": 0,
    "notes": 0,
    "fixable": 1
  }
}""")


def test_a_verdict_is_given_word_for_word() -> None:
    verdict = {"name": "claude-code", "loads": False, "reasons": ["\u202ename", {"limit": 64}]}
    (package,) = json.loads(
        "\n".join(render_json([replace(GOOD, verdict=verdict)], profile="strict"))
    )["packages"]

    assert package == {
        "path": "skills/good",
        "name": "good",
        "digest": GOOD.digest,
        "diagnostics": [],
        "client": verdict,
    }


def test_a_report_about_nothing_is_a_document_too() -> None:
    assert json.loads("\n".join(render_json([], profile="lenient"))) == {
        "profile": "lenient",
        "packages": [],
        "summary": {"packages": 0, "errors": 0, "warnings": 0, "notes": 0, "fixable": 0},
    }


@given(PACKAGES)
def test_any_report_is_ascii_and_says_what_was_found(packages: list[ReportedPackage]) -> None:
    text = "\n".join(render_json(packages, profile="standard"))
    report = json.loads(text)
    totals = Totals.of(packages)

    assert text.isascii()
    assert text.replace("\n", "").isprintable()
    assert [one["path"] for one in report["packages"]] == [one.location for one in packages]
    assert [
        [finding["message"] for finding in one["diagnostics"]] for one in report["packages"]
    ] == [[finding.message for finding in one.diagnostics] for one in packages]
    assert report["summary"]["errors"] == totals.errors
    assert report["summary"]["fixable"] == totals.fixable


def test_a_package_is_written_as_soon_as_the_next_one_is_known() -> None:
    taken = []

    def watched() -> Iterator[ReportedPackage]:
        for package in (PDF, EMPTY, GOOD):
            taken.append(package)
            yield package

    lines = render_json(watched(), profile="standard")
    first = next(line for line in lines if "PDF-Tools" in line)

    assert first.endswith("    },")
    assert taken == [PDF, EMPTY]
