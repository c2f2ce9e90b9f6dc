"""Which number a version gets, on every store."""

import pytest

from skillyard.application.assign import AssignSkill
from skillyard.application.ports.store import Store
from skillyard.application.save import SaveSkill
from skillyard.domain.assignment import GLOBAL
from skillyard.domain.errors import InvalidInputError, VersionExistsError
from skillyard.domain.package import Package
from skillyard.domain.version import Version
from skillyard.yard import Skillyard
from tests.contract.use_cases.meddling import UnlistedStore
from tests.contract.use_cases.yards import make_yard, save

LARGEST = 999_999_999


@pytest.fixture
def yard(store: Store) -> Skillyard:
    return make_yard(store)


def stating(version: str, body: str = "Fill.\n") -> Package:
    front = f"---\nname: pdf\ndescription: Fills forms. Use when asked.\nversion: {version}\n---\n"
    return Package.of({"SKILL.md": f"{front}\n{body}"})


@pytest.mark.requirement("STO-3")
@pytest.mark.parametrize("version", ["1000001.0.0", "1.1000001.0", "1.0.999999999"])
def test_a_stated_number_that_nobody_can_have_counted_to_is_not_taken(
    yard: Skillyard, version: str
) -> None:
    first = yard.save(SaveSkill(package=stating(version)))
    second = yard.save(SaveSkill(package=stating(version, "Two.\n")))

    assert [str(one.version.version) for one in (first, second)] == ["1.0.0", "1.0.1"]
    (note,) = first.notes
    assert note == (
        f"the package says version {version}, which has a part above 1,000,000,"
        " and is saved as 1.0.0"
    )


@pytest.mark.requirement("STO-3")
def test_what_a_bundle_states_is_taken_within_the_same_bounds(yard: Skillyard) -> None:
    high = SaveSkill(package=stating("1.5.0"), stated=Version(1_000_001))
    most = SaveSkill(package=stating("1.5.0", "Two.\n"), stated=Version(1_000_000))

    saved = [yard.save(high), yard.save(most)]

    assert [str(one.version.version) for one in saved] == ["1.0.0", "1000000.0.0"]


@pytest.mark.requirement("STO-3")
def test_a_person_may_ask_for_any_number_and_is_told_what_to_do_behind_the_last(
    yard: Skillyard,
) -> None:
    save(yard, version=Version(LARGEST, LARGEST, LARGEST))

    with pytest.raises(InvalidInputError) as caught:
        save(yard, body="Two.\n")

    assert caught.value.hints == ("Name a free one with `--version`",)
    assert str(save(yard, body="Two.\n", version=Version(2)).version.version) == "2.0.0"


@pytest.mark.requirement("STO-3")
def test_the_next_number_is_behind_all_of_its_line_where_the_first_is_taken(
    yard: Skillyard,
) -> None:
    for number, version in enumerate(("1.0.0", "1.0.1", "1.0.5", "1.0.6-rc.1", "1.1.0")):
        save(yard, body=f"{number}\n", version=Version.parse(version))
    yard.roll_back("pdf", "1.0.0")

    assert str(save(yard, body="Next.\n").version.version) == "1.0.6"


@pytest.mark.requirement("STO-3")
def test_a_line_without_a_number_left_is_followed_by_the_next_one(yard: Skillyard) -> None:
    for number, version in enumerate(("1.0.0", "1.0.1", f"1.0.{LARGEST}", "1.1.0", "1.1.1")):
        save(yard, body=f"{number}\n", version=Version.parse(version))
    yard.roll_back("pdf", "1.0.0")

    assert str(save(yard, body="Next.\n").version.version) == "1.1.2"


@pytest.mark.requirement("STO-3", "STO-5")
def test_neither_saving_nor_assigning_reads_everything_that_is_there(store: Store) -> None:
    yard = make_yard(UnlistedStore(store))
    save(yard)
    save(yard, body="Two.\n")
    save(yard, "ocr")
    yard.roll_back("pdf", "1.0.0")

    saved = save(yard, body="Three.\n")
    stated = yard.save(SaveSkill(package=stating("2.0.0")))
    with pytest.raises(VersionExistsError):
        save(yard, body="Four.\n", version=Version(1))
    positions = [
        yard.assign(AssignSkill(reference=name, subject=GLOBAL)).assignment.position
        for name in ("pdf", "ocr")
    ]

    assert [str(one.version.version) for one in (saved, stated)] == ["1.0.2", "2.0.0"]
    assert positions == [0, 1]
