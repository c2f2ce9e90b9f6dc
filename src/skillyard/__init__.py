"""Skillyard: the system of record and delivery for agent skills.

    import skillyard

    for skill in skillyard.check("skills/"):
        print(skill.found.location, skill.checked.diagnostics)

Names are looked up when they are first used, so that importing the package costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skillyard.application.check import CheckedSkill
    from skillyard.domain.diagnostic import Diagnostic, Severity
    from skillyard.domain.digest import TreeDigest
    from skillyard.domain.errors import InvalidPackageError, SkillyardError
    from skillyard.domain.limits import Limits
    from skillyard.domain.manifest import Manifest
    from skillyard.domain.package import Package, PackageFile
    from skillyard.library import check, digest, fix, new, pack, read_package, unpack
    from skillyard.yard import Skillyard

__version__ = "0.1.0"

__all__ = [
    "CheckedSkill",
    "Diagnostic",
    "InvalidPackageError",
    "Limits",
    "Manifest",
    "Package",
    "PackageFile",
    "Severity",
    "Skillyard",
    "SkillyardError",
    "TreeDigest",
    "__version__",
    "check",
    "digest",
    "fix",
    "new",
    "pack",
    "read_package",
    "unpack",
]

_HOMES = {
    "CheckedSkill": "application.check",
    "Diagnostic": "domain.diagnostic",
    "InvalidPackageError": "domain.errors",
    "Limits": "domain.limits",
    "Manifest": "domain.manifest",
    "Package": "domain.package",
    "PackageFile": "domain.package",
    "Severity": "domain.diagnostic",
    "Skillyard": "yard",
    "SkillyardError": "domain.errors",
    "TreeDigest": "domain.digest",
    "check": "library",
    "digest": "library",
    "fix": "library",
    "new": "library",
    "pack": "library",
    "read_package": "library",
    "unpack": "library",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (each name has a type of its own)
    if name not in _HOMES:
        message = f"module 'skillyard' has no attribute {name!r}"
        raise AttributeError(message)
    return getattr(import_module(f"skillyard.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
