"""What a skill says about itself, where it says nothing."""

import pytest

from skillyard.domain.manifest import (
    CATEGORIES,
    Author,
    Confidence,
    Invocation,
    Manifest,
    SidecarManifest,
    Triggers,
)

pytestmark = pytest.mark.requirement("PKG-2")


def test_a_manifest_needs_a_name_and_a_description_and_nothing_else() -> None:
    assert Manifest(name="pdf", description="Fills in forms") == Manifest(
        name="pdf",
        description="Fills in forms",
        license=None,
        compatibility=None,
        metadata={},
        allowed_tools=(),
        version=None,
        display_name=None,
        author=None,
        tags=(),
        category=None,
        requires_tools=(),
        requires_commands=(),
        requires=(),
        triggers=Triggers(keywords=(), verbs=(), patterns=()),
        invocation=Invocation.AUTO,
        providers={},
        sidecar=None,
        fields={},
    )


def test_what_a_manifest_leaves_out_cannot_be_filled_in_later() -> None:
    manifest = Manifest(name="pdf", description="Fills in forms")

    for mapping in (manifest.metadata, manifest.providers, manifest.fields):
        assert not hasattr(mapping, "__setitem__")


def test_equal_manifests_have_one_hash() -> None:
    one, other = (Manifest(name="pdf", description="d", metadata={"a": "b"}) for _ in range(2))

    assert {one: 1}[other] == 1


@pytest.mark.requirement("PKG-6")
def test_a_sidecar_that_says_nothing_is_for_every_agent() -> None:
    assert SidecarManifest() == SidecarManifest(
        name=None,
        version=None,
        description=None,
        confidence=None,
        author=None,
        agents=None,
        tags=(),
        created=None,
        updated=None,
        requires=(),
    )
    assert Author() == Author(type="system", agent=None, source=None)


def test_the_words_that_fields_choose_from() -> None:
    assert CATEGORIES == (
        "general", "coding", "ops", "writing", "research", "design", "testing", "security",
        "custom",
    )  # fmt: skip
    assert [one.value for one in Confidence] == ["low", "medium", "high"]
    assert [one.value for one in Invocation] == ["auto", "user-only", "model-only"]
