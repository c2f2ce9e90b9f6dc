"""What is read without libyaml is what libyaml would have given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.document import Fields
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd.plainyaml import read_plain
from skillyard.skillmd.yamltree import YamlTree, compose_yaml

PIECES = st.sampled_from(
    [
        *("name", "description", "a-b", "a_1", "key", "yes", "null", "1.0", "~", "<<"),
        *("Review code", "x", "Bash(git:*)", "a: b", "a :b", "a #b", "a#b", "it's", 'say "hi"'),
        *('"quoted"', "'quoted'", '"a: b # c"', r'"a\n"', "'it''s'", '""', "''", '"open', "'open"),
        *(":", ": ", " ", "  ", "   ", "- ", "-", "  - ", "\n", "\n\n", "\t", "\r\n", "#", "# x"),
        *("[a, b]", "{a: b}", ">-", "|", "&a", "*a", "!t", "?", "? ", "%", "@", "`", ",", "é"),
        *("---", "...", "\ufeff", "\u2028", "\x85", "a" * 70, "x " * 600),
    ]
)
VALUES = st.lists(PIECES, min_size=1, max_size=3).map("".join)
KEYS = st.sampled_from(
    ["name", "description", "a-b", "a_1", "1a", "A", "a b", "metadata", "é", "-a"]
)
LINES = st.one_of(
    st.builds("{}: {}\n".format, KEYS, VALUES),
    st.builds("{}:\n".format, KEYS),
    st.builds("  {}: {}\n".format, KEYS, VALUES),
    st.builds("  - {}\n".format, VALUES),
    st.builds("{}: {}\n  {}\n".format, KEYS, st.sampled_from([">", ">-", ">+", "|", ">2"]), VALUES),
    st.builds("{}: >-\n  {}\n  {}\n".format, KEYS, VALUES, VALUES),
    VALUES,
)


@given(st.lists(LINES, max_size=6).map("".join), st.sampled_from(["", "---\n"]))
def test_what_is_read_is_what_libyaml_gives(text: str, before: str) -> None:
    whole = f"{before}{text}---\nBody.\n"
    part = (len(before), len(before) + len(text))

    found = read_plain(whole, part, STANDARD)

    if found is not None:
        assert YamlTree(found, ()) == compose_yaml(whole, limits=STANDARD, part=part)


@pytest.mark.parametrize(
    "text",
    [
        "name: pdf\ndescription: Fill in forms.\n",
        'name: "pdf"\ndescription: \'Say: "hi" # there\'\n',
        "name: pdf\nallowed-tools: Bash(git:*), Read\nversion: 1.0.0\n",
        "name:   pdf\nmetadata:\n  author: team\n  version: '1.0'\nlicense: MIT\n",
        'tags:\n  - forms\n  - "to fill"\nname: pdf\n',
        "metadata:\n  author: team\n",
        "name: pdf\ndescription: >-\n  Fill in: forms\n  # and more. \n  Use it.\nversion: 1\n",
        "description: >\n  Fill in forms\nname: pdf\n",
    ],
)
def test_usual_front_matter_needs_no_libyaml(text: str) -> None:
    found = read_plain(text, (0, len(text)), STANDARD)

    assert isinstance(found, Fields)
    assert YamlTree(found, ()) == compose_yaml(text, limits=STANDARD, part=(0, len(text)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name: pdf",
        "name: pdf\nname: docx\n",
        "metadata:\n  a: b\n  a: c\n",
        "name: pdf \n",
        "name: a: b\n",
        "name: a # b\n",
        "name: one\n  and more\n",
        "name:\n",
        "name:\nlicense: MIT\n",
        "tags:\n- forms\n",
        "tags:\n  -\n",
        "tags:\n  - a: b\n",
        "metadata:\n    a: b\n",
        "metadata:\n  a: b\n   c: d\n",
        "name: ~\n",
        "description: >-\n  Folded.\n\n  Twice.\n",
        "\ufeffname: pdf\n",
        "name: p\u00e4f\n",
        "name: pdf\r\n",
        r'name: "a\n"' + "\n",
        "name: 'it''s'\n",
    ],
)
def test_anything_unusual_is_left_to_libyaml(text: str) -> None:
    assert read_plain(text, (0, len(text)), STANDARD) is None


def test_limits_are_left_to_libyaml() -> None:
    text = "name: pdf\n"

    assert read_plain(text, (0, len(text)), Limits(front_matter_nodes=2)) is None
    assert read_plain(text, (0, len(text)), Limits(front_matter_depth=2)) is None
