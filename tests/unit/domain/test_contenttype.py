"""A file's media type is the same on every machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.contenttype import find_content_type

pytestmark = pytest.mark.requirement("STO-3")

NO_TEXT = b"\xff\xfe\x00"


@pytest.mark.parametrize(
    ("path", "content", "expected"),
    [
        ("SKILL.md", b"# Sort\n", "text/markdown"),
        ("scripts/run.py", b"", "text/x-python"),
        ("scripts/RUN.SH", b"", "application/x-sh"),
        ("assets/logo.tar.png", NO_TEXT, "image/png"),
        ("data.json", NO_TEXT, "application/json"),
        ("LICENSE", b"Apache", "text/plain"),
        ("LICENSE", NO_TEXT, "application/octet-stream"),
        ("notes.unknown", "für dich".encode(), "text/plain"),
        ("notes.unknown", "für dich".encode("latin-1"), "application/octet-stream"),
        (".md", b"", "text/plain"),
        ("a.md/file", b"", "text/plain"),
        ("file.", NO_TEXT, "application/octet-stream"),
    ],
)
def test_the_ending_decides_and_then_the_bytes(path: str, content: bytes, expected: str) -> None:
    assert find_content_type(path, content) == expected


@given(st.text(max_size=20), st.binary(max_size=20))
def test_every_file_has_a_type(path: str, content: bytes) -> None:
    kind, _, subtype = find_content_type(path, content).partition("/")

    assert kind
    assert subtype
