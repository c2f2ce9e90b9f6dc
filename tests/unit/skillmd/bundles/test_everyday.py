"""Archives that people and programs make every day are accepted."""

import pytest

from skillyard.domain.limits import STANDARD
from skillyard.skillmd import rules
from skillyard.skillmd.bundles import find_form, read_bundle
from tests.corpus.everyday_archives import EverydayArchive, list_everyday_archives

CASES = list_everyday_archives()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.form}-{case.name}")
def test_an_everyday_archive_is_accepted(case: EverydayArchive) -> None:
    taken = read_bundle(case.build(), case.form, limits=STANDARD)

    assert taken.require("bundle") == case.package
    assert taken.directory == case.directory
    assert {one.code for one in taken.diagnostics} <= {rules.LEFT_OUT.code}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.form}-{case.name}")
def test_the_form_of_an_everyday_archive_is_told_by_its_bytes(case: EverydayArchive) -> None:
    assert find_form("download", case.build()[:512]) is case.form
