"""The one way in: what may not be in a package is refused, once and with its reason."""

from collections.abc import Iterator
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.package import Package, PackageFile
from skillyard.domain.paths import collision_key, find_path_problem, list_parents
from skillyard.skillmd import rules
from skillyard.skillmd.intake import (
    Entry,
    EntryKind,
    IntakeRefusedError,
    TakenIn,
    find_left_out,
    take_in,
)

pytestmark = pytest.mark.requirement("PKG-8", "TRU-2")


def read_start(content: bytes, most: int) -> bytes:
    return content[:most]


def file(path: str, content: bytes = b"", *, executable: bool = False) -> Entry:
    return Entry(path, EntryKind.FILE, partial(read_start, content), executable)


def never(_: int) -> bytes:
    raise AssertionError


def found(taken: TakenIn) -> list[tuple[str, str]]:
    return [(one.code, one.path) for one in taken.diagnostics]


def test_files_are_taken_with_their_bytes_and_their_executable_bit() -> None:
    taken = take_in([file("scripts/a.sh", b"1", executable=True), file("SKILL.md", b"2")])

    assert taken == TakenIn(
        Package.of({"SKILL.md": b"2", "scripts/a.sh": PackageFile(b"1", executable=True)})
    )
    assert taken.require("pdf") == taken.package


@pytest.mark.parametrize(
    ("kind", "code"), [(EntryKind.LINK, "SY303"), (EntryKind.SPECIAL, "SY304")]
)
def test_what_is_no_file_is_refused_unread(kind: EntryKind, code: str) -> None:
    taken = take_in([file("SKILL.md"), Entry("a", kind, never)])

    assert found(taken) == [(code, "a")]
    assert list(taken.package) == ["SKILL.md"]
    with pytest.raises(InvalidPackageError) as caught:
        taken.require("pdf")
    assert caught.value.diagnostics == taken.diagnostics


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["../a"], [("SY301", "../a")]),
        (["/a"], [("SY301", "/a")]),
        (["a\nb"], [("SY301", r"a\nb")]),
        (["a", "a"], [("SY403", "a")]),
        (["a", "A"], [("SY302", "A")]),
        (["a", "a/b"], [("SY302", "a/b")]),
        (["Docs/a", "docs/b"], [("SY302", "docs/b")]),
        (["../node_modules/a"], [("SY301", "../node_modules/a")]),
    ],
)
def test_paths_that_are_not_safe_everywhere_are_refused(
    paths: list[str], expected: list[tuple[str, str]]
) -> None:
    assert found(take_in(map(file, paths))) == expected


def test_a_directory_is_checked_and_left_behind() -> None:
    entries = [
        Entry("docs", EntryKind.DIRECTORY, never),
        Entry("con", EntryKind.DIRECTORY, never),
        Entry("A.md", EntryKind.DIRECTORY, never),
        file("docs/a.md"),
        file("a.md"),
    ]

    taken = take_in(entries)

    assert list(taken.package) == ["a.md", "docs/a.md"]
    assert sorted(found(taken)) == [("SY301", "con"), ("SY302", "A.md")]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (".DS_Store", ".DS_Store"),
        ("scripts/__pycache__/a.pyc", "__pycache__"),
        ("node_modules/a/b.js", "node_modules"),
        ("__MACOSX/._a", "__MACOSX"),
        ("a/._b.md", "._*"),
        ("a.md", None),
        ("../node_modules/a", None),
        ("a//node_modules", None),
    ],
)
def test_what_tools_leave_behind_is_left_out(path: str, name: str | None) -> None:
    assert find_left_out(path) == name


def test_what_is_left_out_is_said_once() -> None:
    taken = take_in([file("node_modules/a"), file("node_modules/b"), file("SKILL.md")])

    assert found(taken) == [("SY316", "node_modules")]
    assert list(taken.package) == ["SKILL.md"]


@pytest.mark.parametrize(
    ("paths", "kept", "directory"),
    [
        (["pdf/SKILL.md", "pdf/a.md"], ["SKILL.md", "a.md"], "pdf"),
        (["pdf/a.md", "pdf/b/SKILL.md"], ["pdf/a.md", "pdf/b/SKILL.md"], None),
        (["pdf/SKILL.md", "a.md"], ["a.md", "pdf/SKILL.md"], None),
        (["SKILL.md"], ["SKILL.md"], None),
        (["../SKILL.md"], [], None),
        ([], [], None),
    ],
)
def test_one_directory_around_everything_is_taken_off(
    paths: list[str], kept: list[str], directory: str | None
) -> None:
    taken = take_in(map(file, paths), unwrap=True)

    assert (list(taken.package), taken.directory) == (kept, directory)


def test_a_reader_that_cannot_go_on_leaves_nothing() -> None:
    def read_damaged() -> Iterator[Entry]:
        yield file("SKILL.md", b"1")
        raise IntakeRefusedError(rules.ARCHIVE_CORRUPT.finding("cut short", path=""))

    taken = take_in(read_damaged())

    assert found(taken) == [("SY402", "")]
    assert list(taken.package) == []


PATHS = st.lists(
    st.sampled_from(["a", "A", "b.md", "..", "", "con", "é", "e\u0301", ".git", "x ", "__MACOSX"]),
    min_size=1,
    max_size=3,
).map("/".join)
KINDS = st.sampled_from([EntryKind.FILE] * 4 + list(EntryKind))


@given(st.lists(st.tuples(PATHS, KINDS), max_size=6), st.booleans())
def test_what_comes_in_is_safe_and_everything_else_is_said(
    entries: list[tuple[str, EntryKind]],
    unwrap: bool,  # noqa: FBT001 (drawn)
) -> None:
    taken = take_in(
        [Entry(path, kind, partial(read_start, b"1")) for path, kind in entries], unwrap=unwrap
    )

    kept = list(taken.package)
    assert [path for path in kept if find_path_problem(path)] == []
    places = {one for path in kept for one in (path, *list_parents(path))}
    assert len({collision_key(one) for one in places}) == len(places)
    files = [path for path, kind in entries if kind is EntryKind.FILE]
    assert taken.diagnostics or len(kept) == len(files)
