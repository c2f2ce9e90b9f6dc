"""What the intake does with directories, wrappers and leftovers of archives."""

from dataclasses import replace

import pytest

from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package
from skillyard.skillmd.bundles import Form, read_bundle
from skillyard.skillmd.intake import Entry, EntryKind, TakenIn, find_left_out, take_in


def found(path: str, kind: EntryKind = EntryKind.FILE) -> Entry:
    return Entry(path, kind, lambda most: b"x"[:most])


def take(*paths: str) -> TakenIn:
    """Take in files, and directories where a path ends with a slash."""
    return take_in(
        [
            found(path.removesuffix("/"), EntryKind.DIRECTORY)
            if path.endswith("/")
            else found(path)
            for path in paths
        ],
        unwrap=True,
    )


def messages(*paths: str) -> list[str]:
    return [one.message for one in take(*paths).diagnostics]


def test_directories_are_checked_and_left_behind() -> None:
    taken = take("pdf/", "pdf/scripts/", "pdf/empty/", "pdf/SKILL.md", "elsewhere/")

    assert taken == TakenIn(Package.of({"SKILL.md": "x"}), (), "pdf")


def test_a_wrapper_must_be_a_name_that_a_directory_may_have() -> None:
    assert take("../SKILL.md").directory is None
    assert messages("../SKILL.md") == [
        "the path `../SKILL.md` is refused: a part of it is empty or made of dots"
    ]


def test_a_file_with_the_name_of_the_wrapper_is_refused() -> None:
    assert messages("pdf/SKILL.md", "pdf") == ["`pdf` is a file and a directory"]


def test_several_directories_are_no_wrapper() -> None:
    taken = take("a/SKILL.md", "b/SKILL.md")

    assert taken == TakenIn(Package.of({"a/SKILL.md": "x", "b/SKILL.md": "x"}))


def test_one_bad_directory_is_reported_once_whatever_stands_in_it() -> None:
    problem = "is refused: `aux` is a device on Windows"

    assert messages("SKILL.md", "aux/", "aux/b/", "aux/b/c") == [f"the path `aux/b/c` {problem}"]
    assert messages("SKILL.md", "aux/", "aux/b/") == [f"the path `aux/b` {problem}"]


def test_a_file_and_a_directory_cannot_have_one_path() -> None:
    said = "`a` is a file and a directory"

    assert messages("SKILL.md", "a", "a/") == [said]
    assert messages("SKILL.md", "a", "a/", "a/b") == [said]
    assert messages("SKILL.md", "a", "a/b/", "a/b/c/") == [said]
    assert messages("SKILL.md", "A", "a/") == ["`a` and `A` are one file on some systems"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("__MACOSX/a", "__MACOSX"),
        ("a/node_modules/b/c.js", "node_modules"),
        (".DS_Store", ".DS_Store"),
        ("a/._b.md", "._*"),
        ("a/b.md", None),
        ("a/_b.md", None),
        ("../node_modules/a", None),
        ("node_modules/../../a", None),
        ("/__pycache__/a", None),
        ("node_modules/./a", None),
    ],
)
def test_leftovers_are_told_by_their_names_unless_they_lead_out(
    path: str, name: str | None
) -> None:
    assert find_left_out(path) == name


def test_each_kind_of_leftover_is_noted_once() -> None:
    assert messages("SKILL.md", "._SKILL.md", "a/._b", "__MACOSX/a", "__MACOSX/b") == [
        "`._*` is left out of the package",
        "`__MACOSX` is left out of the package",
    ]


@pytest.mark.parametrize(
    ("kind", "code"), [(EntryKind.LINK, "SY303"), (EntryKind.SPECIAL, "SY304")]
)
def test_what_is_no_file_is_left_out_unless_it_stands_in_an_archive(
    kind: EntryKind, code: str
) -> None:
    entry = found("a/node_modules", kind)

    on_disk = take_in([found("SKILL.md"), entry])
    archived = take_in([found("SKILL.md"), replace(entry, archived=True)])

    assert [one.code for one in on_disk.diagnostics] == ["SY316"]
    assert [one.code for one in archived.diagnostics] == [code]


def test_leftovers_may_lie_deep_but_not_in_a_path_of_two_meanings() -> None:
    deep = "node_modules/a/" * 40 + "b"

    assert messages("SKILL.md", deep) == ["`node_modules` is left out of the package"]
    assert [one.code for one in take("SKILL.md", deep * 2).diagnostics] == ["SY301"]
    assert [one.code for one in take("SKILL.md", f"a\\b/{deep}").diagnostics] == ["SY301"]


def test_a_path_is_shown_without_what_it_hides() -> None:
    taken = take("SKILL.md", "a\x1b[2J", "b" * 70_000)

    assert [(one.path[:8], len(one.path)) for one in taken.diagnostics] == [
        (r"a\x1b[2J", 8),
        ("b" * 8, 257),
    ]


def test_an_overlong_path_costs_no_more_than_its_length() -> None:
    deep = "a/" * 30_000 + "b"

    assert [one.code for one in take("SKILL.md", deep).diagnostics] == ["SY301"]


def test_reading_stops_where_the_intake_has_enough() -> None:
    taken = take_in(found(f"{number}") for number in range(10**9))

    assert [one.code for one in taken.diagnostics] == ["SY307"]


@pytest.mark.parametrize("form", list(Form))
def test_nothing_at_all_is_refused_in_every_form(form: Form) -> None:
    taken = read_bundle(b"", form, limits=STANDARD)

    assert (len(taken.diagnostics), dict(taken.package.files)) == (1, {})
