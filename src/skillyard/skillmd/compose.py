"""Put a SKILL.md together from what a form or a program gives."""

import json

from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.limits import STANDARD, Limits
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import MANIFEST_JSON, SKILL_MD, PackagePath
from skillyard.skillmd import rules
from skillyard.skillmd.fix import restate
from skillyard.skillmd.jsontext import JsonRefusedError, parse_json
from skillyard.skillmd.repair import quote

_FENCE = "---"


def add_front_matter(content: str, *, name: str, description: str) -> str:
    """Give `content` with front matter, which is made from name and description if it has none."""
    if content.lstrip("\ufeff").lstrip().startswith(_FENCE):
        return content
    front = f"{_FENCE}\nname: {quote(name)}\ndescription: {quote(description)}\n{_FENCE}\n"
    return f"{front}\n{content.lstrip()}"


def rename_package(package: Package, name: str, *, limits: Limits = STANDARD) -> Package:
    """Give the package under another name: SKILL.md and manifest.json say so, and nothing else.

    Raises:
        InvalidPackageError: Its front matter cannot be changed.
    """
    return _with_field(_rename_sidecar(package, name, limits), "name", name, limits)


def describe_package(package: Package, description: str, *, limits: Limits = STANDARD) -> Package:
    """Give the package with another description in its SKILL.md, and nothing else changed.

    Raises:
        InvalidPackageError: Its front matter cannot be changed.
    """
    return _with_field(package, "description", description, limits)


def _with_field(package: Package, key: str, text: str, limits: Limits) -> Package:
    file = package.files.get(SKILL_MD)
    content = restate(file.content, key, text, limits=limits) if file else None
    if file is None or content is None:
        finding = rules.FRONT_MATTER_MISSING.finding(f"`{key}` in SKILL.md cannot be changed")
        raise InvalidPackageError(SKILL_MD, (finding,))
    return _with_file(package, SKILL_MD, PackageFile(content, file.executable))


def _rename_sidecar(package: Package, name: str, limits: Limits) -> Package:
    file = package.files.get(MANIFEST_JSON)
    if file is None:
        return package
    try:
        value = parse_json(file.content, depth=limits.front_matter_depth)
    except JsonRefusedError:
        return package
    if not isinstance(value, dict) or "name" not in value:
        return package
    text = json.dumps(value | {"name": name}, indent=2, ensure_ascii=False)
    content = f"{text}\n".encode(errors="replace")
    return _with_file(package, MANIFEST_JSON, PackageFile(content, file.executable))


def _with_file(package: Package, path: PackagePath, file: PackageFile) -> Package:
    return Package.from_checked((dict(package.files) | {path: file}).items())
