"""How large a store of 10,000 skills is, beside their files.

The store is measured after a checkpoint, with everything that it knows about the skills. A
directory tree takes whole blocks on a disk: its size is given in blocks of 4 KiB, one for each
directory.
"""

import argparse
import json
from pathlib import Path
from typing import Final

from benchmarks.results import Figures, Result, to_result
from benchmarks.yards import filled_yard

SKILLS: Final = 10_000
BLOCK: Final = 4096

CONTENT: Final = "the bytes in the files"
TREE: Final = "the files on a disk"
STORE: Final = "the store"


def run(skills: int = SKILLS) -> Result:
    with filled_yard(skills) as (corpus, path):
        files = [one.stat().st_size for one in corpus.glob("*/*")]
        directories = sum(1 for one in corpus.iterdir() if one.is_dir())
        blocks = sum(map(_count_blocks, files)) + directories
        sizes = {CONTENT: sum(files), TREE: blocks * BLOCK, STORE: _measure(path)}
    return report(sizes)


def _count_blocks(size: int) -> int:
    return -(-size // BLOCK)


def _measure(path: Path) -> int:
    return sum(one.stat().st_size for one in path.parent.glob(f"{path.name}*"))


def report(sizes: dict[str, int]) -> Result:
    """Give the figures, and the store beside both."""
    figures: Figures = {name: {"bytes": size} for name, size in sizes.items()}
    ratios = {f"{STORE} / {name}": sizes[STORE] / sizes[name] for name in (CONTENT, TREE)}
    return to_result(figures, ratios, {})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", type=int, default=SKILLS)
    print(json.dumps(run(parser.parse_args().skills), indent=2))


if __name__ == "__main__":
    main()
