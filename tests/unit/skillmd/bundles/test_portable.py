"""Portable JSON carries a package and what is said of it, both ways."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.limits import STANDARD
from skillyard.domain.package import Package, PackageFile
from skillyard.skillmd.bundles import (
    BundleFacts,
    Form,
    PortableFacts,
    read_bundle,
    read_portable,
    render_bundle,
)
from skillyard.skillmd.intake import TakenIn
from tests.corpus.everyday_archives import SEED_PACKAGE, list_everyday_archives
from tests.unit.skillmd.bundles.strategies import facts, packages

ABOUT = BundleFacts(
    slug="jira-triage",
    display_name="Jira Triage",
    description="Triage incoming tickets",
    category="ops",
    tags=("jira", "triage"),
    version="1.0.0",
    requires_tools=("bash",),
    created_at="2026-02-20T12:00:00Z",
    author="operator@example.com",
)


def shape_problems(value: object) -> list[str]:
    taken, _ = read_portable(json.dumps(value).encode(), limits=STANDARD)
    assert {one.code for one in taken.diagnostics} == {"SY407"}
    return [one.message for one in taken.diagnostics]


def test_a_bundle_is_written_in_the_shape_of_the_format() -> None:
    package = Package.of(
        {
            "SKILL.md": "---\nname: jira-triage\n---\n“Ünïcode”\n",
            "scripts/run.sh": PackageFile(b"#!/bin/sh\n", executable=True),
            "assets/logo.png": b"\x89PNG\xff",
            "LICENSE": "MIT\n",
        }
    )

    assert render_bundle(package, Form.JSON, about=ABOUT).decode() == (
        """{
  "formatVersion": 2,
  "skill": {
    "name": "Jira Triage",
    "slug": "jira-triage",
    "description": "Triage incoming tickets",
    "category": "ops",
    "tags": [
      "jira",
      "triage"
    ],
    "version": "1.0.0",
    "requiresTools": [
      "bash"
    ],
    "content": "---\\nname: jira-triage\\n---\\n“Ünïcode”\\n",
    "files": [
      {
        "path": "LICENSE",
        "content": "MIT\\n",
        "contentType": "text/plain"
      },
      {
        "path": "assets/logo.png",
        "content": "iVBOR/8=",
        "encoding": "base64",
        "contentType": "image/png"
      },
      {
        "path": "scripts/run.sh",
        "content": "#!/bin/sh\\n",
        "executable": true,
        "contentType": "application/x-sh"
      }
    ]
  },
  "metadata": {
    "exportedAt": "2026-02-20T12:00:00Z",
    "exportedFrom": "skillyard",
    "author": "operator@example.com"
  }
}
"""
    )


def test_a_bundle_names_no_moment_author_or_version_that_it_was_not_told() -> None:
    about = BundleFacts(slug="a", display_name="A")

    bundle = json.loads(render_bundle(Package.of({"SKILL.md": ""}), Form.JSON, about=about))

    assert bundle == {
        "formatVersion": 2,
        "skill": {
            "name": "A",
            "slug": "a",
            "description": "",
            "tags": [],
            "requiresTools": [],
            "content": "",
            "files": [],
        },
        "metadata": {"exportedFrom": "skillyard"},
    }


def test_the_example_of_the_format_is_read_with_its_facts() -> None:
    seed = next(one for one in list_everyday_archives() if one.name == "seed")

    taken, said = read_portable(seed.build(), limits=STANDARD)

    assert taken == TakenIn(SEED_PACKAGE)
    assert said == PortableFacts(
        name="Jira Triage",
        slug="jira-triage",
        description="Triage incoming Jira tickets using priority and severity rules",
        category="ops",
        tags=("jira", "triage", "ops"),
        version="1.0.0",
        requires_tools=("bash",),
        exported_at="2026-02-20T12:00:00Z",
        exported_from="nitejar",
        author="operator@example.com",
    )


@given(package=packages, about=facts)
def test_facts_come_back_as_they_were_given(package: Package, about: BundleFacts) -> None:
    _, said = read_portable(render_bundle(package, Form.JSON, about=about), limits=STANDARD)

    assert said == PortableFacts(
        name=about.display_name,
        slug=about.slug,
        description=about.description,
        category=about.category,
        tags=about.tags,
        version=about.version,
        requires_tools=about.requires_tools,
        exported_at=about.created_at,
        exported_from="skillyard",
        author=about.author,
    )


def test_skill_md_itself_may_be_executable_and_not_text() -> None:
    package = Package.of({"SKILL.md": PackageFile(b"\xff\xfe", executable=True)})

    data = render_bundle(package, Form.JSON, about=ABOUT)

    assert json.loads(data)["skill"]["encoding"] == "base64"
    assert read_bundle(data, Form.JSON, limits=STANDARD) == TakenIn(package)


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        ("\n" * 4_000, None),
        ("\x01" * 900, None),
        ("\x01" * 910, "base64"),
        ("ab\n" * 80_000, None),
        ('"\n' * 100_000, "base64"),
    ],
)
def test_long_text_that_is_mostly_escapes_is_written_as_base64(
    content: str, encoding: str | None
) -> None:
    package = Package.of({"SKILL.md": "x", "a.txt": content})

    data = render_bundle(package, Form.JSON, about=ABOUT)

    (file,) = json.loads(data)["skill"]["files"]
    assert (file.get("encoding"), file["contentType"]) == (encoding, "text/plain")
    assert read_bundle(data, Form.JSON, limits=STANDARD) == TakenIn(package)


def test_halves_of_characters_in_facts_do_not_break_the_bundle() -> None:
    about = BundleFacts(slug="a", display_name="half \ud800")

    data = render_bundle(SEED_PACKAGE, Form.JSON, about=about)

    taken, said = read_portable(data, limits=STANDARD)
    assert (taken.package, said.name) == (SEED_PACKAGE, "half ?")


def test_every_member_of_a_wrong_shape_is_reported_with_its_place() -> None:
    problems = shape_problems(
        {
            "formatVersion": 2,
            "skill": {
                "name": 7,
                "tags": ["a", None],
                "requiresTools": "bash",
                "executable": 1,
                "files": [
                    {"path": "SKILL.md", "content": "x"},
                    7,
                    {"path": "a", "content": "?", "encoding": "base64"},
                    {"content": []},
                    {"path": "b", "content": "x", "encoding": "rot13", "executable": "no"},
                ],
            },
            "metadata": {"author": 1, "exportedAt": 2},
        }
    )

    assert problems == [
        "`skill.name` is not a text",
        "`skill.tags[1]` is not a text",
        "`skill.requiresTools` is not a list",
        "`metadata.exportedAt` is not a text",
        "`metadata.author` is not a text",
        "`skill.executable` is not true or false",
        "`skill.content` is missing",
        "`skill.files[1]` is not an object",
        "`skill.files[0].path` may not be SKILL.md, which is `skill.content`",
        "`skill.files[2].content` is not base64",
        "`skill.files[3].path` is missing",
        "`skill.files[3].content` is not a text",
        "`skill.files[4].executable` is not true or false",
        "`skill.files[4].encoding` is not `base64`",
    ]


def test_another_version_is_refused_before_its_shape_is_judged() -> None:
    assert shape_problems({"formatVersion": 3, "skill": 7}) == [
        "`formatVersion` is not one of the known versions (2)"
    ]
    assert shape_problems([1, 2]) == ["the bundle is not an object"]


def test_a_bundle_that_is_refused_says_nothing_of_its_skill() -> None:
    data = json.dumps({"formatVersion": 2, "skill": {"name": "A"}}).encode()

    assert read_portable(data, limits=STANDARD)[1] == PortableFacts()


@given(value=st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["formatVersion", "skill", "content", "files", "path", "tags", "encoding"]),
        inner | st.just(2) | st.just("base64"), max_size=5,
    ),
    max_leaves=20,
))  # fmt: skip
def test_json_of_any_shape_never_raises(value: object) -> None:
    data = json.dumps({"formatVersion": 2, "skill": value}).encode()

    assert isinstance(read_bundle(data, Form.JSON, limits=STANDARD), TakenIn)
