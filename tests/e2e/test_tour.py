"""The tours of the pages, word for word, and the built wheel in an environment of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.timeout(180)
@pytest.mark.requirement("DIS-1", "DIS-2", "DIS-3")
def test_the_tours_print_what_their_pages_say() -> None:
    done = subprocess.run(
        [sys.executable, "tools/tour.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(180)
@pytest.mark.requirement("INT-1", "INT-2")
def test_the_built_wheel_works_with_its_run_time_dependencies_alone(tmp_path: Path) -> None:
    def run(*command: str | Path) -> str:
        done = subprocess.run(
            list(map(str, command)), cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", site, wheel)
    requirements = ROOT / "requirements" / "runtime.txt"
    run(sys.executable, "-m", "pip", "install", "-q", "--target", site, "-r", requirements)

    command = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import skillyard, yaml, click;"
        "assert all(one.__file__.startswith(sys.path[0]) for one in (skillyard, yaml, click));"
        "from skillyard.cli.main import main; sys.argv[0] = 'skillyard'; main()"
    )
    isolated = [sys.executable, "-I", "-S", "-c", command]
    run(*isolated, "new", "sort-mail", "--directory")
    run(*isolated, "pack", "sort-mail", "-o", "sort-mail.tar.gz")

    assert "no problems found" in run(*isolated, "check", "sort-mail.tar.gz")
    assert "SY202" in run(*isolated, "check", "--explain", "SY202")
