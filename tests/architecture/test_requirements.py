"""The requirement numbers, the tests that show them, and the gaps agree with each other."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).parents[1]
MEANINGS = TESTS.parent / "docs" / "requirements.md"


def iter_marks(file: Path) -> Iterator[str]:
    """Yield each number that a test or a whole file is marked with."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.requirement":
            yield from (str(ast.literal_eval(one)) for one in node.args)


def find_marked_files() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(TESTS.rglob("test_*.py")):
        for number in iter_marks(file):
            found[number].add(file.relative_to(TESTS).as_posix())
    return found


def test_each_number_names_exactly_the_files_that_are_marked_with_it() -> None:
    listed = {number: set(one.tests) for number, one in REQUIREMENTS.items() if one.tests}

    assert listed == find_marked_files()


def test_each_number_has_a_meaning_and_each_meaning_a_number() -> None:
    meanings = re.findall(r"^- \*\*([A-Z]{3}-\d+)\*\*", MEANINGS.read_text("utf-8"), re.MULTILINE)

    assert sorted(meanings) == sorted(REQUIREMENTS)
    assert len(meanings) == len(set(meanings))


def test_a_number_without_a_test_says_what_is_missing() -> None:
    silent = [number for number, one in REQUIREMENTS.items() if not (one.tests or one.gap)]

    assert silent == []
