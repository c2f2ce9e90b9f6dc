"""One workflow command for each finding."""

import re
from dataclasses import replace

from hypothesis import given

from skillyard.skillmd.reports.github import render_github
from skillyard.skillmd.reports.reported import ReportedPackage
from tests.unit.skillmd.reports.examples import ARCHIVE, BAD_NAME, EMPTY, GOOD, PACKAGES, PDF

COMMAND = re.compile(
    r"::(?:error|warning|notice) file=[^,:]*"
    r"(?:,(?:line|col|endLine|endColumn)=[0-9]+)*,title=SY[0-9]{3}::.*"
)


def test_each_finding_is_one_command() -> None:
    name, description, place, missing = render_github([PDF, GOOD, EMPTY])

    assert name == (
        "::error file=skills/PDF-Tools/SKILL.md,line=2,col=7,endColumn=16,title=SY202"
        "::`PDF-Tools` is not a skill name: only lower-case letters are allowed"
        "%0AUse `pdf-tools`"
    )
    assert description == (
        "::warning file=skills/PDF-Tools/SKILL.md,line=3,endLine=6,title=SY207"
        "::`description` has 2,000 characters, at most 1,024 are allowed"
    )
    assert place == (
        "::notice file=skills/PDF-Tools/notes/,title=SY313"
        "::`notes/` is not one of the usual places"
        "%0AUsual are assets/, references/, scripts/"
    )
    assert missing == "::error file=skills/empty,title=SY101::there is no SKILL.md"


def test_a_finding_in_an_archive_says_where_in_its_message() -> None:
    (command,) = render_github([ARCHIVE])

    assert command == (
        "::error file=pdf.zip,title=SY202"
        "::SKILL.md:2:7: `PDF-Tools` is not a skill name: only lower-case letters are allowed"
        "%0AUse `pdf-tools`"
    )


def test_no_value_ends_its_property_or_command() -> None:
    finding = replace(BAD_NAME, path="a,line=9::b%.md", message="5% \n::error::x\x1b", hint="")
    (command,) = render_github([replace(PDF, location="p", diagnostics=(finding,))])

    assert command == (
        "::error file=p/a%2Cline=9%3A%3Ab%25.md,line=2,col=7,endColumn=16,title=SY202"
        r"::5%25 \n::error::x\x1b"
    )


@given(PACKAGES)
def test_every_command_is_exactly_one_line(packages: list[ReportedPackage]) -> None:
    commands = list(render_github(packages))

    assert len(commands) == sum(len(one.diagnostics) for one in packages)
    assert all(COMMAND.fullmatch(one) for one in commands)
    assert all(len(one.splitlines()) == 1 for one in commands)
    assert not any("##[" in one for one in commands)
