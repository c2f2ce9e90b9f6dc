"""How a client is given its skills is known for every client, as data that agrees with itself."""

import pytest

from skillyard.domain.client import Client
from skillyard.domain.delivery import FoundDirectory
from skillyard.providers.clients import CLIENTS, HIDDEN
from skillyard.providers.deliveries import HOMES
from skillyard.providers.home import HomeSettings, fill
from skillyard.providers.setting import PROVIDERS
from skillyard.providers.surroundings import foretell_also_seen
from tests.unit.providers.delivering import PLACES, file_of, plan

each_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda one: one.id)


@pytest.mark.requirement("DEL-1")
def test_skills_can_be_delivered_to_five_clients_and_to_any_program() -> None:
    assert PROVIDERS == (
        "claude-code",
        "codex",
        "gemini-cli",
        "opencode",
        "copilot",
        "agents-dir",
        "prompt",
    )


@pytest.mark.requirement("DEL-1")
@each_client
def test_skills_are_laid_out_where_the_client_looks_in_the_home_of_the_run(client: Client) -> None:
    laid_out = f"{PLACES.home}/{client.delivery.skills}"
    variables = {name: fill(value, PLACES) for name, value in HOMES.items()}

    looks = [_expand(one, variables) for one in client.directories.user]

    assert laid_out in looks


def _expand(path: str, variables: dict[str, str]) -> str:
    path = path.replace("~", variables["HOME"], 1)
    for name, value in variables.items():
        path = path.replace(f"${name}/", f"{value}/")
    return path


@pytest.mark.requirement("DEL-6")
@each_client
def test_a_copy_of_a_login_never_lands_among_skills(client: Client) -> None:
    assert client.delivery.logins
    for login in client.delivery.logins:
        assert login.source.startswith(("~/", "$"))
        assert "skills" not in login.path
        assert not login.path.startswith("/")


@pytest.mark.requirement("DEL-6")
@each_client
def test_a_file_with_settings_and_a_login_is_passed_on_by_its_keys_only(client: Client) -> None:
    for login in client.delivery.logins:
        is_settings = login.path in client.delivery.files
        assert bool(login.keys) == is_settings, login


@pytest.mark.requirement("DEL-5")
@each_client
def test_every_switch_is_in_a_file_that_is_written(client: Client) -> None:
    for switch in client.delivery.switches:
        assert switch.file in client.delivery.files
    assert not client.delivery.bundled or client.delivery.name_switch


@pytest.mark.requirement("DEL-5")
def test_every_directory_of_a_project_that_a_client_reads_is_hidden() -> None:
    assert HIDDEN == (
        ".agents/skills",
        ".claude/commands",
        ".claude/skills",
        ".codex/skills",
        ".gemini/skills",
        ".github/skills",
        ".opencode/skill",
        ".opencode/skills",
    )


@pytest.mark.requirement("DEL-7")
def test_trust_is_answered_for_the_workspace_and_where_the_program_is_started() -> None:
    assert file_of(plan(provider="claude-code"), ".claude/.claude.json") == (
        "{\n"
        '  "hasCompletedOnboarding": true,\n'
        '  "projects": {\n'
        '    "/runs/run-1/workspace": {\n'
        '      "hasTrustDialogAccepted": true\n'
        "    },\n"
        '    "/runs/run-1/workspace/web": {\n'
        '      "hasTrustDialogAccepted": true\n'
        "    }\n"
        "  }\n"
        "}\n"
    )
    assert file_of(plan(provider="codex"), ".codex/config.toml") == (
        "check_for_update_on_startup = false\n"
        "\n"
        "[features]\n"
        "daemon_auto_start = false\n"
        "\n"
        "[skills.bundled]\n"
        "enabled = false\n"
        "\n"
        '[projects."/runs/run-1/workspace"]\n'
        'trust_level = "trusted"\n'
        "\n"
        '[projects."/runs/run-1/workspace/web"]\n'
        'trust_level = "trusted"\n'
    )
    assert file_of(plan(provider="gemini-cli"), ".gemini/trustedFolders.json") == (
        "{\n"
        '  "/runs/run-1/workspace": "TRUST_FOLDER",\n'
        '  "/runs/run-1/workspace/web": "TRUST_FOLDER"\n'
        "}\n"
    )
    assert file_of(plan(provider="copilot"), ".copilot/config.json") == (
        "{\n"
        '  "trustedFolders": [\n'
        '    "/runs/run-1/workspace",\n'
        '    "/runs/run-1/workspace/web"\n'
        "  ]\n"
        "}\n"
    )


def test_a_place_that_counts_twice_is_named_once() -> None:
    at_top = type(PLACES)(
        root=PLACES.root,
        workspace=PLACES.workspace,
        home=PLACES.home,
        private=PLACES.private,
        logs=PLACES.logs,
        directory=PLACES.workspace,
    )

    settings = HomeSettings.of(CLIENTS["copilot"].delivery, at_top)

    assert settings.trees[".copilot/config.json"] == {"trustedFolders": [PLACES.workspace]}


@pytest.mark.requirement("DEL-5")
def test_turning_something_off_twice_says_it_once() -> None:
    for client in CLIENTS.values():
        settings = HomeSettings.of(client.delivery, PLACES)
        found = [FoundDirectory("/p/.x/skills", ("old",))] * 2
        around = foretell_also_seen(client, found, ours=())
        for one in (*around.turned_off, *around.turned_off):
            settings.turn_off(one.switch, one.item)
        content = b"".join(one.content for one in settings.plan())
        assert len(around.notes) == 1
        assert content.count(b'"old"') + content.count(b'"/p/.x/skills') == 1
