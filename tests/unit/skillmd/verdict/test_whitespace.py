"""White space is what the clients take for it."""

import pytest

from skillyard.skillmd.verdict.whitespace import BLANKS, JS_BLANKS, collapse

pytestmark = pytest.mark.requirement("PKG-3")


def test_runs_of_white_space_become_one_blank() -> None:
    assert collapse(" \ta\n\n b\xa0\u3000c\x85") == "a b c"
    assert collapse(BLANKS) == ""


def test_a_separator_of_old_files_is_no_white_space_but_python_takes_it_for_it() -> None:
    assert "\x1c".isspace()
    assert collapse("a\x1c b") == "a\x1c b"


def test_javascript_takes_the_byte_order_mark_and_not_the_next_line_character() -> None:
    assert set(JS_BLANKS) ^ set(BLANKS) == {"\ufeff", "\x85"}
