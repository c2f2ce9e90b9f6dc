"""Start a program in a run, as a process of its own: directory of runs, and the command.

Says `root <path>` before the start and `ended <status>` after it; then the run is removed. Where
`TOLD_SECONDS` is set, a program that is told to end has so much time.
"""

import os
import sys
from pathlib import Path

from skillyard.adapters.runs.grounds import DiskGrounds
from skillyard.adapters.runs.remaining import Patience


def main(runs: Path, command: list[str]) -> None:
    """Run the command to its end."""
    patience = Patience(told=float(os.environ.get("TOLD_SECONDS", "10")))
    with DiskGrounds(runs, patience=patience).make("supervised") as ground:
        print("root", ground.places.root, flush=True)  # noqa: T201 (it tells the test)
        status = ground.launch(command, os.environ)
        ground.remove()
        print("ended", status, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
