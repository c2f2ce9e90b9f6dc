"""Front matter that a client would run is an error under every profile."""

import pytest

from skillyard.domain.diagnostic import Severity, Span
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import check, codes, find

pytestmark = pytest.mark.requirement("PKG-9")

CODE = '{name: "pdf", description: "Fills in forms"}'


@pytest.mark.parametrize("opening", ["---js", "---javascript", "---JS", "--- js", "---js \r"])
@pytest.mark.parametrize("profile", Profile)
def test_a_language_that_is_run_is_an_error(opening: str, profile: Profile) -> None:
    checked = check(f"{opening}\n{CODE}\n---\nBody\n", profile=profile)

    found = find(checked, "SY119")
    assert found.severity is Severity.ERROR
    assert found.span == Span(1, 1, 1, 1 + len(opening.rstrip()))
    assert "SY107" not in codes(checked)


@pytest.mark.parametrize("opening", ["---", "---json", "---jsx", "----js", "js"])
def test_other_first_lines_are_not(opening: str) -> None:
    assert "SY119" not in codes(check(f"{opening}\n{CODE}\n---\nBody\n"))
