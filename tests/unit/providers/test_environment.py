"""A program is started with its own homes, and without what leads elsewhere or is secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.client import Client
from skillyard.domain.delivery import NoteKind
from skillyard.providers.clients import CLIENTS
from skillyard.providers.deliveries import HOMES
from skillyard.providers.environment import list_dropped, list_kept, looks_secret
from tests.unit.providers.delivering import PLACES, notes_of, plan


@pytest.mark.requirement("DEL-4")
@pytest.mark.parametrize("provider", [*CLIENTS, "agents-dir", "prompt"])
def test_every_home_is_in_the_run_whichever_program_is_started(provider: str) -> None:
    environment = plan(provider=provider).environment

    assert set(HOMES) <= set(environment)
    for name in HOMES:
        assert environment[name] == PLACES.home or environment[name].startswith(f"{PLACES.home}/")


@pytest.mark.requirement("DEL-4")
@pytest.mark.parametrize(
    "name",
    [
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDECODE",
        "ANTHROPIC_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
        "OPENCODE_CONFIG",
        "COPILOT_HOME",
        "XDG_CONFIG_HOME",
        "XDG_RUNTIME_DIR",
        "SKILLYARD_HOME",
        "SKILL_CHAR_BUDGET",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_COMMON_DIR",
        "GIT_OBJECT_DIRECTORY",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_NAMESPACE",
        "GIT_PREFIX",
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_KEY_0",
        "GIT_CONFIG_PARAMETERS",
        "GIT_CONFIG_VALUE_12",
    ],
)
def test_what_leads_a_client_elsewhere_is_held_back(name: str) -> None:
    assert list_dropped(dict.fromkeys([name, "PATH", "LANG", "TERM"], "1"), kept=()) == (name,)


@pytest.mark.requirement("DEL-6")
@pytest.mark.parametrize(
    "name",
    [
        "GITHUB_TOKEN",
        "NPM_TOKEN",
        "DJANGO_SECRET",
        "DB_PASSWORD",
        "OPENAI_API_KEY",
        "SOME_APIKEY",
        "AWS_SECRET_ACCESS_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "DEPLOY_PRIVATE_KEY",
        "npm_config__authToken",
        "GITHUB_PAT",
        "PAT",
        "DB_PASS",
        "PGPASSFILE",
        "NETRC",
        "KUBECONFIG",
    ],
)
def test_what_looks_like_a_secret_is_held_back(name: str) -> None:
    assert looks_secret(name)
    assert list_dropped({name: "1"}, kept=()) == (name,)
    assert list_dropped({name: "1"}, kept={name}) == ()


@pytest.mark.requirement("DEL-6")
@pytest.mark.parametrize(
    "value",
    [
        "postgres://app:s3cret@db/x",
        "redis://:s3cret@cache",
        "http://u:p/w@proxy:3128",
        "see amqp://a:b@c",
    ],
)
def test_a_variable_with_a_password_in_a_url_is_held_back(value: str) -> None:
    environment = {"DATABASE_URL": value, "OPENAI_BASE_URL": value}

    assert list_dropped(environment, kept={"OPENAI_BASE_URL"}) == ("DATABASE_URL",)
    planned = plan(provider="codex", environment=environment)
    assert planned.dropped == ("DATABASE_URL",)
    assert notes_of(planned, NoteKind.LOGIN) == [
        ("", "variables that look like secrets are not passed on: DATABASE_URL")
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PATH", "/usr/bin:/bin"),
        ("EDITOR", "vi"),
        ("MAX_OUTPUT_TOKENS", "1"),
        ("KEYBOARD", "de"),
        ("LC_ALL", "C"),
        ("GIT_AUTHOR_NAME", "A"),
        ("SSH_AUTH_SOCK", "/run/agent"),
        ("SSH_ASKPASS", "/usr/bin/ask"),
        ("COMPASS", "n"),
        ("HTTPS_PROXY", "http://proxy:3128"),
        ("REMOTE", "ssh://git@host/x"),
        ("PAGE", "http://host:80/a@b"),
    ],
)
def test_everything_else_is_passed_on(name: str, value: str) -> None:
    assert list_dropped({name: value}, kept=()) == ()


@pytest.mark.requirement("DEL-6")
def test_a_login_is_passed_on_to_its_own_client_only() -> None:
    environment = {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o", "MY_TOKEN": "t"}

    assert plan(provider="claude-code", environment=environment).dropped == (
        "MY_TOKEN",
        "OPENAI_API_KEY",
    )
    assert plan(provider="codex", environment=environment).dropped == (
        "ANTHROPIC_API_KEY",
        "MY_TOKEN",
    )
    assert plan(provider="prompt", environment=environment).dropped == tuple(sorted(environment))
    passing = frozenset({"MY_TOKEN", "ANTHROPIC_API_KEY"})
    assert plan(provider="codex", environment=environment, passing=passing).dropped == ()


@pytest.mark.requirement("DEL-6")
def test_the_names_of_held_back_secrets_are_said_and_never_their_values() -> None:
    planned = plan(provider="codex", environment={"MY_TOKEN": "t0ps3cret", "CLAUDE_X": "1"})

    assert notes_of(planned, NoteKind.LOGIN) == [
        ("", "variables that look like secrets are not passed on: MY_TOKEN")
    ]
    assert "t0ps3cret" not in repr(planned)


@pytest.mark.requirement("DEL-6")
def test_a_login_of_a_cloud_is_passed_on_only_where_it_is_used() -> None:
    plain = plan(provider="claude-code")
    cloud = plan(provider="claude-code", environment={"CLAUDE_CODE_USE_BEDROCK": "1"})

    assert not any(".aws" in one.path for one in plain.logins)
    assert [one.path for one in cloud.logins if ".aws" in one.path] == [
        ".aws/credentials",
        ".aws/config",
    ]


@pytest.mark.requirement("DEL-4")
@pytest.mark.parametrize("provider", [*CLIENTS, "agents-dir", "prompt"])
def test_no_program_keeps_anything_from_one_run_to_the_next(provider: str) -> None:
    told = plan(provider=provider, environment={"COPILOT_PKG_CACHE_HOME": "/shared"})

    assert "COPILOT_PKG_CACHE_HOME" in told.dropped
    outside = [one for one in told.environment.values() if one.startswith("/")]
    assert all(one.startswith(PLACES.root) for one in outside)


@given(st.frozensets(st.text("AB_XDGTOKEN", max_size=12)), st.sampled_from([*CLIENTS.values()]))
def test_what_is_kept_is_never_held_back(names: frozenset[str], client: Client) -> None:
    kept = list_kept(client.delivery, names)

    assert list_dropped(dict.fromkeys(names, "a://b:c@d"), kept=kept) == ()
