"""A document knows where everything in it stands."""

from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Span
from skillyard.domain.document import (
    Fields,
    Listing,
    Place,
    Scalar,
    SkillDocument,
    span_of,
    to_plain,
)

TEXT = "---\nname: a\ntags: [b, c]\nname: d\n---\nBody\n"


def place(part: str, *, after: int = 0) -> Place:
    start = TEXT.index(part, after)
    return Place(start, start + len(part), TEXT)


def scalar(text: str, *, after: int = 0) -> Scalar:
    return Scalar(text, "", place(text, after=after))


FIRST = (scalar("name"), scalar("a", after=8))
TAGS = (
    scalar("tags"),
    Listing((scalar("b"), scalar("c")), flow=True, place=place("[b, c]")),
)
LAST = (scalar("name", after=20), scalar("d", after=20))
FIELDS = Fields((FIRST, TAGS, LAST), flow=False, place=Place(4, 33, TEXT))


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    assert FIELDS.find("name") == LAST[1]
    assert FIELDS.find_key("name") == LAST[0]


def test_a_key_that_does_not_stand_there_is_not_found() -> None:
    assert FIELDS.find("license") is None
    assert FIELDS.find_key("license") is None


def test_nodes_become_texts_lists_and_dictionaries() -> None:
    assert to_plain(FIELDS) == {"name": "d", "tags": ["b", "c"]}


def test_a_place_gives_its_lines_and_columns() -> None:
    where = place("[b, c]")

    assert (where.line, where.column) == (3, 7)
    assert where.span == Span(3, 7, 3, 13)


def test_a_span_may_go_over_several_lines() -> None:
    assert span_of(TEXT, 4, 33) == Span(2, 1, 5, 1)
    assert span_of("", 0, 0) == Span(1, 1, 1, 1)


def test_a_place_is_shown_without_the_text_of_the_file() -> None:
    assert repr(place("[b, c]")) == "Place(18, 24)"


@given(st.text(alphabet="ab\n\r\u2028é", max_size=30), st.data())
def test_line_and_column_lead_back_to_the_offset(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))

    span = span_of(text, start, end)

    lines = [f"{line}\n" for line in text.split("\n")]
    assert sum(map(len, lines[: span.line - 1])) + span.column - 1 == start
    assert sum(map(len, lines[: span.end_line - 1])) + span.end_column - 1 == end
    where = Place(start, end, text)
    assert (where.span, where.line, where.column) == (span, span.line, span.column)


def test_a_document_is_cut_into_front_matter_and_body() -> None:
    document = SkillDocument(text=TEXT, fields=FIELDS, front=(4, 33), body=37)

    assert document.front_matter == "name: a\ntags: [b, c]\nname: d\n"
    assert document.instructions == "Body\n"
    assert document.recovered is False
