"""How the answers of the clients are read, and trees compared; no client is needed for that."""

import json
from pathlib import Path

import pytest

from tests.clients.asking import (
    Listed,
    read_claude,
    read_codex,
    read_copilot,
    read_gemini,
    read_opencode,
)
from tests.clients.prompting import Told, read_tags
from tests.clients.prompting import read_claude as read_claude_reminder
from tests.clients.prompting import read_codex as read_codex_section
from tests.clients.prompting import read_copilot as read_copilot_list
from tests.clients.trees import compare, look_at, read_package

OURS = Listed("pdf", "/run/skills/pdf", "Fills forms.")


def test_gemini_names_what_is_enabled_and_what_is_its_own() -> None:
    printed = (
        "Discovered Agent Skills:\n\n"
        "pdf [Enabled]\n  Description: Fills forms.\n"
        "  Location:    /run/skills/pdf/SKILL.md\n\n"
        "old [Disabled]\n  Description: Gone.\n  Location:    /run/skills/old/SKILL.md\n\n"
        "skill-creator [Enabled] [Built-in]\n  Description: Makes skills.\n"
        "  Location:    /lib/skill-creator/SKILL.md\n\n"
    )

    assert read_gemini(printed) == [
        OURS,
        Listed("skill-creator", "/lib/skill-creator", "Makes skills.", built_in=True),
    ]


def test_codex_answers_among_other_messages() -> None:
    skill = {"name": "pdf", "path": "/run/skills/pdf/SKILL.md", "description": "Fills forms."}
    place = {"skills": [{**skill, "scope": "user", "enabled": True}], "errors": []}
    answer = {"id": 2, "result": {"data": [place]}}

    assert read_codex(f'{{"method":"warning"}}\n{json.dumps(answer)}\n') == [OURS]


def test_a_skill_that_codex_cannot_read_is_a_failure() -> None:
    place = {"skills": [], "errors": [{"path": "/run/skills/pdf/SKILL.md", "message": "bad"}]}

    with pytest.raises(AssertionError):
        read_codex(json.dumps({"id": 2, "result": {"data": [place]}}))


def test_claude_names_what_only_people_start_without_its_place() -> None:
    answers: dict[str, object] = {
        "1": {
            "commands": [
                {"name": "pdf", "description": "Fills forms. (user)"},
                {"name": "deploy", "description": "Deploys. (user)"},
                {"name": "clear", "description": "Clears.", "builtin": True},
            ]
        },
        "2": {"skills": []},
        "3": {
            "skills": {
                "skillFrontmatter": [
                    {"name": "pdf", "source": "userSettings", "path": "/run/skills/pdf/SKILL.md"},
                    {"name": "authoring", "source": "built-in"},
                ]
            }
        },
    }
    printed = "".join(
        json.dumps(
            {"type": "control_response", "response": {"request_id": number, "response": answer}}
        )
        + "\n"
        for number, answer in answers.items()
    )

    assert read_claude(printed) == [
        Listed("authoring", "", "", built_in=True),
        Listed("deploy", "", "Deploys."),
        OURS,
    ]


def test_opencode_and_copilot_answer_with_json() -> None:
    location = {"location": "/run/skills/pdf/SKILL.md"}
    skill = {"name": "pdf", "description": "Fills forms."}
    path = {"path": "/run/skills/pdf", "source": "personal", "enabled": True}

    assert read_opencode(json.dumps([{**skill, **location}])) == [OURS]
    assert read_copilot(f"note\n{json.dumps([{**skill, **path}])}") == [OURS]


def test_what_the_model_is_told_is_read_from_each_form() -> None:
    told = [Told("pdf", "Fills <forms>."), Told("csv", "")]

    assert (
        read_claude_reminder("The following skills are available:\n- pdf: Fills <forms>.\n- csv")
        == told
    )
    assert (
        read_codex_section(
            "- pdf: Fills <forms>. (file: r0/pdf/SKILL.md)\n- csv: (file: r0/csv/SKILL.md)\n- x: y"
        )
        == told
    )
    assert (
        read_tags(
            "<skill>\n <name>pdf</name>\n <description>Fills &lt;forms&gt;.</description>\n"
            "</skill><skill><name>csv</name><description></description></skill>"
        )
        == told
    )
    assert read_copilot_list(
        "<skill>\n<name>pdf</name>\n<description>Fills &lt;forms&gt;.</description>\n</skill>\n"
        "Additional skills available (invoke by name): csv, xls\n"
    ) == [*told, Told("xls", "")]


def test_a_tree_differs_by_content_mode_and_kind(tmp_path: Path) -> None:
    for name in ("same", "content", "mode", "gone"):
        (tmp_path / name).write_text("a", encoding="utf-8")
    (tmp_path / "aside").mkdir()
    before = look_at(tmp_path, without=[tmp_path / "aside"])

    (tmp_path / "content").write_text("b", encoding="utf-8")
    (tmp_path / "mode").chmod(0o600)
    (tmp_path / "gone").unlink()
    (tmp_path / "link").symlink_to("same")
    (tmp_path / "aside" / "new").write_text("c", encoding="utf-8")

    differences = compare(before, look_at(tmp_path, without=[tmp_path / "aside"]))
    assert [one.partition(":")[0] for one in differences] == ["content", "gone", "link", "mode"]


def test_a_directory_is_read_as_a_package_with_its_modes(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts" / "run.sh"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    plain = read_package(tmp_path)
    script.chmod(0o755)

    assert read_package(tmp_path) != plain
