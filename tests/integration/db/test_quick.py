"""The list straight from a SQLite file is the list that the store gives."""

from pathlib import Path

import pytest

from skillyard.adapters.db.opening import open_store
from skillyard.adapters.db.quick import find_quick_catalogue
from skillyard.adapters.db.store import SqlStore
from skillyard.application.assign import AssignSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.catalogue import EVERYTHING, SkillFilter
from skillyard.domain.errors import StoreUnavailableError
from skillyard.domain.facts import FactChanges
from skillyard.domain.manifest import Confidence
from skillyard.domain.skill import SkillStatus, SourceKind
from tests.contract.use_cases.yards import make_yard, save
from tests.integration.db.behind import run

FILTERS = [
    EVERYTHING,
    SkillFilter(),
    SkillFilter(text="STRASSE"),
    SkillFilter(text="100%_"),
    SkillFilter(text="\0"),
    SkillFilter(text="half \ud800"),
    SkillFilter(owner="people", category="ops", source_kind=SourceKind.ADMIN),
    SkillFilter(status=SkillStatus.ARCHIVED),
    SkillFilter(enabled=False),
    SkillFilter(enabled=True, confidence=Confidence.LOW),
    SkillFilter(tags=("a", "b")),
]


@pytest.fixture
def filled(sqlite_url: str) -> SqlStore:
    store = open_store(sqlite_url)
    yard = make_yard(store)
    for name in ("pdf", "forms", "maps", "old"):
        save(yard, name)
    yard.change("pdf", FactChanges(category="ops", tags=("a", "b"), display_name="Straße 100%_x"))
    yard.change("forms", FactChanges(enabled=False, deprecated="Use pdf", tags=("a",)))
    yard.change("maps", FactChanges(confidence=Confidence.LOW))
    yard.archive("old")
    yard.assign(AssignSkill(reference="pdf", subject=GLOBAL))
    return store


@pytest.mark.requirement("STO-2", "SCL-4")
def test_both_ways_give_the_same_list(filled: SqlStore, sqlite_url: str) -> None:
    quick = find_quick_catalogue(sqlite_url)
    assert quick is not None
    with filled.view() as view:
        for wanted in FILTERS:
            whole = view.skills.list_entries(wanted)
            assert list(quick.list_entries(wanted)) == list(whole)
            assert view.skills.count(wanted) == len(whole)
        first = quick.list_entries(EVERYTHING, most=2)
        rest = quick.list_entries(EVERYTHING, after=first[-1].place)
        assert [*first, *rest] == list(view.skills.list_entries(EVERYTHING))
    quick.close()
    filled.close()


def test_what_is_no_database_of_today_is_left_to_the_store(tmp_path: Path, sqlite_url: str) -> None:
    (tmp_path / "other.db").write_bytes(b"not a database" * 100)
    run(sqlite_url, "UPDATE alembic_version SET version_num = '0000'")

    for url in (
        sqlite_url,
        f"sqlite:///{tmp_path}/none.db",
        f"sqlite:///{tmp_path}/other.db",
        f"sqlite:///{tmp_path}",
        "postgresql://somewhere/else",
    ):
        assert find_quick_catalogue(url) is None
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_is_damaged_below_is_an_error_of_ours(sqlite_url: str) -> None:
    quick = find_quick_catalogue(sqlite_url)
    assert quick is not None
    run(sqlite_url, "ALTER TABLE skills RENAME TO lost")

    with pytest.raises(StoreUnavailableError):
        quick.list_entries(EVERYTHING)
    quick.close()
