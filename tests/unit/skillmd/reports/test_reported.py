"""Where a finding is, and how many there are."""

from dataclasses import replace

import pytest

from skillyard.skillmd.reports.reported import ReportedPackage, Totals
from tests.unit.skillmd.reports.examples import (
    ARCHIVE,
    BAD_NAME,
    EMPTY,
    GOOD,
    NO_SKILL_MD,
    PDF,
    UNUSUAL_PLACE,
)


@pytest.mark.parametrize(
    ("location", "place"),
    [
        ("skills/pdf", "skills/pdf/SKILL.md:2:7"),
        ("skills/pdf/", "skills/pdf/SKILL.md:2:7"),
        ("./skills/pdf", "skills/pdf/SKILL.md:2:7"),
        ("../pdf", "../pdf/SKILL.md:2:7"),
        ("/srv/pdf", "/srv/pdf/SKILL.md:2:7"),
        ("/", "/SKILL.md:2:7"),
        (".", "SKILL.md:2:7"),
        ("./", "SKILL.md:2:7"),
        ("", "SKILL.md:2:7"),
    ],
)
def test_a_place_starts_with_the_file_on_disk(location: str, place: str) -> None:
    assert replace(PDF, location=location).place_of(BAD_NAME) == place


def test_a_place_has_no_line_where_the_finding_has_none() -> None:
    assert PDF.place_of(UNUSUAL_PLACE) == "skills/PDF-Tools/notes/"


@pytest.mark.parametrize("package", [PDF, ARCHIVE])
def test_the_place_of_a_whole_package_is_its_location(package: ReportedPackage) -> None:
    assert package.place_of(NO_SKILL_MD) == package.location


def test_a_place_in_an_archive_names_the_archive_first() -> None:
    assert ARCHIVE.place_of(BAD_NAME) == "pdf.zip: SKILL.md:2:7"


def test_totals_count_packages_and_findings() -> None:
    assert Totals.of([PDF, EMPTY, GOOD]) == Totals(
        packages=3, errors=2, warnings=1, notes=1, fixable=1
    )
    assert Totals.of([]) == Totals()


def test_totals_grow_one_package_at_a_time() -> None:
    assert Totals.of([PDF]).including(EMPTY) == Totals.of([PDF, EMPTY])


def test_a_package_can_be_a_member_of_a_set() -> None:
    assert {PDF, PDF, GOOD} == {GOOD, PDF}
