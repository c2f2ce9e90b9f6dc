"""Where YAML fails, name and description are recovered line by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import Fields, Scalar, to_plain
from skillyard.skillmd.lenient import recover_fields
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import check, codes, skill_md

pytestmark = pytest.mark.requirement("PKG-3")


def recover(text: str) -> object:
    fields = recover_fields(text, part=(0, len(text)))
    return None if fields is None else to_plain(fields)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("name: a\ndescription: b: c\n", {"name": "a", "description": "b: c"}),
        ("description: b\nname: a\n", {"description": "b", "name": "a"}),
        ("name:a\n", {"name": "a"}),
        ("name:\t a \t\r\n", {"name": "a"}),
        ("name: 'a'\ndescription: \"b\"\n", {"name": "a", "description": "b"}),
        ('description: "a" and "b"\n', {"description": 'a" and "b'}),
        ("description: 'a\n", {"description": "'a"}),
        ("description: a\n  b\n\tc\n", {"description": "a b c"}),
        ("description: a\n\n  b\n\nname: c\n", {"description": "a b", "name": "c"}),
        ("description: a\n\nb\n", {"description": "a"}),
        ("description: |\n  a\n  b\n", {"description": "a b"}),
        ("description: >-\n\n  a\n", {"description": "a"}),
        ("description: a\r\n  b\r\nname: c\r\n", {"description": "a b", "name": "c"}),
        ("name: first\nname: second\n", {"name": "first"}),
        ("name:\n", {"name": ""}),
        ("other: a\nnames: b\n  name: c\n# name: d\n", None),
        ("", None),
    ],
)
def test_fields_are_recovered(text: str, fields: dict[str, str] | None) -> None:
    assert recover(text) == fields


def test_what_is_recovered_knows_its_place() -> None:
    text = "---\nname:  a b \n---\n"

    fields = recover_fields(text, part=(4, 16))

    assert isinstance(fields, Fields)
    key, value = fields.entries[0]
    assert isinstance(value, Scalar)
    assert (key.place.span, value.place.span) == (Span(2, 1, 2, 5), Span(2, 8, 2, 11))
    assert fields.place.span == Span(2, 1, 3, 1)
    # Nothing in it is taken for a number or for nothing.
    assert value.style == '"'


def test_nothing_outside_the_front_matter_is_looked_at() -> None:
    text = "name: a\n---\nname: b\n---\n  c\nname: d\n"

    fields = recover_fields(text, part=(12, 20))

    assert fields is not None
    assert to_plain(fields) == {"name": "b"}


def test_a_recovered_skill_has_a_sanitised_name_and_only_warnings() -> None:
    checked = check(
        skill_md("name: My PDF Skill\ndescription: Fills: forms\nx: '\n"),
        directory="my-pdf-skill",
        profile=Profile.LENIENT,
    )

    assert checked.is_valid
    assert checked.manifest is not None
    assert (checked.manifest.name, checked.manifest.description) == (
        "my-pdf-skill",
        "Fills: forms",
    )
    assert codes(checked) == ["SY202", "SY204", "SY110"]


def test_without_a_name_the_directory_gives_it() -> None:
    checked = check(
        skill_md("description: Fills: forms\n"), directory="Forms 2", profile=Profile.LENIENT
    )

    assert checked.manifest is not None
    assert checked.manifest.name == "forms-2"


def test_what_cannot_be_recovered_is_skipped_with_a_warning() -> None:
    checked = check(skill_md("a: 'b: c\n"), profile=Profile.LENIENT)

    assert (checked.manifest, checked.is_valid, codes(checked)) == (None, True, ["SY110"])


@given(st.text(alphabet="name:descripto \n\t\r'\"|>#ab", max_size=80))
def test_any_text_gives_fields_inside_it_or_nothing(text: str) -> None:
    whole = f"---\n{text}\n---\n"

    fields = recover_fields(whole, part=(4, 4 + len(text)))

    for node in [one for entry in fields.entries for one in entry] if fields else []:
        assert 4 <= node.place.start <= node.place.end <= 4 + len(text)


@given(st.text(alphabet="ab c:#[]{}&*'", min_size=1).map(str.strip).filter(bool))
def test_a_value_on_one_line_is_recovered_whole(value: str) -> None:
    quoted = len(value) > 1 and value[0] == value[-1] == "'"

    assert recover(f"x: [\ndescription: {value}\nname: n\n") == {
        "description": value[1:-1] if quoted else value,
        "name": "n",
    }
