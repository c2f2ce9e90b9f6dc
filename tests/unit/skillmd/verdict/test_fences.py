"""Each client finds the front matter between its own fences."""

import pytest

from skillyard.domain.client import FenceStyle
from skillyard.skillmd.verdict.fences import Cut, cut_file

pytestmark = pytest.mark.requirement("PKG-3")

STYLES = list(FenceStyle)
FRONT = "a: b"


@pytest.mark.parametrize("style", STYLES)
def test_all_agree_on_plain_fences(style: FenceStyle) -> None:
    cut = cut_file(f"---\n{FRONT}\n---\nBody\n", style)

    assert cut is not None
    assert (cut.front.strip("\n"), cut.body.lstrip("\n")) == (FRONT, "Body\n")
    assert cut.lines + cut.front[: cut.front.index("a")].count("\n") == 1


@pytest.mark.parametrize(
    ("text", "seen_by"),
    [
        (" ---\na: b\n---\n", {FenceStyle.TRIMMED_LINES}),
        ("--- \na: b\n---\n", {*STYLES} - {FenceStyle.LINE_STARTS}),
        ("---\na: b\n----\n", {*STYLES} - {FenceStyle.TRIMMED_LINES, FenceStyle.FIRST_COLUMN}),
        ("---\na: b\n", {FenceStyle.LANGUAGES}),
        ("---yaml\na: b\n---\n", {FenceStyle.LANGUAGES}),
        ("----\na: b\n---\n", set()),
        ("\n---\na: b\n---\n", set()),
        ("\ufeff---\na: b\n---\n", set()),
        ("---\n---\n", {*STYLES} - {FenceStyle.TRIMMED_LINES, FenceStyle.LINE_STARTS}),
        ("", set()),
    ],
)
def test_they_differ_on_anything_else(text: str, seen_by: set[FenceStyle]) -> None:
    assert {style for style in STYLES if cut_file(text, style) is not None} == seen_by


def test_the_first_hyphens_anywhere_may_close() -> None:
    text = "---\n\na: b --- c\n---\nBody\n"

    assert cut_file(text, FenceStyle.ANYWHERE) == Cut(
        front="a: b ", body="c\n---\nBody\n", lines=2, inline=True
    )


def test_carriage_returns_are_taken_off_line_by_line() -> None:
    text = "---\r\na: b\r\n---\r\nBody\r\n"

    assert cut_file(text, FenceStyle.TRIMMED_LINES) == Cut(front="a: b", body="Body\r\n")
    assert cut_file(text, FenceStyle.LINE_STARTS) == Cut(front="a: b", body="Body\r\n")


def test_the_language_is_kept_as_it_was_written() -> None:
    cut = cut_file("--- JS \r\na: b\n---", FenceStyle.LANGUAGES)

    assert cut == Cut(front="\r\na: b", body="", lines=0, language=" JS ")
