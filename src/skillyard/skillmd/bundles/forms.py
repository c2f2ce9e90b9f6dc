"""The forms that a bundle can have, and the way in and out of each."""

import re
from enum import StrEnum
from typing import Final, assert_never

from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.errors import UnsafePathError
from skillyard.domain.limits import Limits
from skillyard.domain.package import Package
from skillyard.domain.paths import parse_path
from skillyard.skillmd import rules
from skillyard.skillmd.bundles import tar_records
from skillyard.skillmd.bundles.bounds import refuse_ambiguous
from skillyard.skillmd.bundles.facts import BundleFacts, PortableFacts, TakenBundle
from skillyard.skillmd.bundles.portable_reading import read_portable
from skillyard.skillmd.bundles.portable_writing import render_portable
from skillyard.skillmd.bundles.tar_reading import iter_tar_entries
from skillyard.skillmd.bundles.tar_writing import render_tar_gz
from skillyard.skillmd.bundles.zip_reading import iter_zip_entries
from skillyard.skillmd.bundles.zip_writing import render_zip
from skillyard.skillmd.check import check_package
from skillyard.skillmd.intake import IntakeRefusedError, TakenIn, take_in


class Form(StrEnum):
    """How a package is put into one file."""

    ZIP = "zip"
    TAR_GZ = "tar.gz"
    JSON = "json"


_STARTS: Final = (
    (re.compile(rb"PK(?:\x03\x04|\x05\x06)"), Form.ZIP),
    (re.compile(rb"\x1f\x8b|.{257}ustar", re.DOTALL), Form.TAR_GZ),
    (re.compile(rb"(?:\xef\xbb\xbf)?\s*\{\s*[\"}]"), Form.JSON),
)
_ENDINGS: Final = {
    ".zip": Form.ZIP,
    ".skill": Form.ZIP,
    ".tar.gz": Form.TAR_GZ,
    ".tgz": Form.TAR_GZ,
    ".tar": Form.TAR_GZ,
    ".json": Form.JSON,
}


def find_form(file_name: str, head: bytes) -> Form | None:
    """Tell the form of a bundle from its first 262 bytes or more, else from its name."""
    for start, form in _STARTS:
        if start.match(head):
            return form
    lower = file_name.lower()
    return next((form for ending, form in _ENDINGS.items() if lower.endswith(ending)), None)


WRITTEN_ENDINGS: Final = (".zip", ".skill", ".tar.gz", ".tgz", ".json")
"""The endings that say in which form a bundle is written; a plain .tar is only read."""


def find_form_to_write(file_name: str) -> Form | None:
    """Tell the form in which a file of that name is written, or None where it does not say."""
    lower = file_name.lower()
    return next((_ENDINGS[one] for one in WRITTEN_ENDINGS if lower.endswith(one)), None)


def read_bundle(data: bytes, form: Form, *, limits: Limits) -> TakenIn:
    """Read the package in `data`; whatever is wrong with it is in the diagnostics.

    Nothing that `data` holds makes this raise, fill the memory, or write anything. A tar archive
    may be gzipped or plain. What portable JSON says of its skill is compared with
    SKILL.md, and comes along in a `TakenBundle`.
    """
    try:
        _check_start(data[: tar_records.BLOCK_BYTES])
    except IntakeRefusedError as refusal:
        return TakenIn(Package.of({}), (refusal.diagnostic,))
    match form:
        case Form.ZIP:
            return take_in(iter_zip_entries(data, limits=limits), limits=limits, unwrap=True)
        case Form.TAR_GZ:
            return take_in(iter_tar_entries(data, limits=limits), limits=limits, unwrap=True)
        case Form.JSON:
            return _with_differences(*read_portable(data, limits=limits))
    assert_never(form)


def _check_start(block: bytes) -> None:
    # A tar header starts with the name of a file, which can be what another form starts with.
    others = (start for start, form in _STARTS if form is not Form.TAR_GZ)
    is_other = block.startswith(tar_records.GZIP_MAGIC) or any(one.match(block) for one in others)
    if is_other and tar_records.is_header(block):
        refuse_ambiguous("the file is a tar archive to some programs, and another to others")


def _with_differences(taken: TakenIn, facts: PortableFacts) -> TakenBundle:
    found = (*taken.diagnostics, *_list_differences(taken.package, facts))
    return TakenBundle(taken.package, found, taken.directory, facts)


def _list_differences(package: Package, facts: PortableFacts) -> tuple[Diagnostic, ...]:
    manifest = check_package(package).manifest
    # A store may number versions otherwise than the files that it keeps.
    if manifest is None or facts.describes(package):
        return ()
    said = (("slug", facts.slug, manifest.name), ("version", facts.version, manifest.version))
    return tuple(
        rules.BUNDLE_DIFFERS.finding(
            f"the bundle's {what} is `{there}`, but SKILL.md says `{here}`",
            hint="SKILL.md counts; export the bundle again",
        )
        for what, there, here in said
        if there and here and there != here
    )


def render_bundle(package: Package, form: Form, *, about: BundleFacts) -> bytes:
    """Give `package` in one file; equal packages and facts give equal bytes, see each writer.

    Raises:
        UnsafePathError: The wrapper is no name of a directory.
        InvalidPackageError: The form is JSON, and there is no SKILL.md.
    """
    if about.wrapper is not None:
        _check_wrapper(about.wrapper)
    match form:
        case Form.ZIP:
            return render_zip(package, wrapper=about.wrapper)
        case Form.TAR_GZ:
            return render_tar_gz(package, wrapper=about.wrapper)
        case Form.JSON:
            return render_portable(package, about)
    assert_never(form)


def _check_wrapper(name: str) -> None:
    if "/" in parse_path(name):
        raise UnsafePathError(name, reason="it is more than the name of one directory")
