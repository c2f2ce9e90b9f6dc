"""How much text a skill may hold, and of what kind, at each limit and one beyond it."""

import io
import zipfile
from pathlib import Path
from typing import Final

import pytest

from skillyard.application.editing import CreateSkill, EditSkill
from skillyard.application.save import SavedSkill, SaveSkill
from skillyard.domain.diagnostic import Severity
from skillyard.domain.limits import WIDE, Limits
from skillyard.domain.package import Package
from skillyard.skillmd.check import Judgement
from skillyard.yard import Skillyard
from tests.contract.limits import contents
from tests.contract.limits.contents import Files
from tests.contract.limits.doors import add, to_json
from tests.contract.limits.watching import make_limited_yard, refuse_package
from tests.contract.use_cases.yards import save

pytestmark = pytest.mark.requirement("PKG-5")


def save_files(yard: Skillyard, files: Files) -> SavedSkill:
    wish = SaveSkill(package=Package.of(files), judgement=Judgement(limits=yard.limits))
    return yard.save(wish)


@pytest.mark.parametrize("size", [65_535, 65_536])
def test_a_skill_md_may_be_so_large(yard: Skillyard, size: int) -> None:
    save_files(yard, contents.of_skill_md(size))

    assert yard.package("pdf").size == size


@pytest.mark.parametrize("size", [262_143, 262_144])
def test_a_file_may_be_so_large(yard: Skillyard, size: int) -> None:
    save_files(yard, contents.of_file(size))

    assert len(yard.read_file("pdf", "references/a.md").content) == size


@pytest.mark.parametrize(
    "files",
    [contents.of_skill_md(49_999), contents.of_skill_md(50_000), contents.of_file(50_000)],
)
def test_nothing_is_said_of_a_size_up_to_here(yard: Skillyard, files: Files) -> None:
    assert save_files(yard, files).diagnostics == ()


@pytest.mark.parametrize("count", [499, 500])
def test_nothing_is_said_of_so_many_lines(yard: Skillyard, count: int) -> None:
    assert save_files(yard, contents.of_lines(count)).diagnostics == ()


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        (contents.of_skill_md(50_001), "SY702", "SKILL.md has 10 lines and 50,001 bytes"),
        (contents.of_lines(501), "SY702", "SKILL.md has 501 lines and 616 bytes"),
        (contents.of_file(50_001), "SY311", "`references/a.md` has 50,001 bytes"),
    ],
)
def test_what_is_large_is_kept_with_a_warning(
    yard: Skillyard, files: Files, code: str, message: str
) -> None:
    (found,) = save_files(yard, files).diagnostics

    assert (found.code, found.severity, found.message) == (code, Severity.WARNING, message)


EMPTY: Final = (
    "SY107",
    "the file is empty",
    "Start with `---`, `name: …`, `description: …` and `---`, each on its own line",
)


def test_an_empty_skill_md_is_no_skill(yard: Skillyard) -> None:
    save(yard)
    empty = EditSkill(reference="pdf", put={"SKILL.md": ""})

    assert refuse_package(yard, lambda: save_files(yard, {"SKILL.md": b""})) == EMPTY
    assert refuse_package(yard, lambda: yard.edit(empty)) == EMPTY


def test_a_skill_has_a_skill_md(yard: Skillyard) -> None:
    save(yard)
    without = EditSkill(reference="pdf", removed=("SKILL.md",))
    said = ("SY101", "there is no SKILL.md", "Create one, for example with `skillyard new`")

    assert refuse_package(yard, lambda: save_files(yard, {"references/a.md": b""})) == said
    assert refuse_package(yard, lambda: yard.edit(without)) == said


@pytest.mark.parametrize("content", ["", " \n\t", "---\nname: csv\ndescription: x\n---\n"])
def test_front_matter_without_instructions_is_kept_with_a_warning(
    yard: Skillyard, content: str
) -> None:
    saved = yard.create(CreateSkill(slug="csv", content=content, description="x"))

    (found,) = saved.diagnostics
    assert (found.code, found.severity) == ("SY701", Severity.WARNING)
    assert found.message == "there are no instructions after the front matter"


def test_one_character_of_instructions_is_enough(yard: Skillyard) -> None:
    saved = yard.create(CreateSkill(slug="csv", content="x", description="x"))

    assert saved.diagnostics == ()


def of_front_matter(size: int) -> Files:
    given = "name: pdf\ndescription: x\n#"
    return contents.of_front_matter(f"{given}{'x' * (size - len(given) - 1)}\n")


def of_front_matter_depth(depth: int) -> Files:
    # The two mappings are the first levels, and what stands in the brackets the last.
    brackets = depth - 3
    return contents.with_front_matter(f"metadata:\n  a: {'[' * brackets}x{']' * brackets}\n")


@pytest.mark.parametrize("size", [65_535, 65_536])
def test_front_matter_may_be_so_large(size: int) -> None:
    save_files(make_limited_yard(WIDE), of_front_matter(size))


def test_front_matter_may_not_be_larger() -> None:
    yard = make_limited_yard(WIDE)

    assert refuse_package(yard, lambda: save_files(yard, of_front_matter(65_537))) == (
        "SY109",
        "the front matter is larger than 65,536 bytes",
        "",
    )


@pytest.mark.parametrize("depth", [15, 16])
def test_front_matter_may_be_so_deep(yard: Skillyard, depth: int) -> None:
    save_files(yard, of_front_matter_depth(depth))


def test_front_matter_may_not_be_deeper(yard: Skillyard) -> None:
    assert refuse_package(yard, lambda: save_files(yard, of_front_matter_depth(17))) == (
        "SY115",
        "more than 16 levels or 2,000 values are not accepted",
        "Front matter is a few fields; move data to a file of its own",
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "license: &a MIT\n",
            ("SY113", "the anchor `&a` is not accepted", "Write the value out in each place"),
        ),
        (
            "license: !!str MIT\n",
            ("SY114", "the tag `!!str` is not accepted", "Remove the tag; every value is text"),
        ),
    ],
)
def test_front_matter_has_neither_anchors_nor_tags(
    yard: Skillyard, more: str, said: tuple[str, str, str]
) -> None:
    files = contents.with_front_matter(more)

    assert refuse_package(yard, lambda: save_files(yard, files)) == said


BYTES: Final = b"\x89PNG\r\n\x1a\n\0\xff"


@pytest.mark.requirement("PKG-8")
@pytest.mark.parametrize("path", ["assets/logo.png", "assets/icons/logo.png"])
def test_a_binary_file_may_stand_in_assets(yard: Skillyard, path: str) -> None:
    save_files(yard, {"SKILL.md": contents.SKILL_MD, path: BYTES})

    assert yard.read_file("pdf", path).content == BYTES


@pytest.mark.requirement("PKG-8")
@pytest.mark.parametrize("content", [BYTES, b"a\0b", b"\xff"])
@pytest.mark.parametrize("path", ["logo.png", "references/a.md", "scripts/assets/a", "assets"])
def test_a_binary_file_may_not_stand_elsewhere(yard: Skillyard, path: str, content: bytes) -> None:
    files = {"SKILL.md": contents.SKILL_MD, path: content}

    assert refuse_package(yard, lambda: save_files(yard, files)) == (
        "SY309",
        f"`{path}` is not UTF-8 text",
        "Move it to `assets/`, or save it as UTF-8",
    )


def test_skill_md_is_utf_8(yard: Skillyard) -> None:
    files = {"SKILL.md": contents.SKILL_MD + b"\xff"}

    assert refuse_package(yard, lambda: save_files(yard, files)) == (
        "SY103",
        "byte 0xff is not UTF-8",
        "Save the file as UTF-8",
    )


def test_an_archive_may_have_8_mib_and_no_more(yard: Skillyard, tmp_path: Path) -> None:
    place = tmp_path / "pdf.json"
    place.write_bytes(to_json({"SKILL.md": contents.SKILL_MD}).ljust(8_388_609))

    assert refuse_package(yard, lambda: add(yard, place)) == (
        "SY401",
        "the archive is larger than 8,388,608 bytes",
        "Leave out what the skill does not need, or choose the `wide` limits",
    )
    place.write_bytes(place.read_bytes()[:-1])
    assert add(yard, place).skill.slug == "pdf"


def to_zip(size: int, *, method: int = zipfile.ZIP_STORED) -> bytes:
    """Give an archive of files that have that many bytes together, 1,000 of them stored."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("SKILL.md", contents.SKILL_MD.ljust(1_000))
        large = b"x" * (size - 1_000)
        archive.writestr("references/a.md", large, compress_type=method)
    return written.getvalue()


@pytest.mark.parametrize("size", [1_999, 2_000])
def test_an_archive_may_expand_so_far(size: int, tmp_path: Path) -> None:
    yard = make_limited_yard(Limits(unpacked_bytes=2_000))
    (tmp_path / "pdf.zip").write_bytes(to_zip(size))

    add(yard, tmp_path / "pdf.zip")


def test_an_archive_may_not_expand_further(tmp_path: Path) -> None:
    yard = make_limited_yard(Limits(unpacked_bytes=2_000))
    (tmp_path / "pdf.zip").write_bytes(to_zip(2_001))

    assert refuse_package(yard, lambda: add(yard, tmp_path / "pdf.zip")) == (
        "SY404",
        "the archive expands to more than 2,000 bytes, or to more than 100 times its size",
        "Leave out what the skill does not need",
    )


def test_an_archive_may_not_expand_beyond_16_mib(yard: Skillyard, tmp_path: Path) -> None:
    (tmp_path / "pdf.zip").write_bytes(to_zip(16_777_217, method=zipfile.ZIP_DEFLATED))

    assert refuse_package(yard, lambda: add(yard, tmp_path / "pdf.zip"))[0] == "SY404"


def find_size_of_ratio(ratio: int) -> int:
    """Give the size of files whose archive is smaller by exactly `ratio`."""
    size = ratio * len(to_zip(100_000, method=zipfile.ZIP_DEFLATED))
    while (wanted := ratio * len(to_zip(size, method=zipfile.ZIP_DEFLATED))) != size:
        size = wanted
    return size


def test_an_archive_may_be_a_hundred_times_smaller_than_its_files(
    yard: Skillyard, tmp_path: Path
) -> None:
    size = find_size_of_ratio(100)
    (tmp_path / "beyond.zip").write_bytes(to_zip(size + 1, method=zipfile.ZIP_DEFLATED))
    (tmp_path / "pdf.zip").write_bytes(to_zip(size, method=zipfile.ZIP_DEFLATED))
    assert len(to_zip(size + 1, method=zipfile.ZIP_DEFLATED)) == size // 100 > 655

    assert refuse_package(yard, lambda: add(yard, tmp_path / "beyond.zip")) == (
        "SY404",
        "the archive expands to more than 16,777,216 bytes, or to more than 100 times its size",
        "Leave out what the skill does not need",
    )
    assert add(yard, tmp_path / "pdf.zip").skill.slug == "pdf"
