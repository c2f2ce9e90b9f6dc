"""How what is remembered of directories is written down."""

import json
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.adapters.index.row import NO_FILE, Row, pack_findings
from skillyard.adapters.index.table import FORMAT, Table
from skillyard.domain.diagnostic import Diagnostic, Severity, Span

TEXTS = st.text(
    st.characters(codec=None) | st.sampled_from("\x1f\x1b\n\r\0\x1e01\udcff\ud800é"), max_size=8
)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
SIGNATURES = st.tuples(NUMBERS, NUMBERS, NUMBERS, st.integers(0, 2**64 - 1))
ROWS = st.lists(
    st.builds(
        Row, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, TEXTS, SIGNATURES, SIGNATURES, NUMBERS, NUMBERS
    ),
    max_size=5,
)


def make_row(place: str = "pdf", written: int = 1) -> Row:
    return Row(place, "pdf", "Fills in forms.", "", "", "", (written, 2, 3, 4), NO_FILE, 5, 1)


@given(ROWS, TEXTS)
def test_what_is_written_is_read_again(rows: list[Row], origin: str) -> None:
    table = Table.parse(Table.of(rows).render(origin), origin)

    assert table is not None
    assert list(table) == rows
    assert [table[index] for index in range(len(table))] == rows
    assert list(table.places) == [one.place for one in rows]
    assert list(table.slugs) == [one.slug for one in rows]
    assert list(table.commands) == [one.commands for one in rows]
    assert table.list_remarkable() == [i for i, one in enumerate(rows) if one.findings]


@given(ROWS.filter(bool), st.data())
def test_a_table_with_a_byte_cut_off_or_changed_is_no_table(
    rows: list[Row], data: st.DataObject
) -> None:
    content = Table.of(rows).render("here")
    place = data.draw(st.integers(0, len(content) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda one: one != content[place]))
    changed = content[:place] + bytes([other]) + content[place + 1 :]

    assert Table.parse(content[:place], "here") is None
    found = Table.parse(changed, "here")
    # Only in the head can a change mean nothing: a blank may be another one.
    assert found is None or (list(found) == rows and place < content.index(b"\n"))


@given(st.binary(max_size=60))
def test_anything_else_is_no_table(content: bytes) -> None:
    assert Table.parse(content, "here") is None


@pytest.mark.parametrize(
    "head",
    [
        {},
        [],
        None,
        {"rows": 1},
        {"rows": -1, "sizes": []},
        {"rows": "1", "sizes": "ab"},
        {"rows": 0, "sizes": [0] * 16},
        {"rows": 0, "sizes": [1, -1] + [0] * 14},
        {"rows": 1, "sizes": [0] * 6 + [8] * 10},
        {"rows": 2, "sizes": [0] * 6 + [16] * 10},
    ],
)
def test_a_head_that_does_not_fit_is_refused(head: object) -> None:
    body = bytes(160) if isinstance(head, dict) and head.get("rows") == 2 else b""
    if isinstance(head, dict):
        head = {"skillyard-index": FORMAT, "origin": "here", "checksum": zlib.crc32(body)} | head

    found = Table.parse(json.dumps(head).encode() + b"\n" + body, "here")

    assert found is None or len(found) == 0


def test_another_origin_or_format_is_refused() -> None:
    content = Table.of([make_row()]).render("here")

    assert Table.parse(content, "there") is None
    assert Table.parse(content.replace(b'-index": 1', b'-index": 2'), "here") is None


def test_a_time_that_no_column_holds_is_never_met_again() -> None:
    table = Table.parse(Table.of([make_row(written=2**70)]).render(""), "")

    assert table is not None
    assert table[0].skill_md[0] == 2**63 - 1


def test_findings_are_kept_whole() -> None:
    findings = (
        Diagnostic(code="SY110", severity=Severity.WARNING, message="é\ud800", hint="so"),
        Diagnostic(
            code="SY204",
            severity=Severity.NOTE,
            message="x",
            path="",
            span=Span(1, 2, 3, 4),
            fixable=True,
        ),
    )

    row = make_row()._replace(findings=pack_findings(findings))

    assert row.list_diagnostics() == findings
