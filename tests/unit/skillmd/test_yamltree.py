"""YAML becomes texts with places; what is not accepted becomes a finding."""

from dataclasses import replace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import Fields, Listing, Node, Place, Scalar, to_plain
from skillyard.domain.limits import STANDARD
from skillyard.skillmd.yamltree import YamlTree, parse_yaml

pytestmark = pytest.mark.requirement("PKG-2")


def parse(text: str) -> YamlTree:
    return parse_yaml(text, limits=STANDARD)


def problems(text: str) -> list[tuple[str, str, Span]]:
    return [(one.rule.code, one.message, one.place.span) for one in parse(text).problems]


def test_every_node_knows_its_place() -> None:
    text = "name: pdf\nmetadata:\n  tags: [a, 'b']\n"

    assert parse(text) == YamlTree(
        Fields(
            (
                (Scalar("name", "", Place(0, 4, text)), Scalar("pdf", "", Place(6, 9, text))),
                (
                    Scalar("metadata", "", Place(10, 18, text)),
                    Fields(
                        (
                            (
                                Scalar("tags", "", Place(22, 26, text)),
                                Listing(
                                    (
                                        Scalar("a", "", Place(29, 30, text)),
                                        Scalar("b", "'", Place(32, 35, text)),
                                    ),
                                    flow=True,
                                    place=Place(28, 36, text),
                                ),
                            ),
                        ),
                        flow=False,
                        place=Place(22, 37, text),
                    ),
                ),
            ),
            flow=False,
            place=Place(0, 37, text),
        ),
        (),
    )


def test_places_count_from_the_start_of_the_file() -> None:
    text = "---\nname: pdf\n---\n"

    tree = parse_yaml(text, limits=STANDARD, part=(4, 14))

    assert isinstance(tree.root, Fields)
    value = tree.root.find("name")
    assert value == Scalar("pdf", "", Place(10, 13, text))
    assert value.place.span == Span(2, 7, 2, 10)


def test_a_byte_order_mark_at_the_start_does_not_shift_places() -> None:
    root = parse("\ufeffname: pdf\n").root

    assert isinstance(root, Fields)
    value = root.find("name")
    assert value is not None
    assert value.place.span == Span(1, 8, 1, 11)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("1.0", "1.0"),
        ("yes", "yes"),
        ("2024-01-01", "2024-01-01"),
        ("~", "~"),
        ("", ""),
        ("0x1F", "0x1F"),
        ('"a\\tb"', "a\tb"),
        ("'it''s'", "it's"),
        ("|\n  a\n  b", "a\nb\n"),
        (">-\n  a\n  b", "a b"),
        ("a\n  b", "a b"),
    ],
)
def test_every_scalar_stays_text(value: str, text: str) -> None:
    tree = parse(f"key: {value}\n")

    assert tree.root is not None
    assert to_plain(tree.root) == {"key": text}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a: b: c\n", ("SY110", "a value that holds `: ` must stand in quotes", Span(1, 5, 1, 6))),
        ("a: *\n", ("SY110", "`*` and `&` cannot start a plain value", Span(1, 4, 1, 5))),
        ("a: @b\n", ("SY110", "this character cannot start a value", Span(1, 4, 1, 5))),
        ("a: [b\n", ("SY110", "a bracket is not closed, or something follows in it",
                     Span(2, 1, 2, 1))),
        ('a: "b\n', ("SY110", "a quote or bracket is not closed", Span(1, 4, 1, 5))),
        ("a:\n\tb: c\n", ("SY110", "a tab cannot indent YAML", Span(2, 1, 2, 2))),
        ("a: b\n  c\nd\n", ("SY110", "this line is neither `key: value` nor part of a value",
                            Span(4, 1, 4, 1))),
        ('a: "\\d"\n', ("SY110", "the backslash does not go with this character",
                        Span(1, 5, 1, 6))),
        ('a: "\\ud800"\n', ("SY110", "the escape stands for no character", Span(1, 7, 1, 8))),
        ("é: \x07\n", ("SY110", "a control character is not accepted", Span(1, 4, 1, 5))),
        ("a: \ud800\n", ("SY110", "a control character is not accepted", Span(1, 4, 1, 5))),
        ('a: "\\x1"\n', ("SY110", "the escape has too few digits", Span(1, 7, 1, 8))),
        ("a: | b\n", ("SY110", "only a comment can follow `|` or `>`", Span(1, 6, 1, 7))),
        ("a: - b\n", ("SY110", "a list cannot start here", Span(1, 4, 1, 5))),
        ("a: !<%ed%a0%80> b\n", ("SY114", "a tag is not accepted", Span(1, 1, 1, 2))),
        ("a: b\n--- c\n", ("SY110", "the front matter holds a second YAML document",
                            Span(2, 1, 2, 4))),
        ("a: b\na: c\n", ("SY112", "`a` stands twice", Span(2, 1, 2, 2))),
        ("a: &b c\n", ("SY113", "the anchor `&b` is not accepted", Span(1, 4, 1, 8))),
        ("a: *b\n", ("SY113", "the alias `*b` is not accepted", Span(1, 4, 1, 6))),
        ("a: !!str b\n", ("SY114", "the tag `!!str` is not accepted",
                          Span(1, 4, 1, 11))),
        ("? [a]\n: b\n", ("SY116", "a key is a list or mapping", Span(1, 3, 1, 4))),
    ],
)  # fmt: skip
def test_what_is_not_accepted_is_explained_where_it_stands(
    text: str, found: tuple[str, str, Span]
) -> None:
    assert problems(text) == [found]


def test_every_problem_is_reported_not_the_first_only() -> None:
    text = "a: &x b\na: *x\nc: !t d\n? {e: f}\n: g\n"

    assert [code for code, _, _ in problems(text)] == ["SY113", "SY113", "SY112", "SY114", "SY116"]


@pytest.mark.parametrize(
    ("value", "style"),
    [("a", ""), ("'a'", "'"), ('"a"', '"'), ("|\n  a", "|"), (">\n  a", ">"), ("!t a", "!"),
     ("&x a", "&"), ("*x", "*"), ("&x !t 'a'", "&")],
)  # fmt: skip
def test_the_style_is_the_character_that_a_value_starts_with(value: str, style: str) -> None:
    root = parse(f"key: {value}\n").root

    assert isinstance(root, Fields)
    node = root.find("key")
    assert isinstance(node, Scalar)
    assert node.style == style


@pytest.mark.parametrize("text", ["", "\n", "# a comment\n", "   "])
def test_nothing_is_no_tree_and_no_problem(text: str) -> None:
    assert parse(text) == YamlTree(None, ())


@pytest.mark.requirement("PKG-5", "TRU-2")
@pytest.mark.parametrize(("depth", "found"), [(14, []), (15, []), (16, ["SY115"])])
def test_depth_is_bounded(depth: int, found: list[str]) -> None:
    # The mapping itself is the first level, and what is in the brackets the last.
    text = f"a: {'[' * (depth - 1)}x{']' * (depth - 1)}\n"

    assert [code for code, _, _ in problems(text)] == found


@pytest.mark.requirement("PKG-5", "TRU-2")
@pytest.mark.parametrize(("nodes", "found"), [(99, []), (100, []), (101, ["SY115"])])
def test_the_number_of_nodes_is_bounded(nodes: int, found: list[str]) -> None:
    # The mapping, the key and the list are three.
    text = f"a: [{', '.join('x' * (nodes - 3))}]\n"

    tree = parse_yaml(text, limits=replace(STANDARD, front_matter_nodes=100))

    assert [one.rule.code for one in tree.problems] == found


# Letters that YAML knows, in a proportion in which much of it can be read.
SOUP = st.text(alphabet="ab: \n-'\"[]{}#&*!|>?%@`,\t\r\\~é\u2028\x85\ufeff\x07" + "a \n" * 6)
LINES = st.lists(
    st.sampled_from(
        ["a: b", "c:", "  d: e", "  - f", "- g", "? h", ": i", "j: |", "  k", "l: >-", "m: 'n",
         "o'", "p: [q, {r: s}]", "# t", "", "u: &v w", "x: *v", "y: !z 1", "...",
         "--- z", "%YAML 1.1"]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip


def iter_nodes(node: Node) -> "list[Node]":
    if isinstance(node, Scalar):
        return [node]
    below = (
        node.items
        if isinstance(node, Listing)
        else [one for entry in node.entries for one in entry]
    )
    return [node, *(one for child in below for one in iter_nodes(child))]


@pytest.mark.requirement("TRU-2")
@given(SOUP | LINES | st.text(), st.integers(0, 3))
def test_any_text_gives_nodes_and_problems_inside_it(text: str, before: int) -> None:
    whole = "#\n" * before + text + "\n---\n"
    part = (2 * before, 2 * before + len(text))

    tree = parse_yaml(whole, limits=STANDARD, part=part)

    places = [one.place for one in tree.problems]
    if tree.root is not None:
        places += [node.place for node in iter_nodes(tree.root)]
    assert [one for one in places if not part[0] <= one.start <= one.end <= part[1]] == []
    for node in iter_nodes(tree.root) if tree.root is not None else []:
        if isinstance(node, Scalar) and not node.style:
            # A plain value over several lines is folded.
            written = whole[node.place.start : node.place.end]
            assert written.split() == node.text.split()


def read_as_base(text: str) -> object:
    """Read YAML as PyYAML does it where every scalar stays text; None where it cannot."""
    try:
        return yaml.load(text, Loader=yaml.CBaseLoader)  # noqa: S506 (builds texts only)
    except (yaml.YAMLError, UnicodeError):
        return None


@given(SOUP | LINES)
def test_what_is_accepted_says_what_it_says_to_other_readers(text: str) -> None:
    tree = parse(text)

    if tree.root is not None and not tree.problems:
        assert to_plain(tree.root) == read_as_base(text)


@given(SOUP | LINES)
def test_what_other_readers_can_read_is_read_or_explained(text: str) -> None:
    if isinstance(read_as_base(text), dict):
        tree = parse(text)

        assert isinstance(tree.root, Fields) or tree.problems


PLAIN = st.text(alphabet="ab1 .é:#'\"\\\n-", max_size=12)


@given(st.dictionaries(st.text(alphabet="abc", min_size=1, max_size=3), PLAIN, min_size=1))
def test_what_pyyaml_writes_is_read_back(value: dict[str, str]) -> None:
    for style in (None, "'", '"', "|", ">"):
        written = yaml.dump(
            value, Dumper=yaml.CSafeDumper, default_style=style, allow_unicode=True, width=20
        )
        tree = parse(written)

        assert tree.root is not None
        assert (to_plain(tree.root), [one.rule.code for one in tree.problems]) == (value, [])
