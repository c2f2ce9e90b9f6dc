"""Open what a person names as the place of skills."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from skillyard.application.ports.source import FoundPackage, SkillSource
from skillyard.bootstrap import open_source
from skillyard.domain.errors import InvalidPackageError, MissingPathError, UnknownFormError
from skillyard.domain.limits import Limits
from skillyard.skillmd import rules
from skillyard.skillmd.bundles import Form, find_form, read_bundle

STDIN: Final = "-"
_REMOTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_HEAD_BYTES: Final = 1024


def open_place(text: str, *, limits: Limits) -> SkillSource:
    """Give the source that a user names by `text`; see `open_source`.

    Raises:
        MissingPathError: There is no such path, or it is on another machine.
    """
    if _REMOTE.match(text):
        raise MissingPathError(
            text,
            reason="is not fetched",
            hint="Download or clone it, look at it, and name the file or directory",
        )
    return open_source(text, limits=limits)


@dataclass(frozen=True, slots=True)
class InputSource:
    """The one package in the bundle that comes in through standard input."""

    limits: Limits

    def iter_packages(self) -> Iterator[FoundPackage]:
        """See `SkillSource.iter_packages`.

        Raises:
            UnknownFormError: What comes in is in no form that holds a package.
            InvalidPackageError: It is larger than a bundle may be.
        """
        content = self._read()
        form = find_form("", content[:_HEAD_BYTES])
        if form is None:
            raise UnknownFormError(STDIN, known=[one.value for one in Form])
        taken = read_bundle(content, form, limits=self.limits)
        yield FoundPackage(location=STDIN, directory=None, taken=taken, container=True)

    def _read(self) -> bytes:
        most = self.limits.archive_bytes
        content = sys.stdin.buffer.read(most + 1)
        if len(content) > most:
            message = f"the archive is larger than {most:,} bytes"
            raise InvalidPackageError(STDIN, [rules.ARCHIVE_TOO_LARGE.finding(message, path="")])
        return content
