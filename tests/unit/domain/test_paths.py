"""A path in a package is relative, normalised, and one file on every system."""

import sys
import unicodedata
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skillyard.domain.errors import UnsafePathError
from skillyard.domain.limits import STANDARD
from skillyard.domain.paths import (
    collision_key,
    find_path_problem,
    iter_collisions,
    list_parents,
    parse_path,
    show_path,
)

pytestmark = pytest.mark.requirement("PKG-8", "TRU-2")

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

HIDDEN = "it holds a control, bidirectional or otherwise invisible character"
RELATIVE = "it is not a relative path with `/` between its parts"
SEPARATOR = "it holds a character that some systems read as a separator"
DOTS = "a part of it is empty or made of dots"
UNKNOWN = {"Cn", "Co", "Zs"}
INVISIBLE = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}
BLANKS = "a part of it starts or ends with a blank, or ends with a dot"

# Parts that mean something somewhere, and letters that fold, compose or hide.
PARTS = st.sampled_from(
    ["a", "A", "b.md", ".hidden", "..", ".", "", "con", "CON.txt", "aux ", "COM1", "com¹", ".git",
     ".GIT", "git~1", "é", "e\u0301", "ß", "SS", "ﬁ", "fi", "\u212a", "k", "a ", " a", "a.", "a b",
     "‥", "\uff0e\uff0e", "a\u2044b", "\u2100", "\u202ea", "a\u200bb", "a\0b", "C:", "a\\b"]
)  # fmt: skip
PATHS = st.lists(PARTS, max_size=10).map("/".join) | st.text(max_size=12)
GOOD_PARTS = st.sampled_from(["a", "A", "b.md", "B.MD", "é", "É", "ß", "SS", "ﬁ", "fi", "k"])
GOOD_PATHS = st.lists(GOOD_PARTS, min_size=1, max_size=4).map("/".join)


@pytest.mark.parametrize(
    "path",
    [
        "SKILL.md",
        "references/details.md",
        "a/b/c/d/e/f/g/h",
        ".hidden",
        "a..b",
        "résumé/日本語.md",
        "a b/c (1).md",
        "config.md",
        "console",
        "community/lpt10",
        "x" * 255,
        "é" * 127,
        "a/" + "b" * 254,
        "?*<>|",
        "a #1/##.md",
        "❤\ufe0f.md",
    ],
)
def test_a_good_path_is_taken_as_it_is(path: str) -> None:
    assert find_path_problem(path) is None
    assert parse_path(path) == path
    assert show_path(path) == path


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("", "it is empty"),
        ("/etc/passwd", RELATIVE),
        ("a\\b", RELATIVE),
        ("\\\\host\\share", RELATIVE),
        ("C:/a", RELATIVE),
        ("a:stream", RELATIVE),
        ("..", DOTS),
        ("a/../b", DOTS),
        (".", DOTS),
        ("a/./b", DOTS),
        ("a//b", DOTS),
        ("a/", DOTS),
        ("...", DOTS),
        ("a/\uff0e\uff0e/b", DOTS),
        ("‥/b", DOTS),
        ("a\u2044b", SEPARATOR),
        ("a\u2215b", SEPARATOR),
        ("..\u2216b", SEPARATOR),
        ("\u2100", SEPARATOR),
        ("a\uff3cb", SEPARATOR),
        ("a ", BLANKS),
        (" a", BLANKS),
        ("a.", BLANKS),
        ("a/b /c", BLANKS),
        ("con", "`con` is a device on Windows"),
        ("a/NUL.txt", "`NUL.txt` is a device on Windows"),
        ("aux .md", "`aux .md` is a device on Windows"),
        ("com1", "`com1` is a device on Windows"),
        ("LPT³.x", "`LPT³.x` is a device on Windows"),
        ("conin$", "`conin$` is a device on Windows"),
        (".git/config", "`.git` belongs to git"),
        ("a/.GIT/hooks", "`.GIT` belongs to git"),
        ("GIT~1/config", "`GIT~1` belongs to git"),
        ("a\nb", HIDDEN),
        ("a\0b", HIDDEN),
        ("a\x1b[31m", HIDDEN),
        ("a\x85b", HIDDEN),
        ("a\u202eb", HIDDEN),
        ("a\u200bb", HIDDEN),
        (".g\u200cit/config", HIDDEN),
        ("a\u2028b", HIDDEN),
        ("a\ue000b", HIDDEN),
        ("a\udcffb", HIDDEN),
        ("a\U000e0041b", HIDDEN),
        ("a\u3164b", HIDDEN),
        ("a\u034fb", HIDDEN),
        ("e\u0301", "it is not in Unicode's NFC form"),
        ("\u212a", "it is not in Unicode's NFC form"),
        ("é" * 128, "a part of it has more than 255 bytes"),
        ("a" * 256, "a part of it has more than 255 bytes"),
        ("/".join("abcdefghi"), "it is 9 levels deep, at most 8 are allowed"),
        ("a" * 257, "it has 257 characters, at most 256 are allowed"),
    ],
)
def test_a_bad_path_is_refused_with_a_reason(path: str, problem: str) -> None:
    with pytest.raises(UnsafePathError) as caught:
        parse_path(path)

    assert find_path_problem(path) == problem
    assert caught.value.message == f"the path `{path}` is refused: {problem}"


@given(PATHS)
def test_an_accepted_path_is_relative_normalised_and_means_one_thing_everywhere(path: str) -> None:
    assume(find_path_problem(path) is None)

    parts = tuple(path.split("/"))
    assert PurePosixPath(path).parts == parts
    assert PureWindowsPath(path).parts == parts
    assert not PureWindowsPath(path).is_reserved()
    assert not set(parts) & {"", ".", ".."}
    assert unicodedata.normalize("NFC", path) == path
    assert unicodedata.normalize("NFKC", path).count("/") == len(parts) - 1
    assert not any(unicodedata.category(one) in INVISIBLE for one in path)
    assert path.encode().decode() == path
    assert 0 < len(path) <= STANDARD.path_characters
    assert len(parts) <= STANDARD.package_depth
    assert "##" in path or show_path(path) == path


@pytest.mark.requirement("TRU-7")
@given(st.text() | PATHS)
def test_whatever_is_refused_can_be_shown_on_one_line(path: str) -> None:
    shown = show_path(path)

    assert shown.splitlines() == [shown] * bool(path)
    assert all(one.isprintable() or unicodedata.category(one) in UNKNOWN for one in shown)


def test_an_overlong_path_is_shown_cut() -> None:
    assert show_path("a" * 300) == "a" * 256 + "…"
    assert show_path("a\x1bb\u202e") == r"a\x1bb\u202e"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("README.md", "readme.md"),
        ("ß", "SS"),
        ("ﬁ", "FI"),
        ("é", "E\u0301"),
        ("\u212a", "k"),
        ("Σ", "ς"),
        ("\uff21", "a"),
        ("\u1fb7", "\u1fbc\u0342"),
    ],
)
def test_names_that_some_system_takes_for_one_share_a_key(one: str, other: str) -> None:
    assert collision_key(one) == collision_key(other)


def test_no_case_and_no_form_of_a_character_escapes_its_key() -> None:
    forms: tuple[Form, ...] = ("NFC", "NFD", "NFKC", "NFKD")
    visible = (
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) not in INVISIBLE | {"Cn"}
    )

    escaped = {
        one
        for one in visible
        for other in (
            *(unicodedata.normalize(form, one) for form in forms),
            *(one.lower(), one.upper(), one.title(), one.casefold(), collision_key(one)),
        )
        if other != one and collision_key(other) != collision_key(one)
    }

    # Only in Turkish is the dotless i the small letter of I.
    assert escaped == {"\u0131"}


@pytest.mark.parametrize(
    ("paths", "collisions"),
    [
        (["a", "b", "A/c"], [("A/c", "a")]),
        (["a", "a"], [("a", "a")]),
        (["Docs/a", "docs/b"], [("docs/b", "Docs")]),
        (["a/b", "a"], [("a", "a")]),
        (["a", "a/b"], [("a/b", "a")]),
        (["x/a", "x/b", "x/y/z"], []),
        (["a", "A", "a/b"], [("A", "a"), ("a/b", "a")]),
        ([], []),
    ],
)
def test_collisions_name_the_later_path_and_the_earlier_one(
    paths: list[str], collisions: list[tuple[str, str]]
) -> None:
    assert list(iter_collisions(paths)) == collisions


@given(st.lists(GOOD_PATHS, max_size=8))
def test_what_remains_without_the_collisions_fits_a_system_that_folds_all_names(
    paths: list[str],
) -> None:
    refused = [path for path, _ in iter_collisions(paths)]
    kept = [path for path in dict.fromkeys(paths) if path not in refused]

    files = {collision_key(path) for path in kept}
    directories = {parent for path in kept for parent in list_parents(path)}
    assert len(files) == len(kept)
    assert len({collision_key(one) for one in directories}) == len(directories)
    assert not files & {collision_key(one) for one in directories}


def test_parents_are_listed_from_the_outside() -> None:
    assert list_parents("a/b/c") == ["a", "a/b"]
    assert list_parents("a") == []
