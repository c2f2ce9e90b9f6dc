"""How each client is given its skills in a home of its own: settings, variables and logins.

Every setting and variable was tried on the version of the program that `providers.clients` names.
Logins are those of the client's documentation and of its shipped code. A new version of a client is
a change here.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from skillyard.domain.client import (
    Catalogue,
    CatalogueStyle,
    Clash,
    ClientDelivery,
    ClientLogin,
    Dialect,
    SkillSettings,
    Switch,
    SwitchBy,
    SwitchForm,
)
from skillyard.domain.delivery import TEMPORARY

HOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "HOME": "{home}",
        "CLAUDE_CONFIG_DIR": "{home}/.claude",
        "CODEX_HOME": "{home}/.codex",
        "COPILOT_HOME": "{home}/.copilot",
        "GEMINI_CLI_HOME": "{home}",
        "OPENCODE_CONFIG_DIR": "{home}/.config/opencode",
        # Clients leave sockets, caches and parts of themselves there.
        "TMPDIR": f"{{home}}/{TEMPORARY}",
        "XDG_CACHE_HOME": "{home}/.cache",
        "XDG_CONFIG_HOME": "{home}/.config",
        "XDG_DATA_HOME": "{home}/.local/share",
        "XDG_STATE_HOME": "{home}/.local/state",
    }
)
"""Where every client finds its home, whichever is started: one client may start another."""

AGENTS_DIRECTORY: Final = ".agents/skills"
"""Where programs look that read the common directory."""

_BEDROCK: Final = ("CLAUDE_CODE_USE_BEDROCK",)
_VERTEX: Final = ("CLAUDE_CODE_USE_VERTEX", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA")
_AWS_VARIABLES: Final = (
    "AWS_ACCESS_KEY_ID",
    "AWS_BEARER_TOKEN_BEDROCK",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
)
_GCLOUD: Final = "gcloud/application_default_credentials.json"
_GCLOUD_LOGINS: Final = (
    ClientLogin(
        source=f"$CLOUDSDK_CONFIG/{_GCLOUD.removeprefix('gcloud/')}",
        path=f".config/{_GCLOUD}",
        when=_VERTEX,
    ),
    ClientLogin(source=f"~/.config/{_GCLOUD}", path=f".config/{_GCLOUD}", when=_VERTEX),
)
_AWS_LOGINS: Final = (
    ClientLogin(source="~/.aws/credentials", path=".aws/credentials", when=_BEDROCK),
    ClientLogin(source="~/.aws/config", path=".aws/config", when=_BEDROCK),
)

_PLUGINS: Final = ("enabledPlugins", "extraKnownMarketplaces")
_OPENCODE_KEYS: Final = (
    "skills",
    "permission.skill",
    "tools.skill",
    "agent.*.permission.skill",
    "agent.*.tools.skill",
)
_COPILOT_KEYS: Final = (
    "skillDirectories",
    "disabledSkills",
    "ignoredSkillsLocations",
    *_PLUGINS,
)

_CLAUDE_ACCOUNT: Final = ("customApiKeyResponses", "oauthAccount", "primaryApiKey")
_CLAUDE_HELPERS: Final = ("apiKeyHelper", "awsAuthRefresh", "awsCredentialExport")

CLAUDE_CODE: Final = ClientDelivery(
    programs=("claude",),
    skills=".claude/skills",
    files={
        ".claude/.claude.json": {
            "hasCompletedOnboarding": True,
            "projects": {
                "{workspace}": {"hasTrustDialogAccepted": True},
                "{directory}": {"hasTrustDialogAccepted": True},
            },
        },
        ".claude/settings.json": {
            "disableBundledSkills": True,
            # The one skill that this setting leaves comes with a plugin of the program's own.
            "enabledPlugins": {"cc-plugin-plugin-authoring@builtin": False},
        },
    },
    variables={"DISABLE_AUTOUPDATER": "1"},
    logins=(
        ClientLogin(
            source="$CLAUDE_CONFIG_DIR/.credentials.json", path=".claude/.credentials.json"
        ),
        ClientLogin(source="~/.claude/.credentials.json", path=".claude/.credentials.json"),
        ClientLogin(
            source="$CLAUDE_CONFIG_DIR/.claude.json",
            path=".claude/.claude.json",
            keys=_CLAUDE_ACCOUNT,
        ),
        ClientLogin(source="~/.claude.json", path=".claude/.claude.json", keys=_CLAUDE_ACCOUNT),
        ClientLogin(
            source="$CLAUDE_CONFIG_DIR/settings.json",
            path=".claude/settings.json",
            keys=_CLAUDE_HELPERS,
        ),
        ClientLogin(
            source="~/.claude/settings.json", path=".claude/settings.json", keys=_CLAUDE_HELPERS
        ),
        *_AWS_LOGINS,
        *_GCLOUD_LOGINS,
    ),
    login_variables=(
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_BEDROCK_BASE_URL",
        "ANTHROPIC_CUSTOM_HEADERS",
        "ANTHROPIC_FOUNDRY_API_KEY",
        "ANTHROPIC_FOUNDRY_BASE_URL",
        "ANTHROPIC_FOUNDRY_RESOURCE",
        "ANTHROPIC_VERTEX_BASE_URL",
        "ANTHROPIC_VERTEX_PROJECT_ID",
        *_AWS_VARIABLES,
        "CLAUDE_CODE_CLIENT_CERT",
        "CLAUDE_CODE_CLIENT_KEY",
        "CLAUDE_CODE_CLIENT_KEY_PASSPHRASE",
        "CLAUDE_CODE_OAUTH_TOKEN",
        "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
        "CLAUDE_CODE_SKIP_FOUNDRY_AUTH",
        "CLAUDE_CODE_SKIP_VERTEX_AUTH",
        "CLAUDE_CODE_USE_BEDROCK",
        "CLAUDE_CODE_USE_FOUNDRY",
        "CLAUDE_CODE_USE_VERTEX",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ),
    dialect=Dialect.FRONT_MATTER,
    falls_back=True,
    commands=(".claude/commands",),
    switches=(
        Switch(
            file=".claude/settings.json",
            keys=("skillOverrides",),
            by=SwitchBy.NAME,
            form=SwitchForm.MAPPING,
            word="off",
        ),
    ),
    clash=Clash.OURS,
    directed_by=(
        SkillSettings(file=".claude/settings.json", keys=("skillOverrides", *_PLUGINS)),
        SkillSettings(
            file=".claude/settings.local.json", keys=("skillOverrides", *_PLUGINS), is_shared=True
        ),
    ),
    catalogue=Catalogue(
        style=CatalogueStyle.NAMES_STAY,
        window=200_000,
        percent=1,
        per_token=4,
        usage=(".claude/.claude.json", "skillUsage"),
    ),
)

CODEX: Final = ClientDelivery(
    programs=("codex",),
    skills=".codex/skills",
    files={
        ".codex/config.toml": {
            "check_for_update_on_startup": False,
            # In interactive use it would leave a process behind that outlives the run.
            "features": {"daemon_auto_start": False},
            "skills": {"bundled": {"enabled": False}},
            "projects": {
                "{workspace}": {"trust_level": "trusted"},
                "{directory}": {"trust_level": "trusted"},
            },
        }
    },
    logins=(
        ClientLogin(source="$CODEX_HOME/auth.json", path=".codex/auth.json"),
        ClientLogin(source="~/.codex/auth.json", path=".codex/auth.json"),
    ),
    login_variables=(
        "AZURE_OPENAI_API_KEY",
        "CODEX_ACCESS_TOKEN",
        "CODEX_API_KEY",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENAI_ORGANIZATION",
        "OPENAI_PROJECT",
    ),
    dialect=Dialect.POLICY,
    climbs_on=False,
    switches=(
        Switch(
            file=".codex/config.toml",
            keys=("skills", "config"),
            by=SwitchBy.FILE,
            form=SwitchForm.TABLES,
        ),
    ),
    clash=Clash.BOTH,
    catalogue=Catalogue(style=CatalogueStyle.ALL_SHORTENED, window=272_000, percent=2),
)

GEMINI_CLI: Final = ClientDelivery(
    programs=("gemini",),
    skills=".gemini/skills",
    files={
        ".gemini/settings.json": {"general": {"enableAutoUpdate": False}},
        ".gemini/trustedFolders.json": {
            "{workspace}": "TRUST_FOLDER",
            "{directory}": "TRUST_FOLDER",
        },
    },
    bundled=("antigravity-support", "skill-creator"),
    logins=(
        *(
            ClientLogin(source=f"{home}/.gemini/{name}", path=f".gemini/{name}")
            for name in (
                ".env",
                "gemini-credentials.json",
                "google_accounts.json",
                "oauth_creds.json",
            )
            for home in ("$GEMINI_CLI_HOME", "~")
        ),
        *(
            ClientLogin(
                source=f"{home}/.gemini/settings.json",
                path=".gemini/settings.json",
                keys=("security.auth",),
            )
            for home in ("$GEMINI_CLI_HOME", "~")
        ),
        *_GCLOUD_LOGINS,
    ),
    login_variables=(
        "GEMINI_API_KEY",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_CLOUD_ACCESS_TOKEN",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_PROJECT_ID",
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_VERTEX_BASE_URL",
    ),
    climbs=False,
    switches=(
        Switch(
            file=".gemini/settings.json",
            keys=("skills", "disabled"),
            by=SwitchBy.NAME,
            form=SwitchForm.LIST,
        ),
    ),
    clash=Clash.THEIRS,
    directed_by=(SkillSettings(file=".gemini/settings.json", keys=("skills",)),),
)

OPENCODE: Final = ClientDelivery(
    programs=("opencode",),
    skills=".config/opencode/skills",
    files={".config/opencode/opencode.json": {"$schema": "https://opencode.ai/config.json"}},
    variables={"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1"},
    bundled=("customize-opencode",),
    logins=(
        ClientLogin(
            source="$XDG_DATA_HOME/opencode/auth.json", path=".local/share/opencode/auth.json"
        ),
        ClientLogin(
            source="~/.local/share/opencode/auth.json", path=".local/share/opencode/auth.json"
        ),
    ),
    login_variables=(
        "ANTHROPIC_API_KEY",
        *_AWS_VARIABLES,
        "AZURE_API_KEY",
        "CEREBRAS_API_KEY",
        "CLOUDFLARE_API_KEY",
        "CLOUDFLARE_API_TOKEN",
        "DEEPSEEK_API_KEY",
        "FIREWORKS_API_KEY",
        "GEMINI_API_KEY",
        "GITHUB_TOKEN",
        "GOOGLE_API_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "GOOGLE_GENERATIVE_AI_API_KEY",
        "GROQ_API_KEY",
        "HF_TOKEN",
        "MISTRAL_API_KEY",
        "MOONSHOT_API_KEY",
        "OPENAI_API_KEY",
        "OPENCODE_API_KEY",
        "OPENCODE_AUTH_CONTENT",
        "OPENROUTER_API_KEY",
        "TOGETHER_API_KEY",
        "XAI_API_KEY",
        "ZHIPU_API_KEY",
    ),
    dialect=Dialect.SETTINGS,
    switches=(
        Switch(
            file=".config/opencode/opencode.json",
            keys=("permission", "skill"),
            by=SwitchBy.NAME,
            form=SwitchForm.MAPPING,
            word="deny",
        ),
    ),
    silenced=(".claude/skills", ".agents/skills"),
    clash=Clash.EITHER,
    unclashed={"OPENCODE_DISABLE_PROJECT_CONFIG": "1"},
    directed_by=tuple(
        SkillSettings(file=f"{directory}{name}", keys=_OPENCODE_KEYS)
        for directory in ("", ".opencode/")
        for name in ("opencode.json", "opencode.jsonc")
    ),
)

COPILOT: Final = ClientDelivery(
    programs=("copilot",),
    skills=".copilot/skills",
    files={
        ".copilot/config.json": {"trustedFolders": ["{workspace}", "{directory}"]},
        ".copilot/settings.json": {},
    },
    variables={"COPILOT_AUTO_UPDATE": "false"},
    bundled=("customize-cloud-agent", "discover-resources", "github-pr-media"),
    logins=(
        *(
            ClientLogin(
                source=f"{home}/config.json",
                path=".copilot/config.json",
                keys=("authTokens", "copilotTokens", "lastLoggedInUser", "loggedInUsers"),
            )
            for home in ("$COPILOT_HOME", "~/.copilot")
        ),
        *(
            ClientLogin(
                source=f"{home}/settings.json",
                path=".copilot/settings.json",
                keys=("storeTokenPlaintext",),
            )
            for home in ("$COPILOT_HOME", "~/.copilot")
        ),
        # Without a login of its own, it asks GitHub's `gh` for one.
        ClientLogin(source="$GH_CONFIG_DIR/hosts.yml", path=".config/gh/hosts.yml"),
        ClientLogin(source="$XDG_CONFIG_HOME/gh/hosts.yml", path=".config/gh/hosts.yml"),
        ClientLogin(source="~/.config/gh/hosts.yml", path=".config/gh/hosts.yml"),
    ),
    login_variables=(
        "COPILOT_API_URL",
        "COPILOT_GH_HOST",
        "COPILOT_GITHUB_TOKEN",
        "COPILOT_MODEL",
        "COPILOT_OFFLINE",
        "COPILOT_PROVIDER_API_KEY",
        "COPILOT_PROVIDER_AZURE_API_VERSION",
        "COPILOT_PROVIDER_BASE_URL",
        "COPILOT_PROVIDER_BEARER_TOKEN",
        "COPILOT_PROVIDER_HEADERS",
        "COPILOT_PROVIDER_MODEL_ID",
        "COPILOT_PROVIDER_TYPE",
        "COPILOT_PROVIDER_WIRE_API",
        "COPILOT_PROVIDER_WIRE_MODEL",
        "GH_HOST",
        "GH_TOKEN",
        "GITHUB_TOKEN",
    ),
    dialect=Dialect.FRONT_MATTER,
    commands=(".claude/commands",),
    switches=(
        Switch(
            file=".copilot/settings.json",
            keys=("ignoredSkillsLocations",),
            by=SwitchBy.DIRECTORY,
            form=SwitchForm.LIST,
        ),
        Switch(
            file=".copilot/settings.json",
            keys=("disabledSkills",),
            by=SwitchBy.NAME,
            form=SwitchForm.LIST,
        ),
    ),
    clash=Clash.THEIRS,
    directed_by=(
        SkillSettings(file=".github/copilot/settings.json", keys=_COPILOT_KEYS),
        SkillSettings(file=".github/copilot/settings.local.json", keys=_COPILOT_KEYS),
    ),
    catalogue=Catalogue(style=CatalogueStyle.FIRST_ONES, fixed=15_000),
)
