"""Each client repairs front matter in its own way."""

import pytest

from skillyard.skillmd.verdict.clientyaml import compose
from skillyard.skillmd.verdict.refusal import RefusedError
from skillyard.skillmd.verdict.repairs import (
    FoundLines,
    block_top_level,
    parse_or_repair,
    quote_every_line,
    quote_top_level,
    read_lines,
)

pytestmark = pytest.mark.requirement("PKG-3")


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("a: b: c", "a: 'b: c'"),
        ("  a: b: c", "  a: 'b: c'"),
        ("- a: b: c", "- a: 'b: c'"),
        ("a: it's: c", "a: 'it''s: c'"),
        ("a: b: c # d", "a: 'b: c' # d"),
        ("a: [b] c", "a: '[b] c'"),
        ("a: @b", "a: '@b'"),
        ("a: [b]", "a: [b]"),
        ("a: 'b': c", "a: 'b': c"),
        ("a: b:", "a: b:"),
        ("a: *b", "a: *b"),
        ("a:b: c", "a:b: c"),
        ("a: |\n  b: c: d\ne: f: g", "a: |\n  b: c: d\ne: 'f: g'"),
    ],
)
def test_codex_quotes_in_every_line(line: str, repaired: str) -> None:
    assert quote_every_line(line) == repaired


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("a: b: c", 'a: "b: c"'),
        ('a: b "c": d', 'a: "b \\"c\\": d"'),
        ("a: b # c", 'a: "b # c"'),
        ("a: >-", 'a: ">-"'),
        ("a: [b] c", 'a: "[b] c"'),
        ("a: [b]", "a: [b]"),
        ('a: "b: c"', 'a: "b: c"'),
        ("  a: b: c", "  a: b: c"),
        ("a1: b: c", "a1: b: c"),
        ("a: b: c\r", "a: b: c\r"),
        ("\ta: b", "  a: b"),
    ],
)
def test_claude_code_quotes_what_is_not_indented(line: str, repaired: str) -> None:
    assert quote_top_level(line) == repaired


@pytest.mark.parametrize(
    ("line", "repaired"),
    [
        ("a: b: c", "a: |-\n  b: c"),
        ("a: b:c", "a: |-\n  b:c"),
        ('a: "b": c', 'a: "b": c'),
        ("a-b: c: d", "a-b: c: d"),
        ("  a: b: c", "  a: b: c"),
        ("a: b", "a: b"),
    ],
)
def test_opencode_makes_blocks(line: str, repaired: str) -> None:
    assert block_top_level(f"---\n{line}\n---\nx: y: z\n") == f"---\n{repaired}\n---\nx: y: z\n"


def test_opencode_leaves_a_file_alone_whose_fences_are_not_plain() -> None:
    assert block_top_level("--- \na: b: c\n---\n") == "--- \na: b: c\n---\n"


@pytest.mark.parametrize(
    ("front", "found"),
    [
        ("name: a\ndescription: b: c", FoundLines("a", "b: c")),
        ("name: 'a'\ndescription: >-\n  b\n  c\nd: e", FoundLines("'a'", ">- b c")),
        ("description: b\n  name: c", FoundLines(None, "b name: c")),
        ("name: a\nmetadata:\n  name: b", FoundLines("b", None)),
        ("name:\ndescription:", FoundLines("", "")),
    ],
)
def test_gemini_cli_reads_lines(front: str, found: FoundLines) -> None:
    assert read_lines(front) == found


def test_a_repair_is_tried_only_after_a_refusal() -> None:
    root, fault = parse_or_repair("a: b", parse=compose, repair=lambda _: "[")

    assert root is not None
    assert fault is None


def test_the_first_refusal_is_the_one_that_counts() -> None:
    with pytest.raises(RefusedError) as caught:
        parse_or_repair("a: b: c", parse=compose, repair=lambda _: "a: *x")
    assert caught.value.syntax

    with pytest.raises(RefusedError):
        parse_or_repair("a: b: c", parse=compose, repair=lambda front: front)

    _, fault = parse_or_repair("a: b: c", parse=compose, repair=quote_every_line)
    assert fault is not None
    assert fault.syntax
