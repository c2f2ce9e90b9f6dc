"""Read one package from a file: an archive, or another form of bundle."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from skillyard.adapters.fs.handle import open_named_file, read_at_most, to_printable
from skillyard.adapters.fs.tree import refused, unreadable
from skillyard.application.ports.source import FoundPackage
from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.errors import MissingPathError, UnknownFormError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd import rules
from skillyard.skillmd.bundles import Form, find_form, find_form_to_write, read_bundle
from skillyard.skillmd.intake import IntakeRefusedError, TakenIn

_HEAD_BYTES = 1024
# JSON is everywhere: only what says that it is a bundle is one.
_PORTABLE = b'"formatVersion"'


def is_bundle(path: Path) -> bool:
    """Tell by name and first bytes whether a file that nobody named is a bundle."""
    form = find_form_to_write(path.name)
    if form is None:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError:
        return True  # reading it says why it cannot be read
    return find_form("", head) is form and (form is not Form.JSON or _PORTABLE in head)


@dataclass(frozen=True, slots=True)
class BundleSource:
    """The one package in the file at `path`."""

    path: Path
    limits: Limits = STANDARD

    def iter_packages(self) -> Iterator[FoundPackage]:
        """See `SkillSource.iter_packages`.

        Raises:
            UnknownFormError: The file is in no form that holds a package.
        """
        taken = self._read()
        location = to_printable(str(self.path))
        # What wraps the files in an archive is often a branch or a version: `pdf-main`.
        yield FoundPackage(location=location, directory=None, taken=taken, container=True)

    def _read(self) -> TakenIn:
        try:
            content = _read_bounded(str(self.path), self.limits.archive_bytes)
        except (FileNotFoundError, NotADirectoryError, ValueError) as error:
            raise MissingPathError(to_printable(str(self.path))) from error
        except OSError as error:
            return refused(unreadable("", error))
        except IntakeRefusedError as refusal:
            return refused(refusal.diagnostic)
        form = find_form(self.path.name, content[:_HEAD_BYTES])
        if form is None:
            raise UnknownFormError(to_printable(str(self.path)), known=[one.value for one in Form])
        return read_bundle(content, form, limits=self.limits)


def _read_bounded(path: str, most: int) -> bytes:
    # A device may act on being opened; this one look comes before, the other after.
    _require_file(os.stat(path), most)  # noqa: PTH116
    descriptor = open_named_file(path)
    try:
        status = os.fstat(descriptor)
        _require_file(status, most)
        content = read_at_most(descriptor, status.st_size + 1, status.st_size)
    finally:
        os.close(descriptor)
    if len(content) != status.st_size:
        raise IntakeRefusedError(_changed())
    return content


def _require_file(status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise IntakeRefusedError(
            rules.SPECIAL_FILE.finding("a bundle is a file, and this is none", path="")
        )
    if status.st_size > most:
        raise IntakeRefusedError(
            rules.ARCHIVE_TOO_LARGE.finding(
                f"the archive is larger than {most:,} bytes",
                path="",
                hint="Leave out what the skill does not need, or choose the `wide` limits",
            )
        )


def _changed() -> Diagnostic:
    return rules.UNREADABLE.finding(
        "the archive was changed while it was being read", path="", hint="Run the command again"
    )
