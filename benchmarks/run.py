"""Run every benchmark, and write one table as Markdown and JSON to docs/performance/."""

import argparse
import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from benchmarks import (
    adding,
    committing,
    delivering,
    discovering,
    listing,
    loading,
    reading,
    resolving,
    running,
    searching,
    size,
    startup,
)

Result = dict[str, Any]

NOT_MEASURED: Final = "not measured"
TARGET = Path(__file__).parents[1] / "docs" / "performance"
BENCHMARKS: dict[str, Callable[[], Result]] = {
    "Parse and validate 10,000 skills": loading.run,
    "Start-up": startup.run,
    "Save 10,000 skills": adding.run,
    "List 10,000 skills": listing.run,
    "Read one skill out of 10,000": reading.run,
    "Save one skill into 10,000": committing.run,
    "Size of 10,000 skills": size.run,
    "Find 10,000 skills in a directory": discovering.run,
    "Resolve one agent with 50 skills": resolving.run,
    "Prepare a run with 8 skills of 5 files": delivering.run,
    "Run a program that does nothing": running.run_command,
    "Run a program 1,000 times": running.run_many,
    "Search 10,000 skills": searching.run,
}


def render(results: dict[str, Result]) -> str:
    """Give the results as Markdown."""
    lines = [
        "# Performance",
        "",
        "Written by `make bench`; every ratio is between contenders of the same run.",
        f"Python {platform.python_version()} on {platform.system()} {platform.machine()}.",
    ]
    for title, result in results.items():
        lines += ["", f"## {title}", "", *_ratios(result), *_figures(result["figures"])]
    return "\n".join(lines) + "\n"


def _ratios(result: Result) -> list[str]:
    ratios, promises = result["ratios"], result["promises"]
    rows = [f"| {name} | {_ratio(one)} | {promises[name]} |" for name, one in ratios.items()]
    return ["| ratio | measured | promised |", "|---|---|---|", *rows, ""] if rows else []


def _ratio(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.2f}"


def _figure(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:,.3f}".rstrip("0").rstrip(".")


def _figures(figures: dict[str, dict[str, float | None]]) -> list[str]:
    columns = list(next(iter(figures.values())))
    rows = [f"| contender | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name, figure in figures.items():
        values = " | ".join(_figure(figure[column]) for column in columns)
        rows.append(f"| {name} | {values} |")
    return rows


def read_results() -> dict[str, Result]:
    """Give the results of the last run."""
    results: dict[str, Result] = json.loads((TARGET / "results.json").read_text(encoding="utf-8"))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", metavar="TEXT", help="those with TEXT in their title; the others stay as they are"
    )
    only = parser.parse_args().only
    results = read_results() if only else {}
    for title, benchmark in BENCHMARKS.items():
        if only is None or only.lower() in title.lower():
            print(f"measuring: {title}", file=sys.stderr)
            results[title] = benchmark()
    TARGET.mkdir(parents=True, exist_ok=True)
    text = render(results)
    (TARGET / "README.md").write_text(text, encoding="utf-8")
    (TARGET / "results.json").write_text(
        json.dumps(results, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    print(text)


if __name__ == "__main__":
    main()
