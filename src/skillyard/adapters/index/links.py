"""Where a link in a root leads."""

import os

from skillyard.adapters.index.row import ROOT
from skillyard.domain.diagnostic import Diagnostic, Severity
from skillyard.skillmd import rules


def resolve_link(root: str, name: str) -> str | Diagnostic | None:
    """Give the directory inside `root` that the link `name` leads to, relative to it.

    A link that leads to a directory outside, or nowhere, gives a finding; one to a file gives None.
    `root` is absolute, and free of links itself.
    """
    try:
        real = os.path.realpath(f"{root}/{name}", strict=True)
    except OSError as error:
        return refuse_link(f"the link leads nowhere: {error.strerror}", "Remove it, or mend it")
    if not os.path.isdir(real):  # noqa: PTH112
        return None
    if leads_out(real, root):
        return refuse_link(
            "the link leads out of the directory of skills",
            "Put a copy in its place, or name the other directory as a root of its own",
        )
    return os.path.relpath(real, root) if real != root else ROOT


def leads_out(path: str, bound: str) -> bool:
    """Tell whether `path` is, by a link, somewhere else than inside `bound`."""
    real = os.path.realpath(bound)
    return os.path.commonpath((real, os.path.realpath(path))) != real


def refuse_link(message: str, hint: str) -> Diagnostic:
    """Make the finding that a link is not followed."""
    return rules.LINK.finding(message, severity=Severity.WARNING, path="", hint=hint)
