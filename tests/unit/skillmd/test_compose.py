"""Front matter that is made, and names and descriptions that are changed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillyard.domain.errors import InvalidPackageError
from skillyard.domain.package import Package
from skillyard.skillmd.check import check_package
from skillyard.skillmd.compose import add_front_matter, describe_package, rename_package

WITH_COMMENTS = """\
---
# Who we are
name: "pdf" # the name
description: >-
  Fills forms.
  Use when asked.
tags: [a, b]
---

Body with name: pdf.
"""


def text_of(package: Package) -> str:
    return (package.skill_md or b"").decode()


def test_a_text_without_front_matter_gets_one() -> None:
    assert add_front_matter("# Do\n", name="pdf", description="Fills: forms") == (
        '---\nname: pdf\ndescription: "Fills: forms"\n---\n\n# Do\n'
    )


def test_a_text_with_front_matter_is_left_alone() -> None:
    assert add_front_matter(WITH_COMMENTS, name="x", description="y") == WITH_COMMENTS


def test_only_the_name_is_changed() -> None:
    renamed = rename_package(Package.of({"SKILL.md": WITH_COMMENTS, "a.md": "A"}), "forms")

    assert text_of(renamed) == WITH_COMMENTS.replace('name: "pdf" #', "name: forms #")
    assert renamed.files.keys() == {"SKILL.md", "a.md"}


def test_only_the_description_is_changed() -> None:
    described = describe_package(Package.of({"SKILL.md": WITH_COMMENTS}), "Reads: all")

    assert text_of(described) == WITH_COMMENTS.replace(
        ">-\n  Fills forms.\n  Use when asked.", '"Reads: all"'
    )


def test_a_manifest_is_renamed_too_and_one_that_cannot_be_read_is_left_alone() -> None:
    good = Package.of({"SKILL.md": WITH_COMMENTS, "manifest.json": '{"name": "pdf", "x": [1]}'})
    bad = Package.of({"SKILL.md": WITH_COMMENTS, "manifest.json": "{"})

    renamed = {
        str(path): file.content for path, file in rename_package(good, "forms").files.items()
    }
    left = {str(path): file.content for path, file in rename_package(bad, "forms").files.items()}

    assert renamed["manifest.json"] == b'{\n  "name": "forms",\n  "x": [\n    1\n  ]\n}\n'
    assert left["manifest.json"] == b"{"


@pytest.mark.parametrize("text", ["no front matter", "---\n- a list\n---\n"])
def test_what_has_no_front_matter_cannot_be_renamed(text: str) -> None:
    with pytest.raises(InvalidPackageError):
        rename_package(Package.of({"SKILL.md": text}), "forms")


@given(st.text(min_size=1, max_size=100).filter(lambda text: text.strip() == text))
def test_a_description_is_read_again_as_it_was_given_or_refused(description: str) -> None:
    package = Package.of({"SKILL.md": WITH_COMMENTS})
    try:
        described = describe_package(package, description)
    except (InvalidPackageError, UnicodeEncodeError):
        return
    manifest = check_package(described).manifest

    assert manifest is None or manifest.description == description.strip()
