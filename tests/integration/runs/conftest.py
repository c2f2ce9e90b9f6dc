"""Grounds of a test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.application.ports.ground import RunGround
from tests.integration.runs.making import RUN_ID


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Give the directory of runs, which does not exist yet."""
    return tmp_path / "runs"


@pytest.fixture
def grounds(runs: Path) -> DiskGrounds:
    """Give the grounds."""
    return DiskGrounds(runs)


@pytest.fixture
def ground(grounds: DiskGrounds) -> Iterator[RunGround]:
    """Give the ground of one run."""
    with grounds.make(RUN_ID) as ground:
        yield ground
