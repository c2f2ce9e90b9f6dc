"""Versions are read, written and ordered as semver 2.0.0 says."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidVersionError
from skillyard.domain.version import Version, find_version

pytestmark = pytest.mark.requirement("PKG-2")

NUMBERS = st.integers(0, 999_999_999)
WORDS = st.from_regex(r"[0-9A-Za-z-]{1,6}", fullmatch=True)
PRE = WORDS.filter(lambda one: not (one.isdigit() and len(one) > 1 and one[0] == "0"))
VERSIONS = st.builds(
    Version,
    NUMBERS | st.integers(0, 2),
    st.integers(0, 2),
    st.integers(0, 2),
    st.lists(PRE | st.sampled_from(["1", "2", "rc"]), max_size=3).map(tuple),
    st.lists(WORDS, max_size=2).map(tuple),
)


@pytest.mark.parametrize(
    ("text", "version", "written"),
    [
        ("1.2.3", Version(1, 2, 3), "1.2.3"),
        ("0.0.0", Version(0), "0.0.0"),
        ("v1", Version(1), "1.0.0"),
        ("1.2", Version(1, 2), "1.2.0"),
        (" 2.0.0\n", Version(2), "2.0.0"),
        ("1.0.0-rc.1", Version(1, 0, 0, ("rc", "1")), "1.0.0-rc.1"),
        ("1.0.0+build.7", Version(1, 0, 0, (), ("build", "7")), "1.0.0+build.7"),
        ("1-beta+001", Version(1, 0, 0, ("beta",), ("001",)), "1.0.0-beta+001"),
        ("1.0.0--", Version(1, 0, 0, ("-",)), "1.0.0--"),
    ],
)
def test_a_version_is_read_and_written_in_full(text: str, version: Version, written: str) -> None:
    assert Version.parse(text) == version
    assert Version.parse(text).pre == version.pre
    assert Version.parse(text).build == version.build
    assert str(version) == written
    assert find_version(text) == version


@pytest.mark.parametrize(
    "text",
    [
        "",
        "latest",
        "1.2.3.4",
        "01.0.0",
        "1.02.0",
        "1.0.0-01",
        "1.0.0-",
        "1.0.0+",
        "1..0",
        "-1.0.0",
        "1.0.0-ä",
        "\u0661.0.0",
        "V1",
        "1" * 10,
        "1.0.0-" + "a" * 65,
        "1.0.0-" + ".".join("a" * 11),
    ],
)
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(InvalidVersionError) as caught:
        Version.parse(text)

    assert caught.value.code == "invalid-version"
    assert find_version(text) is None


def test_precedence_is_that_of_semver() -> None:
    ordered = [
        "1.0.0-1",
        "1.0.0-2",
        "1.0.0-10",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.2.0",
        "1.10.0",
        "2.0.0",
    ]

    for lower, higher in combinations(map(Version.parse, ordered), 2):
        assert lower < higher
        assert higher > lower
        assert lower != higher


def test_build_metadata_does_not_count() -> None:
    one, other = Version.parse("1.0.0+a"), Version.parse("1.0.0+b")

    assert one == other
    assert hash(one) == hash(other)
    assert not one < other


def test_a_version_is_not_equal_to_its_text() -> None:
    assert Version(1) != "1.0.0"


@given(VERSIONS)
def test_writing_and_reading_gives_the_same_version(version: Version) -> None:
    again = Version.parse(str(version))

    assert again == version
    assert (again.pre, again.build, str(again)) == (version.pre, version.build, str(version))


@given(VERSIONS, VERSIONS, VERSIONS)
def test_the_order_is_total(a: Version, b: Version, c: Version) -> None:
    assert sum([a < b, a == b, a > b]) == 1
    assert (a <= b) is not (a > b)
    if a <= b <= c:
        assert a <= c
    if a == b:
        assert hash(a) == hash(b)


@given(st.text(max_size=20) | st.from_regex(r"v?[0-9]+(\.[0-9]+){0,3}[-+.a-z0-9]*"))
def test_any_text_is_a_version_or_none(text: str) -> None:
    version = find_version(text)

    assert version is None or Version.parse(str(version)) == version
