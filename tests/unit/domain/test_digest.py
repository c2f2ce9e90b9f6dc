"""One package has one digest, and another package has another."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import InvalidDigestError, UnsafePathError
from skillyard.domain.package import Package, PackageFile

pytestmark = pytest.mark.requirement("PKG-7")

Row = tuple[str, bool, bytes]

NAMES = st.from_regex(r"[a-z][a-z0-9 x-]{0,5}[a-z0-9]", fullmatch=True)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
ROWS = st.lists(
    st.tuples(PATHS, st.booleans(), st.binary(max_size=8)), max_size=4, unique_by=lambda row: row[0]
)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_digest_is_the_sha256_of_a_listing_that_anyone_can_write() -> None:
    digest = TreeDigest.of([("scripts/run.sh", True, b"#!/bin/sh\n"), ("SKILL.md", False, b"# Hi")])

    listing = (
        "skillyard-tree-1\n"
        f"- {sha256(b'# Hi')} SKILL.md\n"
        f"x {sha256(b'#!/bin/sh' + bytes([10]))} scripts/run.sh\n"
    )
    assert str(digest) == f"sha256:{sha256(listing.encode())}"


def test_paths_are_sorted_by_their_bytes() -> None:
    rows: list[Row] = [(path, False, b"") for path in ("Z", "a", "é", "\U0001f600", "\uff0d")]

    listed = ["Z", "a", "é", "\uff0d", "\U0001f600"]
    text = "skillyard-tree-1\n" + "".join(f"- {sha256(b'')} {path}\n" for path in listed)
    assert TreeDigest.of(rows).text == f"sha256:{sha256(text.encode())}"


@given(ROWS, st.data())
def test_the_order_of_listing_does_not_count(rows: list[Row], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rows))

    assert TreeDigest.of(shuffled) == TreeDigest.of(rows)


@given(ROWS, ROWS)
def test_two_trees_share_a_digest_only_if_they_are_equal(one: list[Row], other: list[Row]) -> None:
    is_same = sorted(one) == sorted(other)

    assert (TreeDigest.of(one) == TreeDigest.of(other)) is is_same


@given(ROWS.filter(bool), st.data())
def test_any_byte_any_bit_and_any_path_changes_the_digest(
    rows: list[Row], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(rows) - 1))
    path, executable, content = rows[index]
    at = data.draw(st.integers(0, len(content)))
    changed: list[Row] = [
        (path, not executable, content),
        (f"{path}x", executable, content),
        (path, executable, content[:at] + b"\0" + content[at:]),
    ]
    if content:
        flipped = bytes([content[0] ^ 1]) + content[1:]
        changed += [(path, executable, flipped), (path, executable, content[:-1])]

    digests = {
        TreeDigest.of([*rows[:index], row, *rows[index + 1 :]]) for row in [rows[index], *changed]
    }

    assert len(digests) == len(changed) + 1


def test_moving_a_letter_from_a_path_to_its_content_changes_the_digest() -> None:
    assert TreeDigest.of([("a", False, b"bc")]) != TreeDigest.of([("ab", False, b"c")])


def test_no_path_can_hold_a_line_of_the_listing() -> None:
    forged = f"a\n- {sha256(b'evil')} b"

    with pytest.raises(UnsafePathError) as caught:
        Package.of({forged: b""})

    assert caught.value.code == "unsafe-path"


def test_a_package_and_its_rows_have_one_digest() -> None:
    package = Package.of({"b": "2", "a": PackageFile(b"1", executable=True)})

    assert package.digest() == TreeDigest.of([("a", True, b"1"), ("b", False, b"2")])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sha256:",
        "sha256:" + "0" * 63,
        "sha256:" + "0" * 65,
        "sha256:" + "A" * 64,
        "SHA256:" + "0" * 64,
        "0" * 64,
        "sha256:" + "0" * 64 + "\n",
        "sha256:" + "\u0660" * 64,
    ],
)
def test_a_text_of_another_shape_is_no_digest(text: str) -> None:
    with pytest.raises(InvalidDigestError) as caught:
        TreeDigest(text)

    assert caught.value.code == "invalid-digest"


@given(st.binary(min_size=32, max_size=32))
def test_a_digest_is_its_text(content: bytes) -> None:
    text = f"sha256:{content.hex()}"

    assert str(TreeDigest(text)) == text
    assert TreeDigest(text) == TreeDigest(text)
    assert hash(TreeDigest(text)) == hash(TreeDigest(text))


def test_digests_can_be_sorted() -> None:
    low, high = TreeDigest("sha256:" + "0" * 64), TreeDigest("sha256:" + "f" * 64)

    assert sorted([high, low]) == [low, high]
