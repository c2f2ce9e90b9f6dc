"""Settings come out of TOML as they went in."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.providers.toml import render_toml

texts = st.text(st.characters(codec="utf-8"), max_size=8)
values = st.one_of(st.booleans(), st.integers(-(2**40), 2**40), texts, st.lists(texts, max_size=3))
tables = st.dictionaries(texts, values, max_size=3)
trees = st.dictionaries(
    texts,
    st.one_of(
        values,
        tables,
        st.dictionaries(texts, st.one_of(values, tables), max_size=2),
        st.lists(tables, min_size=1, max_size=2),
    ),
    max_size=4,
)


def _without_empty(tree: dict[str, object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            inner = _without_empty(value)
            found |= {key: inner} if inner else {}
        else:
            found[key] = value
    return found


@given(trees)
def test_what_is_written_says_the_same_when_it_is_read(tree: dict[str, object]) -> None:
    assert _without_empty(tomllib.loads(render_toml(tree))) == _without_empty(tree)


def test_tables_and_lists_of_tables_have_headings() -> None:
    tree = {
        "check": False,
        "skills": {"bundled": {"enabled": False}, "config": [{"path": "/a", "enabled": False}]},
        "projects": {"/a b": {"trust_level": "trusted"}},
    }

    assert render_toml(tree) == (
        "check = false\n"
        "\n"
        "[skills.bundled]\n"
        "enabled = false\n"
        "\n"
        "[[skills.config]]\n"
        'path = "/a"\n'
        "enabled = false\n"
        "\n"
        '[projects."/a b"]\n'
        'trust_level = "trusted"\n'
    )


def test_what_toml_cannot_say_is_a_mistake() -> None:
    with pytest.raises(TypeError):
        render_toml({"a": None})
