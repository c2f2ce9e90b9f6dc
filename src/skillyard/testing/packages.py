"""Packages for tests."""

from collections.abc import Mapping
from types import MappingProxyType

from skillyard.domain.names import parse_name
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.repair import quote
from skillyard.skillmd.template import default_description

BODY = "# Steps\n\n1. Do the work.\n2. Check the result.\n"
"""The instructions of a package whose test does not care."""


def make_skill_md(name: str = "pdf", *, description: str = "", body: str = BODY) -> str:
    """Give the text of a SKILL.md; without a description it has one made from the name.

    Raises:
        InvalidNameError: `name` is no skill name.
    """
    says = description or default_description(parse_name(name))
    return f"---\nname: {quote(name)}\ndescription: {quote(says)}\n---\n\n{body}"


def make_package(
    name: str = "pdf",
    *,
    description: str = "",
    body: str = BODY,
    files: Mapping[str, PackageFile | bytes | str] = MappingProxyType({}),
) -> Package:
    """Make a package that passes the strict profile, as far as `body` and `files` allow.

    `files` are what stands beside SKILL.md, by their paths; plain contents are not executable.

    Raises:
        InvalidNameError: `name` is no skill name.
        UnsafePathError: A path may not stand in a package.
    """
    skill_md = make_skill_md(name, description=description, body=body)
    return Package.of({"SKILL.md": skill_md, **files})
