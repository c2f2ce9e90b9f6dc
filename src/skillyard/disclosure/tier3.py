"""Tier 3: one file of a skill, on request.

A path is checked before anything is looked up, so what is refused is refused whether or not it is
there. A package holds no links: those that lead out were refused where it came in.
"""

import re
from enum import StrEnum
from typing import Final

from skillyard.domain.contenttype import find_content_type
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import PackagePath, parse_path

_HERE: Final = re.compile(r"\A(?:\./)+")


class FileKind(StrEnum):
    """The directories of a skill that its supporting files stand in."""

    SCRIPTS = "scripts"
    REFERENCES = "references"
    ASSETS = "assets"


def parse_request(path: str) -> PackagePath:
    """Check the path that an agent asks for; `./` may stand before it, once or more.

    Raises:
        UnsafePathError: It is absolute, leads upwards, or may not stand in a package.
    """
    return parse_path(_HERE.sub("", path))


def list_files(package: Package, kind: FileKind) -> tuple[str, ...]:
    """List the paths of the files of one kind, in order."""
    return tuple(path for path in package if path.startswith(f"{kind}/"))


def find_file(package: Package, path: str) -> PackageFile | None:
    """Give one file, or None where there is none at `path`.

    Raises:
        UnsafePathError: The path is refused.
    """
    return package.files.get(parse_request(path))


def render_file(path: str, file: PackageFile) -> str:
    """Give a file's text as it is, or say what it is where it is no text."""
    try:
        return file.content.decode()
    except UnicodeDecodeError:
        kind = find_content_type(path, file.content)
        return f"[{path} is not text: {len(file.content):,} bytes of {kind}]"
