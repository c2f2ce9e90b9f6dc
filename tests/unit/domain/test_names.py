"""What is a skill name, and which name is nearest to what is none."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidNameError
from skillyard.domain.names import find_name_problem, is_name, parse_name, sanitize_name

SHAPE = re.compile(r"(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?", re.ASCII)
LETTERS = "only lower-case letters a-z, digits and single hyphens between them are allowed"
# What looks like a name, and what makes it none.
NEARLY = st.text(alphabet="ab9-_ .AÉß\u0301\u0660ﬁ\n", max_size=70)


@pytest.mark.requirement("PKG-2")
@pytest.mark.parametrize("name", ["a", "7", "pdf", "pdf-2", "3d-print", "a-b-c", "x" * 64])
def test_a_name_is_a_name(name: str) -> None:
    assert is_name(name)
    assert find_name_problem(name) is None
    assert parse_name(name) == name
    assert sanitize_name(name) == name


@pytest.mark.requirement("PKG-2")
@pytest.mark.parametrize(
    ("text", "problem", "nearest"),
    [
        ("", "it is empty", None),
        ("x" * 65, "it has 65 characters, at most 64 are allowed", "x" * 64),
        ("PDF", LETTERS, "pdf"),
        ("pdf tools", LETTERS, "pdf-tools"),
        ("pdf_tools", LETTERS, "pdf-tools"),
        ("-pdf", LETTERS, "pdf"),
        ("pdf-", LETTERS, "pdf"),
        ("pdf--tools", LETTERS, "pdf-tools"),
        ("pdf\n", LETTERS, "pdf"),
        ("résumé", LETTERS, "resume"),
        ("٣", LETTERS, None),
        ("日本語", LETTERS, None),
        ("../pdf", LETTERS, "pdf"),
        ("ﬁnd Ⅸ", LETTERS, "find-ix"),
    ],
)
def test_what_is_no_name_has_a_reason_and_often_a_nearest_name(
    text: str, problem: str, nearest: str | None
) -> None:
    with pytest.raises(InvalidNameError) as caught:
        parse_name(text)

    assert not is_name(text)
    assert find_name_problem(text) == problem
    assert sanitize_name(text) == nearest
    assert caught.value.message == f"`{text}` is not a skill name: {problem}"
    assert caught.value.hints == ((f"Use `{nearest}`",) if nearest else ())


def test_a_new_name_starts_with_a_letter() -> None:
    with pytest.raises(InvalidNameError) as caught:
        parse_name("3d-print", new=True)

    assert caught.value.hints == ("Use `skill-3d-print`",)
    assert parse_name("skill-3d-print", new=True) == "skill-3d-print"


@given(NEARLY | st.text())
@example("a\u0301")
def test_a_name_is_exactly_what_the_rule_says(text: str) -> None:
    assert is_name(text) is (SHAPE.fullmatch(text) is not None)
    assert is_name(text) is (find_name_problem(text) is None)


@pytest.mark.requirement("PKG-3")
@given(NEARLY | st.text())
@example("İ")
@example("ẞ")
@example("a" * 63 + "-" * 5 + "b")
def test_a_sanitised_name_is_a_name_and_stays_as_it_is(text: str) -> None:
    name = sanitize_name(text)

    assert name is None or (is_name(name) and sanitize_name(name) == name)


@given(st.text(alphabet="ab-", max_size=70))
def test_sanitising_loses_no_letter_that_fits(text: str) -> None:
    kept = (sanitize_name(text) or "").replace("-", "")

    assert text.replace("-", "").startswith(kept)
    assert len(text) > 64 or text.replace("-", "") == kept
