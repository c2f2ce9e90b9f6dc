"""Turn values into what columns hold, and back."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from skillyard.domain.digest import TreeDigest
from skillyard.domain.errors import CorruptedContentError, InvalidInputError
from skillyard.domain.version import Version

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_SEPARATOR: Final = "\x1f"

UNREADABLE: Final = (
    AttributeError,
    InvalidInputError,
    KeyError,
    OverflowError,
    TypeError,
    ValueError,
)
"""What reading a value raises that nobody here has written."""


def unreadable(place: str) -> CorruptedContentError:
    """Give the error for a row that cannot be read."""
    return CorruptedContentError(place, reason="cannot be read: a value in its row is damaged")


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Turn values that nobody here has written into an error that names their row."""
    try:
        yield
    except UNREADABLE as error:
        raise unreadable(place) from error


def to_moment(at: datetime) -> int:
    """Give a moment as milliseconds since 1970 in UTC."""
    return (at - _EPOCH) // _MILLISECOND


def from_moment(milliseconds: int) -> datetime:
    """Give the moment that `to_moment` was given."""
    return _EPOCH + timedelta(milliseconds=milliseconds)


def to_digest(digest: TreeDigest) -> bytes:
    """Give the 32 bytes of a digest."""
    return bytes.fromhex(digest.text[7:])


@lru_cache(maxsize=4096)
def from_digest(raw: bytes) -> TreeDigest:
    """Give the digest of 32 bytes."""
    return TreeDigest(f"sha256:{raw.hex()}")


def to_number(version: Version) -> str:
    """Give a version as text without its build metadata, which distinguishes nothing."""
    return str(version.without_build() if version.build else version)


@lru_cache(maxsize=4096)
def from_number(text: str) -> Version:
    """Give the version that was kept as `text`."""
    return Version.parse(text)


def to_json(value: object) -> str:
    """Give a list or a mapping as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4096)
def from_json_list(text: str) -> tuple[str, ...]:
    """Give the texts of a JSON list."""
    value = json.loads(text)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        message = "it is no list of texts"
        raise ValueError(message)
    return tuple(value)


@lru_cache(maxsize=512)
def from_json_mapping(text: str) -> Mapping[str, str]:
    """Give the texts of a JSON object, in the order in which they were kept."""
    value = json.loads(text)
    if not isinstance(value, dict):
        message = "it is no mapping"
        raise TypeError(message)
    return MappingProxyType(value)


def to_haystack(*texts: str) -> str:
    """Give what a search looks through: the same on every engine, whatever the case of letters."""
    return _SEPARATOR.join(texts).casefold()
