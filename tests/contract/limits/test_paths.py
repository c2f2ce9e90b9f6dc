"""Which paths a skill may hold, on the ways in where any path can be written."""

from pathlib import Path
from typing import Final

import pytest

from skillyard.yard import Skillyard
from tests.contract.limits import contents
from tests.contract.limits.contents import Files
from tests.contract.limits.doors import DOORS, Door
from tests.contract.limits.watching import refuse_package
from tests.contract.use_cases.yards import save

pytestmark = pytest.mark.requirement("PKG-8", "PKG-5")

# No disk holds such paths.
FREE: Final = [door for door in DOORS if door.name in {"tar.gz", "json", "create", "edit", "save"}]
each_door: Final = pytest.mark.parametrize("door", FREE, ids=lambda door: door.name)

HIDDEN: Final = "it holds a control, bidirectional or otherwise invisible character"
RELATIVE: Final = "it is not a relative path with `/` between its parts"
DOTS: Final = "a part of it is empty or made of dots"
BLANK: Final = "a part of it starts or ends with a blank, or ends with a dot"


def with_file(path: str) -> Files:
    return {"SKILL.md": contents.SKILL_MD, path: b"x"}


def prepare(yard: Skillyard, door: Door) -> None:
    if door.needs_skill:
        save(yard)


@each_door
@pytest.mark.parametrize(
    ("path", "shown", "reason"),
    [
        ("../a.md", "../a.md", DOTS),
        ("references/../a.md", "references/../a.md", DOTS),
        ("references//a.md", "references//a.md", DOTS),
        ("/etc/passwd", "/etc/passwd", RELATIVE),
        ("C:a.md", "C:a.md", RELATIVE),
        ("references\\a.md", "references\\a.md", RELATIVE),
        ("references/a\tb.md", "references/a\\tb.md", HIDDEN),
        ("references/a\u202eb.md", "references/a\\u202eb.md", HIDDEN),
        ("references/a\u200bb.md", "references/a\\u200bb.md", HIDDEN),
        ("references/e\u0301.md", "references/e\u0301.md", "it is not in Unicode's NFC form"),
        ("references/con", "references/con", "`con` is a device on Windows"),
        ("references/NUL.md", "references/NUL.md", "`NUL.md` is a device on Windows"),
        ("com1/a.md", "com1/a.md", "`com1` is a device on Windows"),
        ("references/a.md.", "references/a.md.", BLANK),
        ("references/ a.md", "references/ a.md", BLANK),
        (".git/config", ".git/config", "`.git` belongs to git"),
    ],
)
def test_no_skill_may_hold_this_path(
    yard: Skillyard, door: Door, path: str, shown: str, reason: str, tmp_path: Path
) -> None:
    prepare(yard, door)

    said = refuse_package(yard, lambda: door.enter(yard, with_file(path), tmp_path))

    assert said == ("SY301", f"the path `{shown}` is refused: {reason}", "")


@each_door
@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (
            "references/A.md",
            "references/a.md",
            "`references/a.md` and `references/A.md` are one file on some systems",
        ),
        (
            "references/\u00c9.md",
            "references/\u00e9.md",
            "`references/\u00e9.md` and `references/\u00c9.md` are one file on some systems",
        ),
        ("Docs/a.md", "docs/b.md", "`docs/b.md` and `Docs` are one file on some systems"),
        ("docs", "docs/a.md", "`docs` is a file and a directory"),
    ],
)
def test_no_two_files_may_be_one_on_some_system(
    yard: Skillyard, door: Door, first: str, second: str, message: str, tmp_path: Path
) -> None:
    prepare(yard, door)
    files = {"SKILL.md": contents.SKILL_MD, first: b"x", second: b"y"}

    said = refuse_package(yard, lambda: door.enter(yard, files, tmp_path))

    assert said == ("SY302", message, "")


@each_door
@pytest.mark.parametrize(
    "path",
    [
        "references/a b.md",
        "references/\u00e9.md",
        "references/\U0001f600.md",
        "references/console.md",
        "references/...a.md",
        ".hidden",
        "com10/a.md",
    ],
)
def test_a_skill_may_hold_this_path(yard: Skillyard, door: Door, path: str, tmp_path: Path) -> None:
    prepare(yard, door)

    door.enter(yard, with_file(path), tmp_path)

    assert yard.read_file("pdf", path).content == b"x"


@each_door
@pytest.mark.parametrize("characters", [255, 256])
def test_one_part_of_a_path_may_have_255_bytes(
    yard: Skillyard, door: Door, characters: int, tmp_path: Path
) -> None:
    prepare(yard, door)
    path = "x" * (characters - 1)

    if characters == 255:
        door.enter(yard, with_file(f"{path}x"), tmp_path)
    else:
        said = refuse_package(yard, lambda: door.enter(yard, with_file(f"{path}x"), tmp_path))
        assert said[1].endswith("is refused: a part of it has more than 255 bytes")
