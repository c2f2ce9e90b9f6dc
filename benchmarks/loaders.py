"""The loaders of skills that others wrote in Python, each in an environment of its own.

Each is of exactly one version, and stays installed between runs. Where one cannot be installed,
that is said loudly, and what it would have taken stays unknown. What is measured is the least that
gives the name and the description of every skill in a directory.
"""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_CACHE: Final = Path(__file__).parents[1] / ".benchmarks" / "loaders"
_PATIENCE: Final = 600
_MEASURE: Final = """
root, expected = sys.argv[1], int(sys.argv[2])
start = time.process_time()
count = load(root)
seconds = time.process_time() - start
assert count == expected, (count, expected)
print(seconds)
"""


@dataclass(frozen=True, slots=True)
class Loader:
    """What to install, and the lines that make `load`: it gives how many skills it has found."""

    pin: str
    lines: str

    def find_python(self) -> str | None:
        """Give the interpreter that has the loader; None means that it is not to be had."""
        directory = _CACHE / self.pin
        python, stamp = directory / "bin" / "python", directory / ".complete"
        if not stamp.exists():
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            make = [sys.executable, "-m", "venv", "--clear", str(directory)]
            if not (_runs(make) and _runs([*pip, self.pin])):
                print(f"NOT MEASURED: {self.pin} cannot be installed", file=sys.stderr)
                return None
            stamp.touch()
        return str(python)

    def measure(self, python: str, root: Path, skills: int) -> float:
        """Give the CPU seconds that finding the skills takes in a new process."""
        script = f"import sys, time\n{self.lines}\n{_MEASURE}"
        done = subprocess.run(
            [python, "-c", script, str(root), str(skills)],
            check=True,
            capture_output=True,
            text=True,
        )
        return float(done.stdout.split()[-1])


LOADERS: Final = (
    Loader(
        "pydantic-ai-skills==2.1.0",
        "from pydantic_ai_skills import LocalSkillsRegistry\n"
        "def load(root): return len(LocalSkillsRegistry(root).skill_infos())",
    ),
    Loader(
        "google-adk==2.13.0",
        "from google.adk.skills import list_skills_in_dir\n"
        "def load(root): return len(list_skills_in_dir(root))",
    ),
    Loader(
        "fastmcp==4.1.2",
        "from fastmcp.server.providers.skills import SkillsDirectoryProvider\n"
        "def load(root): return len(SkillsDirectoryProvider(root).providers)",
    ),
)


def _runs(command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"{command[0]}: {error}", file=sys.stderr)
        return False
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
    return done.returncode == 0
