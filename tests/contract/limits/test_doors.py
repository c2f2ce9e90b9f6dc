"""Through every door the same limits hold, and the same is said."""

from pathlib import Path
from typing import Final

import pytest

from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.save import SaveSkill
from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.limits import STANDARD, WIDE, Limits
from skillyard.testing.packages import make_package
from skillyard.yard import Skillyard
from tests.contract.limits import contents
from tests.contract.limits.contents import Files
from tests.contract.limits.doors import DOORS, Door
from tests.contract.limits.watching import (
    make_limited_yard,
    refuse,
    refuse_fact,
    refuse_package,
)
from tests.contract.use_cases.yards import save

pytestmark = pytest.mark.requirement("PKG-5")

each_door: Final = pytest.mark.parametrize("door", DOORS, ids=lambda door: door.name)

SHORTEN: Final = "Shorten it, split it, or choose the `wide` limits"
LEAVE_OUT: Final = "Leave out what the skill does not need, or choose the `wide` limits"
TOO_DEEP: Final = "it is 9 levels deep, at most 8 are allowed"
TOO_LONG: Final = "it has 257 characters, at most 256 are allowed"

BEYOND: Final[list[tuple[str, Files, Files, tuple[str, str, str]]]] = [
    (
        "SKILL.md",
        contents.of_skill_md(65_536),
        contents.of_skill_md(65_537),
        ("SY305", "`SKILL.md` is larger than 65,536 bytes", SHORTEN),
    ),
    (
        "file",
        contents.of_file(262_144),
        contents.of_file(262_145),
        ("SY305", "`references/a.md` is larger than 262,144 bytes", SHORTEN),
    ),
    (
        "package",
        contents.of_package(1_048_576),
        contents.of_package(1_048_577),
        ("SY306", "the files together are larger than 1,048,576 bytes", LEAVE_OUT),
    ),
    (
        "files",
        contents.of_files(512),
        contents.of_files(513),
        ("SY307", "there are more than 512 files", ""),
    ),
    (
        "depth",
        contents.of_depth(8),
        contents.of_depth(9),
        (
            "SY301",
            f"the path `{'references/' * 8}a.md` is refused: {TOO_DEEP}",
            "",
        ),
    ),
    (
        "path",
        contents.of_path(256),
        contents.of_path(257),
        (
            "SY301",
            f"the path `references/{'x' * 100}/{'y' * 144}…` is refused: {TOO_LONG}",
            "",
        ),
    ),
    (
        "description",
        contents.of_description(1_024),
        contents.of_description(1_025),
        (
            "SY207",
            "`description` has 1,025 characters, at most 1,024 are allowed",
            "Keep what the skill does and when to use it; move the rest to the body",
        ),
    ),
]


def prepare(yard: Skillyard, door: Door) -> None:
    if door.needs_skill:
        save(yard)


@each_door
@pytest.mark.parametrize(
    ("within", "beyond", "said"), [one[1:] for one in BEYOND], ids=[one[0] for one in BEYOND]
)
def test_what_is_at_a_limit_comes_in_and_what_is_one_beyond_does_not(
    yard: Skillyard,
    door: Door,
    within: Files,
    beyond: Files,
    said: tuple[str, str, str],
    tmp_path: Path,
) -> None:
    prepare(yard, door)
    (tmp_path / "beyond").mkdir()

    assert refuse_package(yard, lambda: door.enter(yard, beyond, tmp_path / "beyond")) == said

    saved = door.enter(yard, within, tmp_path)
    with yard.store.view() as view:
        kept = {
            path: file.content for path, file in view.packages.get(saved.skill.digest).files.items()
        }
    assert kept == dict(within)


@each_door
def test_more_tags_than_the_limit_are_refused(yard: Skillyard, door: Door, tmp_path: Path) -> None:
    prepare(yard, door)
    (tmp_path / "beyond").mkdir()

    said = refuse_fact(yard, lambda: door.enter(yard, contents.of_tags(21), tmp_path / "beyond"))

    assert said == (
        "the tags cannot be used: there are 21, at most 20 are allowed",
        ("Keep the most telling ones",),
    )
    saved = door.enter(yard, contents.of_tags(20), tmp_path)
    assert saved.skill.facts.tags == tuple(f"t{number}" for number in range(20))


@each_door
@pytest.mark.parametrize(
    ("limits", "within", "beyond", "code"),
    [
        (Limits(skill_md_bytes=200), contents.of_skill_md(200), contents.of_skill_md(201), "SY305"),
        (Limits(file_bytes=150), contents.of_file(150), contents.of_file(151), "SY305"),
        (Limits(package_bytes=800), contents.of_package(800), contents.of_package(801), "SY306"),
        (Limits(package_files=3), contents.of_files(3), contents.of_files(4), "SY307"),
        (Limits(package_depth=2), contents.of_depth(2), contents.of_depth(3), "SY301"),
        (Limits(path_characters=130), contents.of_path(130), contents.of_path(131), "SY301"),
        (
            Limits(description_characters=10),
            contents.of_description(10),
            contents.of_description(11),
            "SY207",
        ),
    ],
    ids=["SKILL.md", "file", "package", "files", "depth", "path", "description"],
)
def test_limits_that_a_person_chose_hold_through_every_door(
    door: Door, limits: Limits, within: Files, beyond: Files, code: str, tmp_path: Path
) -> None:
    yard = make_limited_yard(STANDARD)
    prepare(yard, door)
    yard.limits = limits
    (tmp_path / "beyond").mkdir()

    assert refuse_package(yard, lambda: door.enter(yard, beyond, tmp_path / "beyond"))[0] == code

    door.enter(yard, within, tmp_path)


@each_door
def test_the_number_of_tags_that_a_person_chose_holds_through_every_door(
    door: Door, tmp_path: Path
) -> None:
    yard = make_limited_yard(Limits(tags=2))
    prepare(yard, door)
    (tmp_path / "beyond").mkdir()

    message, _ = refuse_fact(
        yard, lambda: door.enter(yard, contents.of_tags(3), tmp_path / "beyond")
    )

    assert message == "the tags cannot be used: there are 3, at most 2 are allowed"
    assert len(door.enter(yard, contents.of_tags(2), tmp_path).skill.facts.tags) == 2


@each_door
@pytest.mark.parametrize(
    ("within", "beyond", "said"),
    [
        (
            contents.of_skill_md(1_048_576),
            contents.of_skill_md(1_048_577),
            ("SY305", "`SKILL.md` is larger than 1,048,576 bytes", SHORTEN),
        ),
        (contents.of_file(262_145), None, None),
        (contents.of_package(1_048_577), None, None),
    ],
    ids=["SKILL.md", "file", "package"],
)
def test_the_wide_limits_admit_what_the_standard_ones_refuse(
    door: Door,
    within: Files,
    beyond: Files | None,
    said: tuple[str, str, str] | None,
    tmp_path: Path,
) -> None:
    yard = make_limited_yard(WIDE)
    prepare(yard, door)
    (tmp_path / "beyond").mkdir()

    if beyond is not None:
        assert refuse_package(yard, lambda: door.enter(yard, beyond, tmp_path / "beyond")) == said
    saved = door.enter(yard, within, tmp_path)

    assert yard.package("pdf").size == sum(map(len, within.values()))
    assert yard.package("pdf").digest() == saved.skill.digest


@pytest.mark.parametrize(
    ("within", "beyond", "said"),
    [
        (
            contents.of_file(10_485_760),
            contents.of_file(10_485_761),
            ("SY305", "`references/a.md` is larger than 10,485,760 bytes", SHORTEN),
        ),
        (
            contents.of_package(16_777_216),
            contents.of_package(16_777_217),
            ("SY306", "the files together are larger than 16,777,216 bytes", LEAVE_OUT),
        ),
    ],
    ids=["file", "package"],
)
def test_the_wide_limits_are_limits_too(
    within: Files, beyond: Files, said: tuple[str, str, str], tmp_path: Path
) -> None:
    yard = make_limited_yard(WIDE)
    create = next(door for door in DOORS if door.name == "create")

    assert refuse_package(yard, lambda: create.enter(yard, beyond, tmp_path)) == said

    create.enter(yard, within, tmp_path)
    assert yard.package("pdf").size == sum(map(len, within.values()))


SMALL: Final = Limits(file_bytes=150)
LARGE_FILE: Final = {"references/a.md": "x" * 151}


@pytest.mark.parametrize("way", ["create", "edit", "save"])
def test_a_wish_that_states_no_limits_is_held_to_those_of_its_yard(way: str) -> None:
    yard = make_limited_yard(SMALL)
    save(yard)
    package = make_package("csv", files=LARGE_FILE)
    create = CreateSkill(slug="csv", content="x", description="x", files=LARGE_FILE)
    ways = {
        "create": lambda: yard.create(create),
        "edit": lambda: yard.edit(EditSkill(reference="pdf", put=LARGE_FILE)),
        "save": lambda: yard.save(SaveSkill(package=package)),
    }

    assert refuse_package(yard, ways[way])[0] == "SY305"


def test_every_limit_that_is_broken_is_named(yard: Skillyard) -> None:
    files = {"references/a.md": "x" * 262_145, "references/B.md": "x", "references/b.md": "y"}

    error = refuse(yard, lambda: save(yard, body="x" * 65_536, files=files))

    assert isinstance(error, InvalidPackageError)
    assert sorted(one.code for one in error.diagnostics) == ["SY302", "SY305", "SY305"]
