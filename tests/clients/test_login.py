"""The user's login works in a run: each client that can tell says so itself."""

from pathlib import Path

import pytest

from tests.clients.running import MOST_SECONDS, run_in
from tests.clients.trees import compare, look_at
from tests.clients.worlds import World

pytestmark = pytest.mark.timeout(MOST_SECONDS + 60)


@pytest.mark.requirement("DEL-6")
@pytest.mark.parametrize(
    ("client", "command", "says"),
    [
        # With a key among the variables it would not look at its own login.
        (
            "claude-code",
            ["env", "-u", "ANTHROPIC_API_KEY", "claude", "auth", "status"],
            "claude.ai",
        ),
        ("codex", ["codex", "login", "status"], "API key configured"),
        ("opencode", ["opencode", "auth", "list"], "OpenRouter"),
    ],
)
def test_a_client_is_logged_in_as_its_user_is(
    client: str, command: list[str], says: str, world: World, tmp_path: Path
) -> None:
    before = look_at(world.home, without=[world.yard])

    ran = run_in(world, client, command, mode="empty", scratch=tmp_path)

    assert says in ran.spoken.out + ran.spoken.err
    assert compare(before, look_at(world.home, without=[world.yard])) == []
