"""Where a link in a root leads."""

import os

from skillyard.adapters.index.row import ROOT, locate, to_printable
from skillyard.application.ports.discovery import LocatedFinding, OutgoingLink
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.skillmd import rules

Followed = str | LocatedFinding | OutgoingLink | None

_HINT = (
    "Put a copy in its place, or name the directory that the skill stands in by the setting `roots`"
)


def resolve_link(root: str, real_root: str, name: str) -> Followed:
    """Give the directory inside `root` that the link `name` leads to, relative to it.

    A link that cannot be followed gives a finding, and one to a file gives None. `real_root` is
    `root`, free of links.
    """
    location = to_printable(locate(root, name))
    try:
        real = os.path.realpath(f"{real_root}/{name}", strict=True)
    except OSError as error:
        return LocatedFinding(location, _not_followed(real_root, name, error), skipped=True)
    if not os.path.isdir(real):  # noqa: PTH112
        return None
    if not leads_out(real, real_root):
        return os.path.relpath(real, real_root) if real != real_root else ROOT
    message = f"it is a link that leads out of the directory of skills, to `{to_printable(real)}`"
    return OutgoingLink(real, LocatedFinding(location, refuse_link(message, _HINT), skipped=True))


def _not_followed(root: str, name: str, error: OSError) -> Diagnostic:
    try:
        target = to_printable(os.readlink(f"{root}/{name}"))  # noqa: PTH115
    except OSError:  # it is gone
        target = to_printable(name)
    message = f"it is a link to `{target}` and cannot be followed: {error.strerror}"
    return refuse_link(message, "Remove it, or mend it")


def leads_out(path: str, bound: str) -> bool:
    """Tell whether `path` is, by a link, somewhere else than inside `bound`."""
    real = os.path.realpath(bound)
    return os.path.commonpath((real, os.path.realpath(path))) != real


def refuse_link(message: str, hint: str) -> Diagnostic:
    """Make the finding that a link is not followed."""
    return rules.LINK.finding(message, severity=Severity.WARNING, path="", hint=hint)
