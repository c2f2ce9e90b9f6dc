"""In place, what a client finds besides is turned off where it can be, and said where not."""

import json
import tomllib

import pytest

from skillyard.domain.delivery import FoundDirectory, FoundSettings, NoteKind
from skillyard.domain.manifest import Invocation
from skillyard.providers.clients import CLIENTS
from skillyard.providers.surroundings import foretell_also_seen
from tests.unit.providers.delivering import file_of, make_chosen, notes_of, plan

pytestmark = pytest.mark.requirement("DEL-5")


def found(directory: str, *names: str, titles: tuple[str, ...] = ()) -> FoundDirectory:
    return FoundDirectory(f"/project/{directory}", names, titles)


def test_without_surroundings_there_is_nothing_to_say() -> None:
    for client in CLIENTS.values():
        assert foretell_also_seen(client, [found(".x/skills")], ours=("pdf",)).notes == ()


def test_claude_code_turns_others_off_by_name_and_prefers_the_run() -> None:
    planned = plan(
        make_chosen("pdf"),
        found=(found(".claude/skills", "old", "pdf"), found(".claude/commands", "ship")),
    )

    settings = json.loads(file_of(planned, ".claude/settings.json"))
    assert settings["skillOverrides"] == {"old": "off", "ship": "off"}
    assert notes_of(planned, NoteKind.HIDDEN) == [
        (
            "",
            (
                "Claude Code also finds `ship` in /project/.claude/commands; "
                "it is told to leave that out"
            ),
        ),
        (
            "",
            "Claude Code also finds `old` in /project/.claude/skills; it is told to leave that out",
        ),
        (
            "pdf",
            "Claude Code also finds `pdf` in /project/.claude/skills, and takes that of the run",
        ),
    ]
    assert notes_of(planned, NoteKind.ALSO_SEEN) == []


def test_where_the_model_is_not_told_of_ours_claude_code_tells_it_of_the_other() -> None:
    planned = plan(
        make_chosen("pdf", invocation=Invocation.USER_ONLY),
        make_chosen("csv"),
        found=(found(".claude/skills", "csv", "pdf"), found(".claude/commands", "pdf")),
    )

    assert notes_of(planned, NoteKind.ALSO_SEEN) == [
        ("pdf", f"Claude Code takes `pdf` in /project/.claude/{one} instead of that of the run")
        for one in ("commands", "skills")
    ]
    assert notes_of(planned, NoteKind.HIDDEN) == [
        (
            "csv",
            "Claude Code also finds `csv` in /project/.claude/skills, and takes that of the run",
        )
    ]


DIRECTED = FoundSettings("/project/opencode.json", ("skills", "permission.skill"))


def test_settings_of_the_project_that_direct_skills_are_told() -> None:
    for provider, title in (("opencode", "OpenCode"), ("prompt", "the program")):
        planned = plan(make_chosen("pdf"), provider=provider, directed=(DIRECTED,))

        assert notes_of(planned, NoteKind.ALSO_SEEN) == [
            (
                "",
                (
                    f"/project/opencode.json directs which skills {title} sees "
                    "(`skills`, `permission.skill`): they may be others"
                ),
            )
        ]


def test_settings_that_are_not_read_are_not_told() -> None:
    planned = plan(
        make_chosen("pdf"),
        provider="opencode",
        directed=(DIRECTED,),
        found=(found(".opencode/skills", "pdf"),),
    )

    assert planned.environment["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    assert notes_of(planned, NoteKind.ALSO_SEEN) == []


def test_what_an_administrator_placed_counts_before_the_run() -> None:
    managed = FoundDirectory("/etc/claude-code/.claude/skills", ("pdf",))

    planned = plan(make_chosen("pdf"), found=(managed,))

    assert notes_of(planned, NoteKind.ALSO_SEEN) == [
        (
            "pdf",
            "Claude Code takes `pdf` in /etc/claude-code/.claude/skills instead of that of the run",
        )
    ]


def test_codex_turns_others_off_by_file_also_those_of_the_same_name() -> None:
    planned = plan(
        make_chosen("pdf"),
        provider="codex",
        found=(found(".agents/skills", "group/old", "pdf"),),
    )

    config = tomllib.loads(file_of(planned, ".codex/config.toml"))
    assert config["skills"]["config"] == [
        {"path": "/project/.agents/skills/group/old/SKILL.md", "enabled": False},
        {"path": "/project/.agents/skills/pdf/SKILL.md", "enabled": False},
    ]
    assert notes_of(planned, NoteKind.ALSO_SEEN) == []


def test_gemini_cli_takes_the_one_of_the_project_where_names_clash() -> None:
    planned = plan(
        make_chosen("pdf"),
        provider="gemini-cli",
        found=(found(".gemini/skills", "dir", "PDF", titles=("Old One", "PDF")),),
    )

    settings = json.loads(file_of(planned, ".gemini/settings.json"))
    assert settings["skills"]["disabled"] == ["antigravity-support", "skill-creator", "Old One"]
    assert notes_of(planned, NoteKind.ALSO_SEEN) == [
        ("PDF", "Gemini CLI takes `PDF` in /project/.gemini/skills instead of that of the run")
    ]


def test_opencode_reads_nothing_of_the_project_only_where_names_clash() -> None:
    apart = plan(make_chosen("pdf"), provider="opencode", found=(found(".opencode/skills", "old"),))
    clashing = plan(
        make_chosen("pdf"), provider="opencode", found=(found(".opencode/skill", "pdf"),)
    )

    settings = json.loads(file_of(apart, ".config/opencode/opencode.json"))
    assert settings["permission"]["skill"] == {"customize-opencode": "deny", "old": "deny"}
    assert "OPENCODE_DISABLE_PROJECT_CONFIG" not in apart.environment
    assert clashing.environment["OPENCODE_DISABLE_PROJECT_CONFIG"] == "1"
    assert notes_of(clashing, NoteKind.HIDDEN) == [
        (
            "pdf",
            (
                "OpenCode also finds `pdf` in /project/.opencode/skill; "
                "so that it takes that of the run, it reads no settings of the project"
            ),
        )
    ]


def test_opencode_is_kept_from_the_directories_of_others_by_a_variable() -> None:
    planned = plan(
        make_chosen("pdf"),
        provider="opencode",
        found=(found(".claude/skills", "pdf"), found("web/.agents/skills", "old")),
    )

    assert planned.environment["OPENCODE_DISABLE_EXTERNAL_SKILLS"] == "1"
    assert notes_of(planned, NoteKind.HIDDEN, NoteKind.ALSO_SEEN) == []


def test_copilot_leaves_out_whole_directories_and_commands_by_name() -> None:
    planned = plan(
        make_chosen("pdf"),
        provider="copilot",
        found=(found(".github/skills", "old", "pdf"), found(".claude/commands", "pdf", "ship")),
    )

    settings = json.loads(file_of(planned, ".copilot/settings.json"))
    assert settings["ignoredSkillsLocations"] == ["/project/.github/skills"]
    assert settings["disabledSkills"][-1] == "ship"
    assert notes_of(planned, NoteKind.ALSO_SEEN) == []


def test_of_a_program_that_is_not_known_nothing_can_be_promised() -> None:
    planned = plan(make_chosen(), provider="agents-dir", found=(found(".agents/skills", "a", "b"),))

    assert notes_of(planned, NoteKind.ALSO_SEEN) == [
        ("", "the program may also see `a`, `b` in /project/.agents/skills")
    ]
