"""The store as a Python object, as its page shows it."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from skillyard import Skillyard, SkillyardError
from skillyard.application.save import SavedSkill

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text("utf-8")


@pytest.mark.requirement("INT-1")
@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_the_examples_of_the_page_run(code: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")

    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.requirement("INT-1")
def test_every_method_is_on_the_page() -> None:
    public = {name for name in vars(Skillyard) if not name.startswith("_")}
    told = set(re.findall(r"\b([a-z_]+)\b", PAGE))

    assert public - {"from_settings", "wish", "judgement"} - told == set()


@pytest.mark.requirement("INT-1")
def test_a_yard_opens_where_it_is_told_and_keeps_what_it_is_given(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path / "yard", actor="ada") as yard:
        (saved,) = yard.add(ROOT / "examples" / "skills" / "safe-edit")
    with Skillyard.open(home=tmp_path / "yard") as again:
        details = again.get("safe-edit")

    assert isinstance(saved, SavedSkill)
    assert details.skill == saved.skill
    assert details.skill.created_by == "ada"


@pytest.mark.requirement("INT-1")
def test_errors_have_a_code_to_branch_on(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path) as yard, contextlib.suppress(SkillyardError):
        yard.get("nothing")
    with Skillyard.open(home=tmp_path) as yard, pytest.raises(SkillyardError) as caught:
        yard.get("nothing")

    assert caught.value.code == "skill-not-found"
