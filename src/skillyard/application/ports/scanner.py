"""Who looks for dangers in a package."""

from typing import Protocol

from skillyard.domain.package import Package
from skillyard.domain.scan import ScanReport


class Scanner(Protocol):
    """Looks through a package without running anything of it."""

    def scan(self, package: Package) -> ScanReport:
        """Say what was found, and which files were not looked into."""
        ...
