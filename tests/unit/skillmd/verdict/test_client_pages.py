"""The pages about client findings show what the clients do."""

import re

import pytest

from skillyard.skillmd.rule_pages.catalogue import PAGES
from skillyard.skillmd.rule_pages.page import Example, RulePage
from tests.unit.skillmd.verdict.judging import codes, judge_front

pytestmark = pytest.mark.requirement("PKG-4")

CLIENT_PAGES = [page for code, page in PAGES.items() if code.startswith("SY6")]


def found(example: Example) -> list[str]:
    shown = re.search(
        r"\n---\n(?P<front>.*)\n---\n.*--profile client:(?P<client>\S+)", example.console, re.DOTALL
    )
    assert shown is not None
    return codes(judge_front(shown["client"], shown["front"], directory=example.directory))


@pytest.mark.parametrize("page", CLIENT_PAGES, ids=lambda one: one.code)
def test_the_bad_example_is_reported_and_the_good_one_is_not(page: RulePage) -> None:
    assert page.code in found(page.bad)
    assert page.code not in found(page.good)
