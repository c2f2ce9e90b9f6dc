"""The generated pages of the documentation are what the generator writes now."""

import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


def generate(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "generate_docs.py", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_generated_pages_are_up_to_date() -> None:
    checked = generate("--check")

    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_checking_names_what_differs_and_writes_nothing(tmp_path: Path) -> None:
    generate("--docs", str(tmp_path))
    (tmp_path / "diagnostics" / "SY101.md").write_text("changed\n")
    (tmp_path / "diagnostics" / "SY102.md").unlink()
    (tmp_path / "diagnostics" / "SY999.md").write_text("of a rule that is gone\n")

    checked = generate("--check", "--docs", str(tmp_path))

    assert checked.returncode == 1
    assert checked.stdout.splitlines() == [
        "diagnostics/SY101.md differs",
        "diagnostics/SY102.md differs",
        "diagnostics/SY999.md is no longer generated",
    ]
    assert (tmp_path / "diagnostics" / "SY101.md").read_text() == "changed\n"


def test_writing_repairs_every_difference(tmp_path: Path) -> None:
    directory = tmp_path / "diagnostics"
    directory.mkdir()
    (directory / "SY101.md").write_text("changed\n")
    (directory / "SY999.md").write_text("of a rule that is gone\n")

    generate("--docs", str(tmp_path))

    assert {one.name: one.read_bytes() for one in directory.iterdir()} == {
        one.name: one.read_bytes() for one in (ROOT / "docs" / "diagnostics").iterdir()
    }
