"""What a scan of a package says about it."""

from dataclasses import dataclass

from skillyard.domain.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """The result of a scan; nothing is ever called safe.

    `rules` is the version of the rules that looked, and is empty where none did. `uninspected` are
    the files that nobody looked into: only where there are none may a caller say that no known
    pattern was found.
    """

    rules: str = ""
    findings: tuple[Diagnostic, ...] = ()
    uninspected: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether every file was looked into."""
        return bool(self.rules) and not self.uninspected
