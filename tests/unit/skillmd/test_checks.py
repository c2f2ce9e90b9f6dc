"""Every rule about a field: what it finds, where, and how bad it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import GOOD, check, check_front, codes, find, skill_md

pytestmark = pytest.mark.requirement("PKG-2", "PKG-4")

LETTERS = "only lower-case letters a-z, digits and single hyphens between them are allowed"
STRICT, STANDARD, LENIENT = Profile.STRICT, Profile.STANDARD, Profile.LENIENT


@pytest.mark.parametrize(
    ("front", "directory", "found"),
    [
        ("name: pdf\n", "pdf", []),
        ("name: ' pdf '\n", "pdf", []),
        ("name: pdf\n", None, []),
        ("", "pdf", [("SY201", "there is no `name`", "Add `name: pdf`", True)]),
        ("", "My Skill", [("SY201", "there is no `name`", "Add `name: my-skill`", False)]),
        ("", None, [("SY201", "there is no `name`", "Add `name: my-skill`", False)]),
        ("name: null\n", "pdf", [("SY201", "there is no `name`", "Add `name: pdf`", True)]),
        (
            "name: ''\n",
            None,
            [("SY202", "`` is not a skill name: it is empty",
              "Use letters a-z, digits and hyphens", False)],
        ),
        (
            "name: My_Pdf\n",
            None,
            [("SY202", f"`My_Pdf` is not a skill name: {LETTERS}", "Use `my-pdf`", False)],
        ),
        (
            "name: 表示\n",
            None,
            [("SY202", f"`表示` is not a skill name: {LETTERS}",
              "Use letters a-z, digits and hyphens", False)],
        ),
        (
            "name: forms\n",
            "pdf",
            [("SY204", "`name` is `forms`, but the directory is `pdf`",
              "Write `name: pdf`, or rename the directory to `forms`", True)],
        ),
        (
            "name: forms\n",
            "My Forms",
            [("SY204", "`name` is `forms`, but the directory is `My Forms`",
              "Rename the directory to `my-forms` and write `name: my-forms`", False)],
        ),
        (
            "name: [pdf]\n",
            "pdf",
            [("SY209", "`name` is a list, not text",
              "Write one text, in quotes if it holds special characters", False)],
        ),
        (
            "name: 123\n",
            "123",
            [("SY208", "`name` is a number to some readers of YAML",
              'Write "123" in quotes', True)],
        ),
    ],
)  # fmt: skip
def test_the_name(
    front: str, directory: str | None, found: list[tuple[str, str, str, bool]]
) -> None:
    checked = check(skill_md(front + "description: Fills in forms\n"), directory=directory)

    assert [(one.code, one.message, one.hint, one.fixable) for one in checked.diagnostics] == found


def test_a_name_that_is_too_long_is_one_finding_with_its_place() -> None:
    checked = check(skill_md(f"name: {'x' * 65}\ndescription: a\n"), directory="x" * 64)

    assert find(checked, "SY203") == Diagnostic(
        code="SY203",
        severity=Severity.ERROR,
        message=f"`{'x' * 65}` is not a skill name: it has 65 characters, at most 64 are allowed",
        span=Span(2, 7, 2, 72),
        hint=f"Use `{'x' * 64}`",
        fixable=True,
    )
    assert codes(checked) == ["SY203", "SY204"]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("Fills in forms", None),
        ("  |\n  Fills in\n  forms", None),
        ("", "SY205"),
        ("~", "SY205"),
        ("NULL", "SY205"),
        ("''", "SY206"),
        ("'  '", "SY206"),
        ("|\n", "SY206"),
        ("[a]", "SY209"),
        ("{a: b}", "SY209"),
        ("true", "SY208"),
        ("1.5", "SY208"),
        ('"a\\u200bb"', "SY118"),
        ('"a\\U000e0073b"', "SY118"),
        ('"a\\u202eb"', "SY118"),
        ('"a\\u061cb"', "SY118"),
        ('"a\\u3164b"', "SY118"),
        ('"a\\x1b[31mb"', "SY118"),
        ('"a\\u200db"', None),
        ('"a\\tb\\nc"', None),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", None),
        ("❤️ 👩‍💻", None),
    ],
)
def test_the_description(value: str, code: str | None) -> None:
    checked = check_front(f"name: pdf\ndescription: {value}\n")

    assert codes(checked) == ([code] if code else [])


@pytest.mark.requirement("TRU-7")
def test_a_hidden_character_is_named() -> None:
    found = find(check_front('name: pdf\ndescription: "a\\U000e0073"\n'), "SY118")

    assert (found.message, found.severity) == (
        "`description` holds the invisible character U+E0073",
        Severity.WARNING,
    )


@pytest.mark.parametrize(
    ("front", "found"),
    [
        ("license: MIT\n", []),
        ("license:\n", []),
        ("license: [MIT]\n", ["SY209"]),
        ("license: 1.0\n", ["SY208"]),
        ("compatibility: Needs git\n", []),
        ("compatibility:\n", ["SY210"]),
        ("compatibility: ' '\n", ["SY210"]),
        ("compatibility: {a: b}\n", ["SY209"]),
        ("metadata:\n  a: b\n  c:\n", []),
        ("metadata:\n", []),
        ("metadata: ~\n", []),
        ("metadata: {}\n", []),
        ("metadata: a\n", ["SY212"]),
        ("metadata: [a]\n", ["SY212"]),
        ("metadata:\n  a: [b]\n  c: {d: e}\n", ["SY213", "SY213"]),
        ("metadata:\n  a: 1\n  b: yes\n  c: 2026-11-15\n", ["SY208", "SY208", "SY208"]),
        ("metadata:\n  version: one\n", ["SY218"]),
        ("metadata:\n  tags: A\n", ["SY219"]),
        ("allowed-tools: Read Write\n", []),
        ("allowed-tools:\n", []),
        ("allowed-tools: Bash(git add:*, git rm:*) Read\n", []),
        ("allowed-tools: Read, Write\n", ["SY214"]),
        ("allowed-tools: Read,\n", ["SY214"]),
        ("allowed-tools: [Read]\n", ["SY214"]),
        ("allowed-tools: {Read: yes}\n", ["SY214"]),
        ("version: 1.0\n", []),
        ("version: v1\n", []),
        ("version: latest\n", ["SY218"]),
        ("version: [1]\n", ["SY209"]),
        ("display-name: PDF\n", []),
        ("display-name:\n", ["SY224"]),
        ('display-name: "a\\u202eb"\n', ["SY118"]),
        ("display-name: 1.0\n", ["SY208"]),
        ("tags: [a, b-2]\n", []),
        ("tags: a, b\n", []),
        ("tags: [a b]\n", ["SY219"]),
        ("tags: [A]\n", ["SY219"]),
        ("tags: {a: b}\n", ["SY221"]),
        ("category: ops\n", []),
        ("category: Ops\n", ["SY220"]),
        ("category: [ops]\n", ["SY209"]),
        ("invocation: user-only\n", []),
        ("invocation: never\n", ["SY220"]),
        ("requires-tools: Read\n", []),
        ("requires-tools: {a: b}\n", ["SY221"]),
        ("triggers: [a]\n", []),
        ("triggers:\n  keywords: [a]\n  verbs: b\n", []),
        ("triggers:\n  nouns: [a]\n", ["SY221"]),
        ("triggers:\n  verbs: {a: b}\n", ["SY221"]),
        ("triggers: [[a]]\n", ["SY221"]),
        ("providers: [codex]\n", []),
        ("providers:\n  codex: link\n", []),
        ("providers:\n  codex: copy\n", ["SY220"]),
        ("providers:\n  codex: [link]\n", ["SY209"]),
        ("providers: [[a]]\n", ["SY221"]),
        ("model: opus\nhooks:\n  a: b\n", []),
        ("slug: x\n", ["SY215"]),
        ("user-invokable: true\n", ["SY216"]),
        ("allowed_tools: Read\n", ["SY216"]),
        ("'': x\n", ["SY215"]),
    ],
)
def test_every_other_field_under_the_standard_profile(front: str, found: list[str]) -> None:
    assert codes(check_front(GOOD + front)) == found


@pytest.mark.requirement("PKG-3")
@pytest.mark.parametrize(
    ("front", "strict", "standard", "lenient"),
    [
        ("slug: x\n", [("SY215", "error")], [("SY215", "warning")], [("SY215", "note")]),
        ("version: 1.0\n", [("SY215", "error")], [], []),
        ("model: opus\n", [("SY215", "error")], [], []),
        ("licence: x\n", [("SY216", "error")], [("SY216", "warning")], [("SY216", "warning")]),
        ("allowed-tools: [a]\n", [("SY214", "error")], [("SY214", "warning")],
         [("SY214", "note")]),
        ("metadata:\n  a: [b]\n", [("SY213", "error")], [("SY213", "warning")],
         [("SY213", "note")]),
        ("license: [a]\n", [("SY209", "error")], [("SY209", "error")], [("SY209", "warning")]),
        ("license: 1.0\n", [("SY208", "warning")], [("SY208", "warning")], [("SY208", "note")]),
        ("tags: A\n", [("SY215", "error")], [("SY219", "warning")], [("SY219", "note")]),
    ],
)  # fmt: skip
def test_the_profile_decides_what_is_an_error(
    front: str,
    strict: list[tuple[str, str]],
    standard: list[tuple[str, str]],
    lenient: list[tuple[str, str]],
) -> None:
    for profile, expected in ((STRICT, strict), (STANDARD, standard), (LENIENT, lenient)):
        checked = check_front(GOOD + front, profile=profile)

        assert [(one.code, one.severity.value) for one in checked.diagnostics] == expected


@pytest.mark.parametrize(
    ("front", "message", "hint"),
    [
        ("slug: x\n", "`slug` is not a field of any client", "Move it under `metadata`, as `slug`"),
        ("slug: [x]\n", "`slug` is not a field of any client",
         "Remove it, or move what it says into the body"),
        ("descripton: x\n", "`descripton` is not a known field", "Did you mean `description`?"),
        ("allowed-tools: a, b\n",
         "`allowed-tools` is separated by commas; the specification separates tools by blanks",
         "Write `allowed-tools: a b`"),
        ("allowed-tools: []\n",
         "`allowed-tools` is a list; the specification separates tools by blanks",
         "Write the names of tools with blanks between them"),
        ("invocation: x\n", "`invocation` is `x`, which is not known",
         "Choose one of auto, user-only, model-only"),
        ("metadata:\n  a: {b: c}\n", "`metadata.a` is a mapping, not text",
         "The specification allows texts only; some clients refuse anything else"),
        ("license: off\n", "`license` is a truth value to some readers of YAML",
         'Write "off" in quotes'),
    ],
)  # fmt: skip
def test_a_finding_says_what_to_do(front: str, message: str, hint: str) -> None:
    (found,) = check_front(GOOD + front).diagnostics

    assert (found.message, found.hint) == (message, hint)


@pytest.mark.requirement("PKG-3")
def test_under_the_strict_profile_a_field_that_clients_act_on_is_not_moved() -> None:
    found = find(check_front(f"{GOOD}model: opus\n", profile=STRICT), "SY215")

    assert (found.message, found.hint, found.fixable) == (
        "`model` is not a field of the specification",
        "Some clients act on it; keep it and use the standard profile, or leave it out",
        False,
    )


def test_all_findings_are_reported_in_one_pass_each_at_its_place() -> None:
    checked = check(
        skill_md(
            "name: My Skill\ndescription: ''\nallowed-tools: [a]\nlicence: x\nmetadata:\n  a: [b]\n"
            "compatibility:\n"
        )
    )

    assert [(one.code, one.line, one.column) for one in checked.diagnostics] == [
        ("SY202", 2, 7),
        ("SY204", 2, 7),
        ("SY206", 3, 14),
        ("SY214", 4, 16),
        ("SY216", 5, 1),
        ("SY213", 7, 3),
        ("SY210", 8, 15),
    ]


VALUES = st.recursive(
    st.sampled_from(["a", "1", "''", "~", "true", "a, b", "x" * 1100, '"\\u202e"', ""]),
    lambda inner: (
        st.lists(inner, max_size=2).map(lambda one: f"[{', '.join(one)}]")
        | inner.map(lambda one: f"{{a: {one}}}")
    ),
    max_leaves=3,
)
FIELDS = st.sampled_from(
    ["name", "description", "license", "compatibility", "metadata", "allowed-tools", "version",
     "display-name", "tags", "category", "requires-tools", "triggers", "invocation", "providers",
     "model", "slug", "licence"]
)  # fmt: skip


@given(st.dictionaries(FIELDS, VALUES, max_size=6), st.sampled_from(list(Profile)))
def test_any_shape_of_any_field_is_judged(fields: dict[str, str], profile: Profile) -> None:
    content = skill_md("".join(f"{key}: {value}\n" for key, value in fields.items()))

    checked = check(content, profile=profile)

    assert {one.code for one in checked.diagnostics} <= {f"SY{n}" for n in range(100, 800)}
    assert all(one.span for one in checked.diagnostics)
    assert checked.is_valid is all(
        one.severity is not Severity.ERROR for one in checked.diagnostics
    )


@pytest.mark.parametrize(
    ("front", "name"),
    [
        ('compatibility: "a\\U000e0041"\n', "compatibility"),
        ("when_to_use: a\u202eb\n", "when_to_use"),
        ("license: a\u200bb\n", "license"),
        ("allowed-tools: Read\u200b\n", "allowed-tools"),
        ("metadata:\n  a:\n    - b\u2060\n", "metadata.a"),
        ("tags: [a, b\u200b]\n", "tags"),
    ],
)
def test_a_hidden_character_is_found_wherever_it_stands(front: str, name: str) -> None:
    checked = check(skill_md(f"name: pdf\ndescription: Fills in forms.\n{front}"), directory="pdf")

    messages = [one.message for one in checked.diagnostics if one.code == "SY118"]
    assert len(messages) == 1
    assert messages[0].startswith(f"`{name}` holds the invisible character U+")


def test_fields_are_not_merged_from_elsewhere() -> None:
    front = "name: pdf\ndescription: Fills in forms.\n<<: {allowed-tools: Bash}\n"
    checked = check(skill_md(front), directory="pdf")

    assert [one.code for one in checked.diagnostics] == ["SY113"]
