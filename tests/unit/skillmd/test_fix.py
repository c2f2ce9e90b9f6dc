"""A repair changes what it repairs, and nothing else in the file."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from skillyard.domain.diagnostic import Diagnostic
from skillyard.domain.document import to_plain
from skillyard.domain.package import Package
from skillyard.skillmd.check import Judgement
from skillyard.skillmd.fix import FixedSkill, fix_skill_md
from skillyard.skillmd.rules import Profile
from skillyard.skillmd.values import to_tools
from tests.unit.skillmd.checking import GOOD, check, codes, read, skill_md

pytestmark = pytest.mark.requirement("PKG-4")

DESCRIPTION = "description: Fills in forms. Use when a form is to be filled in.\n"


def fix(
    content: str | bytes, *, directory: str | None = "pdf", profile: Profile = Profile.STANDARD
) -> FixedSkill:
    return fix_skill_md(
        Package.of({"SKILL.md": content}),
        directory=directory,
        judgement=Judgement(profile=profile),
    )


def fix_front(front: str, *, profile: Profile = Profile.STANDARD) -> str:
    """Give the front matter after its repairs; the body must stay."""
    start, end = "---\n", "---\n# Body\n\nText --- text\n---\n  end"
    fixed = fix(start + front + end, profile=profile).content.decode()
    assert fixed.startswith(start)
    assert fixed.endswith(end)
    return fixed[len(start) : -len(end)]


@pytest.mark.parametrize(
    ("content", "fixed", "gone"),
    [
        (f"\ufeff{skill_md()}", skill_md(), ["SY104"]),
        (f"\ufeff\ufeff{skill_md()}", skill_md(), ["SY104"]),
        (f"\n \r\n\t{skill_md()}", skill_md(), ["SY105", "SY106"]),
        (skill_md().replace("\n", "\r\n"), skill_md(), ["SY106"]),
        (
            f"\ufeff\n{skill_md()}".replace("\n", "\r\n"),
            skill_md(),
            ["SY104", "SY105", "SY106"],
        ),
        (
            "\ufeff" + skill_md(f"name: Pdf\r\n{DESCRIPTION}allowed-tools: a, b\nslug: x: y\n"),
            skill_md(f'name: pdf\n{DESCRIPTION}allowed-tools: a b\nmetadata:\n  slug: "x: y"\n'),
            ["SY104", "SY106", "SY110", "SY202", "SY204", "SY214", "SY215"],
        ),
    ],
)
def test_the_edges_of_the_file_are_repaired(content: str, fixed: str, gone: list[str]) -> None:
    result = fix(content)

    assert result.content.decode() == fixed
    assert sorted(one.code for one in result.fixed) == gone
    assert codes(check(result.content)) == []


@pytest.mark.parametrize(
    ("front", "fixed"),
    [
        (f"name: Pdf\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
        (f"name: forms # c\n{DESCRIPTION}", f"name: pdf # c\n{DESCRIPTION}"),
        (f"name: 'forms'\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
        (f"name: >- # c\n  forms\n\n{DESCRIPTION}", f"name: pdf # c\n\n{DESCRIPTION}"),
        (f"name:\n  forms\n{DESCRIPTION}", f"name:\n  pdf\n{DESCRIPTION}"),
        (f'"name": forms\n{DESCRIPTION}', f'"name": pdf\n{DESCRIPTION}'),
        (f"name:\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
        (f"name: # c\n{DESCRIPTION}", f"name: pdf # c\n{DESCRIPTION}"),
        (f"name: ~\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
        (f"{DESCRIPTION}name:\n", f"{DESCRIPTION}name: pdf\n"),
        (f"# c\n{DESCRIPTION}", f"name: pdf\n# c\n{DESCRIPTION}"),
        (f"name: {'x' * 65}\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
        (f"name: 123\n{DESCRIPTION}", f"name: pdf\n{DESCRIPTION}"),
    ],
)
def test_the_name_becomes_that_of_the_directory(front: str, fixed: str) -> None:
    assert fix_front(front) == fixed


def test_a_directory_with_a_name_of_digits_is_quoted() -> None:
    fixed = fix(skill_md(f"name: a\n{DESCRIPTION}"), directory="123")

    assert fixed.content.decode() == skill_md(f'name: "123"\n{DESCRIPTION}')


@pytest.mark.parametrize("directory", [None, "My Skill", "x" * 65])
def test_a_directory_without_a_name_changes_nothing(directory: str | None) -> None:
    content = skill_md(f"name: A\n{DESCRIPTION}").encode()

    assert fix(content, directory=directory) == FixedSkill(content, ())


@pytest.mark.parametrize(
    ("tools", "fixed"),
    [
        (" Read, Write", " Read Write"),
        (" 'Read,Write' # c", " Read Write # c"),
        (" Bash(git add:*, git commit:*), Read", " Bash(git add:*, git commit:*) Read"),
        (" [Read, Write]", " Read Write"),
        (" [Read, # c1\n  'Write'] # c2", " Read Write\n  # c1\n  # c2"),
        ("\n  - Read\n  - Write", " Read Write"),
        ("\n- Read\n- Write", " Read Write"),
        (" # c1\n  - Read # c2\n  # c3\n  - Bash(a #b)", ' "Read Bash(a"\n  # c1\n  # c2\n  # c3'),
        ("\n  - 'Read #1' # c", "\n  - 'Read #1' # c"),
        (" |\n  Read, Write\n", " Read Write\n"),
        (" > # c\n  Read,\n  Write", " Read Write # c"),
        (" Read,\n  Write", " Read Write"),
        ("\n  - Bash(git add:*)\n  - Read", " Bash(git add:*) Read"),
    ],
)
def test_allowed_tools_take_the_form_of_the_specification(tools: str, fixed: str) -> None:
    if "Bash(a #b)" in tools:
        # YAML ends the value before ` #b)`, and so it is a comment.
        fixed = " Read Bash(a\n  # c1\n  # c2\n  # c3\n  #b)"

    assert fix_front(f"{GOOD}allowed-tools:{tools}\nlicense: MIT\n") == (
        f"{GOOD}allowed-tools:{fixed}\nlicense: MIT\n"
    )


@pytest.mark.parametrize(
    "tools", ["[Web Search, Read]", "[]", "[[a]]", "{a: b}", "Read Write", "Bash(a, b)", ""]
)
def test_tools_without_that_form_stay(tools: str) -> None:
    front = f"{GOOD}allowed-tools: {tools}\n"

    assert fix_front(front) == front


@pytest.mark.parametrize(
    ("front", "fixed"),
    [
        ("slug: x\n", "metadata:\n  slug: x\n"),
        ("slug: x\nlicense: MIT\n", "license: MIT\nmetadata:\n  slug: x\n"),
        ("# a\nslug: x # b\n# c\n", "# c\nmetadata:\n  # a\n  slug: x # b\n"),
        ("slug: x\nhomepage: z\n", "metadata:\n  slug: x\n  homepage: z\n"),
        (
            "slug: x\nmetadata:\n    a: b # c\n\nlicense: MIT\n",
            "metadata:\n    a: b # c\n    slug: x\n\nlicense: MIT\n",
        ),
        ("metadata:\n  a: b\nslug: x\n", "metadata:\n  a: b\n  slug: x\n"),
        ("metadata: # c\nslug: x\n", "metadata: # c\n  slug: x\n"),
        ("metadata:\n  a: |\n    b\n\nslug: x\n", "metadata:\n  a: |\n    b\n\n  slug: x\n"),
        ("metadata:\n  a: [b,\n    c]\nslug: x\n", "metadata:\n  a: [b,\n    c]\n  slug: x\n"),
        ("metadata:\n  a:\n    b: c\nslug: x\n", "metadata:\n  a:\n    b: c\n  slug: x\n"),
        ("metadata:\n  a:\n  - b\nslug: x\n", "metadata:\n  a:\n  - b\n  slug: x\n"),
        ("slug: 'a\n  b'\n", "metadata:\n  slug: 'a\n    b'\n"),
        ("slug: a\n b\n", "metadata:\n  slug: a\n   b\n"),
        ("slug: | # c\n  a\n\n   b\n   \n\nx-y: z\n",
         "metadata:\n  slug: | # c\n    a\n\n     b\n     \n\n  x-y: z\n"),
        ("slug: >2-\n    a\n  # b\n", "metadata:\n  slug: >2-\n      a\n    # b\n"),
        ("slug:\n", "metadata:\n  slug:\n"),
        (
            "license: |\n  a\nslug: x\n\n    # b\n # c\n",
            "license: |\n  a\nmetadata:\n  slug: x\n\n      # b\n   # c\n",
        ),
        ("license: >-\nslug: x\n # b\n", "license: >-\nmetadata:\n  slug: x\n   # b\n"),
        ('license: "a\n# b"\nslug: x\n', 'license: "a\n# b"\nmetadata:\n  slug: x\n'),
        ('"slug": x\n', 'metadata:\n  "slug": x\n'),
        ("slug :  x\n", "metadata:\n  slug :  x\n"),
    ],
)  # fmt: skip
def test_a_field_that_no_client_knows_moves_under_metadata(front: str, fixed: str) -> None:
    assert fix_front(GOOD + front) == GOOD + fixed


def test_under_the_strict_profile_our_own_fields_move_too_and_numbers_get_quotes() -> None:
    front = f"{GOOD}version: 1.0 # c\ntags: [a, b] # d\ncategory: ops\nmodel: opus\n"

    assert fix_front(front, profile=Profile.STRICT) == (
        f'{GOOD}model: opus\nmetadata:\n  version: "1.0" # c\n  tags: a b\n  # d\n  category: ops\n'
    )
    assert fix_front(front) == front


@pytest.mark.parametrize(
    "front",
    [
        "slug:\n  a: b\n",
        "slug: [a]\n",
        "slug: x\nmetadata: {a: b}\n",
        "slug: x\nmetadata: null\n",
        "slug: x\nmetadata: text\n",
        "slug: x\nmetadata:\n  slug: z\n",
        "model: opus\nhooks: x\n",
        "license: MIT\nlicense: BSD\nslug: x\n",
        "license: &a MIT\nslug: *a\n",
        "license: !!str MIT\nslug: x\n",
        "slug: |+\n  a\n",
        "slug: >1+\n  a\n",
        "? slug\n: x\n",
        "? slug # a: b\n: x\n",
        "slug: x\n...\n",
        "slug: a\rb: c\n",
        "? [a]\n: b\nslug: x\n",
    ],
)
def test_what_cannot_move_without_a_change_of_meaning_stays(front: str) -> None:
    assert fix_front(GOOD + front) == GOOD + front


@pytest.mark.parametrize(
    ("front", "fixed"),
    [
        ("license: 1.0\n", 'license: "1.0"\n'),
        ("license: yes # c\n", 'license: "yes" # c\n'),
        ("compatibility: 2026-11-15\n", 'compatibility: "2026-11-15"\n'),
        ("metadata:\n  a: 1\n  b: true\n  c: x\n", 'metadata:\n  a: "1"\n  b: "true"\n  c: x\n'),
        ("metadata: {a: 1, b: x}\n", 'metadata: {a: "1", b: x}\n'),
        ("metadata:\n  a: [1]\n  b:\n", "metadata:\n  a: [1]\n  b:\n"),
    ],
)
def test_what_some_readers_take_for_another_kind_gets_quotes(front: str, fixed: str) -> None:
    assert fix_front(GOOD + front) == GOOD + fixed


def test_a_value_that_yaml_refuses_gets_quotes() -> None:
    front = "# c\nname: pdf\ndescription: Fills in: forms\nmetadata:\n  a: b\n"

    assert fix_front(front) == front.replace("Fills in: forms", '"Fills in: forms"')


def test_front_matter_in_brackets_stays_in_brackets() -> None:
    front = "{name: Pdf, description: Fills in forms, license: 1.0, slug: x}\n"

    assert fix_front(front) == front.replace("1.0", '"1.0"')


def test_the_findings_that_are_gone_are_given() -> None:
    fixed = fix(skill_md(f"name: Pdf\n{DESCRIPTION}allowed-tools: [a]\nmodels: x\n"))

    assert [(one.code, one.message) for one in fixed.fixed] == [
        ("SY202", f"`Pdf` is not a skill name: {LETTERS}"),
        ("SY204", "`name` is `Pdf`, but the directory is `pdf`"),
        ("SY214", "`allowed-tools` is a list; the specification separates tools by blanks"),
    ]


LETTERS = "only lower-case letters a-z, digits and single hyphens between them are allowed"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"# No front matter\n",
        b"---\nname: pdf\n",
        skill_md().encode(),
        b"\xef\xbb\xbf---\r\nname: caf\xe9\r\n---\r\n",
        b"---\nname: 'Pdf\n---\n",
        b"---\ndescription: Fills in forms\n\xff\n---\nBody\n",
        b"---\n---  # c\ndescription: Fills in forms\n---\nBody\n",
        b'---\n"]\ndescription: Fills in forms\n"\n---\nBody\n',
    ],
)
def test_a_file_with_nothing_to_repair_comes_back_byte_for_byte(content: bytes) -> None:
    for profile in Profile:
        assert fix(content, profile=profile) == FixedSkill(content, ())
        assert not any(one.fixable for one in check(content, profile=profile).diagnostics)


def test_without_a_skill_md_nothing_is_repaired() -> None:
    package = Package.of({"skill.md": "\ufeff" + skill_md("name: Pdf\n")})

    fixed = fix_skill_md(package, directory="pdf", judgement=Judgement())

    assert fixed == FixedSkill(b"", ())


def test_a_thousand_fields_move_at_once() -> None:
    fields = "".join(f"x{index}: z\n" for index in range(990))

    fixed = fix_front(GOOD + fields)

    assert fixed == GOOD + "metadata:\n" + "".join(f"  x{index}: z\n" for index in range(990))


# Comments have numbers, so that each can be found again.
NAMES = st.sampled_from(
    ["name: pdf", "name: Pdf # N", "name: 'Pdf'", "name: >-\n  Pdf", "name:", "name: 7", "name: ~",
     "name: [a]", '"name": other', "name:\n    Pdf # N", "name: |2\n    x\n"]
)  # fmt: skip
DESCRIPTIONS = st.sampled_from(
    ["description: Fills in forms", "description: 'it''s'", "description: >\n  a\n  b\n",
     "description: a\n  b", "description: |\n  # no comment\n  b: c: d", "description:"]
)  # fmt: skip
TOOLS = st.sampled_from(
    ["allowed-tools: Read", "allowed-tools: Read, Write # N", "allowed-tools: [a, 'b c'] # N",
     "allowed-tools: # N\n  - a # N\n  # N\n  - 'b#c'", "allowed-tools:\n- a\n- b",
     "allowed-tools: > # N\n  a,\n  b\n", "allowed-tools: [a, # N\n b]", "allowed-tools: {a: b}",
     "allowed-tools: |-\n  a, b\n\n", 'allowed-tools: "a,\n  b"']
)  # fmt: skip
METADATA = st.sampled_from(
    ["metadata:", "metadata: # N", "metadata:\n  a: b", "metadata: {}",
     "metadata:\n    a: 1 # N\n    # N\n    b: yes", "metadata: {a: 1}",
     "metadata:\n  a: |\n    x\n    # no comment\n\n", "metadata: null",
     "metadata:\n  a:\n    b: [c,\n     d] # N", "metadata:\n  ? a\n  : 1", "metadata: text",
     "metadata:\n # N\n a:\n - b # N\n", "metadata:\n  slug: z"]
)  # fmt: skip
UNKNOWN = st.sampled_from(
    ["slug: x", "slug: 'a # b' # N", "slug: |+ # N\n  a\n  # no comment\n\n", "slug: >2-\n    a\n",
     "slug: a\n  b # N", 'slug: "a\n\n   b"', "slug: [a]", "slug:", "slug: {a: b}", "? slug\n: x",
     "slug: *a", "slug: 1.0", "slug: |\n\n    \n   a\n", "model: opus # N", "slug: &a x"]
)  # fmt: skip
OTHERS = st.sampled_from(
    ["tags: [a, b] # N", "tags:\n  - a # N\n  - b", "tags: a b", "tags: [a b]", "version: 1.0 # N",
     "license: yes # N", "license: 1.0", "homepage: https://a.b/#c", "compatibility: 2026-11-15"]
)  # fmt: skip
REMARKS = st.sampled_from(["", "# N", "\n# N\n", " # N", "\n # N"])


@st.composite
def fronts(draw: st.DrawFn) -> str:
    fields = [DESCRIPTIONS, NAMES, TOOLS, METADATA, UNKNOWN, OTHERS]
    chosen = draw(st.lists(st.sampled_from(range(len(fields))), unique=True))
    entries = [draw(fields[index]) + "\n" for index in chosen]
    remarks = [draw(REMARKS) for _ in range(len(entries) + 1)]
    front = "".join(
        f"{remark}\n{entry}" if remark else entry
        for remark, entry in zip(remarks, [*entries, ""], strict=True)
    )
    for number in range(front.count("# N")):
        front = front.replace("# N", f"# c{number}.", 1)
    return front


@st.composite
def contents(draw: st.DrawFn) -> str:
    start = draw(st.sampled_from(["", "", "", "\ufeff", "\n", "\ufeff\n\n", " "]))
    end = draw(st.sampled_from(["", "", "", "...\n", "\n"]))
    body = draw(st.text(alphabet="ab#:-\n\r\u2028", max_size=12))
    content = f"{start}---\n{draw(fronts())}{end}---\n{body}"
    return content.replace("\n", "\r\n") if draw(st.integers(0, 5)) == 0 else content


PROFILES = st.sampled_from(list(Profile))


def fields_of(content: bytes) -> dict[str, object]:
    document, _ = read(content)
    plain = to_plain(document.fields) if document.fields else {}
    assert isinstance(plain, dict)
    return plain


@given(contents(), PROFILES)
def test_everything_that_is_marked_fixable_is_gone_and_stays_gone(
    content: str, profile: Profile
) -> None:
    fixed = fix(content, profile=profile)

    left = check(fixed.content, profile=profile).diagnostics
    assert [one for one in left if one.fixable] == []
    assert fix(fixed.content, profile=profile) == FixedSkill(fixed.content, ())


@given(contents(), PROFILES)
def test_what_is_reported_as_fixed_was_fixable_and_is_gone(content: str, profile: Profile) -> None:
    def keys(diagnostics: tuple[Diagnostic, ...]) -> set[tuple[str, str]]:
        return {(one.code, one.message) for one in diagnostics}

    before = check(content, profile=profile).diagnostics
    fixed = fix(content, profile=profile)

    after = check(fixed.content, profile=profile).diagnostics
    fixable = tuple(one for one in before if one.fixable)
    assert keys(fixed.fixed) == keys(fixable) - keys(after)
    assert fixable or fixed.content == content.encode()


@given(contents(), PROFILES)
def test_the_body_stays_but_for_its_line_ends(content: str, profile: Profile) -> None:
    before, _ = read(content)
    after, _ = read(fix(content, profile=profile).content)

    assert before.instructions.replace("\r\n", "\n") == after.instructions.replace("\r\n", "\n")


@given(contents(), PROFILES)
def test_every_comment_stays_a_comment(content: str, profile: Profile) -> None:
    assume(read(content)[0].fields is not None)
    fixed = fix(content, profile=profile).content

    text = fixed.decode()
    for number in range(content.count("# c")):
        assert text.count(f"# c{number}.") == 1
    assert str(fields_of(fixed)).count("# c") == str(fields_of(content.encode())).count("# c")


@given(contents(), PROFILES)
def test_no_other_field_changes_and_all_stay_in_their_order(content: str, profile: Profile) -> None:
    document, _ = read(content)
    assume(document.fields is not None)
    before, after = fields_of(content.encode()), fields_of(fix(content, profile=profile).content)

    moved = [key for key in before if key not in after]
    added = [key for key in after if key not in before]
    expected = {key: value for key, value in before.items() if key not in moved}
    if after.get("name") == "pdf":
        expected["name"] = "pdf"
    if isinstance(after.get("allowed-tools"), str) and document.fields:
        tools = to_tools(document.fields.find("allowed-tools"))
        assert (tools or ()) == (to_tools_of(after["allowed-tools"]))
        expected["allowed-tools"] = after["allowed-tools"]
    if moved:
        inner = before.get("metadata") or {}
        assert isinstance(inner, dict)
        words = {
            key: " ".join(one) if isinstance(one := before[key], list) else one for key in moved
        }
        expected["metadata"] = {**inner, **words}
    assert after == expected
    assert set(added) <= {"name", "metadata"}
    assert [key for key in after if key in before] == [key for key in before if key in after]


def to_tools_of(text: object) -> tuple[str, ...]:
    document, _ = read(skill_md(f"allowed-tools: {text}\n"))
    assert document.fields is not None
    return to_tools(document.fields.find("allowed-tools")) or ()


@given(st.binary(max_size=80), PROFILES)
def test_any_bytes_can_be_given(content: bytes, profile: Profile) -> None:
    for one in (content, b"---\n" + content + b"\n---\n"):
        fixed = fix(one, profile=profile)

        assert fix(fixed.content, profile=profile).content == fixed.content


def test_a_name_that_does_not_start_beside_its_key_is_left_to_a_person() -> None:
    for profile in Profile:
        content = "---\nname: # c\n>-\n Pdf\ndescription: Fills in forms.\n---\nBody\n"
        result = fix(content, profile=profile)
        assert result.content == content.encode()
        assert result.fixed == ()
