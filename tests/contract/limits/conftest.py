"""A yard in memory: most limits are kept before any database is asked."""

import pytest

from skillyard.testing.memory import MemoryStore
from skillyard.yard import Skillyard
from tests.contract.use_cases.yards import make_yard


@pytest.fixture
def yard() -> Skillyard:
    """Give an empty yard with the standard limits."""
    return make_yard(MemoryStore())
