"""A package is judged as a whole: its SKILL.md, its files and its text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.check import Judgement, check_package
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import BODY, GOOD, check, codes, find, skill_md

pytestmark = pytest.mark.requirement("PKG-1", "PKG-4")


def test_a_good_skill_has_no_findings() -> None:
    package = Package.of({"SKILL.md": skill_md(), "scripts/run.sh": "#!/bin/sh\n"})

    checked = check_package(package, directory="pdf", judgement=Judgement(profile=Profile.STRICT))

    assert (checked.package, checked.directory, checked.diagnostics) == (package, "pdf", ())
    assert checked.is_valid
    assert checked.document is not None
    assert checked.document.instructions == BODY
    assert checked.manifest is not None
    assert checked.manifest.name == "pdf"


def test_without_a_skill_md_there_is_one_finding() -> None:
    checked = check_package(Package.of({"README.md": "x"}))

    assert (checked.manifest, checked.document) == (None, None)
    assert checked.diagnostics == (
        Diagnostic(
            code="SY101",
            severity=Severity.ERROR,
            message="there is no SKILL.md",
            path="",
            hint="Create one, for example with `skillyard new`",
        ),
    )


def test_an_empty_package_has_no_skill_md() -> None:
    assert codes(check_package(Package.of({}))) == ["SY101"]


def test_a_skill_md_that_was_refused_on_the_way_in_is_not_missing() -> None:
    refused = Diagnostic(
        code="SY305", severity=Severity.ERROR, message="too large", path="SKILL.md"
    )

    checked = check_package(Package.of({}), earlier=(refused,))

    assert checked.diagnostics == (refused,)
    assert not checked.is_valid


@pytest.mark.parametrize("name", ["skill.md", "Skill.md", "SKILL.MD"])
def test_a_file_of_nearly_that_name_is_read_and_findings_are_about_it(name: str) -> None:
    checked = check_package(
        Package.of({name: skill_md("name: A\ndescription: b\n")}), directory="pdf"
    )

    assert [(one.code, one.path, one.fixable) for one in checked.diagnostics] == [
        ("SY102", name, False),
        ("SY202", name, False),
        ("SY204", name, False),
    ]
    assert checked.manifest is not None


def test_of_two_files_only_the_one_with_the_right_name_counts() -> None:
    checked = check(skill_md(), beside={"references/skill.md": "x"})

    assert codes(checked) == []


@pytest.mark.requirement("PKG-8")
@pytest.mark.parametrize(
    ("path", "content", "found"),
    [
        ("scripts/run.sh", b"#!/bin/sh\n", []),
        ("references/a.md", "é".encode(), []),
        ("references/a.md", b"\xff", ["SY309"]),
        ("references/a.md", b"a\0b", ["SY309"]),
        ("assets/logo.png", b"\x89PNG\xff\0", []),
        ("assets", b"\xff", ["SY313", "SY309"]),
        ("scripts/sub/SKILL.md", b"", ["SY312"]),
        ("other/a.md", b"", ["SY313"]),
        ("notes.md", b"", ["SY313"]),
        ("LICENSE.txt", b"", []),
        ("README.md", b"", []),
        ("manifest.json", b"{}", []),
    ],
)
def test_the_files_beside_it(path: str, content: bytes, found: list[str]) -> None:
    assert sorted(codes(check(skill_md(), beside={path: content}))) == sorted(found)


def test_an_unusual_place_is_reported_once() -> None:
    checked = check(skill_md(), beside={"other/a": "", "other/b": "", "x": ""})

    assert [(one.path, one.severity, one.message) for one in checked.diagnostics] == [
        ("other/", Severity.NOTE, "`other/` is not one of the usual places"),
        ("x", Severity.NOTE, "`x` is not one of the usual places"),
    ]


def test_unusual_places_can_be_made_errors() -> None:
    package = Package.of({"SKILL.md": skill_md(), "other/a": ""})

    checked = check_package(
        package, directory="pdf", judgement=Judgement(profile=Profile.LENIENT, strict_tree=True)
    )

    assert [(one.code, one.severity) for one in checked.diagnostics] == [("SY313", Severity.ERROR)]


@pytest.mark.parametrize(("body", "line"), [("", 5), ("\n\n", 5), (" \t\n", 5)])
def test_a_skill_without_instructions_is_reported_where_they_would_start(
    body: str, line: int
) -> None:
    assert find(check(skill_md(body=body)), "SY701") == Diagnostic(
        code="SY701",
        severity=Severity.WARNING,
        message="there are no instructions after the front matter",
        span=Span(line, 1, line, 1),
        hint="Write what the agent should do, in Markdown",
    )


def test_what_cannot_be_read_has_no_findings_about_its_text() -> None:
    assert codes(check("x\n" * 600)) == ["SY107"]


@pytest.mark.requirement("PKG-9")
def test_what_a_package_says_is_never_run() -> None:
    content = skill_md(
        f"{GOOD}hooks: '!`touch a`'\n",
        "!`touch a`\n${CLAUDE_SKILL_DIR}\n<script>x</script>\n$(touch a)\n",
    )

    checked = check(content, beside={"scripts/run.py": PackageFile(b"1/0", executable=True)})

    assert codes(checked) == []
    assert checked.document is not None
    assert checked.document.instructions.startswith("!`touch a`\n")


LINES = st.lists(
    st.sampled_from(
        ["name: pdf", "name: My Skill", "description: a: b", 'description: "a" "b": c', "tags: [A]",
         "license: *x* y", 'compatibility: "\\d\\d\\d"', "metadata:", "  a: b: c", "  version: x",
         "slug: [a] b", "allowed-tools: [a, b]", "  - c", "# d", "", "description: |", "  e: f: g",
         "name: 'x", "x: \u2028", "\ufeffy: z", "category: @"]
    ),
    max_size=8,
).map("\n".join)  # fmt: skip


@given(LINES | st.text(alphabet="ab:\"'*&[]{}#|>\\ \n\r\u2028"), st.sampled_from(list(Profile)))
def test_every_finding_stands_inside_the_file(front: str, profile: Profile) -> None:
    content = f"---\n{front}\n---"

    checked = check(content, profile=profile)

    lines = content.split("\n")
    for one in checked.diagnostics:
        assert one.span is not None
        assert 1 <= one.span.line <= one.span.end_line <= len(lines)
        assert 1 <= one.span.column <= len(lines[one.span.line - 1]) + 1
        assert 1 <= one.span.end_column <= len(lines[one.span.end_line - 1]) + 1


PATHS = st.sampled_from(
    ["SKILL.md", "skill.md", "manifest.json", "scripts/a", "assets/b", "x", "a/SKILL.md", "README"]
)
CONTENTS = st.binary(max_size=30) | st.sampled_from([skill_md().encode(), b"{}", b'{"name": 1}'])


@pytest.mark.requirement("TRU-2")
@given(
    st.dictionaries(PATHS, CONTENTS, max_size=4),
    st.sampled_from([None, "pdf", "", "My Skill", "a" * 300, "\ud800"]),
    st.sampled_from(list(Profile)),
)
def test_any_package_is_judged_in_one_order(
    files: dict[str, bytes], directory: str | None, profile: Profile
) -> None:
    judgement = Judgement(profile=profile)

    checked = check_package(Package.of({**files}), directory=directory, judgement=judgement)

    again = check_package(
        Package.of(dict(reversed(files.items()))), directory=directory, judgement=judgement
    )
    assert checked == again
    assert checked.diagnostics or "SKILL.md" in files
