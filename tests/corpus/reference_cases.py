"""Small skills that the strict profile and the reference library are both asked about.

Both accept a case, or both refuse it, unless it names the differences (`D1` …) that keep them
apart; these are explained in `docs/reference-differences.md`.
"""

from collections.abc import Mapping
from typing import NamedTuple

NAME = "name: pdf\n"
DESCRIPTION = "description: Fills in forms. Use when a form is to be filled in.\n"
GOOD = NAME + DESCRIPTION


class Case(NamedTuple):
    """One skill: its files, the directory it stands in, and whether strict accepts it."""

    what: str
    files: Mapping[str, bytes]
    accepted: bool
    causes: tuple[str, ...] = ()
    directory: str = "pdf"


def skill(
    what: str,
    front: str,
    *,
    accepted: bool,
    causes: tuple[str, ...] = (),
    directory: str = "pdf",
) -> Case:
    """Make a case of front matter that stands between `---` lines."""
    return whole(
        what, f"---\n{front}---\n# Body\n", accepted=accepted, causes=causes, directory=directory
    )


def whole(
    what: str,
    content: str | bytes,
    *,
    accepted: bool,
    causes: tuple[str, ...] = (),
    directory: str = "pdf",
    path: str = "SKILL.md",
    beside: Mapping[str, bytes] | None = None,
) -> Case:
    """Make a case of a whole file."""
    raw = content.encode() if isinstance(content, str) else content
    return Case(what, {path: raw, **(beside or {})}, accepted, causes, directory)


def named(name: str, *, accepted: bool, causes: tuple[str, ...] = (), directory: str = "") -> Case:
    """Make a case of a name, in a directory of that name unless another is given."""
    return skill(
        f"the name {name!r} in {directory or name!r}",
        f"name: {name}\n{DESCRIPTION}",
        accepted=accepted,
        causes=causes,
        directory=directory or name.strip("'\""),
    )


SPECIFICATION = [
    skill("the smallest skill", GOOD, accepted=True),
    skill(
        "every field of the specification",
        f"{GOOD}license: Apache-2.0\ncompatibility: Needs git and jq\n"
        "allowed-tools: Bash(git:*) Read\nmetadata:\n  author: someone\n  version: '1.0'\n",
        accepted=True,
    ),
    skill("fields in another order", f"{DESCRIPTION}license: MIT\n{NAME}", accepted=True),
    skill("comments and blank lines", f"# a\n\n{NAME}# b\n{DESCRIPTION}\n# c\n", accepted=True),
    skill("quotes", "name: 'pdf'\ndescription: \"Fills in: forms\"\n", accepted=True),
    skill("a folded description", f"{NAME}description: >-\n  Fills in\n  forms\n", accepted=True),
    skill("a literal description", f"{NAME}description: |\n  Fills in\n  forms\n", accepted=True),
    skill("a description over two lines", f"{NAME}description: Fills\n  in\n", accepted=True),
    skill("blanks around the name", f"name: ' pdf '\n{DESCRIPTION}", accepted=True),
    skill("another alphabet", f"{NAME}description: 表示 и ещё\n", accepted=True),
    skill("no name", DESCRIPTION, accepted=False),
    skill("an empty name", f"name:\n{DESCRIPTION}", accepted=False),
    skill("a list as name", f"name:\n  - pdf\n{DESCRIPTION}", accepted=False),
    skill("no description", NAME, accepted=False),
    skill("an empty description", f"{NAME}description: ''\n", accepted=False),
    skill("a blank description", f"{NAME}description: '  '\n", accepted=False),
    skill("a list as description", f"{NAME}description:\n  - a\n", accepted=False),
    skill("a mapping as description", f"{NAME}description:\n  a: b\n", accepted=False),
    skill("1,024 characters", f"{NAME}description: {'x' * 1024}\n", accepted=True),
    skill("1,025 characters", f"{NAME}description: {'x' * 1025}\n", accepted=False),
    skill("500 of compatibility", f"{GOOD}compatibility: {'x' * 500}\n", accepted=True),
    skill("501 of compatibility", f"{GOOD}compatibility: {'x' * 501}\n", accepted=False),
    skill("a list as compatibility", f"{GOOD}compatibility:\n  - a\n", accepted=False),
    skill("a number as description", f"{NAME}description: 1.0\n", accepted=True),
    skill("an empty license", f"{GOOD}license:\n", accepted=True),
    skill("empty metadata", f"{GOOD}metadata:\n", accepted=True),
    skill("metadata that is null", f"{GOOD}metadata: null\n", accepted=True),
    skill("numbers under metadata", f"{GOOD}metadata:\n  a: 1\n  b: true\n", accepted=True),
    skill("an empty value under metadata", f"{GOOD}metadata:\n  a:\n", accepted=True),
    skill("one tool", f"{GOOD}allowed-tools: Read\n", accepted=True),
    skill("no tool", f"{GOOD}allowed-tools:\n", accepted=True),
    skill("commas in brackets", f"{GOOD}allowed-tools: Bash(a, b) Read\n", accepted=True),
]

NAMES = [
    named("a", accepted=True),
    named("3d-print", accepted=True),
    named("x" * 64, accepted=True),
    named("x" * 65, accepted=False),
    named("Pdf", accepted=False),
    named("pdf_tools", accepted=False),
    named("pdf tools", accepted=False),
    named("-pdf", accepted=False),
    named("pdf-", accepted=False),
    named("pdf--tools", accepted=False),
    named("pdf.tools", accepted=False),
    named("claude:pdf", accepted=False),
    named("forms", accepted=False, directory="pdf"),
    named("pdf", accepted=False, directory="PDF"),
    named("123", accepted=True),
    named("true", accepted=True),
    named("résumé", accepted=False, causes=("D7",)),
    named("表示", accepted=False, causes=("D7",)),
    named("ｐｄｆ", accepted=False, causes=("D7",), directory="pdf"),
    named("pdf", accepted=False, causes=("D7",), directory="ｐｄｆ"),
    named("null", accepted=False, causes=("D6",)),
]

EXTRA_FIELDS = [
    skill(f"the extra field {field}", f"{GOOD}{field}: {value}\n", accepted=False)
    for field, value in {
        "version": "1.0.0",
        "author": "someone",
        "tags": "a b",
        "category": "ops",
        "source": "here",
        "homepage": "https://example.org",
        "tools": "Read",
        "triggers": "a",
        "user-invocable": "true",
        "disable-model-invocation": "true",
        "argument-hint": "'[file]'",
        "model": "opus",
        "context": "fork",
        "user-invokable": "true",
        "Name": "pdf",
        "allowed_tools": "Read",
        "''": "x",
    }.items()
]

YAML = [
    skill("a colon in a value", f"{NAME}description: Fills in: forms\n", accepted=False),
    skill("a star at the start", f"{NAME}description: *forms* and more\n", accepted=False),
    skill("a quote that is not closed", f"{NAME}description: 'Fills\n", accepted=False),
    skill("a key that stands twice", f"{GOOD}{NAME}", accepted=False),
    skill("a key twice under metadata", f"{GOOD}metadata:\n  a: b\n  a: c\n", accepted=False),
    skill("an anchor", f"{GOOD}license: &a MIT\n", accepted=False),
    skill("an alias", f"{GOOD}license: &a MIT\ncompatibility: *a\n", accepted=False),
    skill("a tag", f"{GOOD}license: !!str MIT\n", accepted=False),
    skill("a tab as indentation", f"{GOOD}metadata:\n\ta: b\n", accepted=False),
    skill("a list of tags in brackets", f"{GOOD}tags: [a, b]\n", accepted=False),
    skill("a list", "- name: pdf\n", accepted=False),
    skill("a text", "pdf\n", accepted=False),
    skill("nothing", "", accepted=False),
    skill("an end mark", f"{GOOD}...\n", accepted=True),
    skill("an explicit key", f"{GOOD}? license\n: MIT\n", accepted=True),
    skill("a key in quotes", f'{GOOD}"license": MIT\n', accepted=True),
    skill("a blank before the colon", f"{GOOD}license : MIT\n", accepted=True),
    skill("an unknown escape", f'{NAME}description: "a\\db"\n', accepted=False),
    skill(
        "brackets around metadata", f"{GOOD}metadata: {{a: b}}\n", accepted=True, causes=("D11",)
    ),
    skill("a tab before a value", f"{GOOD}license:\tMIT\n", accepted=True, causes=("D12",)),
    skill("a tab in a block", f"{GOOD}license: |\n \ta\n  b\n", accepted=False, causes=("D12",)),
    skill("an equals sign", f"{NAME}description: =\n", accepted=True, causes=("D13",)),
    skill("a merge", f"{GOOD}<<:\n  license: MIT\n", accepted=False, causes=("D13",)),
    skill("a comment on a block", f"{GOOD}license: |# c\n  a\n", accepted=True, causes=("D14",)),
    skill(
        "a line separator in a text",
        f"{NAME}description: a\u2028b\n",
        accepted=False,
        causes=("D15",),
    ),
    skill(
        "a line separator between fields",
        f"name: pdf\u2028{DESCRIPTION}",
        accepted=True,
        causes=("D15",),
    ),
    skill("a mark before a key", f"\ufeff{GOOD}", accepted=True, causes=("D15",)),
    skill(
        "two halves of a character",
        f'{NAME}description: "\\ud83d\\ude00"\n',
        accepted=False,
        causes=("D17",),
    ),
    skill("a colon without a key", f"{GOOD}? license\n: :\n", accepted=False, causes=("D18",)),
    skill("two end marks", f"{GOOD}...\n...\n", accepted=True, causes=("D19",)),
]

SHAPES = [
    skill(
        "tools with commas", f"{GOOD}allowed-tools: Read, Write\n", accepted=False, causes=("D1",)
    ),
    skill("tools as a list", f"{GOOD}allowed-tools:\n  - Read\n", accepted=False, causes=("D1",)),
    skill("tools as a mapping", f"{GOOD}allowed-tools:\n  a: b\n", accepted=False, causes=("D1",)),
    skill("tools in brackets", f"{GOOD}allowed-tools: [Read]\n", accepted=False),
    skill("a text as metadata", f"{GOOD}metadata: a\n", accepted=False, causes=("D2",)),
    skill("a list as metadata", f"{GOOD}metadata:\n  - a\n", accepted=False, causes=("D2",)),
    skill(
        "a mapping in metadata",
        f"{GOOD}metadata:\n  a:\n    b: c\n",
        accepted=False,
        causes=("D3",),
    ),
    skill(
        "a list in metadata", f"{GOOD}metadata:\n  a:\n    - b\n", accepted=False, causes=("D3",)
    ),
    skill("a list as license", f"{GOOD}license:\n  - MIT\n", accepted=False, causes=("D4",)),
    skill("empty compatibility", f"{GOOD}compatibility:\n", accepted=False, causes=("D5",)),
    skill("a description that is null", f"{NAME}description: ~\n", accepted=False, causes=("D6",)),
    skill(
        "1,024 characters and a line end",
        f"{NAME}description: |\n  {'x' * 1024}\n",
        accepted=True,
        causes=("D10",),
    ),
    skill(
        "500 and a line end",
        f"{GOOD}compatibility: |\n  {'x' * 500}\n",
        accepted=True,
        causes=("D10",),
    ),
    skill(
        "two at once",
        f"{GOOD}allowed-tools: a, b\nmetadata: c\n",
        accepted=False,
        causes=("D1", "D2"),
    ),
]

FILES = [
    whole("an empty file", "", accepted=False),
    whole("no front matter", "# PDF\n", accepted=False),
    whole("front matter that is not closed", f"---\n{GOOD}", accepted=False),
    whole("no body", f"---\n{GOOD}---", accepted=True),
    whole("a rule in the body", f"---\n{GOOD}---\na\n\n---\n\nb --- c\n", accepted=True),
    whole("blank lines before it", f"\n---\n{GOOD}---\n", accepted=False),
    whole("carriage returns", f"---\n{GOOD}---\n# Body\n".replace("\n", "\r\n"), accepted=True),
    whole("blanks after the fences", f"--- \n{GOOD}--- \n", accepted=True),
    whole("a dash in a text", f"---\n{NAME}description: a --- b\n---\n", accepted=True),
    whole(
        "a dash in quotes",
        f'---\n{NAME}description: "a --- b"\n---\n',
        accepted=True,
        causes=("D8",),
    ),
    whole(
        "an unknown field after a dash",
        f"---\n{NAME}description: a --- b\nslug: c\n---\n",
        accepted=False,
        causes=("D8",),
    ),
    whole("a closing line with more on it", f"---\n{GOOD}--- x\n", accepted=False, causes=("D8",)),
    whole("a closing line that is indented", f"---\n{GOOD} ---\n", accepted=False, causes=("D8",)),
    whole("an opening line with more on it", f"---{GOOD}---\n", accepted=False, causes=("D8",)),
    whole("a byte-order mark", f"\ufeff---\n{GOOD}---\n", accepted=True, causes=("D9",)),
    whole(
        "old line ends", f"---\n{GOOD}---\n".replace("\n", "\r"), accepted=False, causes=("D16",)
    ),
    whole("skill.md", f"---\n{GOOD}---\n", accepted=False, causes=("D20",), path="skill.md"),
    whole(
        "another encoding",
        f"---\n{NAME}description: Fülle\n---\n".encode("latin-1"),
        accepted=False,
        causes=("D21",),
    ),
    whole(
        "a control character",
        f"---\n{NAME}description: a\x07b\n---\n",
        accepted=False,
        causes=("D21",),
    ),
    whole("a list as key", f"---\n{GOOD}? - a\n: b\n---\n", accepted=False, causes=("D21",)),
    whole(
        "deep metadata",
        f"---\n{GOOD}metadata:\n" + "".join(f"{'  ' * n}a:\n" for n in range(1, 20)) + "---\n",
        accepted=False,
        causes=("D22",),
    ),
    whole(
        "a binary file",
        f"---\n{GOOD}---\n",
        accepted=False,
        causes=("D23",),
        beside={"references/a.md": b"\xff\0"},
    ),
    whole(
        "a manifest.json that is none",
        f"---\n{GOOD}---\n",
        accepted=False,
        causes=("D23",),
        beside={"manifest.json": b"{"},
    ),
]

CASES = [*SPECIFICATION, *NAMES, *EXTRA_FIELDS, *YAML, *SHAPES, *FILES]
