"""Facts are gathered from where they stand, the strongest place first."""

import pytest

from skillyard.domain.diagnostic import Diagnostic, Severity, Span
from skillyard.domain.manifest import Invocation, Manifest, SidecarManifest, Triggers
from skillyard.skillmd.rules import Profile
from tests.unit.skillmd.checking import BODY, GOOD, check, codes, skill_md

pytestmark = pytest.mark.requirement("PKG-2")

DESCRIPTION = "Fills in forms. Use when a form is to be filled in."


def gather(front: str, sidecar: str | None = None) -> Manifest:
    beside = {} if sidecar is None else {"manifest.json": sidecar}
    manifest = check(skill_md(GOOD + front), beside={**beside}).manifest
    assert manifest is not None
    return manifest


def test_a_small_skill_has_a_name_a_description_and_its_fields() -> None:
    assert gather("") == Manifest(
        name="pdf",
        description=DESCRIPTION,
        fields={"name": "pdf", "description": DESCRIPTION},
    )


def test_every_field_is_read() -> None:
    front = (
        "license: MIT\ncompatibility: Needs git\nallowed-tools: Read Bash(git add:*)\n"
        "version: v1.2\ndisplay-name: PDF forms\ntags: [pdf, forms]\ncategory: writing\n"
        "requires-tools: Read, Write\ninvocation: user-only\nproviders: [codex, gemini-cli]\n"
        "triggers:\n  keywords: [form, fill in]\n  verbs: fill\n  patterns: ['a b', c]\n"
        "metadata:\n  author: An Author\n  requires: git  jq\n  other: x\n"
    )

    assert gather(front, '{"requires": ["office"], "version": "1.2.0"}') == Manifest(
        name="pdf",
        description=DESCRIPTION,
        license="MIT",
        compatibility="Needs git",
        metadata={"author": "An Author", "requires": "git  jq", "other": "x"},
        allowed_tools=("Read", "Bash(git add:*)"),
        version="1.2.0",
        display_name="PDF forms",
        author="An Author",
        tags=("pdf", "forms"),
        category="writing",
        requires_tools=("Read", "Write"),
        requires_commands=("git", "jq"),
        requires=("office",),
        triggers=Triggers(("form", "fill in"), ("fill",), ("a b", "c")),
        invocation=Invocation.USER_ONLY,
        providers={"codex": "materialize", "gemini-cli": "materialize"},
        sidecar=SidecarManifest(requires=("office",), version="1.2.0"),
        fields={
            "name": "pdf",
            "description": DESCRIPTION,
            "license": "MIT",
            "compatibility": "Needs git",
            "allowed-tools": "Read Bash(git add:*)",
            "version": "v1.2",
            "display-name": "PDF forms",
            "tags": ["pdf", "forms"],
            "category": "writing",
            "requires-tools": "Read, Write",
            "invocation": "user-only",
            "providers": ["codex", "gemini-cli"],
            "triggers": {
                "keywords": ["form", "fill in"],
                "verbs": "fill",
                "patterns": ["a b", "c"],
            },
            "metadata": {"author": "An Author", "requires": "git  jq", "other": "x"},
        },
    )


@pytest.mark.parametrize(
    ("front", "sidecar", "version"),
    [
        ("version: 3\nmetadata:\n  version: '2'\n", '{"version": "1"}', "3.0.0"),
        ("metadata:\n  version: '2'\n", '{"version": "1"}', "2.0.0"),
        ("", '{"version": "1"}', "1.0.0"),
        ("version: latest\nmetadata:\n  version: '2'\n", None, "2.0.0"),
        ("version: latest\nmetadata:\n  version: newest\n", '{"version": "1"}', "1.0.0"),
        ("version:\n  - 1\n", None, None),
        ("", None, None),
    ],
)
def test_the_front_matter_counts_more_than_metadata_and_metadata_more_than_manifest_json(
    front: str, sidecar: str | None, version: str | None
) -> None:
    assert gather(front, sidecar).version == version


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [a, b]\nmetadata:\n  tags: c\n", ("a", "b")),
        ("tags: a, b\n", ("a", "b")),
        ("metadata:\n  tags: c, d e\n", ("c", "d", "e")),
        ("tags: []\nmetadata:\n  tags: c\n", ("c",)),
        ("", ("z",)),
    ],
)
def test_tags_are_read_in_every_form(front: str, tags: tuple[str, ...]) -> None:
    assert gather(front, '{"tags": ["z"]}').tags == tags


@pytest.mark.parametrize(
    ("front", "invocation"),
    [
        ("", Invocation.AUTO),
        ("invocation: model-only\n", Invocation.MODEL_ONLY),
        ("metadata:\n  invocation: user-only\n", Invocation.USER_ONLY),
        ("disable-model-invocation: true\n", Invocation.USER_ONLY),
        ("user-invocable: no\n", Invocation.MODEL_ONLY),
        ("disable-model-invocation: true\nuser-invocable: false\n", Invocation.USER_ONLY),
        ("invocation: auto\ndisable-model-invocation: true\n", Invocation.AUTO),
        ("invocation: never\n", Invocation.AUTO),
        ("disable-model-invocation: maybe\n", Invocation.AUTO),
    ],
)
def test_clients_switches_say_who_may_call(front: str, invocation: Invocation) -> None:
    assert gather(front).invocation == invocation


@pytest.mark.parametrize(
    ("front", "providers"),
    [
        ("providers:\n  codex: link\n  gemini-cli: exclude\n",
         {"codex": "link", "gemini-cli": "exclude"}),
        ("providers: codex\n", {"codex": "materialize"}),
        ("providers:\n  codex: [a]\n", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_providers_are_a_list_or_a_mapping(front: str, providers: dict[str, str]) -> None:
    assert gather(front).providers == providers


@pytest.mark.parametrize(
    ("front", "triggers"),
    [
        ("triggers: [a, b c]\n", Triggers(("a", "b c"))),
        ("triggers: a b\n", Triggers(("a b",))),
        ("triggers:\n  verbs: [a]\n", Triggers((), ("a",))),
        ("triggers:\n", Triggers()),
    ],
)
def test_triggers_are_keywords_unless_they_say_more(front: str, triggers: Triggers) -> None:
    assert gather(front).triggers == triggers


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    checked = check(skill_md("name: a\ndescription: b\nname: pdf\n"))

    assert checked.manifest is not None
    assert checked.manifest.name == "pdf"


@pytest.mark.parametrize(
    "front",
    ["name: pdf\n", "description: a\n", "name:\ndescription: a\n", "name: pdf\ndescription: ''\n",
     "name: pdf\ndescription: [a]\n", "name: {a: b}\ndescription: a\n"],
)  # fmt: skip
def test_without_name_or_description_there_is_no_manifest(front: str) -> None:
    assert check(skill_md(front)).manifest is None


@pytest.mark.requirement("PKG-3")
def test_the_lenient_profile_sanitises_the_name() -> None:
    manifest = check(skill_md("name: Mein PDF\ndescription: a\n"), profile=Profile.LENIENT).manifest

    assert manifest is not None
    assert manifest.name == "mein-pdf"


@pytest.mark.parametrize(
    ("front", "message"),
    [
        (
            "version: 1.0.0\nmetadata:\n  version: 2.0.0\n",
            "`version` is `1.0.0`, but `metadata.version` is `2.0.0`",
        ),
        (
            "tags: [a, b]\nmetadata:\n  tags: a c\n",
            "`tags` is `a b`, but `metadata.tags` is `a c`",
        ),
        (
            "category: ops\nmetadata:\n  category: coding\n",
            "`category` is `ops`, but `metadata.category` is `coding`",
        ),
    ],
)
def test_one_fact_in_two_places_that_differs_is_a_warning(front: str, message: str) -> None:
    key = front.split(":", maxsplit=1)[0]

    checked = check(skill_md(GOOD + front))

    start = len(key) + 3
    end = front.index("\n") + 1
    assert checked.diagnostics == (
        Diagnostic(
            code="SY225",
            severity=Severity.WARNING,
            message=message,
            span=Span(4, start, 4, end),
            hint=f"The first counts; remove `metadata.{key}` or make them equal",
        ),
    )


@pytest.mark.parametrize(
    "front",
    [
        "version: v1\nmetadata:\n  version: 1.0.0\n",
        "tags: [b, a]\nmetadata:\n  tags: a, b\n",
        "tags: []\nmetadata:\n  tags: a\n",
        "display-name: A  b\nmetadata:\n  display-name: A b\n",
    ],
)
def test_facts_that_say_the_same_are_fine(front: str) -> None:
    assert codes(check(skill_md(GOOD + front, BODY))) == []
