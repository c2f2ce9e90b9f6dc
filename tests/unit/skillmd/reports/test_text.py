"""The report that people read, line by line."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from inline_snapshot import snapshot

from skillyard.domain.diagnostic import Span
from skillyard.skillmd.reports.reported import ReportedPackage, Totals
from skillyard.skillmd.reports.text import render_text, render_totals
from tests.unit.skillmd.reports.examples import (
    ARCHIVE,
    BAD_NAME,
    EMPTY,
    GOOD,
    PACKAGES,
    PDF,
    SKILL_MD,
    about,
)


def report(*packages: ReportedPackage, colour: bool = False, width: int = 100) -> str:
    return "\n".join(render_text(packages, colour=colour, width=width))


def is_hidden(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"} or (
        unicodedata.bidirectional(character) in {"LRE", "RLE", "LRO", "RLO", "PDF"}
        or unicodedata.bidirectional(character) in {"LRI", "RLI", "FSI", "PDI", "BN"}
    )


def test_a_finding_shows_its_place_its_line_and_what_to_do() -> None:
    assert report(PDF) == snapshot("""\
error[SY202]: `PDF-Tools` is not a skill name: only lower-case letters are allowed
  --> skills/PDF-Tools/SKILL.md:2:7
   |
 2 | name: PDF-Tools
   |       ^^^^^^^^^
   = hint: Use `pdf-tools`
   = fix: run again with `--fix`

warning[SY207]: `description` has 2,000 characters, at most 1,024 are allowed
  --> skills/PDF-Tools/SKILL.md:3:14
   |
 3 | description: >
   |              ^

note[SY313]: `notes/` is not one of the usual places
  --> skills/PDF-Tools/notes/
   = hint: Usual are assets/, references/, scripts/
""")


def test_a_finding_in_an_archive_names_the_archive_first() -> None:
    assert report(ARCHIVE) == snapshot("""\
error[SY202]: `PDF-Tools` is not a skill name: only lower-case letters are allowed
  --> pdf.zip: SKILL.md:2:7
   |
 2 | name: PDF-Tools
   |       ^^^^^^^^^
   = hint: Use `pdf-tools`
   = fix: run again with `--fix`
""")


def test_a_finding_about_the_whole_package_names_its_location() -> None:
    assert report(GOOD, EMPTY) == snapshot("""\
error[SY101]: there is no SKILL.md
  --> skills/empty
""")


def test_a_span_of_several_lines_is_marked_to_the_end_of_the_first() -> None:
    span = Span(2, 1, 5, 3)
    package = replace(PDF, diagnostics=(replace(BAD_NAME, span=span, hint="", fixable=False),))

    assert report(package) == snapshot("""\
error[SY202]: `PDF-Tools` is not a skill name: only lower-case letters are allowed
  --> skills/PDF-Tools/SKILL.md:2:1
   |
 2 | name: PDF-Tools
   | ^^^^^^^^^^^^^^^
""")


def test_the_gutter_is_as_wide_as_the_line_number() -> None:
    assert report(about("name: x", start=7, stop=8, number=1234)) == snapshot("""\
note[SY999]: here
     --> x/SKILL.md:1234:7
      |
 1234 | name: x
      |       ^
""")


def test_a_long_line_is_cut_to_the_width() -> None:
    package = about("x" * 200 + " here " + "y" * 200, start=202, stop=206)

    assert report(package, width=50) == snapshot("""\
note[SY999]: here
  --> x/SKILL.md:1:202
   |
 1 | …xxxxxxxxxxxxx here yyyyyyyyyyyyyyyyyyyyyyyy…
   |                ^^^^
""")


def test_carriage_returns_at_the_end_of_lines_are_not_shown() -> None:
    package = replace(PDF, texts={"SKILL.md": SKILL_MD.replace("\n", "\r\n")})

    assert report(package) == report(PDF)


@pytest.mark.parametrize("texts", [{}, {"SKILL.md": "---"}, {"README.md": SKILL_MD}])
def test_a_line_that_is_not_known_is_left_out(texts: dict[str, str]) -> None:
    assert report(replace(PDF, diagnostics=(BAD_NAME,), texts=texts)) == snapshot("""\
error[SY202]: `PDF-Tools` is not a skill name: only lower-case letters are allowed
  --> skills/PDF-Tools/SKILL.md:2:7
   = hint: Use `pdf-tools`
   = fix: run again with `--fix`
""")


def test_nothing_from_a_package_acts_on_the_terminal() -> None:
    hostile = replace(
        BAD_NAME,
        path="a\x1b[2J.md",
        message="\x1b]0;owned\x07\nerror: forged",
        hint="\u202etxt.exe\r##[add-mask]x",
    )
    package = replace(
        PDF,
        location="p\x1bc",
        diagnostics=(hostile,),
        texts={"a\x1b[2J.md": "---\nname: \x9b31m\u2066\n"},
    )

    assert report(package) == snapshot(r"""error[SY202]: \x1b]0;owned\x07\nerror: forged
  --> p\x1bc/a\x1b[2J.md:2:7
   |
 2 | name: \x9b31m\u2066
   |       ^^^^^^^^^^^^^
   = hint: \u202etxt.exe\r#\x23[add-mask]x
   = fix: run again with `--fix`
""")


@given(PACKAGES)
def test_no_package_gets_a_control_character_into_the_report(
    packages: list[ReportedPackage],
) -> None:
    lines = list(render_text(packages))

    assert not [one for line in lines for one in line if is_hidden(one)]
    assert not [line for line in lines if "##[" in line or line.lstrip().startswith("::")]


@given(PACKAGES)
def test_colours_are_added_to_the_same_text(packages: list[ReportedPackage]) -> None:
    coloured = report(*packages, colour=True)

    assert re.sub(r"\x1b\[(?:0|1|1;3[1346])m", "", coloured) == report(*packages)


def test_colours_tell_severities_apart() -> None:
    assert report(replace(PDF, diagnostics=(BAD_NAME,)), colour=True) == (
        "\x1b[1;31merror[SY202]\x1b[0m\x1b[1m: `PDF-Tools` is not a skill name:"
        " only lower-case letters are allowed\x1b[0m\n"
        "\x1b[1;34m  -->\x1b[0m skills/PDF-Tools/SKILL.md:2:7\n"
        "\x1b[1;34m   |\x1b[0m\n"
        "\x1b[1;34m 2 |\x1b[0m name: PDF-Tools\n"
        "\x1b[1;34m   |\x1b[0m       \x1b[1;31m^^^^^^^^^\x1b[0m\n"
        "\x1b[1;34m   =\x1b[0m \x1b[1mhint\x1b[0m: Use `pdf-tools`\n"
        "\x1b[1;34m   =\x1b[0m \x1b[1mfix\x1b[0m: run again with `--fix`\n"
    )


def test_a_report_is_written_before_the_last_package_is_known() -> None:
    def interrupted() -> Iterator[ReportedPackage]:
        yield PDF
        raise AssertionError

    assert next(render_text(interrupted())).startswith("error[SY202]")


@pytest.mark.parametrize(
    ("totals", "line"),
    [
        (
            Totals(packages=3, errors=2, warnings=1, fixable=1),
            "Checked 3 packages: 2 errors, 1 warning (1 can be fixed with --fix)",
        ),
        (Totals(packages=3), "Checked 3 packages: no problems found"),
        (Totals(packages=1, notes=1), "Checked 1 package: 1 note"),
        (
            Totals(packages=1, errors=1, warnings=2, notes=3),
            "Checked 1 package: 1 error, 2 warnings, 3 notes",
        ),
        (Totals(), "Checked 0 packages: no problems found"),
        (
            Totals(packages=12_000, errors=3_456, fixable=1_000),
            "Checked 12,000 packages: 3,456 errors (1,000 can be fixed with --fix)",
        ),
    ],
)
def test_totals_are_one_line(totals: Totals, line: str) -> None:
    assert render_totals(totals) == line
