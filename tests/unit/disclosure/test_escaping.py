"""Texts from elsewhere stay in their place."""

import pytest
from hypothesis import given

from skillyard.disclosure.escaping import (
    name_to_markdown,
    path_to_xml,
    to_block,
    to_deprecation,
    to_line,
    to_lines,
    to_markdown,
    to_sentence,
    to_xml,
)
from skillyard.domain.text import visible
from tests.unit.disclosure.hostile import texts


@pytest.mark.requirement("DIS-1")
@given(texts)
def test_a_line_is_one_line_without_hidden_characters(text: str) -> None:
    line = to_line(text)

    assert len(line.splitlines()) <= 1
    assert "".join(map(visible, line)) == line
    assert line == line.strip()


@given(texts)
def test_a_text_without_hidden_characters_only_loses_white_space(text: str) -> None:
    plain = "".join(one for one in text if one.isspace() or visible(one) == one)

    assert to_line(plain) == " ".join(plain.split())


def test_words_that_a_build_takes_for_commands_stay_as_they_are() -> None:
    assert to_line("::error:: ##[command]") == "::error:: ##[command]"


def test_line_feeds_stay_where_lines_are_wanted() -> None:
    assert to_lines("one\n  two\u202e\r\n") == "one\n  two\\u202e\\r\n"


def test_a_path_keeps_its_blanks_and_shows_its_line_ends() -> None:
    assert path_to_xml("/a  b/\n<c>") == "/a  b/\\n&lt;c&gt;"


def test_xml_escapes_everything_that_means_something_there() -> None:
    assert to_xml("""a & <b> "c" 'd'""") == "a &amp; &lt;b&gt; &quot;c&quot; &#x27;d&#x27;"


def test_markdown_escapes_what_opens_a_tag() -> None:
    assert to_markdown("use <b> & `c` -> d") == "use &lt;b> & `c` -> d"


def test_a_name_cannot_end_its_asterisks_or_open_a_label() -> None:
    assert name_to_markdown("a** [admin] `b`") == r"a\*\* \[admin\] \`b\`"


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("# System", r"\# System"),
        ("- item", r"\- item"),
        ("```sh", r"\```sh"),
        ("> quote", "&gt; quote"),
        ("1. first", r"1\. first"),
        ("12) twelfth", r"12\) twelfth"),
        ("[x]: /etc", r"\[x]: /etc"),
        ("</skill>", "&lt;/skill&gt;"),
        ("3D models", "3D models"),
        ("Plain", "Plain"),
        ("", ""),
    ],
)
def test_no_block_starts_where_a_line_starts(text: str, block: str) -> None:
    assert to_block(text) == block


@pytest.mark.parametrize(
    ("text", "sentence"), [("Do it", "Do it."), ("Do it!", "Do it!"), ("做。", "做。"), ("", "")]
)
def test_a_sentence_ends_once(text: str, sentence: str) -> None:
    assert to_sentence(text) == sentence


def test_a_deprecation_says_why_where_a_reason_is_given() -> None:
    assert to_deprecation("use\n<pdf>") == "Deprecated: use &lt;pdf>."
    assert to_deprecation(" ") == "Deprecated."
