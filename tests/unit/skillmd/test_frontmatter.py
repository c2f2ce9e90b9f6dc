"""A SKILL.md is cut into front matter and body, whatever its bytes are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.document import to_plain
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import BODY, GOOD, read, skill_md

pytestmark = pytest.mark.requirement("PKG-1")


def found(content: str | bytes) -> list[tuple[str, Span | None, bool]]:
    return [(one.code, one.span, one.fixable) for one in read(content)[1]]


@pytest.mark.parametrize("fence", ["---\n", "--- \n", "---\t\n"])
def test_front_matter_stands_between_two_lines_and_the_body_follows(fence: str) -> None:
    document, diagnostics = read(f"{fence}{GOOD}{fence}{BODY}")

    assert diagnostics == []
    assert document.front_matter == GOOD
    assert document.instructions == BODY
    assert document.fields is not None
    assert to_plain(document.fields) == {
        "name": "pdf",
        "description": "Fills in forms. Use when a form is to be filled in.",
    }


def test_the_file_may_end_with_the_closing_line() -> None:
    document, diagnostics = read(f"---\n{GOOD}---")

    assert (document.front_matter, document.instructions, diagnostics) == (GOOD, "", [])


def test_only_a_line_of_its_own_closes_the_front_matter() -> None:
    front = "name: a\ndescription: this --- that\nlicense: ---x\n"

    document, diagnostics = read(skill_md(front, "a\n---\nb\n"))

    assert (document.front_matter, document.instructions, diagnostics) == (
        front,
        "a\n---\nb\n",
        [],
    )


@pytest.mark.requirement("PKG-4")
@pytest.mark.parametrize(
    ("content", "diagnostics"),
    [
        (f"\ufeff{skill_md()}", [("SY104", Span(1, 1, 1, 2), True)]),
        (f"\n \n{skill_md()}", [("SY105", Span(1, 1, 1, 1), True)]),
        (
            f"\ufeff\n{skill_md()}",
            [("SY104", Span(1, 1, 1, 2), True), ("SY105", Span(1, 1, 1, 1), True)],
        ),
        (skill_md().replace("\n", "\r\n"), [("SY106", Span(1, 1, 1, 1), True)]),
        (skill_md(body="a\r\r\nb\n"), [("SY106", Span(1, 1, 1, 1), False)]),
        (skill_md(body="a\rb\n"), []),
        ("", [("SY107", Span(1, 1, 1, 1), False)]),
        ("\n\n", [("SY107", Span(3, 1, 3, 1), False)]),
        ("\n# Title\nText\n", [("SY107", Span(2, 1, 2, 8), False)]),
        ("--- name\n", [("SY107", Span(1, 1, 1, 9), False)]),
        (f"---\n{GOOD}", [("SY108", Span(1, 1, 1, 4), False)]),
        (
            f"\n\n---\n{GOOD}--- x\n",
            [("SY105", Span(1, 1, 1, 1), True), ("SY108", Span(3, 1, 3, 4), False)],
        ),
        ("---\n---\n", [("SY111", Span(2, 1, 2, 1), False)]),
        ("---\n- a\n- b\n---\n", [("SY111", Span(2, 1, 4, 1), False)]),
        ("---\ntext\n---\n", [("SY111", Span(2, 1, 2, 5), False)]),
        ("---\nname: a\nlicense: b: c\n---\n", [("SY110", Span(3, 11, 3, 12), True)]),
        ("---\nname: a\nlicense: 'b\n---\n", [("SY110", Span(3, 10, 3, 11), False)]),
        (b"---\nname: caf\xe9\n---\n", [("SY103", Span(2, 10, 2, 11), False)]),
    ],
)
def test_what_is_wrong_with_the_file_is_said_where_it_is(
    content: str | bytes, diagnostics: list[tuple[str, Span, bool]]
) -> None:
    assert found(content) == diagnostics


def test_a_finding_says_what_is_wrong_and_what_to_do() -> None:
    assert read(f"---\n{GOOD}")[1] == [
        Diagnostic(
            code="SY108",
            severity=Severity.ERROR,
            message="the front matter has no closing `---` line",
            path="SKILL.md",
            span=Span(1, 1, 1, 4),
            hint="Write `---` on a line of its own after the last field",
            fixable=False,
        )
    ]


def test_what_is_not_utf8_is_read_with_replacements_and_never_fixable() -> None:
    document, diagnostics = read(b"\xef\xbb\xbf---\r\nname: caf\xe9\r\n---\r\nB\xffdy\r\n")

    assert document.instructions == "B\ufffddy\r\n"
    assert [(one.code, one.fixable) for one in diagnostics] == [
        ("SY103", False),
        ("SY104", False),
        ("SY106", False),
    ]


@pytest.mark.requirement("PKG-3")
def test_what_needs_quotes_is_read_as_meant_so_that_the_rest_is_checked_too() -> None:
    content = skill_md("name: pdf\ndescription: Fills: forms\nx: 1\n")

    document, diagnostics = read(content, profile=Profile.STANDARD)

    assert document.recovered
    assert document.fields is not None
    assert to_plain(document.fields) == {"name": "pdf", "description": "Fills: forms", "x": "1"}
    assert [(key.text, key.place.line) for key, _ in document.fields.entries] == [
        ("name", 2),
        ("description", 3),
        ("x", 4),
    ]
    assert [(one.code, one.severity) for one in diagnostics] == [("SY110", Severity.ERROR)]


def test_only_the_lenient_profile_recovers_what_is_beyond_repair() -> None:
    content = skill_md('name: pdf\ndescription: Fills: forms\nlicense: "\n')

    for profile in (Profile.STRICT, Profile.STANDARD):
        document, _ = read(content, profile=profile)
        assert document.fields is None
    document, diagnostics = read(content, profile=Profile.LENIENT)
    assert document.recovered
    assert document.fields is not None
    assert to_plain(document.fields) == {"name": "pdf", "description": "Fills: forms"}
    assert [(one.code, one.severity) for one in diagnostics] == [("SY110", Severity.WARNING)]


# Bytes that mean something in a SKILL.md, and a few that never do.
PIECES = st.sampled_from(
    [b"---\n", b"---", b"--- \r\n", b"\n", b"\r\n", b"\r", b"\xef\xbb\xbf", b" ", b"\t", b"name: ",
     b"description: ", b"pdf", b"a: b: c", b"metadata:\n  ", b"[", b"{", b"'", b'"', b"|\n  ",
     b"&a ", b"*a", b"!t ", b"# ", b"- ", b"\xff", b"\xe9", b"\xc3\xa9", b"\xe2\x80\xa8", b"\0",
     b"\xc2\x85", b"\\", b": ", b"? ", b"...\n", b"<<: "]
)  # fmt: skip
CONTENTS = st.binary(max_size=60) | st.lists(PIECES, max_size=25).map(b"".join)


@pytest.mark.requirement("PKG-4", "TRU-2")
@given(CONTENTS | CONTENTS.map(lambda one: b"---\n" + one + b"\n---\n"))
def test_any_bytes_give_a_document_and_findings_inside_the_file(content: bytes) -> None:
    for profile in Profile:
        document, diagnostics = read(content, profile=profile)

        text = content.decode(errors="replace")
        lines = text.split("\n")
        start, end = document.front
        assert document.text == text
        assert 0 <= start <= end <= len(text)
        assert end <= document.body <= len(text)
        for one in diagnostics:
            assert one.span is not None
            first, last = one.span.line, one.span.end_line
            assert 1 <= first <= last <= len(lines)
            assert 1 <= one.span.column <= len(lines[first - 1]) + 1
            assert 1 <= one.span.end_column <= len(lines[last - 1]) + 1


@given(st.text(alphabet="ab: \n-", max_size=40))
def test_a_body_comes_back_as_it_was_written(body: str) -> None:
    document, _ = read(skill_md(body=body))

    assert document.instructions == body
