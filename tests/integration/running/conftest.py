"""Each test has a world of its own."""

from pathlib import Path

import pytest

from tests.integration.running.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Give a world."""
    return World.make(tmp_path)
