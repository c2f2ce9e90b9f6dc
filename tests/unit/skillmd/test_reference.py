"""Strict accepts and refuses what the reference library does, but for the listed differences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.package import Package
from skillyard.skillmd.check import CheckedPackage, Judgement, check_package
from skillyard.skillmd.rules import Profile
from tests.corpus.reference_cases import CASES, Case
from tools.compare_with_reference import DIFFERENCES, Reference, ask_reference, list_causes

pytestmark = pytest.mark.requirement("PKG-2", "PKG-3")

STRICT = Judgement(profile=Profile.STRICT)


def ask_both(case: Case) -> tuple[CheckedPackage, Reference, bytes]:
    files = dict(case.files)
    checked = check_package(Package.of({**files}), directory=case.directory, judgement=STRICT)
    # The reference takes `skill.md` where there is no SKILL.md, and looks at no other file.
    content = files.get("SKILL.md", files.get("skill.md", b""))
    return checked, ask_reference(content, case.directory), content


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_both_say_the_same_unless_the_case_names_a_difference(case: Case) -> None:
    checked, reference, content = ask_both(case)

    assert checked.is_valid is case.accepted
    if case.causes:
        assert reference.stopped or reference.accepts is not case.accepted
        assert list_causes(content, checked, reference) == set(case.causes)
    else:
        assert (reference.accepts, reference.stopped) == (case.accepted, "")


def test_every_difference_is_shown_by_a_case() -> None:
    shown = {cause for case in CASES for cause in case.causes}

    assert sorted(shown) == sorted(DIFFERENCES)


def test_a_disagreement_that_no_difference_explains_has_no_causes() -> None:
    good = b"---\nname: pdf\ndescription: Fills in forms\n---\n# Body\n"
    accepted = check_package(Package.of({"SKILL.md": good}), directory="pdf", judgement=STRICT)
    refused = check_package(Package.of({"SKILL.md": good}), directory="forms", judgement=STRICT)

    assert list_causes(good, accepted, Reference(("Something new",))) == set()
    assert list_causes(good, accepted, Reference(("must start with YAML frontmatter",))) == set()
    assert list_causes(good, refused, Reference()) == set()


FENCES = st.sampled_from(
    [("---\n", "---\n")] * 12
    + [("--- \n", "---\n"), ("---\n", "--- \n"), ("---\n", "---"), ("---\n", ""),
       ("---\n", "----\n"), ("---\n", " ---\n"), ("---", "---\n"), ("--- # c\n", "---\n"),
       ("\ufeff---\n", "---\n"), ("\n---\n", "---\n"), ("---\r", "---\r"), ("---\n---\n", "---\n")]
)  # fmt: skip
NAMES = st.sampled_from(
    ["pdf"] * 6
    + ["Pdf", "pdf-", "", "null", "~", "123", "é", "\uff50\uff44\uff46", "pdf # c", '"pdf"',
       "'pdf '", "[pdf]", "|\n  pdf", ">-\n  pdf", "&a pdf", "!!str pdf", "*a", "x" * 65,
       "\n  pdf", "\n  - pdf",
       "a: b", "pdf\t", '"p\\u0064f"']
)  # fmt: skip
TEXTS = st.text(alphabet="ab1 :#-'\"[]{},&*!|>%@`?=<~\\\t\u2028é", max_size=8) | st.sampled_from(
    ["Fills in forms"] * 3
    + ["x" * 1024, "x" * 1025, "|\n  " + "x" * 1024, "a --- b", '"a --- b"', ">\n  a\n  b\n",
       "|+\n  a\n\n", "a\n  b", '"a\n  b"', '"\\ud83d\\ude00"', '"\\u00e9"', "'it''s'"]
)  # fmt: skip
FIELDS = st.sampled_from(
    ["license: MIT", "license: [MIT]", "license:\n  - MIT", "license: 1.0", "compatibility: git",
     "compatibility:", "compatibility: |\n  " + "x" * 500, "compatibility: [a]", "metadata:",
     "metadata: a", "metadata: {a: b}", "metadata:\n  a: b", "metadata:\n  a: [b]",
     "metadata:\n  a:\n    b: c", "metadata:\n  - a", "metadata:\n  a: b\n  a: c", "metadata: {}",
     "metadata:\n  ? a\n  : b", "metadata:\n  <<: b", "allowed-tools: Read Write",
     "allowed-tools: Read, Write", "allowed-tools: [Read]", "allowed-tools:\n  - Read",
     "version: 1.0", "author: x", "slug: [x]", "name: pdf", "Name: pdf", '"license": MIT',
     "? license\n: MIT", "license : MIT", "license:MIT", "license:\tMIT", "# c", "---", "...",
     "- a", "text", "<<:\n  license: MIT", "a: &a b\nc: *a", "license: |# c\n a", "=: x"]
)  # fmt: skip
DIRECTORIES = st.sampled_from(
    ["pdf"] * 8 + ["Pdf", "\uff50\uff44\uff46", "é", "123", "null", "x" * 65]
)


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    opening, closing = draw(FENCES)
    name, text = draw(NAMES), draw(TEXTS)
    lines = [f"name: {name}", f"description: {text}", *draw(st.lists(FIELDS, max_size=2))]
    kept = draw(st.lists(st.sampled_from(range(len(lines))), unique=True, min_size=1))
    front = "".join(f"{lines[index]}\n" for index in kept)
    body = draw(st.sampled_from(["# Body\n", "", "a --- b\n", "---\n"]))
    content = f"{opening}{front}{closing}{body}"
    return (content.replace("\n", "\r\n") if draw(st.integers(0, 9)) == 0 else content).encode()


@given(contents() | st.binary(max_size=40), DIRECTORIES)
def test_every_disagreement_comes_from_a_listed_difference(content: bytes, directory: str) -> None:
    checked, reference, _ = ask_both(
        Case("generated", {"SKILL.md": content}, accepted=False, directory=directory)
    )

    if reference.stopped or checked.is_valid is not reference.accepts:
        causes = list_causes(content, checked, reference)
        assert causes
        assert causes <= set(DIFFERENCES)
