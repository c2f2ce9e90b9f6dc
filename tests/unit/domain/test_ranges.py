"""A range admits the versions that its text says, and a text that says nothing is refused."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidRangeError
from skillyard.domain.ranges import MOST_CHARACTERS, VersionRange
from skillyard.domain.version import Version

pytestmark = pytest.mark.requirement("STO-5")

NUMBERS = st.integers(0, 3) | st.integers(0, 999_999_999)
PRE = st.lists(st.sampled_from(["0", "1", "alpha", "rc"]), max_size=2).map(tuple)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS, NUMBERS, PRE)
RELEASES = st.builds(Version, NUMBERS, NUMBERS, NUMBERS)
WORDS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "=", "^", "~", ">", ">=", "<", "<=", "> "]),
    st.sampled_from(["", "v"]),
    VERSIONS,
)
RANGES = st.lists(
    st.lists(WORDS, min_size=1, max_size=3).map(" ".join), min_size=1, max_size=3
).map(" || ".join)


@pytest.mark.parametrize(
    ("text", "admitted", "refused"),
    [
        ("1.2.3", "1.2.3 1.2.3+build", "1.2.4 1.2.3-rc.1 1.2.2"),
        ("=v1.2.3+build", "1.2.3 1.2.3+other", "1.2.4"),
        ("1.2", "1.2.0", "1.2.1 1.1.9"),
        ("1.2.3-rc.1", "1.2.3-rc.1", "1.2.3 1.2.3-rc.2"),
        ("^1.2.3", "1.2.3 1.2.4 1.9.0", "1.2.2 2.0.0 2.0.0-rc.1 1.3.0-rc.1"),
        ("^1.2", "1.2.0 1.9.9", "1.1.9 2.0.0"),
        ("^1", "1.0.0 1.9.9", "0.9.9 2.0.0"),
        ("^0.2.3", "0.2.3 0.2.9", "0.2.2 0.3.0"),
        ("^0.0.3", "0.0.3", "0.0.2 0.0.4"),
        ("^0.0.0", "0.0.0", "0.0.1"),
        ("^0.0", "0.0.0 0.0.9", "0.1.0"),
        ("^0", "0.0.0 0.9.9", "1.0.0"),
        ("^1.2.3-rc.2", "1.2.3-rc.2 1.2.3-rc.3 1.2.3 1.3.0", "1.2.3-rc.1 1.2.4-rc.9 2.0.0-0"),
        ("~1.2.3", "1.2.3 1.2.9", "1.2.2 1.3.0 1.3.0-rc.1"),
        ("~1.2", "1.2.0 1.2.9", "1.1.9 1.3.0"),
        ("~1", "1.0.0 1.9.9", "0.9.9 2.0.0"),
        ("~0", "0.0.0 0.9.9", "1.0.0"),
        ("~1-beta", "1.0.0-beta 1.0.0 1.9.0", "1.0.0-alpha 2.0.0"),
        ("1.x", "1.0.0 1.9.9", "0.9.9 2.0.0"),
        ("1.2.*", "1.2.0 1.2.9", "1.1.9 1.3.0"),
        ("v1.X", "1.0.0 1.9.9", "2.0.0"),
        (">1.2", "1.2.1 9.0.0", "1.2.0 1.1.0 2.0.0-rc.1"),
        (">=1.2", "1.2.0 9.0.0", "1.1.9"),
        ("<2", "1.9.9 0.0.0", "2.0.0 2.0.0-rc.1"),
        ("<=2", "2.0.0 1.0.0", "2.0.1"),
        (">=1.2 <2", "1.2.0 1.9.9", "1.1.9 2.0.0"),
        (" >= 1.2   <  2 ", "1.2.0 1.9.9", "1.1.9 2.0.0"),
        (">=1.0.0-rc.1 <2", "1.0.0-rc.1 1.0.0 1.5.0", "1.0.0-beta 1.5.0-rc.1 2.0.0-rc.1"),
        ("^1.2 <2.0.0-rc.2", "1.9.9", "2.0.0-rc.1"),
        ("^1 || ^3", "1.5.0 3.0.0", "2.0.0 4.0.0"),
        ("1.0.0||2.0.0||*", "1.0.0 2.0.0 7.0.0", "7.0.0-rc.1"),
        ("*", "0.0.0 1.0.0 999999999.0.0", "1.0.0-rc.1"),
        ("^999999999.999999999.999999999", "999999999.999999999.999999999", "1.0.0"),
    ],
)
def test_a_range_admits_what_it_says(text: str, admitted: str, refused: str) -> None:
    wanted = VersionRange(text)

    assert [one for one in admitted.split() if not wanted.admits(Version.parse(one))] == []
    assert [one for one in refused.split() if wanted.admits(Version.parse(one))] == []
    assert str(wanted) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "||",
        "1.0.0 ||",
        "latest",
        "^",
        ">=",
        "^^1.0.0",
        "> =1.0.0",
        "=>1.0.0",
        "!=1.0.0",
        "^1.x",
        "x",
        "1.x.x",
        "1.2.3.x",
        "1.x-rc",
        "* 1.0.0",
        "1.0.0 - 2.0.0",
        ">=1.0.0, <2.0.0",
        "1.0.0 | 2.0.0",
        "01.0.0",
        "1.2.3.4",
        "V1.0.0",
        "1.0.0\n",
        "1.0.0\u00a0|| 2.0.0",
        "\u0661.0.0",
        "1.0.0 " * 500,
    ],
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(InvalidRangeError) as caught:
        VersionRange(text)

    assert caught.value.code == "invalid-range"
    assert len(caught.value.message) < 150


def test_a_range_of_any_length_is_answered_at_once() -> None:
    for text in ("^" * 10**6, " " * 10**6, "1." * 10**6, "> " * 10**6, "||" * 10**6):
        with pytest.raises(InvalidRangeError):
            VersionRange(text)


@pytest.mark.parametrize(
    "piece", ["1.0.0 ", ">  ", "1.x", "1.", "v1-", "1-a.", "^1||", "|| ", "*", "1+a"]
)
def test_the_longest_texts_are_a_range_or_none(piece: str) -> None:
    text = (piece * MOST_CHARACTERS)[:MOST_CHARACTERS]

    assert is_range(text) in {True, False}


def test_the_longest_version_can_be_pinned() -> None:
    number = 999_999_999
    longest = Version(number, number, number, ("a" * 64,) * 10, ("b" * 64,) * 10)

    assert VersionRange.exactly(longest).admits(longest)


def test_a_range_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(VersionRange("^1.2"))) == VersionRange("^1.2")  # noqa: S301


@given(VERSIONS, VERSIONS)
def test_an_exact_range_admits_its_version_and_no_other(one: Version, other: Version) -> None:
    wanted = VersionRange.exactly(one)

    assert wanted.admits(one)
    assert wanted.admits(other) is (one == other)


@given(VERSIONS, VERSIONS)
def test_a_caret_keeps_to_the_first_number_that_is_not_zero(one: Version, other: Version) -> None:
    wanted = VersionRange(f"^{one}")

    assert wanted.admits(one)
    assert not wanted.admits(Version(one.major + 1))
    assert not wanted.admits(Version(one.major + 1, pre=("0",)))
    if wanted.admits(other):
        assert other >= one
        assert first_not_zero(other) == first_not_zero(one)


@given(VERSIONS, VERSIONS)
def test_a_tilde_keeps_to_the_minor_number(one: Version, other: Version) -> None:
    wanted = VersionRange(f"~{one}")

    assert wanted.admits(one)
    if wanted.admits(other):
        assert other >= one
        assert (other.major, other.minor) == (one.major, one.minor)


@given(RELEASES, RELEASES)
def test_comparisons_divide_the_releases(bound: Version, other: Version) -> None:
    assert VersionRange(f"<{bound}").admits(other) is not VersionRange(f">={bound}").admits(other)
    assert VersionRange(f">{bound}").admits(other) is not VersionRange(f"<={bound}").admits(other)


@given(RANGES, RANGES, VERSIONS)
def test_alternatives_admit_what_either_admits(one: str, other: str, version: Version) -> None:
    either = VersionRange(one).admits(version) or VersionRange(other).admits(version)

    assert VersionRange(f"{one}||{other}").admits(version) is either


@given(st.text(max_size=30) | st.text("^~<>=|*xv0123.-+ ", max_size=30), VERSIONS)
def test_any_text_is_a_range_or_refused(text: str, version: Version) -> None:
    if is_range(text):
        assert VersionRange(text).admits(version) in {True, False}


def is_range(text: str) -> bool:
    try:
        VersionRange(text)
    except InvalidRangeError:
        return False
    return True


def first_not_zero(version: Version) -> tuple[int, ...]:
    numbers = (version.major, version.minor, version.patch)
    place = next((place for place, one in enumerate(numbers) if one), 2)
    return numbers[: place + 1]
