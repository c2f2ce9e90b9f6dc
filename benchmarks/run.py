"""Run every benchmark, and write one table as Markdown and JSON to docs/performance/."""

import json
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import loading, startup

Result = dict[str, Any]

TARGET = Path(__file__).parents[1] / "docs" / "performance"
BENCHMARKS: dict[str, Callable[[], Result]] = {
    "Parse and validate 10,000 skills": loading.run,
    "Start-up": startup.run,
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
        lines += ["", f"## {title}", "", "| ratio | measured | promised |", "|---|---|---|"]
        ratios, promises = result["ratios"], result["promises"]
        lines += [f"| {name} | {value:.2f} | {promises[name]} |" for name, value in ratios.items()]
        lines += ["", *_figures(result["figures"])]
    return "\n".join(lines) + "\n"


def _figures(figures: dict[str, dict[str, float]]) -> list[str]:
    columns = list(next(iter(figures.values())))
    rows = [f"| contender | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    for name, figure in figures.items():
        values = " | ".join(f"{figure[column]:,.3f}".rstrip("0").rstrip(".") for column in columns)
        rows.append(f"| {name} | {values} |")
    return rows


def main() -> None:
    results = {}
    for title, benchmark in BENCHMARKS.items():
        print(f"measuring: {title}", file=sys.stderr)
        results[title] = benchmark()
    TARGET.mkdir(parents=True, exist_ok=True)
    text = render(results)
    (TARGET / "README.md").write_text(text, encoding="utf-8")
    (TARGET / "results.json").write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
