"""Looking at the skills of every source."""

import json
from pathlib import Path

import pytest

from tests.interface.cli.lines import do
from tests.interface.cli.running import keep_plugins_skill, write_skill
from tests.interface.cli.seeing import see, seen

pytestmark = pytest.mark.requirement("SRC-6", "INT-2")
NEEDY = """\
---
name: needy
description: Needs much.
metadata:
  requires: no-such-gh no-such-docker
---

Do.
"""


def test_skills_are_shown_by_source_with_their_state(tmp_path: Path) -> None:
    for name in ("docx", "pdf"):
        write_skill(tmp_path / "given" / name)
    do(tmp_path, "add given", "disable pdf")
    keep_plugins_skill(tmp_path)
    write_skill(tmp_path / "skills" / "needy", NEEDY)

    said = seen(tmp_path, "skill show").split("\n\n")

    assert said[:3] == [
        (
            "[Store Skills]\n"
            "  ✓ docx\n      Sorts things. Use when asked. (enabled)\n"
            "  ○ pdf\n      Sorts things. Use when asked. (disabled)"
        ),
        "[Plugin Skills]\n  ✓ acme/pdf\n      Fills in forms. Use when asked. (enabled)",
        (
            "[Project Skills]\n"
            "  ✗ needy\n      Needs much. (unavailable)\n"
            "      missing commands: no-such-gh, no-such-docker"
        ),
    ]
    assert said[3].startswith("[Bundled Skills]\n  ✗ gh\n")
    assert "\n      missing commands: gh\n  ✓ hello-world\n" in said[3]


def test_json_has_the_state_of_each(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "needy", NEEDY)

    told = json.loads(seen(tmp_path, "skill show --json"))["skills"]

    assert [(one["slug"], one["source"], one["state"]) for one in told] == [
        ("needy", "project", "unavailable"),
        ("gh", "bundled", "unavailable"),
        ("hello-world", "bundled", "enabled"),
        ("skill-authoring", "bundled", "enabled"),
    ]
    assert told[0]["unavailableReason"] == "missing commands: no-such-gh, no-such-docker"
    assert told[2]["unavailableReason"] is None


def test_a_broken_skill_is_reported_and_hides_no_other(tmp_path: Path) -> None:
    write_skill(tmp_path / "skills" / "bad", "---\nname: bad\n---\n\nDo.\n")
    write_skill(tmp_path / "skills" / "good")

    ran = see(tmp_path, "skill show")

    assert "✓ good" in ran.out
    assert ran.err == f"warning: {tmp_path}/skills/bad is left out: there is no `description`\n"
    assert "[Project Skills]" not in seen(tmp_path, "skill show --no-project")
