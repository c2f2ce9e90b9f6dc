"""Take the tours: run the commands of the README and of the examples' page, word for word.

Each page has an empty directory of its own. Without options the commands and their output are
shown. `--check` compares the output with the page and exits with 1 where it differs; `--update`
writes the output into the page.
"""

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "examples.md")
_TOUR = re.compile(r"<!-- tour -->\n(.*?)<!-- /tour -->", re.DOTALL)
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """One command of a tour, and what the page says it prints."""

    command: str
    expected: str


def find_steps(text: str) -> list[Step]:
    tour = _TOUR.search(text)
    if tour is None:
        sys.exit("there is a page without a tour")
    steps = []
    for block in _BLOCK.findall(tour[1]):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            steps.append(Step(command, expected.rstrip("\n")))
    return steps


def prepare(directory: Path) -> dict[str, str]:
    """Put the example skills into `directory`, and give the environment for the commands."""
    shutil.copytree(ROOT / "examples", directory / "examples")
    # Nothing of the person who takes the tour: not their repository, and not their store.
    foreign = ("GIT_", "SKILLYARD_", "XDG_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return environment | {"PATH": path, "NO_COLOR": "1", "COLUMNS": "100", "HOME": str(directory)}


def run(step: Step, directory: Path, environment: dict[str, str]) -> str:
    done = subprocess.run(
        ["bash", "-c", step.command],
        cwd=directory,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout.rstrip("\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--check", action="store_true")
    group.add_argument("--update", action="store_true")
    wish = parser.parse_args()
    different = [page.name for page in PAGES if take(page, wish) and wish.check]
    if different:
        names = " and ".join(different)
        sys.exit(f"The tour in {names} differs; see above, or run tools/tour.py --update")


def take(page: Path, wish: argparse.Namespace) -> bool:
    """Run the steps of one page; tell whether anything is different."""
    before = text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="skillyard-tour-") as name:
        environment = prepare(Path(name))
        for step in find_steps(before):
            output = run(step, Path(name), environment)
            if not wish.check:
                print(f"$ {step.command}\n{output}\n")
            elif output != step.expected:
                print("\n".join(show_difference(step, output)))
            text = replace(text, step, output)
    if wish.update:
        page.write_text(text, encoding="utf-8")
    return text != before


def show_difference(step: Step, output: str) -> list[str]:
    return list(
        difflib.unified_diff(
            step.expected.split("\n"), output.split("\n"), f"$ {step.command}", "now", lineterm=""
        )
    )


def replace(text: str, step: Step, output: str) -> str:
    old = f"$ {step.command}\n{step.expected}\n" if step.expected else f"$ {step.command}\n"
    new = f"$ {step.command}\n{output}\n" if output else f"$ {step.command}\n"
    return text.replace(old, new, 1)


if __name__ == "__main__":
    main()
