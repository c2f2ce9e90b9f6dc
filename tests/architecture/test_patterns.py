"""Patterns work on every Python that the package supports."""

import re
from pathlib import Path

# Nothing inside this one backtracks, and without it an open text would cost memory.
HARMLESS = {"skillmd/jsontext.py"}
SOURCE = Path(__file__).parents[2] / "src" / "skillyard"


def test_no_group_that_backtracks_is_possessive() -> None:
    """Before Python 3.11.5 a possessive group that backtracks inside matches too little."""
    found = [
        f"{file.relative_to(SOURCE)}:{number}"
        for file in sorted(SOURCE.rglob("*.py"))
        if file.relative_to(SOURCE).as_posix() not in HARMLESS
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if "re.compile" in line and re.search(r"\)[*+?]\+", line)
    ]

    assert found == []
