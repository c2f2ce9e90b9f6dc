"""Nothing in a text can act on a terminal, or hide from the person who reads it."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skillyard.domain.text import list_visible, shorten, visible

# Format characters that print a sign of their own, such as U+06DD around a number.
SIGNS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
HIEROGLYPH_JOINERS = range(0x13430, 0x13440)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("one\r\ntwo\tthree\0", r"one\r\ntwo\tthree\x00"),
        ("\x7f\x85\x9b0m", r"\x7f\x85\x9b0m"),
        ("abc\u202etxt.exe\u2066\u2069", r"abc\u202etxt.exe\u2066\u2069"),
        ("a\u200bb\u200dc\ufeff\u00ad", r"a\u200bb\u200dc\ufeff\xad"),
        ("\U000e0041\U000e0100", r"\U000e0041\U000e0100"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("caf\udce9 \ud800", r"caf\udce9 \ud800"),
        ("##[add-mask]x ##vso[task.complete]y", r"#\x23[add-mask]x #\x23vso[task.complete]y"),
        ("###[x] ##VSO[x]", r"##\x23[x] #\x23VSO[x]"),
    ],
)
def test_what_acts_or_hides_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name: pdf",
        "Größe 表示 한국어 עברית हिन्दी",
        "⚠️ 🎉 e\u0301",
        "## Title",
        "a\\nb [x](y) #[z]",
    ],
)
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_every_control_format_and_surrogate_character_is_shown() -> None:
    kept = {
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        and visible(chr(code)) == chr(code)
    }

    assert kept - set(HIEROGLYPH_JOINERS) == SIGNS


@given(st.text(st.characters(exclude_categories=())))
@example("##[x]")
def test_each_character_is_shown_as_in_the_whole_text(text: str) -> None:
    shown = list_visible(text)

    assert len(shown) == len(text)
    assert "".join(shown) == visible(text)


@given(st.text(st.characters(exclude_categories=())))
def test_what_is_shown_is_shown_unchanged_a_second_time(text: str) -> None:
    once = visible(text)

    assert visible(once) == once
    assert once.encode().decode() == once


def test_what_is_too_long_for_a_message_is_cut() -> None:
    assert shorten("x" * 80) == "x" * 80
    assert shorten("x" * 81) == "x" * 79 + "…"
