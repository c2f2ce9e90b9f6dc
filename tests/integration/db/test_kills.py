"""A process that is killed in the middle of a save loses nothing that was kept."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
KILLS = 200


@pytest.mark.requirement("STO-3", "STO-10")
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_two_hundred_kills_within_a_save_leave_every_version_whole(
    engine: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue(f"{engine}_url")
    script = Path(__file__).with_name("kill_saves.py")

    done = subprocess.run(
        [sys.executable, str(script), url, str(KILLS)],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=55,
    )

    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["faults"] == []
    assert set(said["acknowledged"]) <= set(said["versions"])
    assert len(said["versions"]) == len(set(said["versions"])) == len(said["digests"])
    # Otherwise the moments were chosen badly, and nothing was shown.
    assert said["within"] >= KILLS // 4
