"""What every test shares: how hard Hypothesis tries, and databases of its own.

The gate tries the same examples each time, so that it never fails by chance. To look for new ones:
`pytest --hypothesis-profile=thorough`.
"""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "gate",
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("gate"), derandomize=False, max_examples=3000
)
settings.load_profile("gate")


def pytest_configure(config: pytest.Config) -> None:
    """Make the place that the workers of this run share; they inherit its name."""
    # Under `nohup` it would be ignored, by every program that a test starts too.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if not hasattr(config, "workerinput"):
        os.environ["SKILLYARD_TEST_RUN"] = tempfile.mkdtemp(prefix="skillyard-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop what was started for this run: the workers have all ended by now."""
    if hasattr(config, "workerinput") or "SKILLYARD_TEST_RUN" not in os.environ:
        return
    shared = Path(os.environ.pop("SKILLYARD_TEST_RUN"))
    if any(shared.iterdir()):
        # Imported late: most runs need no database.
        from tests.databases import end_run  # noqa: PLC0415

        end_run(shared)
    else:
        shared.rmdir()


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Give a SQLite database of this test's own, with the schema of today."""
    from tests.databases import fresh_sqlite_url  # noqa: PLC0415

    return fresh_sqlite_url(tmp_path)


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Give a PostgreSQL database of this test's own, with the schema of today."""
    from tests.databases import fresh_postgres_url  # noqa: PLC0415

    with fresh_postgres_url() as url:
        yield url
