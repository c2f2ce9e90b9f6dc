"""The identity of a package's content."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from skillyard.domain.errors import InvalidDigestError

_SHAPE = re.compile(r"sha256:[0-9a-f]{64}")
_HEADER = b"skillyard-tree-1\n"


@dataclass(frozen=True, slots=True, order=True)
class TreeDigest:
    """The identity of a tree of files.

    Two trees have the same digest if, and only if, they hold the same bytes and the same
    executable bits at the same paths. Times, owners and the order of listing do not count, so a
    package has one digest everywhere.
    """

    text: str

    def __post_init__(self) -> None:
        if not _SHAPE.fullmatch(self.text):
            raise InvalidDigestError(self.text)

    @classmethod
    def of(cls, files: Iterable[tuple[str, bool, bytes]]) -> Self:
        """Compute the digest of files given as path, executable bit and content.

        It is the SHA-256 of a listing: the line `skillyard-tree-1`, then for each file, sorted by
        the bytes of its path, one line of `x` or `-`, the SHA-256 of its content, and its path.
        Package paths hold no line ends, so a line cannot be mistaken for two.
        """
        rows = sorted(
            (path.encode(), b"x" if executable else b"-", hashlib.sha256(body).hexdigest().encode())
            for path, executable, body in files
        )
        listing = b"".join(b"%s %s %s\n" % (bit, body, path) for path, bit, body in rows)
        return cls(f"sha256:{hashlib.sha256(_HEADER + listing).hexdigest()}")

    def __str__(self) -> str:
        return self.text
