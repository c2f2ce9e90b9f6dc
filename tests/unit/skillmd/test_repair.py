"""Values that need quotes get them, and nothing else is touched."""

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import Fields, to_plain
from skillyard.domain.limits import STANDARD
from skillyard.skillmd.repair import quote, quote_always, read_repaired, repair_yaml
from skillyard.skillmd.yamltree import parse_yaml

pytestmark = pytest.mark.requirement("PKG-4")


def repair(text: str) -> str | None:
    return repair_yaml(text, limits=STANDARD)


def read(text: str) -> object:
    root = parse_yaml(text, limits=STANDARD).root
    return None if root is None else to_plain(root)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("pdf", "pdf"),
        ("Fills in forms.", "Fills in forms."),
        ("Bash(git add:*) Read", "Bash(git add:*) Read"),
        ("a: b", '"a: b"'),
        ("", '""'),
        ("null", '"null"'),
        ("yes", '"yes"'),
        ("1.0", '"1.0"'),
        ("2026-11-15", '"2026-11-15"'),
        ("=", '"="'),
        ("<<", '"<<"'),
        ("*", '"*"'),
        ("'a'", "\"'a'\""),
        ("a #b", '"a #b"'),
        ("#a", '"#a"'),
        (" a", '" a"'),
        ("a\nb", '"a\\nb"'),
        ("a\x7f\x85\u2028\ufeff", '"a\\u007f\\u0085\\u2028\\ufeff"'),
        ("\\", "\\"),
        ('say "hi"', 'say "hi"'),
        ("[a]", '"[a]"'),
        ("a\ud800", '"a\\ud800"'),
    ],
)
def test_a_text_is_plain_where_that_means_the_same(text: str, written: str) -> None:
    assert quote(text) == written


@given(st.text(st.characters(codec="utf-8")) | st.text(alphabet="ab: #'\"\\\n&*!|>%@`-?[]{},~=<0."))
def test_what_is_written_is_read_back_by_us_and_by_pyyaml(text: str) -> None:
    for written in (quote(text), quote_always(text)):
        assert "\n" not in written
        assert read(f"key: {written}\n") == {"key": text}
        assert yaml.load(f"key: {written}\n", Loader=yaml.CSafeLoader) == {"key": text}


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("a: b: c\n", 'a: "b: c"\n'),
        ("a: b\nc: d: e\nf: g\n", 'a: b\nc: "d: e"\nf: g\n'),
        ("a: *b* c\n", 'a: "*b* c"\n'),
        ("a: @b\n", 'a: "@b"\n'),
        ("a: `b`\n", 'a: "`b`"\n'),
        ("description: [b] c\n", 'description: "[b] c"\n'),
        ("name: {b} c\n", 'name: "{b} c"\n'),
        ("a: %b\n", 'a: "%b"\n'),
        ("a: b: c # a remark\n", 'a: "b: c" # a remark\n'),
        ("a: b: see #7\n", 'a: "b: see #7"\n'),
        ("a:  b: c  \n", 'a:  "b: c"  \n'),
        ("a: b: c\r\nd: e\r\n", 'a: "b: c"\r\nd: e\r\n'),
        ("a: b: c\r\n  d\r\ne: f\n", 'a: "b: c\r\n  d"\r\ne: f\n'),
        ("a: C:\\new: b\n", 'a: "C:\\\\new: b"\n'),
        ("m:\n  a: b: c\n  d: e\n", 'm:\n  a: "b: c"\n  d: e\n'),
        ("m:\n  - a: b: c\n", 'm:\n  - a: "b: c"\n'),
        ("a: b: c\n  d\n", 'a: "b: c\n  d"\n'),
        ("a: b\n  c d: e\n  \\new\n", 'a: "b\n  c d: e\n  \\\\new"\n'),
        ("a: b: c\n# comment\nd: e\n", 'a: "b: c"\n# comment\nd: e\n'),
        ("a: b: c\n  d\n# comment\n\ne: f\n", 'a: "b: c\n  d"\n# comment\n\ne: f\n'),
        ('a: "b\\d"\n', 'a: "b\\\\d"\n'),
        ('a: "\\ud83d\\ude00 \\u00e9"\n', 'a: "\U0001f600 \\u00e9"\n'),
        ('a: "C:\\Users"\n', 'a: "C:\\\\Users"\n'),
    ],
)
def test_a_value_that_needs_quotes_gets_them(text: str, repaired: str) -> None:
    assert repair(text) == repaired
    assert repair(repaired) is None


def test_the_lines_of_a_block_are_not_touched() -> None:
    text = (
        "a: |\n  b: c: d\n  e\nf: g: h\nm:\n  - |\n    i: j: k\n  - l: >-\n      n: o: p\nq: r: s\n"
    )

    assert repair(text) == text.replace("g: h", '"g: h"').replace("r: s", '"r: s"')


def test_what_can_be_read_as_it_is_is_not_touched() -> None:
    text = 'a: "b\n  c: d: e"\nf: g: h\nk: [l,\n  m]\n'

    assert repair(text) == text.replace("g: h", '"g: h"')


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n",
        "a: 'b\n",
        'a: "b\n',
        "text\nmore\n",
        "a:\n\tb: c\n",
        "a: b\n--- c\n",
        "a: |\n\n    \n   b\n",
        "a: |\r\n\r\n    \r\n   b\r\n",
        "a: \x07\n",
        "",
        "a: b: c\n" * 2001,
    ],
)
def test_where_quotes_do_not_help_nothing_is_repaired(text: str) -> None:
    assert repair(text) is None


def test_what_is_read_after_a_repair_has_the_places_of_the_file_as_it_is() -> None:
    text = '---\na: b: "c"\nm:\n  - d: e: f # g\n  - h\n---\n'

    fields = read_repaired(text, limits=STANDARD, part=(4, text.index("---\n", 4)))

    assert fields is not None
    assert to_plain(fields) == {"a": 'b: "c"', "m": [{"d": "e: f"}, "h"]}
    assert [(key.text, key.place.span, value.place.span) for key, value in fields.entries] == [
        ("a", Span(2, 1, 2, 2), Span(2, 4, 2, 10)),
        ("m", Span(3, 1, 3, 2), Span(4, 3, 6, 1)),
    ]
    assert {node.place.text for entry in fields.entries for node in entry} == {text}


def test_what_cannot_be_repaired_cannot_be_read() -> None:
    assert read_repaired("a: 'b\n", limits=STANDARD, part=(0, 6)) is None


KEYS = st.sampled_from(["name", "description", "license", "metadata", "tags"])
VALUES = st.sampled_from(
    ["a", "a: b", "*a*", "'a' b", "[a] b", "@a", "a #1", "a: b # c", '"\\d"', "|", ">-", "",
     "a: b:", "{a", "&a", "a\\nb: c", "- a", "? a: b", "%a: b", "`a`"]
)  # fmt: skip
BELOW = st.lists(
    st.sampled_from(["  a: b", "  c: d: e", "  text", "", "# x", "  # y", "  - f: g: h", "- i"]),
    max_size=3,
)
ENTRIES = st.tuples(KEYS, VALUES, BELOW).map(
    lambda entry: "\n".join([f"{entry[0]}: {entry[1]}".rstrip(), *entry[2], ""])
)


@given(st.lists(ENTRIES, max_size=4, unique_by=lambda one: one.split(":")[0]).map("".join))
def test_a_repair_can_be_read_and_keeps_every_field_and_every_word(text: str) -> None:
    repaired = repair(text)

    assume(repaired is not None)
    root = parse_yaml(repaired or "", limits=STANDARD).root
    assert isinstance(root, Fields)
    assert [key.text for key, _ in root.entries] == [
        line.split(":")[0] for line in text.split("\n") if line[:1].isalpha()
    ]
    assert (repaired or "").count("\n") == text.count("\n")
    assert bare(repaired or "") == bare(text)
    assert repair(repaired or "") is None


def bare(text: str) -> str:
    return text.replace('"', "").replace("\\", "")


@given(st.lists(ENTRIES, max_size=4, unique_by=lambda one: one.split(":")[0]))
def test_an_entry_that_can_be_read_alone_says_the_same_after_the_repair(
    entries: list[str],
) -> None:
    repaired = repair("".join(entries))

    assume(repaired is not None)
    after = read(repaired or "")
    assert isinstance(after, dict)
    for entry in entries:
        alone = read(entry)
        if isinstance(alone, dict) and len(alone) == 1:
            assert alone.items() <= after.items()


@given(st.text(alphabet="ab: \n-'\"[]{}#&*!|>?%@`,\t\\"))
def test_any_text_is_repaired_or_left(text: str) -> None:
    repaired = repair(text)

    assert repaired is None or isinstance(read(repaired), dict)


@pytest.mark.parametrize(
    "text",
    [
        # What would be swallowed is worth more than what would be mended.
        "name: a\n description: Sorts: things\n",
        "description: Sorts.\n\tlicense: MIT\n",
        "a: [b, c]\n---# Title\nRun it.\n",
        "a: b: c\n\n  d\n",
        "a: b: c\n  # d\n  e\n",
        "a: b: c\n  - d\n",
        "a: b: c\nd\n",
        # A list or mapping was meant.
        'metadata: {"a": "b\n',
        "tags: [a, b\n",
        # Whether the quotes belong to the text is anyone's guess.
        'a: "b" c\n',
        "a: 'b' c\n",
        'a: "b" and "c"\n',
        "a: 'don't'\n",
    ],
)
def test_what_could_mean_several_things_is_left_to_a_person(text: str) -> None:
    assert repair(text) is None
