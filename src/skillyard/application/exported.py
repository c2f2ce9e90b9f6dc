"""Recognize a directory that an export has written."""

from dataclasses import replace

from skillyard.application.ports.source import FoundPackage
from skillyard.domain.limits import STANDARD, Limits
from skillyard.skillmd.sidecar import take_off_exported


def forget_directory(found: FoundPackage, *, limits: Limits = STANDARD) -> FoundPackage:
    """Give an exported package without the name of its directory; any other as it is.

    Whoever exports a skill names the directory as they like. The package has to be exactly what was
    exported: one that was changed since is judged like any other.
    """
    rest, sidecar = take_off_exported(found.taken.package, limits=limits)
    if sidecar is None or sidecar.digest != str(rest.digest()):
        return found
    return replace(found, directory=None)
