"""SY5xx: manifest.json."""

from typing import Final

from skillyard.skillmd.rule_pages.page import DESCRIPTION, NAME, Example, RulePage, skill


def _with_manifest(text: str) -> Example:
    return skill(NAME, DESCRIPTION, "version: 1.2.0", beside={"manifest.json": text})


_GOOD: Final = _with_manifest(
    """\
{
  "name": "release-notes",
  "version": "1.2.0",
  "confidence": "medium",
  "agents": "*",
  "tags": ["writing"]
}
"""
)

PAGES: Final = (
    RulePage(
        code="SY501",
        why=(
            "The file is there but cannot be used: it is not JSON, not an object, holds a key twice"
            " or is nested too deeply. Everything that it should say is then unknown, such as the"
            " confidence and the agents that the skill is meant for."
        ),
        repair="Correct the JSON, or remove the file: a skill works without it.",
        bad=_with_manifest('{\n  "confidence": "high",\n  "agents": ["writer"],\n}\n'),
        good=_GOOD,
    ),
    RulePage(
        code="SY502",
        why=(
            "One field has another type or value than it may have. It is ignored, and the others"
            " are read. A `confidence` of `certain`, for example, counts as if nothing were said."
        ),
        repair="Give the field the shape that the message names.",
        bad=_with_manifest('{\n  "confidence": "certain",\n  "tags": "writing"\n}\n'),
        good=_GOOD,
    ),
    RulePage(
        code="SY503",
        why=(
            "Name, version, description and tags may stand in both files, and here they differ."
            " SKILL.md counts. Usually the version was raised in one place and forgotten in the"
            " other, so a person who reads manifest.json believes in the old one."
        ),
        repair="Make manifest.json say what SKILL.md says, or remove the field from it.",
        bad=_with_manifest('{\n  "name": "release-notes",\n  "version": "1.1.0"\n}\n'),
        good=_GOOD,
    ),
)
