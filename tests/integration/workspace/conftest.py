"""A project for each test."""

from pathlib import Path

import pytest

from tests.integration.workspace.repositories import Scene


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)
