"""Each limit accepts what is at it, and reports what is one beyond."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, NamedTuple

import pytest

from skillyard.domain.diagnostic import Severity
from skillyard.domain.limits import STANDARD, WIDE, Limits
from skillyard.skillmd.check import CheckedPackage, Judgement, check_package
from skillyard.skillmd.intake import Entry, EntryKind, take_in
from tests.unit.skillmd.checking import GOOD, skill_md

pytestmark = pytest.mark.requirement("PKG-5")

Files = Mapping[str, str | bytes]
SMALL: Final = skill_md().encode()
NAME: Final = "name: pdf\n"


class Limit(NamedTuple):
    """A limit: how to make files that have a size, the largest that is fine, and what is said."""

    what: str
    most: int
    code: str
    make: Callable[[int], Files]
    severity: Severity = Severity.ERROR
    limits: Limits = STANDARD


def front(text: str) -> Files:
    return {"SKILL.md": skill_md(text)}


def of_size(size: int) -> Files:
    return {"SKILL.md": SMALL + b"x" * (size - len(SMALL))}


def of_lines(lines: int) -> Files:
    return {"SKILL.md": SMALL + b"x\n" * (lines - SMALL.count(b"\n"))}


def of_lines_without_an_end(lines: int) -> Files:
    return {"SKILL.md": SMALL + b"\n".join([b"x"] * (lines - SMALL.count(b"\n")))}


def of_file(size: int) -> Files:
    return {"SKILL.md": SMALL, "references/a.md": b"x" * size}


def of_package(size: int) -> Files:
    parts = {f"references/{n}.md": b"x" * 200_000 for n in range(5)}
    return {"SKILL.md": SMALL, **parts, "references/z.md": b"x" * (size - 1_000_000 - len(SMALL))}


def of_files(count: int) -> Files:
    return {"SKILL.md": SMALL, **{f"references/{n}.md": b"" for n in range(count - 1)}}


def of_depth(depth: int) -> Files:
    return {"SKILL.md": SMALL, "/".join(["references"] * (depth - 1) + ["a.md"]): b""}


def of_path(length: int) -> Files:
    return {"SKILL.md": SMALL, f"references/{'x' * 100}/{'y' * (length - 112)}": b""}


def of_front_matter(size: int) -> Files:
    return front(GOOD + "#" * (size - len(GOOD) - 1) + "\n")


def of_wide_front_matter(size: int) -> Files:
    # Characters of four bytes: it is bytes that count.
    rest = size - len(GOOD) - 2
    return front(f"{GOOD}#{'x' * (rest % 4)}{chr(0x1F600) * (rest // 4)}\n")


def of_front_matter_depth(depth: int) -> Files:
    # The two mappings are the first levels, and what stands in the brackets the last.
    return front(f"{GOOD}metadata:\n  a: {'[' * (depth - 3)}x{']' * (depth - 3)}\n")


def of_front_matter_nodes(nodes: int) -> Files:
    # Two mappings, four keys, two values and the list itself are nine.
    return front(f"{GOOD}metadata:\n  a: [{', '.join('x' * (nodes - 9))}]\n")


LIMITS: Final = [
    Limit("SKILL.md", 65_536, "SY305", of_size),
    Limit("SKILL.md, wide", 1_048_576, "SY305", of_size, limits=WIDE),
    Limit("SKILL.md, noted", 50_000, "SY702", of_size, Severity.WARNING),
    Limit("lines, noted", 500, "SY702", of_lines, Severity.WARNING),
    Limit("lines without an end, noted", 500, "SY702", of_lines_without_an_end, Severity.WARNING),
    Limit("one file", 262_144, "SY305", of_file),
    Limit("one file, noted", 50_000, "SY311", of_file, Severity.WARNING),
    Limit("package", 1_048_576, "SY306", of_package),
    Limit("files", 512, "SY307", of_files),
    Limit("depth", 8, "SY301", of_depth),
    Limit("path", 256, "SY301", of_path),
    Limit("front matter", 65_536, "SY109", of_front_matter, limits=WIDE),
    Limit("front matter in bytes", 65_536, "SY109", of_wide_front_matter, limits=WIDE),
    Limit("front matter depth", 16, "SY115", of_front_matter_depth),
    Limit("front matter nodes", 2_000, "SY115", of_front_matter_nodes),
    Limit("name", 64, "SY203", lambda size: front(f"name: {'x' * size}\ndescription: a\n")),
    Limit("description", 1_024, "SY207", lambda size: front(f"{NAME}description: {'é' * size}\n")),
    Limit(
        "description without blanks",
        1_024,
        "SY207",
        lambda size: front(f"{NAME}description: |\n\n  {'x' * size}  \n"),
    ),
    Limit(
        "compatibility", 500, "SY210", lambda size: front(f"{GOOD}compatibility: {'x' * size}\n")
    ),
    Limit("display name", 128, "SY224", lambda size: front(f"{GOOD}display-name: {'x' * size}\n")),
    Limit(
        "tags",
        20,
        "SY219",
        lambda size: front(f"{GOOD}tags: [{', '.join(f't{n}' for n in range(size))}]\n"),
        Severity.WARNING,
    ),
    Limit(
        "tags under metadata",
        20,
        "SY219",
        lambda size: front(f"{GOOD}metadata:\n  tags: {' '.join(f't{n}' for n in range(size))}\n"),
        Severity.WARNING,
    ),
]


def read_start(content: bytes, most: int) -> bytes:
    return content[:most]


def take_in_and_check(files: Files, limits: Limits) -> CheckedPackage:
    entries = (
        Entry(
            path,
            EntryKind.FILE,
            partial(read_start, body.encode() if isinstance(body, str) else body),
        )
        for path, body in files.items()
    )
    taken = take_in(entries, limits=limits)
    return check_package(
        taken.package,
        judgement=Judgement(limits=limits),
        earlier=taken.diagnostics,
    )


@pytest.mark.parametrize("beyond", [-1, 0, 1], ids=["below", "at", "beyond"])
@pytest.mark.parametrize("limit", LIMITS, ids=lambda one: one.what)
def test_a_limit_is_the_largest_that_is_accepted(limit: Limit, beyond: int) -> None:
    files = limit.make(limit.most + beyond)

    checked = take_in_and_check(files, limit.limits)

    found = [one.severity for one in checked.diagnostics if one.code == limit.code]
    assert found == ([limit.severity] if beyond > 0 else [])
    if limit.severity is Severity.ERROR:
        assert checked.is_valid is (beyond <= 0)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda one: one.what)
def test_the_files_have_the_size_that_they_claim(limit: Limit) -> None:
    assert take_in_and_check(limit.make(limit.most), limit.limits).manifest is not None


@pytest.mark.parametrize(
    ("front_matter", "code"),
    [
        ("name: ''\ndescription: a\n", "SY202"),
        (f"{NAME}description: ''\n", "SY206"),
        (f"{GOOD}compatibility: ''\n", "SY210"),
        (f"{GOOD}display-name: ''\n", "SY224"),
    ],
)
def test_what_must_have_a_character_may_not_have_none(front_matter: str, code: str) -> None:
    checked = take_in_and_check(front(front_matter), STANDARD)

    assert [one.code for one in checked.diagnostics] == [code]


def test_nothing_is_asked_for_once_the_package_is_full() -> None:
    asked: list[int] = []

    def read(most: int) -> bytes:
        asked.append(most)
        return b"x" * 200_000

    entries = (Entry(f"references/{n}.md", EntryKind.FILE, read) for n in range(1_000))

    taken = take_in(entries)

    assert [one.code for one in taken.diagnostics] == ["SY306"]
    assert asked == [STANDARD.file_bytes + 1] * 6


def test_an_entry_is_asked_for_one_byte_more_than_it_may_have() -> None:
    asked: list[int] = []

    def read(most: int) -> bytes:
        asked.append(most)
        return b"x" * most

    taken = take_in([Entry("SKILL.md", EntryKind.FILE, read), Entry("a.md", EntryKind.FILE, read)])

    assert asked == [65_537, 262_145]
    assert [(one.code, one.path) for one in taken.diagnostics] == [
        ("SY305", "SKILL.md"),
        ("SY305", "a.md"),
    ]
