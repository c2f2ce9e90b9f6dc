"""The store as a Python object, as its page shows it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import skillyard
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
def test_adding_saves_also_where_nobody_looks_at_the_answers(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path / "yard") as yard:
        yard.add(ROOT / "examples" / "skills" / "safe-edit")

        assert yard.get("safe-edit").skill.slug == "safe-edit"


@pytest.mark.requirement("INT-1")
def test_a_yard_in_memory_is_the_same_each_time() -> None:
    wish = skillyard.CreateSkill(slug="pdf", description="Fills in forms.", content="Fill.\n")
    first, second = (Skillyard.in_memory().create(wish) for _ in range(2))

    assert first == second
    assert first.skill.created_by == "test"


@pytest.mark.requirement("INT-1", "STO-1")
def test_a_dry_run_makes_no_store_where_there_is_none(tmp_path: Path) -> None:
    said = {"home": str(tmp_path / "yard")}
    with Skillyard.from_settings(overrides=said, dry_run=True) as yard:
        (saved,) = yard.add(ROOT / "examples" / "skills" / "safe-edit", dry_run=True)

    assert isinstance(saved, SavedSkill)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("INT-1", "STO-1")
def test_a_dry_run_sees_the_store_that_is_there(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path) as yard:
        yard.add(ROOT / "examples" / "skills" / "safe-edit")
    with Skillyard.from_settings(overrides={"home": str(tmp_path)}, dry_run=True) as yard:
        assert yard.get("safe-edit").skill.slug == "safe-edit"


def test_a_new_home_gets_a_store_where_older_ones_are_not_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKILLYARD_DATABASE_UPGRADE", "false")

    with Skillyard.open(home=tmp_path / "new") as yard:
        assert list(yard.list().entries) == []


@pytest.mark.requirement("INT-1")
def test_an_exported_directory_may_have_any_name(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path / "yard") as yard:
        yard.add(ROOT / "examples" / "skills" / "safe-edit")
        target = tmp_path / "elsewhere"
        list(yard.export([skillyard.ExportSkill(reference="safe-edit", target=target)]))
    with Skillyard.in_memory() as other:
        (saved,) = other.add(target)
        assert isinstance(saved, SavedSkill)
    with Skillyard.in_memory() as other:
        (imported,) = other.apply_import(other.plan_import(target))
        assert imported.slug == "safe-edit"
    (target / "more.md").write_text("Changed.\n")
    with Skillyard.in_memory() as other:
        (refused,) = other.add(target)
        assert isinstance(refused, skillyard.RefusedSkill)


@pytest.mark.requirement("INT-1")
def test_errors_have_a_code_to_branch_on(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path) as yard, pytest.raises(SkillyardError) as caught:
        yard.get("nothing")

    assert caught.value.code == "skill-not-found"


@pytest.mark.requirement("INT-1", "DIS-7")
def test_a_yard_finds_skills_by_words_by_a_task_and_for_someone(tmp_path: Path) -> None:
    with Skillyard.open(home=tmp_path / "yard") as yard:
        yard.add(ROOT / "examples" / "skills" / "safe-edit")
        found = [
            [one.entry.slug for one in yard.search("edit files").found],
            [one.entry.slug for one in yard.match("edit this file safely").found],
        ]
        of_everyone = yard.match_for("edit this file safely", project=None, include_user=False)

    assert found == [["safe-edit"], ["safe-edit"]]
    assert "safe-edit" not in [one.decision.slug for one in of_everyone.found]
    assert [one.name for one in (tmp_path / "yard" / "search").glob("*.db")] != []


@pytest.mark.requirement("INT-1", "DIS-7")
def test_a_yard_in_memory_can_be_searched_and_keeps_no_index() -> None:
    with Skillyard.in_memory() as yard:
        yard.add(ROOT / "examples" / "skills" / "safe-edit")

        assert yard.search_directory is None
        assert [one.entry.slug for one in yard.search("edit").found] == ["safe-edit"]
