"""JSON from strangers is read as anyone reads it, or refused."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skillyard.skillmd.jsontext import JsonRefusedError, parse_json

pytestmark = pytest.mark.requirement("TRU-2", "PKG-6")

TEXTS = st.text(st.characters(codec="utf-8"), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
SOUP = st.text(alphabet='{}[]",:0123456789.eE-+truefalsn \\/u\n', max_size=40)


@given(VALUES, st.sampled_from([None, 2]))
def test_valid_json_is_read_as_everyone_reads_it(value: object, indent: int | None) -> None:
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)

        assert parse_json(text.encode(), depth=50) == json.loads(text)


@given(st.binary(max_size=40) | SOUP.map(str.encode))
@example(b'{"a": 1, "a": 1}')
@example(b'"\\ud800"')
def test_any_bytes_are_read_as_everyone_reads_them_or_refused(content: bytes) -> None:
    try:
        value = parse_json(content, depth=5)
    except JsonRefusedError:
        return
    assert value == json.loads(content)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "expecting value in line 1"),
        (b"{'a': 1}", "expecting property name enclosed in double quotes in line 1"),
        (b'{\n"a": 1,\n}', "expecting property name enclosed in double quotes in line 3"),
        (b"[1] [2]", "extra data in line 1"),
        (b'"\xff"', "byte 1 is not UTF-8"),
        (b"NaN", "`NaN` is not JSON"),
        (b"[-Infinity]", "`-Infinity` is not JSON"),
        (b'{"a": 1, "b": 2, "a": 3}', "the key `a` stands twice"),
        (b'{"x": {"a": 1, "a": 1}}', "the key `a` stands twice"),
        (b'"\\ud83d"', "a text holds half a character"),
        (b'[{"\\udc00": 1}]', "a text holds half a character"),
        (b"1" * 401, "a number is too long"),
        (b"[[[[[[1]]]]]]", "it is nested more than 5 levels deep"),
        (b"[" * 100_000, "it is nested more than 5 levels deep"),
        (b'{"a":' * 100_000, "it is nested more than 5 levels deep"),
    ],
)
def test_what_is_not_accepted_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(JsonRefusedError) as caught:
        parse_json(content, depth=5)

    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b"[[[[[1]]]]]", [[[[[1]]]]]),
        (b'["[[[[[[", "{\\"{{{{{"]', ["[[[[[[", '{"{{{{{']),
        (b"\xef\xbb\xbf{}", {}),
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (b"9" * 400, int("9" * 400)),
        (b' {"a": [true, null]}\n', {"a": [True, None]}),
    ],
)
def test_what_is_at_the_limit_is_read(content: bytes, value: object) -> None:
    assert parse_json(content, depth=5) == value


@pytest.mark.parametrize(
    ("content", "counted"), [(b"[1, 2, 3]", 4), (b'{"a": "b"}', 4), (b'["[,{", []]', 6)]
)
def test_values_and_signs_are_counted(content: bytes, counted: int) -> None:
    assert parse_json(content, depth=5, most_values=counted) == json.loads(content)
    with pytest.raises(JsonRefusedError, match=f"more than {counted - 1} values and signs"):
        parse_json(content, depth=5, most_values=counted - 1)


@pytest.mark.parametrize("content", [b'"' + b'\\"' * 200_000, b'"\\' * 200_000, b'"a' * 200_001])
def test_texts_that_do_not_end_are_refused_in_linear_time(content: bytes) -> None:
    with pytest.raises(JsonRefusedError):
        parse_json(content, depth=5)
