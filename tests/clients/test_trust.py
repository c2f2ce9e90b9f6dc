"""No client asks a person whether a run's workspace can be trusted."""

import sys

import pytest

from tests.clients.running import MOST_SECONDS
from tests.clients.terminal import watch
from tests.clients.worlds import AGENT, World

pytestmark = pytest.mark.timeout(MOST_SECONDS + 120)


@pytest.mark.requirement("DEL-7")
@pytest.mark.parametrize(
    ("program", "asks", "is_ready"),
    [
        ("claude", "trust this folder", "Claude Code v"),
        ("codex", "Trust this folder?", "default · "),
        ("gemini", "Do you trust the files", "Type your message"),
        ("copilot", "Do you trust the files", "use /login"),
    ],
)
def test_a_client_before_a_terminal_does_not_ask_about_the_folder(
    program: str, asks: str, is_ready: str, world: World
) -> None:
    command = [sys.executable, "-m", "skillyard", "run", "--agent", AGENT, "--", program]

    # Of a key in a variable it asks something, too; here it has its login.
    environment = {name: one for name, one in world.environment.items() if "API_KEY" not in name}
    environment["GEMINI_API_KEY"] = world.environment["GEMINI_API_KEY"]

    shown = watch(command, cwd=world.project, environment=environment, until=[asks, is_ready])

    assert asks.replace(" ", "") not in shown
    assert is_ready.replace(" ", "") in shown
