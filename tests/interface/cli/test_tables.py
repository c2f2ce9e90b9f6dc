"""A table lines up and fits the terminal, whatever stands in its cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.cli.tables import measure, render_table
from skillyard.domain.text import visible

pytestmark = pytest.mark.requirement("INT-2")

HEADERS = ("Skill", "Files", "Description")
CELLS = st.text(max_size=12) | st.text("aä説\u0301\ufe0f❤😀: #[", max_size=30)


def render(*rows: tuple[str, str, str], width: int | None = None) -> str:
    lines = render_table(HEADERS, rows, width=width, flexible=("Description",), right=("Files",))
    return "".join(f"{line}\n" for line in lines)


def test_columns_line_up_and_numbers_stand_to_the_right() -> None:
    assert render(("pdf", "7", "Fills in forms."), ("release-notes", "1,024", "")) == (
        "Skill          Files  Description\n"
        "pdf                7  Fills in forms.\n"
        "release-notes  1,024\n"
    )


def test_a_table_without_rows_is_its_headers() -> None:
    assert render() == "Skill  Files  Description\n"


def test_a_flexible_column_is_cut_to_the_terminal() -> None:
    assert render(("pdf", "7", "Fills in forms of any kind."), ("x", "1", "Short"), width=30) == (
        "Skill  Files  Description\n"
        "pdf        7  Fills in forms…\n"
        "x          1  Short\n"
    )  # fmt: skip


def test_what_fits_to_the_last_column_is_not_cut() -> None:
    row = ("pdf", "7", "Fills in forms")

    assert render(row, width=28).splitlines()[1] == "pdf        7  Fills in forms"
    assert render(row, width=27).splitlines()[1] == "pdf        7  Fills in for…"


def test_fixed_columns_stay_whole_where_nothing_fits() -> None:
    assert render(("release-notes", "7", "Writes release notes."), width=10) == (
        "Skill          Files  Descrip…\n"
        "release-notes      7  Writes…\n"
    )  # fmt: skip


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert render(
        ("説明", "1", "east"),
        ("cafe\u0301", "2", "combining"),
        ("😀", "3", "emoji"),
        ("❤\ufe0f", "4", "emoji style"),
        ("ｗ", "5", "full width"),
        ("\u1112\u1161\u11ab", "6", "jamo"),
    ) == (
        "Skill  Files  Description\n"
        "説明       1  east\n"
        "cafe\u0301       2  combining\n"
        "😀         3  emoji\n"
        "❤\ufe0f         4  emoji style\n"
        "ｗ         5  full width\n"
        "\u1112\u1161\u11ab         6  jamo\n"
    )


def test_a_wide_character_is_never_cut_in_half() -> None:
    assert render(("pdf", "1", "説明文説明文説明文"), width=24).splitlines()[1] == (
        "pdf        1  説明文説…"
    )
    assert render(("pdf", "1", "説明文説明文説明文"), width=25).splitlines()[1] == (
        "pdf        1  説明文説明…"
    )


def test_nothing_in_a_cell_acts_on_the_terminal() -> None:
    assert render(
        ("::error::x", "1", "\x1b[31mred\nline"), ("##[group]", "2", "a\u202eb"), ("c", "3", "")
    ) == (
        "Skill          Files  Description\n"
        r"\x3a:error::x      1  \x1b[31mred\nline" + "\n"
        r"#\x23[group]       2  a\u202eb" + "\n"
        "c                  3\n"
    )


def test_two_flexible_columns_share_what_is_left() -> None:
    lines = render_table(
        ("A", "B", "C"),
        [("a" * 30, "b" * 30, "c"), ("a", "b" * 12, "c")],
        width=30,
        flexible=("A", "B"),
    )

    assert lines == [
        "A             B              C",
        "aaaaaaaaaaa…  bbbbbbbbbbbb…  c",
        "a             bbbbbbbbbbbb   c",
    ]


def test_the_narrow_one_of_two_flexible_columns_stays_whole() -> None:
    lines = render_table(("A", "B"), [("a" * 5, "b" * 60)], width=30, flexible=("A", "B"))

    assert lines == ["A      B", "aaaaa  bbbbbbbbbbbbbbbbbbbbbb…"]


def test_a_row_of_another_length_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="zip"):
        render_table(("A", "B"), [("a",)], width=None)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), st.integers(1, 60) | st.none())
def test_lines_fit_and_have_no_blanks_at_their_ends(
    rows: list[tuple[str, str, str]], width: int | None
) -> None:
    lines = render_table(HEADERS, rows, width=width, flexible=HEADERS, right=("Files",))

    assert len(lines) == len(rows) + 1
    for line in lines:
        assert line == line.rstrip()
        assert visible(line) == line
        if width:
            assert measure(line) <= max(width, 3 * 8 + 4)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5))
def test_without_a_width_every_cell_is_whole(rows: list[tuple[str, str, str]]) -> None:
    lines = render_table(HEADERS, rows, width=None)

    for row, line in zip(rows, lines[1:], strict=True):
        for cell in row:
            assert visible(cell).strip() in line
