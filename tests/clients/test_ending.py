"""When a run is told to end, nothing of the client lives on, and nothing of the run is left."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skillyard.providers.clients import CLIENTS
from tests.clients.prompting import PROMPTS
from tests.clients.running import MOST_SECONDS
from tests.clients.stub import Stub
from tests.clients.trees import compare, look_at
from tests.clients.worlds import AGENT, World

pytestmark = [
    pytest.mark.timeout(MOST_SECONDS + 60),
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1"]),
]


@contextmanager
def silent() -> Iterator[Stub]:
    """Give a model that takes calls and never answers."""
    with Stub() as model:
        model.socket.settimeout(MOST_SECONDS)
        yield model


@pytest.mark.requirement("DEL-13", "DEL-15")
@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_that_waits_for_its_model_is_ended_with_all_that_it_started(
    client: str, world: World, tmp_path: Path
) -> None:
    before = look_at(world.top, without=[world.yard])
    with silent() as model, (tmp_path / "said").open("w") as said:
        asks = PROMPTS[client]
        passed = [word for name in asks.environment(model) for word in ("--pass", name)]
        command = ["run", "--agent", AGENT, "--provider", client, *passed, "--"]
        with subprocess.Popen(
            [sys.executable, "-m", "skillyard", *command, *asks.command(model)],
            cwd=world.project,
            env={**world.environment, **asks.environment(model)},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        ) as process:
            call, _ = model.socket.accept()
            process.send_signal(signal.SIGTERM)
            process.wait(40)
            call.close()

    assert list_alive(world) == []
    assert list((world.yard / "runs").glob("run-*")) == []
    assert compare(before, look_at(world.top, without=[world.yard])) == []


def list_alive(world: World) -> list[str]:
    """Give what was started in a run of this world and has not ended."""
    home = f"HOME={world.yard}/runs/".encode()
    return [
        (entry / "cmdline").read_text()
        for entry in Path("/proc").glob("[0-9]*")
        if any(one.startswith(home) for one in read_variables(entry))
    ]


def read_variables(process: Path) -> list[bytes]:
    try:
        return (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return []
