"""What a page about a rule holds, and the small skill that most examples are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

NAME: Final = "name: release-notes"
DESCRIPTION: Final = (
    "description: Writes release notes from merged changes. Use when a version is about to ship."
)
BODY: Final = """\
# Release notes

1. List the changes that were merged since the last tag.
2. Group them by topic, and write one line for each.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A small package; or, without a `directory`, a bundle of one as the only file.

    `files` is None where files alone cannot show the matter: a link, a device, an archive. Then
    `console` shows it, as a terminal would.
    """

    directory: str = "release-notes"
    files: Mapping[str, str | bytes] | None = field(default=None, hash=False)
    console: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePage:
    """The page about one rule.

    `limits` names the preset under which the examples are meant; the page says so where it is not
    the standard one.
    """

    code: str
    why: str
    repair: str
    bad: Example
    good: Example
    limits: str = "standard"


def skill_md(*fields: str, body: str = BODY) -> str:
    """Write a SKILL.md with these lines of front matter."""
    return "\n".join(["---", *fields, "---", "", body])


def skill(
    *fields: str,
    directory: str = "release-notes",
    beside: Mapping[str, str | bytes] | None = None,
) -> Example:
    """Make a package of a SKILL.md with these lines of front matter, and the files beside it."""
    return Example(directory=directory, files={"SKILL.md": skill_md(*fields), **(beside or {})})


WELL_FORMED: Final = skill(NAME, DESCRIPTION)
