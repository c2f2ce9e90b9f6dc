"""The worked example of a digest in the documentation."""

import hashlib
import json
import re
from pathlib import Path
from typing import Final

import pytest

from skillyard.domain.digest import TreeDigest

PAGE: Final = Path(__file__).parents[3] / "docs" / "check.md"
BLOCK: Final = re.compile(r"<!-- vectors:digest -->\n(.*?)\n<!-- end -->", re.DOTALL)
ROW: Final = re.compile(r"^\| `(.+)` \| (yes|no) \| `(\".*\")` \|$", re.MULTILINE)
FENCE: Final = re.compile(r"^```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.fixture
def example() -> str:
    block = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert block is not None
    return block[1]


def read_files(example: str) -> list[tuple[str, bool, bytes]]:
    rows = ROW.findall(example)
    return [(path, bit == "yes", json.loads(content).encode()) for path, bit, content in rows]


def test_the_documented_files_have_the_documented_digest(example: str) -> None:
    files = read_files(example)
    _, digest = FENCE.findall(example)

    assert len(files) == 2
    assert f"{TreeDigest.of(files)}\n" == digest
    assert f"{TreeDigest.of(reversed(files))}\n" == digest


def test_the_documented_digest_is_that_of_the_documented_listing(example: str) -> None:
    listing, digest = FENCE.findall(example)

    assert f"sha256:{hashlib.sha256(listing.encode()).hexdigest()}\n" == digest


def test_the_documented_listing_names_each_content(example: str) -> None:
    listing, _ = FENCE.findall(example)
    lines = [
        f"{'x' if executable else '-'} {hashlib.sha256(content).hexdigest()} {path}"
        for path, executable, content in read_files(example)
    ]

    assert listing.splitlines() == ["skillyard-tree-1", *lines]
