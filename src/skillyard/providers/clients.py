"""The clients that Skillyard knows, and what each of them does with a skill.

The facts were seen by running the version that is named with them, without credentials, on Linux.
`tests/corpus/client_variants.json` holds several hundred small skills with what each client made of
them. Fields whose effect shows in no list of skills, such as `model` and `hooks`, are among those
that a client `honours` because its own documentation says so.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skillyard.domain.client import (
    Client,
    ClientDirectories,
    ClientReading,
    Fallback,
    FenceStyle,
    Identity,
    Length,
    LengthUnit,
    RepairStyle,
    YamlStyle,
)
from skillyard.providers import deliveries

CLAUDE_CODE: Final = Client(
    id="claude-code",
    title="Claude Code",
    package="@anthropic-ai/claude-code",
    version="2.1.325",
    reading=ClientReading(
        fences=FenceStyle.ANYWHERE,
        yaml=YamlStyle.BUN,
        repair=RepairStyle.QUOTE_TOP_LEVEL,
        identity=Identity.DIRECTORY,
        missing_name=Fallback.DIRECTORY,
        missing_description=Fallback.FIRST_LINE,
        honours=frozenset(
            {
                "agent",
                "allowed-tools",
                "argument-hint",
                "arguments",
                "context",
                "description",
                "disable-model-invocation",
                "disallowed-tools",
                "effort",
                "hooks",
                "model",
                "name",
                "paths",
                "shell",
                "user-invocable",
                "when_to_use",
            }
        ),
        file_bytes=1_000_000,
        strips_bom=True,
        name_limit=Length(256),
        name_rule="shown if it holds no `<`, `>`, hidden characters or blanks at its ends",
        shown_limit=Length(1536, LengthUnit.UTF16_UNITS),
        shown_ending="…",
        skips=frozenset({"synced"}),
    ),
    directories=ClientDirectories(
        user=("$CLAUDE_CONFIG_DIR/skills", "~/.claude/skills"),
        project=(".claude/skills",),
        other=("/etc/claude-code/.claude/skills",),
        environment=("CLAUDE_CONFIG_DIR",),
        walks_up="to the root of the git repository; without one, on up",
        depth=1,
    ),
    delivery=deliveries.CLAUDE_CODE,
    precedence="managed, then user, then project with the nearest first",
    trust="asks once for each project in interactive use; `-p` loads project skills unasked",
    budget="1% of the context window; what is over it loses its description",
)

CODEX: Final = Client(
    id="codex",
    title="Codex",
    package="@openai/codex",
    version="0.166.0",
    reading=ClientReading(
        fences=FenceStyle.TRIMMED_LINES,
        yaml=YamlStyle.LIBYAML,
        repair=RepairStyle.QUOTE_EVERY_LINE,
        identity=Identity.NAME,
        missing_name=Fallback.DIRECTORY,
        missing_description=Fallback.NONE,
        honours=frozenset({"description", "metadata", "name"}),
        utf8_only=True,
        name_limit=Length(64),
        name_rule="any characters",
        shown_limit=Length(1024),
        shown_ending="...",
        skips_hidden=True,
    ),
    directories=ClientDirectories(
        user=("~/.agents/skills", "$CODEX_HOME/skills", "~/.codex/skills"),
        project=(".agents/skills", ".codex/skills"),
        other=("/etc/codex/skills",),
        environment=("CODEX_HOME",),
        walks_up="to the root of the git repository; without one, not at all",
        depth=6,
        linked_files=False,
    ),
    delivery=deliveries.CODEX,
    precedence="none: skills of one name are all listed, and the model sees them all",
    trust="project skills load in untrusted projects too",
    budget="2% of the context window; every description is shortened to the same length",
)

GEMINI_CLI: Final = Client(
    id="gemini-cli",
    title="Gemini CLI",
    package="@google/gemini-cli",
    version="0.61.0",
    reading=ClientReading(
        fences=FenceStyle.LINE_STARTS,
        yaml=YamlStyle.JS_YAML_4,
        repair=RepairStyle.READ_LINES,
        identity=Identity.NAME,
        missing_name=Fallback.NONE,
        missing_description=Fallback.NONE,
        honours=frozenset({"description", "name"}),
        name_rule='any characters; `:` `\\` `/` `<` `>` `*` `?` `"` and `|` become `-`',
        skips=frozenset({"node_modules"}),
        skips_hidden=True,
    ),
    directories=ClientDirectories(
        user=("~/.gemini/skills", "~/.agents/skills"),
        project=(".gemini/skills", ".agents/skills"),
        other=("~/.gemini/extensions/<extension>/skills",),
        environment=("GEMINI_CLI_HOME",),
        walks_up="never: the working directory only",
        depth=1,
    ),
    delivery=deliveries.GEMINI_CLI,
    precedence="project `.agents`, project `.gemini`, user `.agents`, user `.gemini`, extensions",
    trust="project skills load in trusted folders only",
)

OPENCODE: Final = Client(
    id="opencode",
    title="OpenCode",
    package="opencode-ai",
    version="1.18.33",
    reading=ClientReading(
        fences=FenceStyle.LANGUAGES,
        yaml=YamlStyle.JS_YAML_3,
        repair=RepairStyle.BLOCK_TOP_LEVEL,
        identity=Identity.NAME,
        missing_name=Fallback.NONE,
        missing_description=Fallback.HIDDEN,
        honours=frozenset({"description", "name"}),
        strips_bom=True,
        name_rule="any characters",
    ),
    directories=ClientDirectories(
        user=(
            "$XDG_CONFIG_HOME/opencode/skill",
            "$XDG_CONFIG_HOME/opencode/skills",
            "$OPENCODE_CONFIG_DIR/skill",
            "$OPENCODE_CONFIG_DIR/skills",
            "~/.opencode/skill",
            "~/.opencode/skills",
            "~/.claude/skills",
            "~/.agents/skills",
        ),
        project=(".opencode/skill", ".opencode/skills", ".claude/skills", ".agents/skills"),
        environment=("XDG_CONFIG_HOME", "OPENCODE_CONFIG_DIR"),
        walks_up="to the root of the git work tree; without one, on up",
    ),
    delivery=deliveries.OPENCODE,
    precedence="the last one loaded, and the order of loading changes from run to run",
    trust="none",
)

COPILOT: Final = Client(
    id="copilot",
    title="GitHub Copilot",
    package="@github/copilot",
    version="1.0.102",
    reading=ClientReading(
        fences=FenceStyle.FIRST_COLUMN,
        yaml=YamlStyle.LIBYAML,
        repair=RepairStyle.NONE,
        identity=Identity.NAME,
        missing_name=Fallback.DIRECTORY,
        missing_description=Fallback.FIRST_LINES,
        honours=frozenset(
            {
                "allowed-tools",
                "argument-hint",
                "description",
                "disable-model-invocation",
                "name",
                "user-invocable",
            }
        ),
        file_bytes=1_048_576,
        strips_bom=True,
        name_limit=Length(64, LengthUnit.UTF16_UNITS),
        name_pattern=r"[A-Za-z0-9][A-Za-z0-9._: -]*",
        name_rule="ASCII letters, digits, `.` `_` `:` `-` and blanks, which become `-`",
        description_limit=Length(1024, LengthUnit.UTF16_UNITS),
        skips_hidden=True,
    ),
    directories=ClientDirectories(
        user=("$COPILOT_HOME/skills", "~/.copilot/skills", "~/.agents/skills"),
        project=(".github/skills", ".agents/skills", ".claude/skills"),
        environment=("COPILOT_HOME",),
        walks_up="to the root of the git repository; without one, on up",
    ),
    delivery=deliveries.COPILOT,
    precedence="the first of `.github`, `.agents`, `.claude` with the nearest first, then user",
    trust="asks once for each folder in interactive use; `-p` loads project skills unasked",
    budget="15,000 characters; from the first skill that does not fit on, only names are given",
)

CLIENTS: Final[Mapping[str, Client]] = MappingProxyType(
    {one.id: one for one in (CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, COPILOT)}
)
"""Every client, by its id."""


HIDDEN: Final[tuple[str, ...]] = tuple(
    sorted(
        {
            path
            for client in CLIENTS.values()
            for path in (*client.directories.project, *client.delivery.commands)
        }
    )
)
"""The directories of a project in which some client finds skills, relative to any directory."""
