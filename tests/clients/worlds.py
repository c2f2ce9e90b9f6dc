"""A user's machine that is full of skills which no run may see.

Decoys stand wherever a client that we know looks for skills: in the user's home, where variables
lead, in the project and in directories of it, and in every directory above. They are called like
the skills that are delivered, and one in each place has a name of its own. Settings point at them,
or forbid what is delivered.

The agent `reviewer` may have five skills, and no others: four of the store, of which one is started
by people only and one is unproven, and one that the project brings. Another agent has a crowd.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from skillyard.domain.package import Package, PackageFile
from skillyard.providers.clients import CLIENTS
from skillyard.testing.packages import make_package

AGENT: Final = "reviewer"
UNPROVEN: Final = "fresh-idea"
BY_PEOPLE_ONLY: Final = "deploy-guide"
OF_PROJECT: Final = "house-rules"

STORED: Final[Mapping[str, Package]] = {
    "data-check": make_package("data-check", description="Checks tables. Use for any CSV file."),
    "pdf-report": make_package(
        "pdf-report",
        description="Writes reports as PDF: with tables. Use when a report is asked for.",
        files={
            "scripts/run.sh": PackageFile(b"#!/bin/sh\necho ok\n", executable=True),
            "references/layout.md": "# Layout\n\nTwo columns.\n",
            "assets/mark.bin": bytes(range(256)),
        },
    ),
    BY_PEOPLE_ONLY: Package.of(
        {
            "SKILL.md": f"---\nname: {BY_PEOPLE_ONLY}\ndescription: Deploys. Use when told to.\n"
            "invocation: user-only\n---\n\n# Steps\n\n1. Deploy.\n"
        }
    ),
}
LOW: Final = make_package(UNPROVEN, description="Tries something new. Use when nothing else fits.")
PROJECTS_OWN: Final = make_package(OF_PROJECT, description="House rules. Use for every change.")

CONTENTS: Final[Mapping[str, Package]] = {**STORED, UNPROVEN: LOW, OF_PROJECT: PROJECTS_OWN}
NAMES: Final = frozenset(CONTENTS)
DELIVERED: Final = NAMES - {UNPROVEN}

CROWDED: Final = "crowded"
CROWD: Final[Mapping[str, str]] = {
    f"crowd-{number:02}": f"Number {number}. " + "Sorts marbles by size and colour. " * 24 + "End."
    for number in range(40)
}
"""The skills of another agent, and their descriptions: more than any client shows whole."""

_NOWHERE: Final = "http://127.0.0.1:9"
_PROGRAM: Final = (sys.executable, "-m", "skillyard")
_OURS: Final = (".agent/skills", ".agents/skills", ".claude/skills", ".squad/skills", "skills")


@dataclass(frozen=True, slots=True)
class World:
    """Where everything stands, and the environment that the user works in."""

    top: Path
    home: Path
    project: Path
    yard: Path
    environment: Mapping[str, str]

    def skillyard(self, *arguments: str | Path) -> str:
        """Run the command as the user, in the project, and give what it printed."""
        done = subprocess.run(
            [*_PROGRAM, *map(str, arguments)],
            cwd=self.project,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


def make_world(top: Path, path: str) -> World:
    """Make the world below `top`, with `path` as the search path for programs."""
    home = top / "people" / "ada"
    project = home / "work" / "project"
    project.mkdir(parents=True)
    (top / "tmp").mkdir()
    world = World(top, home, project, home / ".skillyard", _environment(home, path))
    for place in _list_places(world):
        _put_decoys(place, world)
    _poison(world)
    write_package(PROJECTS_OWN, project / ".agents" / "skills" / OF_PROJECT)
    _make_repository(world)
    _fill_store(world)
    return world


def _environment(home: Path, path: str) -> dict[str, str]:
    elsewhere = home / "elsewhere"
    return {
        "HOME": str(home),
        "PATH": path,
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "SKILLYARD_HOME": str(home / ".skillyard"),
        "TMPDIR": str(home.parents[1] / "tmp"),
        "USER": "ada",
        # Nothing gets past this machine.
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), _NOWHERE),
        "NO_PROXY": "127.0.0.1,localhost",
        "no_proxy": "127.0.0.1,localhost",
        # Claude Code tries its own for a long time.
        "ANTHROPIC_BASE_URL": _NOWHERE,
        "ANTHROPIC_API_KEY": "key-of-a-test",
        "GEMINI_API_KEY": "key-of-a-test",
        "CLAUDE_CONFIG_DIR": str(elsewhere / "claude"),
        "CODEX_HOME": str(elsewhere / "codex"),
        "GEMINI_CLI_HOME": str(elsewhere / "gemini"),
        "COPILOT_HOME": str(elsewhere / "copilot"),
        "OPENCODE_CONFIG_DIR": str(elsewhere / "opencode"),
        "OPENCODE_TEST_HOME": str(elsewhere / "opencode-home"),
        "XDG_CONFIG_HOME": str(elsewhere / "config"),
    }


def _list_places(world: World) -> list[Path]:
    """Give every directory of skills that some client, or Skillyard, reads here."""
    return list(dict.fromkeys((*_iter_user_places(world), *_iter_project_places(world))))


def _iter_user_places(world: World) -> Iterator[Path]:
    other = [world.environment[name] for name in ("GEMINI_CLI_HOME", "OPENCODE_TEST_HOME")]
    homes = [str(world.home), *other]
    for client in CLIENTS.values():
        for place in (*client.directories.user, *client.directories.other):
            for home in homes if place.startswith("~") else [""]:
                yield _expand(place.replace("<extension>", "decoys"), home, world.environment)
    yield world.home / ".agent" / "skills"
    yield world.home / ".config" / "opencode" / "skills"


def _expand(place: str, home: str, environment: Mapping[str, str]) -> Path:
    if place.startswith("$"):
        name, _, rest = place[1:].partition("/")
        return Path(environment[name]) / rest
    return Path(home + place[1:]) if place.startswith("~") else Path(place)


def _iter_project_places(world: World) -> Iterator[Path]:
    inside = {place for one in CLIENTS.values() for place in one.directories.project}
    above = [one for one in world.project.parents if one.is_relative_to(world.top)]
    for directory in (world.project, world.project / "nested" / "deep", *above):
        for place in sorted(inside.union(_OURS)):
            yield directory / place


def _put_decoys(place: Path, world: World) -> None:
    if not place.is_relative_to(world.top):
        return  # a directory of the whole machine
    where = place.relative_to(world.top).as_posix()
    for name in (*sorted(NAMES), stray_name(where)):
        if not _is_taken(place, name, world):
            decoy = make_package(name, description=f"DECOY in {where}", body=f"Wrong: {where}\n")
            write_package(decoy, place / name)


def _is_taken(place: Path, name: str, world: World) -> bool:
    """Tell whether Skillyard itself would choose this skill over the one that is to be delivered.

    What is unproven loses against every other, and what the project brings against its like.
    """
    if name == UNPROVEN:
        homes = {world.home / ".agent" / "skills", world.home / ".agents" / "skills"}
        return place in homes | {world.project / one for one in _OURS}
    return name == OF_PROJECT and place in {world.project / one for one in _OURS} - {
        world.project / ".claude" / "skills"
    }


def stray_name(where: str) -> str:
    """Give the name of the one decoy in a place that is called like no other."""
    letters = "".join(one if one.isalnum() else "-" for one in where.lower()).strip("-")
    return "stray-" + "-".join(letters.split("-"))[-48:].strip("-").replace("--", "-")


def _poison(world: World) -> None:
    """Write settings, commands and logins that a run must not be led by."""
    home, elsewhere, project = world.home, world.home / "elsewhere", world.project
    off = dict.fromkeys(sorted(NAMES), "off")
    claude = {"skillOverrides": off, "disableBundledSkills": False}
    codex = "".join(f'[[skills.config]]\nname = "{one}"\nenabled = false\n\n' for one in off)
    gemini = {"skills": {"enabled": False, "disabled": [*off]}, "security": _FOLDER_TRUST}
    decoys = str(project / "nested" / "deep" / ".agents" / "skills")
    opencode = {"skills": {"paths": [decoys]}, "permission": {"skill": {"*": "deny"}}}
    copilot = {"disabledSkills": [*off], "skillDirectories": [decoys]}
    for directory in (home / ".claude", elsewhere / "claude"):
        _write_json(directory / "settings.json", claude)
        _write_json(directory / ".credentials.json", {"claudeAiOauth": _CLAUDE_LOGIN})
        _write_json(directory / ".claude.json", {"projects": {}, "numStartups": 7})
        _write(directory / "commands" / "data-check.md", "DECOY command\n")
        _write(directory / "commands" / "stray-command.md", "DECOY command\n")
    for directory in (home / ".codex", elsewhere / "codex"):
        _write(directory / "config.toml", codex)
        _write_json(directory / "auth.json", {"OPENAI_API_KEY": "key-of-a-test-12345"})
    for directory in (home, elsewhere / "gemini"):
        _write_json(directory / ".gemini" / "settings.json", gemini)
        extension = directory / ".gemini" / "extensions" / "decoys" / "gemini-extension.json"
        _write_json(extension, {"name": "decoys", "version": "1.0.0"})
    for directory in (home / ".config" / "opencode", elsewhere / "config" / "opencode"):
        _write_json(directory / "opencode.json", opencode)
    _write_json(elsewhere / "opencode" / "opencode.json", opencode)
    login = {"openrouter": {"type": "api", "key": "key-of-a-test"}}
    _write_json(home / ".local" / "share" / "opencode" / "auth.json", login)
    for directory in (home / ".copilot", elsewhere / "copilot"):
        _write_json(directory / "config.json", copilot)
    _write(project / ".claude" / "commands" / "data-check.md", "DECOY command\n")
    _write(project / ".claude" / "commands" / f"{BY_PEOPLE_ONLY}.md", "DECOY command\n")
    _write(project / ".claude" / "commands" / "stray-project-command.md", "DECOY command\n")


def poison_local(world: World) -> None:
    """Let settings of the project that are not shared with others forbid what is delivered."""
    off = dict.fromkeys(sorted(NAMES), "off")
    _write_json(world.project / ".claude" / "settings.local.json", {"skillOverrides": off})


def poison_project(world: World) -> None:
    """Let the project's own settings add skills, and forbid what is delivered."""
    project, off = world.project, dict.fromkeys(sorted(NAMES), "off")
    more = "more-skills"
    write_package(make_package("stray-of-settings"), project / more / "stray-of-settings")
    _write_json(project / ".claude" / "settings.json", {"skillOverrides": off})
    _write_json(project / ".gemini" / "settings.json", {"skills": {"enabled": False}})
    codex = "".join(f'[[skills.config]]\nname = "{one}"\nenabled = false\n\n' for one in off)
    _write(project / ".codex" / "config.toml", codex)
    opencode = {"skills": {"paths": [f"./{more}"]}, "permission": {"skill": {"*": "deny"}}}
    _write_json(project / "opencode.json", opencode)
    copilot = {"disabledSkills": [*off], "skillDirectories": [more]}
    _write_json(project / ".github" / "copilot" / "settings.json", copilot)


_CLAUDE_LOGIN: Final = {
    "accessToken": "token-of-a-test",
    "refreshToken": "token-of-a-test",
    "expiresAt": 9999999999999,
    "scopes": ["user:inference", "user:profile"],
    "subscriptionType": "max",
}
_FOLDER_TRUST: Final = {
    "folderTrust": {"enabled": True},
    "auth": {"selectedType": "gemini-api-key"},
}


def _write_json(path: Path, value: object) -> None:
    _write(path, json.dumps(value))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_package(package: Package, directory: Path) -> None:
    """Write a package as a directory."""
    for path, file in package.files.items():
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        target.chmod(0o755 if file.executable else 0o644)


def _make_repository(world: World) -> None:
    _write(world.project / "README.md", "# A project\n")
    _write(world.project / "src" / "main.py", "print()\n")
    _write(world.home / ".gitconfig", "[user]\n\tname = Ada\n\temail = ada@example.org\n")
    git(world, "init", "-q", "-b", "main")
    git(world, "add", "-A")
    git(world, "commit", "-q", "-m", "Begin")
    _write(world.project / "README.md", "# A project, changed\n")
    _write(world.project / "untracked.txt", "new\n")


def git(world: World, *arguments: str) -> str:
    """Run git in the project as the user, and give what it printed."""
    return subprocess.run(
        ["git", *arguments],
        cwd=world.project,
        env=world.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def _fill_store(world: World) -> None:
    drafts = world.home / "drafts"
    for name, package in STORED.items():
        write_package(package, drafts / name)
    world.skillyard("add", drafts)
    write_package(LOW, drafts / "low" / UNPROVEN)
    world.skillyard("add", "--confidence", "low", drafts / "low" / UNPROVEN)
    allowed = [part for name in sorted(NAMES) for part in ("--allow", name)]
    world.skillyard("agents", "add", AGENT, *allowed)
    world.skillyard("assign", "--agent", AGENT, *sorted(STORED), UNPROVEN)


def fill_crowd(world: World) -> None:
    """Give the other agent its crowd of skills, unless it has them."""
    drafts = world.yard / "drafts"
    if drafts.is_dir():
        return
    for name, description in CROWD.items():
        write_package(make_package(name, description=description), drafts / name)
    world.skillyard("add", drafts)
    allowed = [part for name in CROWD for part in ("--allow", name)]
    world.skillyard("agents", "add", CROWDED, *allowed)
    world.skillyard("assign", "--agent", CROWDED, *CROWD)
